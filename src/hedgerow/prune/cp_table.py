"""The complexity table.   In: a grown Tree and the rows it was grown on.   Out: each subtree of the
cost-complexity sequence with its size, its error and its cross-validated error; and the one to keep.

The columns are those of rpart's printcp, all in units of the error of the root (a tree without a split):

    CP         the smallest price of a split, in those units, at which this subtree is the best one
    nsplit     its splits
    rel error  its error on the rows it was grown on
    xerror     its error on rows left out of the growing, summed over the folds
    xstd       the standard error of xerror

Each fold's tree is grown on the other folds and cut at the geometric mean of the ends of the interval of CP in
which the subtree stays the same, times the fold's share of the weight (Breiman et al. 1984, 3.4; rpart's xval.c).
A fold is a weight of zero on the same codes, so nothing is encoded twice.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow.display import DisplayTable, Result
from hedgerow.errors import ParameterError, check_choice
from hedgerow.grow.scale import Scale, scale_number, scale_of
from hedgerow.grow.target import Classes, strata_of
from hedgerow.prune.cp_words import display_table
from hedgerow.prune.data import (
    PruningData,
    compute_log_losses_and_squares,
    compute_losses_and_squares,
)
from hedgerow.prune.sequence import count_splits_at, cut_alphas, node_risk, sum_at_alphas
from hedgerow.table.split import stratified_folds
from hedgerow.tree.cut import cut
from hedgerow.tree.tree import LEAF, Tree
from hedgerow.types import Count, Float, Mask

CHOICES = ("1se", "min")
TIME, TIME_FOLDS = "time", 5  # folds in the order of the rows
CLOSE = 1e-9  # alphas and errors this near are the same


@dataclass(frozen=True, eq=False, repr=False)
class CpTable(Result):
    """The subtrees of the cost-complexity sequence, each with its size, error and cross-validated error; and the one
    to keep.

    Attributes
    ----------
    cp :
        Complexity parameter of each subtree, falling.
    nsplit :
        Its splits.
    rel_error :
        Its training error, relative to the root's.
    xerror :
        Its cross-validated error, relative to the root's.
    xstd :
        Standard error of `xerror`.
    choose :
        "1se" or "min".
    chosen :
        The row kept.
    root_error :
        Sum over the rows.
    root_weight :
        Weight of all rows.
    is_error_rate :
        Classes: the root error is a count, its mean an error rate.
    risk :
        What a split is paid in.
    links :
        How errors of the folds were brought together.
    unit :
        Alpha = cp * unit, in units of weight.

    See Also
    --------
    hedgerow.DecisionTreeClassifier : Has it as ``cp_table_``.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, datasets
    >>> heart = datasets.heart()
    >>> tree = DecisionTreeClassifier(prune="cost_complexity").fit(heart.table, heart.target)
    >>> tree.cp_table_.nsplit[:3]
    array([0, 1, 3])
    """

    cp: Float
    nsplit: Count
    rel_error: Float
    xerror: Float
    xstd: Float
    choose: str
    chosen: int
    n_folds: int
    n_rows: int
    root_error: float
    root_weight: float
    is_error_rate: bool
    risk: str
    links: str
    unit: float

    def __len__(self) -> int:
        return len(self.cp)

    @property
    def best(self) -> int:
        """The row with the smallest cross-validated error; of equal ones the smallest tree."""
        return int(np.flatnonzero(self.xerror <= self.xerror.min() + CLOSE)[0])

    @property
    def bound(self) -> float:
        """One standard error above the smallest cross-validated error."""
        return float(self.xerror[self.best] + self.xstd[self.best])

    @property
    def alpha(self) -> float:
        """The chosen row's CP as a ccp_alpha: the price of a leaf, as a share of the weight."""
        return float(self.cp[self.chosen] * self.unit / self.root_weight)

    def choose_by(self, choose: str) -> "CpTable":
        """Make the same table with another choice.

        Parameters
        ----------
        choose : {"1se", "min"}
            The smallest tree within one standard error of the best, or the best.

        Returns
        -------
        CpTable
            The table.
        """
        check_choice("choose", choose, CHOICES)
        near = np.flatnonzero(self.xerror <= self.bound + CLOSE)
        return replace(self, choose=choose, chosen=self.best if choose == "min" else int(near[0]))

    def cut(self, tree: Tree, row: int | None = None) -> Tree:
        """Cut a tree to the subtree of a row.

        Parameters
        ----------
        tree : Tree
            The tree the table was made of.
        row : int or None
            Row of the table; None for the chosen one.

        Returns
        -------
        Tree
            The subtree.
        """
        return cut(tree, self.mask(tree, row))

    def mask(self, tree: Tree, row: int | None = None) -> Mask:
        """Find the nodes that become leaves in the subtree of a row.

        Parameters
        ----------
        tree : Tree
            The tree the table was made of.
        row : int or None
            Row of the table; None for the chosen one.

        Returns
        -------
        ndarray of bool
            A mask of nodes.
        """
        price = float(self.cp[self.chosen if row is None else row]) * self.unit
        alpha = cut_alphas(tree, node_risk(tree, self.risk), self.links, float(self.cp[-1]) * self.unit)
        return np.asarray(alpha <= price * (1.0 + CLOSE))

    def to_dict(self) -> dict[str, Any]:
        columns = {name: getattr(self, name).tolist() for name in COLUMNS}
        single = ("choose", "chosen", "n_folds", "n_rows", "root_error", "alpha", "risk", "links")
        return columns | {name: getattr(self, name) for name in single}

    def tables(self) -> list[DisplayTable]:
        return [display_table(self)]

    def draw(self, ax: Any = None) -> Any:
        """Draw xerror against CP, as rpart's plotcp."""
        from hedgerow.draw.pruning import draw_cp_table

        return draw_cp_table(self, ax=ax)


COLUMNS = ("cp", "nsplit", "rel_error", "xerror", "xstd")


def cp_table(
    tree: Tree,
    data: PruningData,
    *,
    folds: int | str | Sequence[int] = 10,
    choose: str = "1se",
    risk: str = "misclassification",
    links: str = "rpart",
    cp: float = 0.0,
    random_state: int = 0,
) -> CpTable:
    """The table of `tree`, which was grown on `data`.

    folds : their number, the fold of each row, or "time": blocks of rows, each tested by a tree of those before it
    risk : what the subtrees are chosen by: "misclassification" as rpart does, "impurity" as scikit-learn, or
        "log_loss", by which rel error and xerror are measured too
    links : "rpart" or "exact" (see hedgerow.prune.sequence)
    cp : the smallest CP looked at
    """
    if data.regrow is None:
        raise ValueError(
            "Cross-validation grows the tree again on parts of the rows, but this data cannot: its regrow is None. "
            "Give PruningData(..., regrow=...), a function from weights to a Tree; or an alpha."
        )
    scale = scale_of(data.target, data.criterion)
    if scale.changes_units:
        table = cp_table(
            scale.rescale(tree),
            _scale(data, scale),
            folds=folds,
            choose=choose,
            risk=risk,
            links=links,
            cp=cp,
            random_state=random_state,
        )
        return _unscale(table, scale, tree)
    loss = node_risk(tree, risk)
    unit = float(loss[0]) or 1.0
    alpha = cut_alphas(tree, loss, links, cp * unit)
    price = _prices(tree, alpha, cp * unit)
    own = node_risk(tree, "log_loss" if risk == "log_loss" else "misclassification")
    root = float(own[0]) or 1.0
    forward = isinstance(folds, str)
    fold = _folds(folds, data, random_state)
    each, squares = _cross_validate(data, fold, _between(price), risk, links, forward)
    weight = float(data.weight.sum())
    if forward:  # the first block is tested by none
        each, squares = (part * (weight / data.weight[fold > 0].sum()) for part in (each, squares))
    spread = np.sqrt(np.maximum(0.0, squares - each * each / weight))
    table = CpTable(
        cp=price / unit,
        nsplit=count_splits_at(tree, alpha, price * (1.0 + CLOSE)),
        rel_error=sum_at_alphas(tree, alpha, own, price * (1.0 + CLOSE)) / root,
        xerror=each / root,
        xstd=spread / root,
        choose="min",
        chosen=0,
        n_folds=len(np.unique(fold[fold >= int(forward)])),
        n_rows=int(np.count_nonzero(data.weight)),
        root_error=float(own[0]),
        root_weight=weight,
        is_error_rate=isinstance(data.target, Classes) and risk != "log_loss",
        risk=risk,
        links=links,
        unit=unit,
    )
    return table.choose_by(choose)


def _scale(data: PruningData, scale: Scale) -> PruningData:
    """Huge or tiny numbers in units in which their squares are ordinary."""
    regrow = data.regrow
    assert regrow is not None

    def regrown(weight: Float) -> Tree:
        return scale.rescale(regrow(np.ldexp(weight, -scale.weight)))

    return replace(data, target=scale.target, regrow=regrown)


def _unscale(table: CpTable, scale: Scale, tree: Tree) -> CpTable:
    impurity = table.risk == "impurity" or tree.n_outputs == 1
    loss = scale.impurity if tree.n_outputs == 1 else 0
    return replace(
        table,
        unit=scale_number(table.unit, -scale.weight - (scale.impurity if impurity else 0)),
        root_error=scale_number(table.root_error, -scale.weight - loss),
        root_weight=scale_number(table.root_weight, -scale.weight),
    )


def _prices(tree: Tree, alpha: Float, least: float) -> Float:
    """The alphas at which the tree changes, falling; the last is the smallest one looked at."""
    inner = tree.kind != LEAF
    found = np.sort(alpha[inner & np.isfinite(alpha) & (alpha > least)])[::-1]
    apart = np.append(True, found[1:] < found[:-1] * (1.0 - CLOSE)) if len(found) else np.zeros(0, bool)
    return np.append(found[apart], least)


def _between(price: Float) -> Float:
    """Inside each interval of equal trees: the geometric mean of its ends; far beyond the first."""
    return np.append(10.0 * price[0] if len(price) > 1 else np.inf, np.sqrt(price[:-1] * price[1:]))


def _folds(folds: int | str | Sequence[int], data: PruningData, seed: int) -> Count:
    """The fold of each row; -1 where it has no weight and so takes no part."""
    counts = data.weight > 0
    out = np.full(len(counts), -1, np.int64)
    if isinstance(folds, str):
        n_rows = int(counts.sum())
        if folds != TIME or n_rows < 2:
            raise ParameterError(
                f"{{folds}} of {n_rows} rows: give a number, or 'time' for two rows or more in their order.",
                folds=folds,
            )
        out[counts] = np.arange(n_rows) * min(TIME_FOLDS + 1, n_rows) // n_rows
        return out
    if isinstance(folds, (int, np.integer)) and not isinstance(folds, bool):
        sets = None if data.sets is None else data.sets[counts]
        many = min(int(folds), int(counts.sum()))
        if folds < 2 or many < 2:
            raise ParameterError(
                f"{{folds}} of {int(counts.sum())} rows: cross-validation wants at least 2 of each.",
                folds=folds,
            )
        out[counts] = stratified_folds(strata_of(data.target)[counts], many, seed, sets)
        return out
    given = np.asarray(folds)
    if given.shape != counts.shape or len(np.unique(given[counts])) < 2:
        raise ValueError(
            f"folds has the shape {given.shape}; wanted a number of folds, or the fold of each of the {len(counts)} "
            "rows, at least two different ones."
        )
    out[counts] = np.unique(given[counts], return_inverse=True)[1]
    return out


def _cross_validate(
    data: PruningData, fold: Count, price: Float, risk: str, links: str, forward: bool
) -> tuple[Float, Float]:
    """At each price, summed over the folds in their order: the loss of the rows left out, and its square. `forward`:
    each fold is tested by a tree of those before it."""
    whole = replace(data, threads=1)

    def one(k: int) -> tuple[Float, Float]:
        left_out = fold >= k if forward else fold == k
        return _one_fold(whole, left_out | (fold < 0), np.flatnonzero(fold == k), price, risk, links)

    with ThreadPoolExecutor(max(1, data.threads)) as crew:
        parts = list(crew.map(one, range(int(forward), int(fold.max()) + 1)))
    return np.sum([p[0] for p in parts], axis=0), np.sum([p[1] for p in parts], axis=0)


def _one_fold(
    data: PruningData, left_out: Mask, tested: Count, price: Float, risk: str, links: str
) -> tuple[Float, Float]:
    assert data.regrow is not None
    weight = np.where(left_out, 0.0, data.weight)
    tree = data.regrow(weight)
    prices = price * (weight.sum() / data.weight.sum())
    alpha = cut_alphas(
        tree, node_risk(tree, risk), links, float(prices[-1]) if np.isfinite(prices[-1]) else 0.0
    )
    by_log_loss = risk == "log_loss" and isinstance(data.target, Classes)
    measure = compute_log_losses_and_squares if by_log_loss else compute_losses_and_squares
    loss, square = measure(tree, data.take(tested))
    return sum_at_alphas(tree, alpha, loss, prices), sum_at_alphas(tree, alpha, square, prices)
