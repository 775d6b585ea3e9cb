"""The rows that nothing had seen."""

from dataclasses import dataclass

from hedgerow.studies.result.contest import ScoreTold


@dataclass(frozen=True)
class Curve:
    """Points of a line, with a band where there is one."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True)
class Holdout:
    """The rows that nothing had seen, opened once."""

    n_rows: int
    scores: tuple[ScoreTold, ...]
    confusion: tuple[tuple[int, ...], ...]  # truth x guess; empty for a regression
    roc: Curve | None  # two classes
    calibration: Curve | None
    residuals: Curve | None  # regression: guess, truth
