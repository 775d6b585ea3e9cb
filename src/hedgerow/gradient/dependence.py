"""Partial dependence to read.   In: what is predicted at points of one column.   Out: an object that prints and draws
itself."""

from dataclasses import dataclass
from typing import Any

from hedgerow.display import DisplayTable, Result
from hedgerow.types import Float


@dataclass(frozen=True, eq=False, repr=False)
class PartialDependence(Result):
    """What is predicted on average at each value of one column.

    Attributes
    ----------
    name :
        Of the column.
    points :
        Cells of a number; places of a category's levels; NaN is a missing cell.
    words :
        The points.
    levels :
        () for numbers.
    mean :
        Points x outputs.
    outputs :
        What is predicted: "probability of survived".
    low :
        Between them lie eight of ten rows, where rows were given.
    n_rows :
        Rows that were given.

    See Also
    --------
    hedgerow.HistGradientBoostingClassifier.partial_dependence : Returns it.

    Examples
    --------
    >>> from hedgerow import HistGradientBoostingClassifier, datasets
    >>> heart = datasets.heart()
    >>> model = HistGradientBoostingClassifier(max_iter=5).fit(heart.table, heart.target)
    >>> model.partial_dependence(0, heart.table).name
    'age'
    """

    name: str
    points: Float
    words: tuple[str, ...]
    levels: tuple[str, ...]
    mean: Float
    outputs: tuple[str, ...]
    low: Float | None = None
    high: Float | None = None
    n_rows: int = 0

    def tables(self) -> list[DisplayTable | str]:
        lines = [
            [word, *(f"{value:.4g}" for value in row)]
            for word, row in zip(self.words, self.mean, strict=True)
        ]
        how = f"Mean over {self.n_rows:,} rows." if self.n_rows else "By the training rows in each branch."
        return [DisplayTable([self.name, *self.outputs], lines, notes=[how])]

    def draw(self, ax: Any = None) -> Any:
        """A curve (or points for levels) for each output. Returns the Axes."""
        from hedgerow.draw.shapes import draw_dependence

        return draw_dependence(self, ax=ax)
