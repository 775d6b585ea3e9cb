"""Which chance is enough?   In: an Evaluation of two classes, the costs of the two mistakes.   Out: Threshold.

The threshold is the one with the least cost on rows the models had not seen. What it costs is told honestly: for each
fold with the threshold that the other folds choose. With one hold-out there is no other fold, and the cost told is that
of the rows the threshold was chosen on: it says so. Calibrated chances need no choice: false_positive /
(false_positive + false_negative).
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.evaluation.curves.rows import judged_rows, judged_splits, need_two_classes, widening
from hedgerow.evaluation.interval import quantile
from hedgerow.evaluation.metrics import Judged
from hedgerow.evaluation.plain import plain
from hedgerow.evaluation.words import figure, percent, span
from hedgerow.table.words import show
from hedgerow.types import Float

if TYPE_CHECKING:
    from hedgerow.evaluation.evaluation import Evaluation


@dataclass(frozen=True, eq=False, repr=False)
class Threshold:
    value: float  # say "positive" from this chance on
    theory: float  # the same for perfectly calibrated chances
    false_positive: float
    false_negative: float
    cost: float  # a row, on rows the threshold was not chosen on
    low: float
    high: float
    usual_cost: float  # at the threshold 0.5
    honest: bool  # False: there was one split, so the threshold was chosen on the rows it is judged on
    thresholds: Float  # the whole curve
    costs: Float
    level: float
    positive: str

    def to_dict(self) -> dict[str, Any]:
        return plain(self.__dict__)  # type: ignore[no-any-return]

    def __str__(self) -> str:
        luck = "" if self.honest else " (chosen and judged on the same rows: somewhat too good)"
        never = self.value >= self.thresholds[-1]
        told = "never" if never else f"from a chance of {figure(self.value)}"
        return (
            f"say {show(self.positive)} {told} (calibrated chances: from {figure(self.theory)})\n"
            f"costs {figure(self.cost)} a row ({percent(self.level)}: {span(self.low, self.high)}){luck}; "
            f"at 0.5: {figure(self.usual_cost)}"
        )

    __repr__ = __str__

    def draw(self, ax: Any = None) -> Any:
        from hedgerow.draw.curves import draw_threshold

        return draw_threshold(self, ax=ax)


def threshold(evaluation: "Evaluation", false_positive: float, false_negative: float) -> Threshold:
    need_two_classes(evaluation, "a threshold", "chances")
    for name, cost in (("false_positive", false_positive), ("false_negative", false_negative)):
        if not (np.isfinite(cost) and cost >= 0):
            raise ValueError(f"{name}={cost!r} is no cost. Give a number of 0 or more.")
    if false_positive + false_negative == 0:
        raise ValueError("Both mistakes cost nothing: there is nothing to choose. Give a cost above 0.")
    costs = (float(false_positive), float(false_negative))
    parts = [rows for _, rows in judged_splits(evaluation)]
    numbers, everything = judged_rows(evaluation)
    edges, curve = _curve(everything, *costs)
    honest = len(parts) > 1
    loss = np.concatenate(
        [
            _losses(
                part, _best(*_curve(_without(parts, k), *costs)) if honest else _best(edges, curve), *costs
            )
            for k, part in enumerate(parts)
        ]
    )
    share = everything.share
    cost = float(loss @ share)
    units = numbers if evaluation.data.groups is None else evaluation.data.groups[numbers]
    moves = np.bincount(units, share * (loss - cost))
    n_units = len(np.unique(units))
    error = float(np.sqrt(np.sum(moves**2) * n_units / max(1, n_units - 1))) * widening(evaluation)
    half = quantile(evaluation.level, n_units) * error
    usual = float(_losses(everything, 0.5, *costs) @ share)
    theory = costs[0] / sum(costs)
    return Threshold(
        _best(edges, curve), theory, *costs, cost, max(0.0, cost - half), cost + half, usual, honest, edges, curve,
        evaluation.level, str(evaluation.data.classes[1]),  # type: ignore[index]
    )  # fmt: skip


def _without(parts: list[Judged], k: int) -> Judged:
    from hedgerow.evaluation.measure import joined

    return joined([part for j, part in enumerate(parts) if j != k])


def _curve(rows: Judged, false_positive: float, false_negative: float) -> tuple[Float, Float]:
    """Every threshold that makes a difference, rising, and its cost a row. The last one says "positive" to nobody."""
    assert rows.guess.chances is not None
    chance = rows.guess.chances[:, 1]
    order = np.argsort(chance, kind="stable")
    values, first = np.unique(chance[order], return_index=True)
    positive = np.append(0.0, np.cumsum((rows.weight * (rows.truth == 1))[order]))
    negative = np.append(0.0, np.cumsum((rows.weight * (rows.truth == 0))[order]))
    places = np.append(first, len(order))
    cost = false_negative * positive[places] + false_positive * (negative[-1] - negative[places])
    between = np.append(values[0], (values[1:] + values[:-1]) / 2)
    return np.append(between, np.nextafter(values[-1], np.inf)), cost / rows.weight.sum()


def _best(edges: Float, costs: Float) -> float:
    """The middle of the cheapest, of the widest run of equally cheap ones."""
    cheap = np.flatnonzero(costs <= costs.min() + 1e-12)
    return float(edges[cheap[len(cheap) // 2]])


def _losses(rows: Judged, edge: float, false_positive: float, false_negative: float) -> Float:
    assert rows.guess.chances is not None
    said = rows.guess.chances[:, 1] >= edge
    return np.where(
        said, np.where(rows.truth == 1, 0.0, false_positive), np.where(rows.truth == 1, false_negative, 0.0)
    )
