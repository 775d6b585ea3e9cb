"""Cost-complexity pruning.   In: a grown Tree.   Out: for every alpha, which nodes become leaves.

Among all subtrees T the one with the smallest  R(T) + alpha * leaves(T)  is kept, where R is the sum over leaves
of their share of the weight times their impurity. As alpha grows these subtrees are nested: one node after the
other, the weakest link first, becomes a leaf (native/prune/weakest_link.hpp). So one pass over the tree answers for all
alphas.

Which alpha: given, or chosen by cross-validation (cp_table.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from hedgerow.core.criteria import CRITERIA
from hedgerow.docstrings import document
from hedgerow.grow.target import Classes, Numbers, Target
from hedgerow.prune.cp_table import CHOICES, CpTable, cp_table
from hedgerow.prune.data import PruningData
from hedgerow.prune.method import BOTH, CuttingMethod, check_range, check_word, require_data, setting
from hedgerow.prune.sequence import LINKS, RISKS, cut_alphas, cut_path, node_risk
from hedgerow.tree.tree import Tree
from hedgerow.types import Mask


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


@document(CuttingMethod)
@dataclass(frozen=True)
class CostComplexity(CuttingMethod):
    """Cut weakest links, at a price of a leaf that cross-validation chooses.

    Parameters
    ----------
    alpha : float or None
        The price of a leaf, as a share of the weight. None to choose it by cross-validation.
    choose : {"1se", "min"}
        "1se", the smallest tree within one standard error of the best; or "min", the best.
    folds : int, "time" or sequence of int
        Folds of the cross-validation: their number, or the fold of each row; "time" for rows that are in the order of
        time: five blocks, each tested by a tree of the rows before it.
    risk : {"misclassification", "impurity", "log_loss"} or None
        "misclassification" as in rpart, "impurity" as in scikit-learn, "log_loss" for good probabilities, also of
        rare classes. None: the first where alpha is chosen, the second where it is given, so that alpha means what
        ccp_alpha does.
    links : {"rpart", "exact"}
        How weakest links are found, see hedgerow.prune.sequence; a given alpha is always exact.
    cp : float
        The smallest complexity the cross-validation looks at, in units of the root's risk; the trees are not grown
        where a split cannot gain that much.
    random_state : int
        Deals the rows to the folds.

    References
    ----------
    Breiman, L., Friedman, J. H., Olshen, R. A., Stone, C. J. (1984). Classification and Regression Trees. Wadsworth.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier
    >>> from hedgerow.prune import CostComplexity
    >>> tree = DecisionTreeClassifier(prune=CostComplexity(choose="min", folds=5))
    """

    alpha: float | None = None
    choose: str = setting(
        "1se", "1se: the smallest tree within one standard error of the best. min: the best.", CHOICES
    )
    folds: int | str | Sequence[int] = setting(10, "Of the cross-validation that chooses alpha.")
    risk: str | None = None
    links: str = "rpart"
    cp: float = 0.0
    random_state: int = 0
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

    def bounds_while_growing(self, target: Target, criterion: str) -> tuple[float, float]:
        """What a node must lose to be split at all, as shares of all weight: by guesses that are wrong, by impurity.

        A split gains at most what its node loses, so where that is below the smallest alpha looked at, growing may
        stop, as rpart does. Zero where the root's own loss is not known before growing.

        Parameters
        ----------
        target : Classes or Numbers
            The target.
        criterion : str
            The split criterion.

        Returns
        -------
        tuple of float
            The two bounds.
        """
        usual = "impurity" if self.alpha is not None else "misclassification"
        by_class = (self.risk or usual) == "misclassification" and isinstance(target, Classes)
        if self.alpha is not None:
            least = self.alpha
        elif by_class or (isinstance(target, Numbers) and CRITERIA[criterion].squared_units):
            least = self.cp * _root_risk(target)
        else:
            least = 0.0
        return (least, 0.0) if by_class else (0.0, least)

    def table(self, tree: Tree, data: PruningData) -> CpTable:
        """The cross-validated table that the choice is made from.

        Returns
        -------
        CpTable
            A line for each price of a leaf.
        """
        risk = self.risk or "misclassification"
        return cp_table(
            tree,
            data,
            folds=self.folds,
            choose=self.choose,
            risk=risk,
            links=self.links,
            cp=self.cp,
            random_state=self.random_state,
        )

    def nodes_to_cut(self, tree: Tree, data: PruningData | None = None) -> Mask:
        if self.alpha is None:
            return self.table(tree, require_data(self, data)).mask(tree)
        if self.risk != "misclassification":
            return cut_path(tree).mask(self.alpha)
        price = cut_alphas(tree, node_risk(tree, "misclassification"), "exact")
        return np.asarray(price <= self.alpha * tree.weight[0] * (1.0 + 1e-9))

    def strengths(self, tree: Tree) -> tuple[Self, ...]:
        risk = self.risk or "misclassification"
        price = cut_alphas(tree, node_risk(tree, risk), "exact") / (tree.weight[0] or 1.0)
        steps = np.unique(np.maximum(0.0, np.append(0.0, price[np.isfinite(price)])))
        some = np.unique(np.linspace(0, len(steps) - 1, min(len(steps), MOST_STEPS)).round().astype(np.int64))
        return tuple(type(self)(alpha=float(alpha), risk=risk) for alpha in steps[some])
