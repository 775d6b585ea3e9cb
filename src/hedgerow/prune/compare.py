"""All prunings side by side.   In: one grown Tree, the rows it was grown on, rows to choose on, rows to judge on.
Out: a Comparison: what each method keeps, over the range of its strength, and how it errs on rows that nobody has
used.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from importlib import import_module
from typing import Any

import numpy as np

from hedgerow.prune.evidence import Evidence, losses_and_squares
from hedgerow.prune.method import Method, is_regression, method_of, methods, name_of
from hedgerow.tree.tree import LEAF, Tree


@dataclass(frozen=True)
class Point:
    """One pruned tree."""

    method: str
    setting: str  # "confidence=0.1"; "" where nothing was set
    leaves: int
    depth: int
    error: float  # mean loss on the judging rows
    std: float  # its standard error
    usual: bool  # the method as it is without settings; else a point of its range


@dataclass(frozen=True)
class Comparison:
    points: tuple[Point, ...]
    whole: Point  # the tree as it was grown
    is_error_rate: bool
    n_judging: int

    @property
    def usual(self) -> tuple[Point, ...]:
        """Each method as it is without settings, the best first; of equal ones the smallest tree."""
        return tuple(sorted((p for p in self.points if p.usual), key=lambda p: (p.error, p.leaves)))

    def path(self, method: str) -> tuple[Point, ...]:
        """The points of one method over its range, the largest tree first."""
        return tuple(p for p in self.points if p.method == method and not p.usual)

    def to_dict(self) -> dict[str, Any]:
        def plain(point: Point) -> dict[str, Any]:
            return {field.name: getattr(point, field.name) for field in fields(Point)}

        return {
            "whole": plain(self.whole),
            "points": [plain(p) for p in self.points],
            "n_judging": self.n_judging,
        }

    def __str__(self) -> str:
        from hedgerow.prune.compare_words import to_text

        return to_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from hedgerow.prune.compare_words import to_html

        return to_html(self)

    def draw(self, ax: Any = None) -> Any:
        """Error against size, a line a method. Returns the Axes."""
        drawing = import_module("hedgerow.draw.pruning")  # a later stage, asked for only here
        return drawing.draw_comparison(self, ax=ax)


def compare(
    tree: Tree,
    *,
    training: Evidence,
    choosing: Evidence,
    judging: Evidence,
    methods: Sequence[Any] | None = None,
) -> Comparison:
    """training : the rows the tree was grown on; with `regrow`, cost-complexity pruning is cross-validated
    choosing : held-out rows, for the methods that need them
    judging : other rows, for the errors told
    methods : names or methods; all that suit the task if not given
    """
    points: list[Point] = []
    for method in _asked(tree, methods):
        name = name_of(method)
        points += [
            _point(name, one, _with(one, tree, training, choosing), judging, usual=False)
            for one in method.over_a_range(tree)
        ]
        if method.needs != "training" or training.regrow is not None or name != "cost_complexity":
            points.append(_point(name, method, _with(method, tree, training, choosing), judging, usual=True))
    whole = _point("", None, tree, judging, usual=False)
    return Comparison(tuple(points), whole, not is_regression(tree), int(np.count_nonzero(judging.weight)))


def _asked(tree: Tree, given: Sequence[Any] | None) -> Iterable[Method]:
    task = "regression" if is_regression(tree) else "classification"
    for asked in methods() if given is None else given:
        method = method_of(asked)
        if method is not None and (given is not None or task in method.tasks):
            yield method


def _with(method: Method, tree: Tree, training: Evidence, choosing: Evidence) -> Tree:
    return method.pruned(tree, choosing if method.needs == "held_out" else training)


def _point(name: str, method: Method | None, tree: Tree, judging: Evidence, *, usual: bool) -> Point:
    error, std = mean_loss(tree, judging)
    return Point(name, _setting(method), tree.n_leaves, tree.max_depth, error, std, usual)


def mean_loss(tree: Tree, rows: Evidence) -> tuple[float, float]:
    """And its standard error."""
    loss, square = losses_and_squares(tree, rows)
    leaf, weight = tree.kind == LEAF, float(rows.weight.sum())
    mean = float(loss[leaf].sum()) / weight
    spread = max(0.0, float(square[leaf].sum()) / weight - mean * mean)
    return mean, float(np.sqrt(spread / max(1.0, float(np.count_nonzero(rows.weight)))))


def _setting(method: Method | None) -> str:
    """The settings that differ from the usual ones."""
    if method is None:
        return ""
    usual = type(method)()
    told = []
    for field in fields(method):  # type: ignore[arg-type]
        value = getattr(method, field.name)
        if value != getattr(usual, field.name):
            told.append(f"{field.name}={value:.4g}" if isinstance(value, float) else f"{field.name}={value}")
    return ", ".join(told)
