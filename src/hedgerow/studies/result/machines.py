"""Support vector machines."""

from dataclasses import dataclass


@dataclass(frozen=True)
class MachineTold:
    """One support vector machine; of several classes there are several."""

    words: str  # which classes it parts; "" of a single one
    n_support: int
    n_wrong: int | None  # training rows on the wrong side; None for a regression
    margin: float | None  # 1/|w|, where columns are counted in standard deviations
    gap: float  # between what it costs and what the best could, relative


@dataclass(frozen=True)
class HardRow:
    row: int  # of the table that came in, from 0
    truth: str
    guess: str
    distance: (
        float  # in margins: below 1 inside the street, below 0 beyond the boundary; for numbers, the error
    )
    cells: str  # "age 22, sex male"


@dataclass(frozen=True)
class ColumnWeight:
    name: str  # of a column, or of a level: "sex=female"
    value: float


@dataclass(frozen=True)
class Plane:
    """Two columns: what is answered everywhere between them, row by row from the lowest y."""

    columns: tuple[str, str]
    x: tuple[float, float]  # from, to
    y: tuple[float, float]
    answers: tuple[tuple[int, ...], ...]  # class numbers
    rows: tuple[tuple[float, float, int], ...]  # x, y, class number
    is_support: tuple[bool, ...]  # of each row


@dataclass(frozen=True)
class Support:
    """A support vector machine."""

    kernel: str  # in words
    n_support: int
    n_rows: int  # it learned from
    machines: tuple[MachineTold, ...]
    hard: tuple[HardRow, ...]  # rows that lie deepest on the wrong side
    weights: tuple[ColumnWeight, ...]  # of a linear machine of two classes or for numbers, the largest first
    plane: Plane | None
