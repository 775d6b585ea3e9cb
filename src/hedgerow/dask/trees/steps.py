"""Sums over the rows of all shards, of the trees that grow now; and nodes that one worker grows on."""

from typing import Any

from hedgerow.dask.steps import Steps, own_threads, run_shard
from hedgerow.dask.trees.grower import Node, Rules, grow_rest
from hedgerow.dask.trees.shard import (
    Answer,
    Facts,
    NodeRows,
    Request,
    TreePlan,
    TreeShard,
    TreeWay,
    add_answers,
    add_facts,
    add_number_answers,
    add_number_facts,
)
from hedgerow.tree.tree import Tree
from hedgerow.types import Mask


class TreeSteps(Steps):
    def __init__(self, client: Any, shards: list[Any], plan: TreePlan, trees: tuple[int, ...]) -> None:
        super().__init__(client, shards, plan)
        self.trees, self.n_numbers = trees, len(trees)

    def way(self, whole: bool) -> TreeWay:
        return TreeWay(self.trees, tuple(self.steps))

    def facts(self) -> list[Facts]:
        found = self._ask_facts("facts")
        if not self.plan.weighs_classes:
            return found
        return self._ask_facts("weigh", [self.plan.class_factors(own[:-1]) for own in found])

    def _ask_facts(self, *step: Any) -> list[Facts]:
        self.steps.append(step)
        return self.ask(run_shard, add_facts if self.plan.n_classes else add_number_facts)  # type: ignore[no-any-return]

    def count(self, requests: list[tuple[int, Request]]) -> list[Answer]:
        self.steps.append(("count", requests))
        return self._ask_sums()

    def part(self, splits: list[tuple[int, int, Mask, tuple[Request, Request]]]) -> list[Answer]:
        self.steps.append(("part", splits, self.n_numbers))
        self.n_numbers += 2 * len(splits)
        return self._ask_sums()

    def _ask_sums(self) -> list[Answer]:
        return self.ask(run_shard, add_answers if self.plan.n_classes else add_number_answers)  # type: ignore[no-any-return]

    def grow_rest(self, nodes: list[Node], rules: Rules) -> list[Tree]:
        """Each worker is sent the rows of some nodes, of about as many rows as the others."""
        groups = _share_out(nodes, len(self.shards))
        tasks = []
        for group in groups:
            numbers = [node.number for node in group]
            rows = [
                self.client.submit(take_rows, shard, self.plan, self.way(True), numbers, pure=False)
                for shard in self.shards
            ]
            tasks.append(self.client.submit(grow_group, rows, group, rules, pure=False))
        found = {
            node.number: tree
            for group, trees in zip(groups, self.client.gather(tasks), strict=True)
            for node, tree in zip(group, trees, strict=True)
        }
        return [found[node.number] for node in nodes]


def take_rows(shard: TreeShard, plan: TreePlan, way: TreeWay, nodes: list[int]) -> list[NodeRows]:
    return shard.take(plan, way, nodes)


def grow_group(rows: list[list[NodeRows]], nodes: list[Node], rules: Rules) -> list[Tree]:
    """`rows`: of each shard, of each node."""
    threads = own_threads()
    return [grow_rest(rules, [own[k] for own in rows], node, threads) for k, node in enumerate(nodes)]


def _share_out(nodes: list[Node], many: int) -> list[list[Node]]:
    groups: list[list[Node]] = [[] for _ in range(min(many, len(nodes)))]
    size = [0] * len(groups)
    for node in sorted(nodes, key=lambda one: -one.n_rows):
        least = size.index(min(size))
        groups[least].append(node)
        size[least] += node.n_rows
    return groups
