"""Rules, one a line.   In: a Tree or a RuleList.   Out: text: each leaf as a rule; rule lists in words that read back.

    if sex = female and pclass <= 2.5 then survived  (233 rows, 0.93)
    if sex = male and age > 9.5 or missing then died  (805 rows, 0.83)

The rules of a tree exclude each other, so that their order does not matter. Those of a rule list are tried from the
top; RuleList.parse reads them back.
"""

import numpy as np

from hedgerow.display.sentences import many
from hedgerow.export.exporter import ExportState
from hedgerow.tree.conditions import conditions
from hedgerow.tree.formatting import share
from hedgerow.tree.labels import LabeledTree, Labels, label_tree
from hedgerow.tree.tree import LEAF, Tree
from hedgerow.tree.wording import condition_in_words, decision

TITLE, SUFFIX, TAKES = "rules in words", ".txt", ("tree", "rule list")


def export(state: ExportState) -> str:
    if isinstance(state.body, Tree):
        return tree_to_rules(state.body, state.labels)
    return str(state.body.to_text())


def tree_to_rules(tree: Tree, labels: Labels) -> str:
    """A line for each leaf, from left to right."""
    words = label_tree(tree, labels)
    idle = tree.stop_leaves & (tree.n_rows == 0)
    leaves = [node for node in _from_left_to_right(tree) if tree.kind[node] == LEAF and not idle[node]]
    return "\n".join(_rule(words, leaf) for leaf in leaves) + "\n"


def _rule(words: LabeledTree, leaf: int) -> str:
    tests = [condition_in_words(words, condition) for condition in conditions(words.tree, leaf)]
    facts = many(int(words.tree.n_rows[leaf]), "row")
    if words.shares:
        facts += f", {share(float(words.tree.value[leaf].max()))}"
    start = f"if {' and '.join(tests)} then" if tests else "always"
    return f"{start} {decision(words, leaf)}  ({facts})"


def _from_left_to_right(tree: Tree) -> list[int]:
    order: list[int] = []
    waiting = [0]
    while waiting:
        node = waiting.pop()
        order.append(node)
        first, n = int(tree.first_child[node]), int(tree.n_children[node])
        if tree.kind[node] != LEAF:
            waiting += np.arange(first, first + n)[::-1].tolist()
    return order
