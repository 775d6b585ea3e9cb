"""The panel and what may be concluded of it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ScoreTold:
    name: str
    title: str
    value: float | None  # None: it means nothing here
    low: float | None
    high: float | None
    level: float
    baseline: float | None
    higher_is_better: bool


@dataclass(frozen=True)
class Entrant:
    """A model of the panel."""

    name: str  # as people read it
    words: str  # "a random forest of 200 trees"
    how: str  # what it is, what was searched inside, what was done to the table
    scores: tuple[ScoreTold, ...]  # cross-validated on the training rows; the deciding one first
    folds: tuple[float, ...]  # the deciding score of each fold
    size: str  # "11 leaves"
    numbers: float | None  # it takes to write the model down: how simplicity is compared
    n_rows: int  # it learned from in a fold, where that is a sample; else all
    failure: str  # "" or why it has no score
    option: str = ""  # what --models calls it


@dataclass(frozen=True)
class Pair:
    """The chosen model against another."""

    other: str
    difference: float | None  # of the deciding score, positive = the chosen one is better; None: not known
    low: float | None
    high: float | None
    p: float | None  # corrected for the number of comparisons
    words: str


@dataclass(frozen=True)
class Verdict:
    best: str  # highest score
    simplest: str  # the simplest within one standard error of it
    chosen: str
    because: str
    words: tuple[str, ...]  # what may be concluded
    pairs: tuple[Pair, ...]
