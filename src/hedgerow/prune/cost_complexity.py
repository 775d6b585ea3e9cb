"""Cost-complexity pruning.   In: a grown Tree.   Out: for every alpha, which nodes become leaves.

Among all subtrees T the one with the smallest  R(T) + alpha * leaves(T)  is kept, where R is the sum over leaves
of their share of the weight times their impurity. As alpha grows these subtrees are nested: one node after the
other, the weakest link first, becomes a leaf (native/weakest_link.hpp). So one pass over the tree answers for all
alphas.

Which alpha: given, or chosen by cross-validation (cp_table.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from hedgerow.core import native
from hedgerow.grow.target import Classes, Numbers, Target
from hedgerow.prune.cp_table import CHOICES, CpTable, cp_table
from hedgerow.prune.evidence import Evidence
from hedgerow.prune.links import LINKS, RISKS, cut_at, risk_of
from hedgerow.prune.method import BOTH, Cutting, check_range, check_word, needed
from hedgerow.tree.tree import LEAF, Tree
from hedgerow.types import Float, Index, Mask


@dataclass(frozen=True, eq=False)
class CutPath:
    """The nested sequence of subtrees. Step 0 is the whole tree, step k is after k cuts."""

    alpha: Float  # at which each step begins
    risk: Float  # R of the tree at each step
    n_leaves: Index  # its leaves
    node_alpha: Float  # by node: where it becomes a leaf; +inf if it is one, or goes with an ancestor

    def mask(self, alpha: float) -> Mask:
        """The nodes that are cut at this alpha."""
        return np.asarray(self.node_alpha <= alpha)


def risk(tree: Tree) -> Float:
    """R(t): what each node would add to R if it were a leaf."""
    share: Float = tree.weight / tree.weight[0]
    return share * tree.impurity


def cut_path(tree: Tree) -> CutPath:
    own = risk(tree)
    node_alpha, order, after = native.weakest_links(tree.parent, own)
    whole = own[tree.kind == LEAF].sum()
    return CutPath(
        alpha=np.maximum.accumulate(np.concatenate([[0.0], node_alpha[order]])),
        risk=np.concatenate([[whole], after]),
        n_leaves=_leaves_after(tree, order),
        node_alpha=node_alpha,
    )


def nodes_to_cut(tree: Tree, alpha: float) -> Mask:
    return cut_path(tree).mask(alpha)


def _leaves_after(tree: Tree, order: Index) -> Index:
    """Leaves left after each cut, counted by who goes first: a leaf lasts until an ancestor is cut."""
    step = np.full(tree.n_nodes, len(order), np.int64)  # when a node is cut
    step[order] = np.arange(len(order))
    parent = tree.parent
    gone = np.full(tree.n_nodes, len(order), np.int64)  # when an ancestor is cut
    for level in range(1, int(tree.depth.max()) + 1):
        nodes = np.flatnonzero(tree.depth == level)
        gone[nodes] = np.minimum(gone[parent[nodes]], step[parent[nodes]])
    appears = np.where(tree.kind == LEAF, -1, step)  # a cut node is a leaf from its cut on
    alive = appears < gone
    change = np.zeros(len(order) + 2, np.int64)
    np.add.at(change, appears[alive] + 1, 1)
    np.add.at(change, gone[alive] + 1, -1)
    return np.cumsum(change)[: len(order) + 1].astype(np.int32)


def _root_risk(target: Target) -> float:
    """A tree without a split: the share of the weight it guesses wrong, or the mean square of what it misses."""
    if isinstance(target, Classes):
        shares = np.bincount(target.codes, target.weight) / (
            len(target.codes) if target.weight is None else target.weight.sum()
        )
        return float(1.0 - shares.max())
    mean = np.average(target.values, weights=target.weight)
    return float(np.average(np.square(target.values - mean), weights=target.weight))


MOST_STEPS = 60  # of a path, when it is walked for comparison


@dataclass(frozen=True)
class CostComplexity(Cutting):
    """alpha : the price of a leaf, as a share of the weight; None to choose it by cross-validation
    choose : "1se", the smallest tree within one standard error of the best; or "min", the best
    folds : of the cross-validation: their number, or the fold of each row
    risk : "misclassification" as in rpart, "impurity" as in scikit-learn; None: the first where alpha is chosen, the
        second where it is given, so that alpha means what ccp_alpha does
    links : "rpart" or "exact", see hedgerow.prune.links; a given alpha is always exact
    cp : the smallest complexity the cross-validation looks at, in units of the root's risk; the trees are not grown
        where a split cannot gain that much
    seed : deals the rows to the folds
    """

    alpha: float | None = None
    choose: str = "1se"
    folds: int | Sequence[int] = 10
    risk: str | None = None
    links: str = "rpart"
    cp: float = 0.0
    seed: int = 0
    tasks: ClassVar[tuple[str, ...]] = BOTH

    def __post_init__(self) -> None:
        if self.alpha is not None:
            check_range(self, "alpha", 0.0, np.inf)
        check_word(self, "choose", CHOICES)
        check_word(self, "links", LINKS)
        if self.risk is not None:
            check_word(self, "risk", RISKS)
        check_range(self, "cp", 0.0, np.inf)

    @property
    def needs(self) -> str:
        return "training" if self.alpha is None else "nothing"

    def never_worth_it(self, target: Target, criterion: str) -> tuple[float, float]:
        """What a node must lose to be split at all, as shares of all weight: by guesses that are wrong, by impurity.

        A split gains at most what its node loses, so where that is below the smallest alpha looked at, growing may
        stop, as rpart does. Zero where the root's own loss is not known before growing.
        """
        by_class = self.risk == "misclassification" if self.alpha is not None else self.risk != "impurity"
        by_class &= isinstance(target, Classes)
        if self.alpha is not None:
            least = self.alpha
        elif by_class or (isinstance(target, Numbers) and criterion == "squared_error"):
            least = self.cp * _root_risk(target)
        else:
            least = 0.0
        return (least, 0.0) if by_class else (0.0, least)

    def table(self, tree: Tree, evidence: Evidence) -> CpTable:
        """The cross-validated table that the choice is made from."""
        risk = self.risk or "misclassification"
        return cp_table(
            tree,
            evidence,
            folds=self.folds,
            choose=self.choose,
            risk=risk,
            links=self.links,
            cp=self.cp,
            seed=self.seed,
        )

    def nodes_to_cut(self, tree: Tree, evidence: Evidence | None = None) -> Mask:
        if self.alpha is None:
            return self.table(tree, needed(self, evidence)).mask(tree)
        if self.risk != "misclassification":
            return nodes_to_cut(tree, self.alpha)
        price = cut_at(tree, risk_of(tree, "misclassification"), "exact")
        return np.asarray(price <= self.alpha * tree.weight[0] * (1.0 + 1e-9))

    def over_a_range(self, tree: Tree) -> tuple[Self, ...]:
        risk = self.risk or "misclassification"
        price = cut_at(tree, risk_of(tree, risk), "exact") / (tree.weight[0] or 1.0)
        steps = np.unique(np.maximum(0.0, np.append(0.0, price[np.isfinite(price)])))
        some = np.unique(np.linspace(0, len(steps) - 1, min(len(steps), MOST_STEPS)).round().astype(np.int64))
        return tuple(type(self)(alpha=float(alpha), risk=risk) for alpha in steps[some])
