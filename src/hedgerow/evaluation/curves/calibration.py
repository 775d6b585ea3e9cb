"""The calibration curve.   In: an Evaluation of two classes.   Out: Calibration: of the rows given a chance, how many
turned out positive, in bins of about equally many rows, each with an interval.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.evaluation.curves.rows import judged_rows, need_two_classes, widening
from hedgerow.evaluation.interval import quantile, wilson
from hedgerow.evaluation.words import figure, span, text_table
from hedgerow.table.words import show
from hedgerow.types import Count, Float

if TYPE_CHECKING:
    from hedgerow.evaluation.evaluation import Evaluation


@dataclass(frozen=True, eq=False, repr=False)
class Calibration:
    said: Float  # mean chance of each bin
    happened: Float  # share of positive rows
    low: Float
    high: Float
    n_rows: Count
    error: float  # mean distance of the two, by rows (the expected calibration error)
    positive: str

    def to_dict(self) -> dict[str, Any]:
        names = ("said", "happened", "low", "high", "n_rows")
        return {name: getattr(self, name).tolist() for name in names} | {"error": self.error}

    def __str__(self) -> str:
        lines = [
            (figure(said), figure(happened), span(low, high), f"{n:,}")
            for said, happened, low, high, n in zip(
                self.said, self.happened, self.low, self.high, self.n_rows, strict=True
            )
        ]
        table = text_table((f"chance of {show(self.positive)}", "happened", "interval", "rows"), lines)
        return "\n".join([*table, f"mean distance {figure(self.error)}"])

    __repr__ = __str__

    def draw(self, ax: Any = None) -> Any:
        from hedgerow.draw.curves import draw_calibration

        return draw_calibration(self, ax=ax)


def calibration(evaluation: "Evaluation", bins: int = 10) -> Calibration:
    need_two_classes(evaluation, "a calibration curve", "chances")
    if not isinstance(bins, int) or bins < 2:
        raise ValueError(f"bins={bins!r} is out of range. Give at least 2.")
    rows, judged = judged_rows(evaluation)
    assert judged.guess.chances is not None
    chance, truth, weight = judged.guess.chances[:, 1], judged.truth, judged.weight
    edges = np.unique(np.quantile(chance, np.linspace(0, 1, bins + 1)[1:-1], method="inverted_cdf"))
    place = np.searchsorted(edges, chance, side="left")
    kept = np.unique(place)
    z = quantile(evaluation.level, evaluation.data.n_rows) * widening(evaluation)
    table = []
    for k in kept:
        here = place == k
        mass = weight[here].sum()
        happened = float(weight[here] @ truth[here] / mass)
        different = len(np.unique(rows[here]))  # a row counts once, however often it was tested
        counted = different * float(mass**2 / (weight[here] ** 2).sum() / here.sum())
        low, high = wilson(happened, counted, z)
        table.append((float(weight[here] @ chance[here] / mass), happened, low, high, different, mass))
    said, shares, low_, high_, n, masses = (np.array(column) for column in zip(*table, strict=True))
    error = float(np.abs(said - shares) @ masses / masses.sum())
    return Calibration(said, shares, low_, high_, n, error, str(evaluation.data.classes[1]))  # type: ignore[index]
