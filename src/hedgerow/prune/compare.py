"""All prunings side by side.   In: one grown Tree, the rows it was grown on, rows to choose on, rows to judge on.
Out: a Comparison: what each method keeps, over the range of its strength, and how it errs on rows that nobody has
used.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from hedgerow.display import DisplayTable, Result
from hedgerow.prune.compare_words import display_table
from hedgerow.prune.data import PruningData, compute_losses_and_squares
from hedgerow.prune.method import Method, is_regression, load_methods, make_method, method_name
from hedgerow.tree.tree import LEAF, Tree


@dataclass(frozen=True)
class Point:
    """One pruned tree."""

    method: str
    setting: str  # "confidence=0.1"; "" where nothing was set
    leaves: int
    depth: int
    error: float  # mean loss on the test rows
    std: float  # its standard error
    is_default: bool  # the method with its default settings; else a point of its range


@dataclass(frozen=True, repr=False)
class Comparison(Result):
    """All prunings of one tree side by side.

    Attributes
    ----------
    points :
        A pruned tree each, with its size and errors.
    unpruned :
        The tree as it was grown.
    n_test :
        Rows the trees are scored on.
    n_folds :
        Folds of the cross-validation; 0: tested on rows held out once.

    See Also
    --------
    hedgerow.compare_prunings : Returns it.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, compare_prunings, datasets
    >>> heart = datasets.heart()
    >>> found = compare_prunings(DecisionTreeClassifier(), heart.table, heart.target)
    >>> bool(found.unpruned.leaves > found.defaults[0].leaves)
    True
    """

    points: tuple[Point, ...]
    unpruned: Point
    is_error_rate: bool
    n_test: int
    n_folds: int = 0

    @property
    def defaults(self) -> tuple[Point, ...]:
        """Each method with its default settings, the best first; of equal ones the smallest tree."""
        return tuple(sorted((p for p in self.points if p.is_default), key=lambda p: (p.error, p.leaves)))

    def path(self, method: str) -> tuple[Point, ...]:
        """Get the points of one method over its range, the largest tree first.

        Parameters
        ----------
        method : str
            Name of the method.

        Returns
        -------
        tuple of Point
            Sizes and errors.
        """
        return tuple(p for p in self.points if p.method == method and not p.is_default)

    def to_dict(self) -> dict[str, Any]:
        def to_dict(point: Point) -> dict[str, Any]:
            return {field.name: getattr(point, field.name) for field in fields(Point)}

        return {
            "unpruned": to_dict(self.unpruned),
            "points": [to_dict(p) for p in self.points],
            "n_test": self.n_test,
            "n_folds": self.n_folds,
        }

    def tables(self) -> list[DisplayTable]:
        return [display_table(self)]

    def draw(self, ax: Any = None) -> Any:
        """Error against size, a line a method. Returns the Axes."""
        from hedgerow.draw.pruning import draw_prunings

        return draw_prunings(self, ax=ax)


@dataclass(frozen=True, eq=False)
class Round:
    """One grown tree and the rows to prune it with and to test it on."""

    tree: Tree
    # The rows it was grown on; with `regrow`, cost-complexity pruning is cross-validated
    training: PruningData
    validation: PruningData  # held-out rows, for the methods that need them
    test: PruningData  # other rows, for the errors reported


def compare(one: Round, *, methods: Sequence[Any] | None = None) -> Comparison:
    """methods : names or methods; all that suit the task if not given"""
    return _compare(one, [one], methods, 0)


def cross_compare(full: Round, folds: Sequence[Round], *, methods: Sequence[Any] | None = None) -> Comparison:
    """The same, tested by cross-validation: sizes and strengths are those of the whole tree, errors those of the
    folds' trees pruned alike, on the rows left out."""
    return _compare(full, folds, methods, len(folds))


def _compare(full: Round, rounds: Sequence[Round], given: Sequence[Any] | None, n_folds: int) -> Comparison:
    tree = full.tree
    points: list[Point] = []
    for method in _resolve(tree, given):
        points += [_point(one, full, rounds, is_default=False) for one in method.strengths(tree)]
        if (
            method.needs != "training"
            or full.training.regrow is not None
            or method_name(method) != "cost_complexity"
        ):
            points.append(_point(method, full, rounds, is_default=True))
    n_test = sum(int(np.count_nonzero(one.test.weight)) for one in rounds)
    not_pruned = _point(None, full, rounds, is_default=False)
    return Comparison(tuple(points), not_pruned, not is_regression(tree), n_test, n_folds)


def _resolve(tree: Tree, given: Sequence[Any] | None) -> Iterable[Method]:
    task = "regression" if is_regression(tree) else "classification"
    for one in load_methods() if given is None else given:
        method = make_method(one)
        if method is not None and (given is not None or task in method.tasks):
            yield method


def _prune(method: Method | None, one: Round) -> Tree:
    if method is None:
        return one.tree
    return method.prune(one.tree, one.validation if method.needs == "held_out" else one.training)


def _point(method: Method | None, full: Round, rounds: Sequence[Round], *, is_default: bool) -> Point:
    tree = _prune(method, full)
    trees = [tree if one is full else _prune(method, one) for one in rounds]
    error, std = mean_loss(trees, [one.test for one in rounds])
    name = "" if method is None else method_name(method)
    return Point(name, _setting(method), tree.n_leaves, tree.max_depth, error, std, is_default)


def mean_loss(trees: Sequence[Tree], rows: Sequence[PruningData]) -> tuple[float, float]:
    """Of each tree on its rows, all taken together; and its standard error."""
    total = squares = weight = many = 0.0
    for tree, test in zip(trees, rows, strict=True):
        loss, square = compute_losses_and_squares(tree, test)
        leaf = tree.kind == LEAF
        total += float(loss[leaf].sum())
        squares += float(square[leaf].sum())
        weight += float(test.weight.sum())
        many += np.count_nonzero(test.weight)
    mean = total / weight
    spread = max(0.0, squares / weight - mean * mean)
    return mean, float(np.sqrt(spread / max(1.0, many)))


def _setting(method: Method | None) -> str:
    """The settings that differ from the usual ones."""
    if method is None:
        return ""
    usual = type(method)()
    changed = []
    for field in fields(method):  # type: ignore[arg-type]
        value = getattr(method, field.name)
        if value != getattr(usual, field.name):
            changed.append(
                f"{field.name}={value:.4g}" if isinstance(value, float) else f"{field.name}={value}"
            )
    return ", ".join(changed)
