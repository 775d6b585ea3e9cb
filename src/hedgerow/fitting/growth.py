"""Greedy beside optimal.   In: a table, a target, OptimalParams.   Out: GrowthComparison: at each size the greedy tree,
the pruned one and the optimal one, on training rows and on rows held out.

All three ask the same questions, so that the optimal tree errs least on the training rows and the gap of the others is
what greed costs. Questions are chosen on the training rows; rows held out have weight zero.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np

from hedgerow.core import threads_for
from hedgerow.display import DisplayTable, Result
from hedgerow.display.numbers import figure, seconds
from hedgerow.display.sentences import many
from hedgerow.encode import Encoded, encode
from hedgerow.fitting.optimal import OptimalParams, apply_costs, solve_for
from hedgerow.fitting.tree import drop_rows
from hedgerow.grow import Classes, Limits, Target, grow, strata_of
from hedgerow.optimal import Costs, Questions, make_questions
from hedgerow.prune import cut_path
from hedgerow.prune.methods.leaf_limit import LeafLimit
from hedgerow.table import Table, to_table
from hedgerow.table.copies import find_copies
from hedgerow.table.split import stratified_split
from hedgerow.tree.cut import cut
from hedgerow.tree.predict import leaves
from hedgerow.tree.tree import Tree
from hedgerow.types import Float, Mask

METHODS = ("greedy", "pruned", "optimal")


@dataclass(frozen=True)
class GrowthPoint:
    """One tree."""

    method: str  # one of METHODS
    max_leaves: int
    leaves: int
    training: float  # mean cost: the error rate, or the mean squared error
    held_out: float
    std: float  # standard error of held_out
    gap: float  # training error above what no tree of this size can have less than
    seconds: float
    proved: bool  # of the optimal tree: nothing of this size is better


@dataclass(frozen=True, repr=False)
class GrowthComparison(Result):
    """The greedy, the pruned and the optimal tree of each size.

    Attributes
    ----------
    points :
        A tree each, with its errors.
    measure :
        "error rate", "mean cost" or "mean squared error".
    n_training :
        Training rows.
    n_held_out :
        Rows held out.
    n_questions :
        Questions that a split may ask.

    See Also
    --------
    hedgerow.compare_growth : Returns it.

    Examples
    --------
    >>> from hedgerow import OptimalTreeClassifier, compare_growth, datasets
    >>> heart = datasets.heart()
    >>> model = OptimalTreeClassifier(max_thresholds=3)
    >>> found = compare_growth(model, heart.table, heart.target, sizes=(2, 3))
    >>> [point.max_leaves for point in found.of("optimal")]
    [2, 3]
    """

    points: tuple[GrowthPoint, ...]
    measure: str
    n_training: int
    n_held_out: int
    n_questions: int

    def of(self, method: str) -> tuple[GrowthPoint, ...]:
        """Get the trees of one method.

        Parameters
        ----------
        method : {"greedy", "pruned", "optimal"}
            The method.

        Returns
        -------
        tuple of GrowthPoint
            A point for each size.
        """
        return tuple(point for point in self.points if point.method == method)

    def tables(self) -> list[DisplayTable]:
        header = ("", "most leaves", "leaves", "training", "held out", "+-", "gap", "time")
        title = (
            f"{self.measure} of trees of {many(self.n_questions, 'question')}: "
            f"{many(self.n_training, 'training row')}, {many(self.n_held_out, 'row')} held out",
        )
        best = min(self.points, key=lambda p: (p.held_out, p.leaves))
        marks = ["*" if point is best else "" for point in self.points]
        return [DisplayTable(header, [_cells(p) for p in self.points], title=title, notes=NOTES, marks=marks)]

    def draw(self, ax: Any = None) -> Any:
        """Error against size, a line a method, solid on rows held out. Returns the Axes."""
        from hedgerow.draw.growth import draw_growth

        return draw_growth(self, ax=ax)


NOTES = (
    "gap: training error above the least that any tree of this size has, as far as proved. *: least held out.",
)


def _cells(p: GrowthPoint) -> tuple[str, ...]:
    numbers = (figure(p.training), figure(p.held_out), figure(p.std), figure(p.gap), seconds(p.seconds))
    name = p.method if p.proved or p.method != "optimal" else "optimal (not proved)"
    return (name, str(p.max_leaves), str(p.leaves), *numbers)


@dataclass(frozen=True, eq=False)
class _Case:
    """Rows as answers to questions, and how a tree of them is scored."""

    rows: Encoded  # of answers: a column of 0 and 1 a question
    cells: Float
    target: Target  # all rows
    training: Target  # with the held-out rows at weight zero
    held_out: Mask
    costs: Costs

    def losses(self, decided: Float) -> Float:
        """The cost of each row, given values (class shares or means) of its leaf."""
        if isinstance(self.target, Classes):
            matrix = self.costs.by_class(self.target.n_classes)
            choice = (
                np.argmin(decided @ matrix, axis=1)
                if self.costs.matrix is not None
                else decided.argmax(axis=1)
            )
            return np.asarray(matrix[self.target.codes, choice])
        return np.asarray((decided[:, 0] - self.target.values) ** 2)

    def judge(self, tree: Tree, cells: Float) -> tuple[float, float, float]:
        """Mean cost on training rows, on those held out, and its standard error."""
        loss = self.losses(tree.value[leaves(tree, cells, 1)])
        weight = np.ones(len(loss)) if self.target.weight is None else self.target.weight
        train, out = weight * ~self.held_out, weight * self.held_out
        mean = float(out @ loss / out.sum())
        spread = float(np.sqrt(np.sum((out * (loss - mean)) ** 2)) / out.sum())
        return float(train @ loss / train.sum()), mean, spread


def compare_growth(
    table: Table,
    target: Target,
    params: OptimalParams,
    *,
    sizes: Sequence[int],
    test_share: float,
    seed: int,
) -> GrowthComparison:
    target, costs = apply_costs(target, params.cost_matrix)
    held_out = _hold_out(table, target, test_share, seed)
    training = drop_rows(target, held_out)
    threads = threads_for(params.n_jobs, table.n_rows * len(table.columns))
    encoded = encode(table, threads=threads)
    questions = make_questions(
        encoded,
        training,
        max_thresholds=params.max_thresholds,
        max_subset_size=params.max_subset_size,
        threads=threads,
    )
    cells = np.asfortranarray(questions.answers.T, np.float64)
    case = _Case(encode(to_table(cells)), cells, target, training, held_out, costs)
    points: list[GrowthPoint] = []
    makers = _greedy(case, params, threads), _pruned(case, params, threads)
    for size in sizes:
        optimal, bound = _optimal(case, questions, replace(params, max_leaves=size, max_depth=size - 1))
        for method, make in zip(METHODS, makers, strict=False):
            begin = perf_counter()
            tree = make(size)
            points.append(_point(case, method, size, tree, cells, bound, perf_counter() - begin))
        points.append(replace(optimal, gap=max(0.0, optimal.training - bound)))
    used = held_out if target.weight is None else held_out[target.weight > 0]
    return GrowthComparison(
        tuple(points), _measure(target, params), int((~used).sum()), int(used.sum()), len(questions)
    )


def _hold_out(table: Table, target: Target, share: float, seed: int) -> Mask:
    return stratified_split(strata_of(target), share, seed, sets=find_copies(table))


def _point(
    case: _Case,
    method: str,
    size: int,
    tree: Tree,
    cells: Float,
    bound: float,
    took: float,
    proved: bool = True,
) -> GrowthPoint:
    training, held_out, std = case.judge(tree, cells)
    gap = max(0.0, training - bound)
    return GrowthPoint(method, size, tree.n_leaves, training, held_out, std, gap, took, proved)


def _optimal(case: _Case, questions: Questions, params: OptimalParams) -> tuple[GrowthPoint, float]:
    """The optimal tree, and the mean cost that no tree of its size has less than."""
    without_penalty = replace(params, ccp_alpha=0.0)
    asks = Questions(
        column=np.arange(len(questions), dtype=np.int32),
        threshold=np.full(len(questions), 0.5),
        levels=((),) * len(questions),
        missing_yes=np.zeros(len(questions), bool),
        answers=~questions.answers,  # a column of answers is tested by "answer <= 0.5": no
    )
    found = solve_for(case.rows, case.training, case.costs, asks, without_penalty)
    if found.interrupt is not None:
        raise found.interrupt
    total = float(case.training.weight.sum()) if case.training.weight is not None else float(case.rows.n_rows)
    scale = 1.0 if found.certificate.measure in ("mean squared error", "balanced error") else total
    point = _point(
        case,
        "optimal",
        params.max_leaves,
        found.tree,
        case.cells,
        0.0,
        found.certificate.seconds,
        found.certificate.optimal,
    )
    return point, found.certificate.bound / scale


def _greedy(case: _Case, params: OptimalParams, threads: int) -> Callable[[int], Tree]:
    """The tree that splits the most promising leaf next, until there are enough."""

    def make(size: int) -> Tree:
        return grow(case.rows, case.training, _criterion(case), _limits(case, params, size), threads=threads)

    return make


def _pruned(case: _Case, params: OptimalParams, threads: int) -> Callable[[int], Tree]:
    """The largest tree of the cost-complexity path of the full tree that is small enough."""

    def make(size: int) -> Tree:
        full = grow(case.rows, case.training, _criterion(case), _limits(case, params, 0), threads=threads)
        path = cut_path(full)
        at = int(np.flatnonzero(path.n_leaves <= size)[0])
        smaller = cut(full, path.mask(float(path.alpha[at])))
        return smaller if smaller.n_leaves <= size else LeafLimit(leaves=size).prune(smaller, None)

    return make


def _criterion(case: _Case) -> str:
    return "gini" if isinstance(case.target, Classes) else "squared_error"


def _limits(case: _Case, params: OptimalParams, max_leaves: int) -> Limits:
    size = params.size(case.training)
    return Limits(
        max_features=case.cells.shape[1],
        min_rows_leaf=size.min_rows_leaf,
        min_rows_split=max(2, 2 * size.min_rows_leaf),
        min_weight_leaf=size.min_weight_leaf,
        max_leaves=max_leaves,
    )


def _measure(target: Target, params: OptimalParams) -> str:
    if not isinstance(target, Classes):
        return "mean squared error"
    if params.cost_matrix is not None:
        return "mean cost"
    return "balanced error" if params.balanced else "error rate"
