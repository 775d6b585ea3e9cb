"""Stability: split stability to read.   In: Counts and the tree's words.   Out: a sentence, a table, a picture, a dict.

The first question, "sex = male", is the same in 198 of 200 replicas. Below it the questions are exchangeable: none
returns in half of them.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.display import DisplayTable, Result
from hedgerow.display.numbers import figure
from hedgerow.display.sentences import many
from hedgerow.fitting.stability import Counts
from hedgerow.tree.cut import cut
from hedgerow.tree.formatting import safe
from hedgerow.tree.labels import Labels, label_tree
from hedgerow.tree.tree import LEAF, THRESHOLD, Tree
from hedgerow.tree.wording import branch_in_words, decision, question_in_words
from hedgerow.types import Float

HALF = 0.5
INTERVAL = (0.025, 0.975)


@dataclass(frozen=True, eq=False, repr=False)
class Stability(Result):
    """How often the splits of a tree come back on other rows.

    Attributes
    ----------
    counts :
        What the replicas ask at each node.
    n_replicas :
        Trees that were grown again.

    See Also
    --------
    hedgerow.stability : Returns it.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, datasets, stability
    >>> heart = datasets.heart()
    >>> model = DecisionTreeClassifier(max_depth=2)
    >>> found = stability(model, heart.table, heart.target, n_replicas=5)
    >>> found.sentence.startswith("The first question")
    True
    """

    tree: Tree
    labels: Labels
    counts: Counts
    n_replicas: int

    @property
    def share(self) -> Float:
        """By node: the part of all replicas with its column, or a rival of it, there; NaN at leaves."""
        part = (self.counts.same_column + self.counts.rival) / self.n_replicas
        return np.where(self.tree.kind == LEAF, np.nan, part)

    @property
    def agreement_tree(self) -> Tree:
        """The part of the tree that at least half of the replicas share."""
        return cut(self.tree, (self.tree.kind != LEAF) & ~(self.share >= HALF))

    def interval(self, node: int) -> tuple[float, float] | None:
        """Find where 95 % of the replicas with the same column have their threshold (numbers at a leaf: their value).

        Returns
        -------
        tuple of float or None
            Lower and upper end; None where no replica asks the same.
        """
        of = self.counts.values if self.tree.kind[node] == LEAF else self.counts.thresholds
        known = of[:, node][np.isfinite(of[:, node])]
        if not len(known):
            return None
        low, high = np.quantile(known, INTERVAL)
        return float(low), float(high)

    def rivals(self, node: int, most: int = 3) -> list[tuple[str, int]]:
        """List the columns of other questions there, the most frequent first.

        Returns
        -------
        list of (str, int)
            Names of columns, and in how many replicas.
        """
        found = self.counts.columns[node].copy()
        found[self.tree.feature[node]] = 0
        order = np.argsort(-found, kind="stable")[:most]
        return [(self.labels.features[j], int(found[j])) for j in order if found[j]]

    @property
    def sentence(self) -> str:
        """What came back, in a sentence."""
        if self.tree.n_nodes == 1:
            return "The tree is a single leaf: there is no question to be stable."
        words, n = label_tree(self.tree, self.labels), self.n_replicas
        same = int(self.counts.same_column[0])
        first = f'The first question, "{question_in_words(words, 0)}",'
        if same < HALF * n:
            rivals = ", ".join(f"{safe(name, 40)} in {count}" for name, count in self.rivals(0))
            return (
                f"{first} is of a column that comes first in {same} of {n} replicas; "
                f"others begin with {rivals or 'no question'}."
            )
        is_same = "is the same" if self.counts.same_split[0] == same else "is of the same column"
        return f"{first} {is_same} in {same} of {n} replicas.{self._below()}"

    def _below(self) -> str:
        below = np.flatnonzero(self.tree.kind != LEAF)[1:]
        if not len(below):
            return ""
        kept = int(np.count_nonzero(self.share[below] >= HALF))
        if kept == 0:
            return " Below it the questions are exchangeable: none returns in half of them."
        if kept == len(below):
            return " All questions below it return in at least half of them."
        come_back = "returns" if kept == 1 else "return"
        return f" Of the {many(len(below), 'question')} below it {kept} {come_back} in at least half of them."

    def tables(self) -> list[DisplayTable | str]:
        rows = [self._row(node) for node in self._order()]
        header = (
            "",
            "reached",
            "same column",
            "same split",
            "rival",
            "95% interval",
            "instead",
            "decision stays",
        )
        return [
            self.sentence,
            DisplayTable(
                header, rows, words=(0, 5, 6), title=(f"Of {many(self.n_replicas, 'bootstrap replica')}:",)
            ),
        ]

    def _order(self) -> list[int]:
        """Depth first, as a tree is read."""
        order, waiting = [], [0]
        while waiting:
            node = waiting.pop()
            order.append(node)
            first, n = int(self.tree.first_child[node]), int(self.tree.n_children[node])
            waiting.extend(range(first + n - 1, first - 1, -1))
        return order

    def _row(self, node: int) -> tuple[str, ...]:
        words, c = label_tree(self.tree, self.labels), self.counts
        parent = int(self.tree.parent[node])
        way = (
            "all rows"
            if parent < 0
            else branch_in_words(words, parent, node - int(self.tree.first_child[parent]))
        )
        place = "  " * int(self.tree.depth[node]) + way
        between = self.interval(node)
        spread = "" if between is None else f"{figure(between[0])} to {figure(between[1])}"
        if self.tree.kind[node] == LEAF:
            stays = str(c.stays[node]) if self.tree.n_outputs > 1 else ""
            return f"{place}: {decision(words, node)}", str(c.reached[node]), "", "", "", spread, "", stays
        instead = ", ".join(f"{safe(name, 20)} {count}" for name, count in self.rivals(node))
        known = spread if self.tree.kind[node] == THRESHOLD else ""
        counted = (c.reached, c.same_column, c.same_split, c.rival)
        question = f"{place}: {question_in_words(words, node)}"
        return question, *(str(one[node]) for one in counted), known, instead, ""

    def to_dict(self) -> dict[str, Any]:
        """Plain data, a record a node."""
        c = self.counts
        nodes = [
            {
                "node": node,
                "reached": int(c.reached[node]),
                "same_column": int(c.same_column[node]),
                "same_split": int(c.same_split[node]),
                "rival": int(c.rival[node]),
                "interval": self.interval(node),
                "instead": self.rivals(node),
                "decision_stays": int(c.stays[node]),
            }
            for node in range(self.tree.n_nodes)
        ]
        return {"n_replicas": self.n_replicas, "sentence": self.sentence, "nodes": nodes}

    def draw(self, *, max_depth: int | None = None, ax: Any = None) -> Any:
        """Draw the tree, a band under each question as long as it is frequent, and the sentence.

        Parameters
        ----------
        max_depth : int or None
            Show no more levels than this. None for all.
        """
        from hedgerow.draw.stability import draw_stability

        return draw_stability(self, max_depth=max_depth, ax=ax)
