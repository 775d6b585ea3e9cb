"""Importances to read.   In: a number a column.   Out: an object that prints itself, the largest first, and draws the
plot of the lecture: relative to the largest.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.display import DisplayTable, Result
from hedgerow.types import Count, Float

NOTES = {
    "impurity": "Mean decrease of impurity. Biased: columns of many values look better than they are, even pure noise.",
    "corrected": "Decrease of Gini impurity (squared error) on rows out of bag. Noise has mean zero.",
    "permutation": "Rise of the loss out of bag when the column's cell is another row's. Noise covers zero.",
    "gain": "Fall of the training loss at the column's splits. Biased towards columns of many values.",
    "unseen": "Rise of the loss on rows the model has not seen when the column's cell is another row's.",
}
TITLES = {
    "impurity": "mean decrease of impurity",
    "corrected": "decrease of impurity, out of bag",
    "permutation": "rise of the loss by permutation",
    "gain": "fall of the training loss",
    "unseen": "rise of the loss by permutation, unseen rows",
}


@dataclass(frozen=True, eq=False, repr=False)
class Importance(Result):
    """How much each column matters, the largest first.

    Attributes
    ----------
    kind :
        What was measured.
    value :
        Importance of each column.
    low :
        Lower ends of the intervals, where there are some.
    high :
        Upper ends of the intervals, where there are some.

    See Also
    --------
    hedgerow.RandomForestClassifier.importance : Returns it.

    Examples
    --------
    >>> from hedgerow import RandomForestClassifier, datasets
    >>> heart = datasets.heart()
    >>> forest = RandomForestClassifier(20, random_state=0).fit(heart.table, heart.target)
    >>> found = forest.importance()
    >>> len(found.names)
    13
    """

    kind: str
    names: tuple[str, ...]
    value: Float
    low: Float | None = None
    high: Float | None = None
    confidence_level: float = 0.95

    @property
    def order(self) -> Count:
        """Columns, the largest first; of equal ones the first."""
        return np.argsort(-self.value, kind="stable")

    @property
    def relative(self) -> Float:
        """In percent of the largest, as in the lecture."""
        most = float(self.value.max()) if len(self.value) else 0.0
        return 100 * self.value / most if most > 0 else np.zeros(len(self.value))

    def top(self, k: int) -> tuple[str, ...]:
        """Get the names of the k largest.

        Parameters
        ----------
        k : int
            How many.

        Returns
        -------
        tuple of str
            Names of columns.
        """
        return tuple(self.names[j] for j in self.order[:k])

    def to_dict(self) -> dict[str, Any]:
        lines = []
        for j in self.order:
            line = {
                "column": self.names[j],
                "value": float(self.value[j]),
                "relative": float(self.relative[j]),
            }
            if self.low is not None and self.high is not None:
                line |= {"low": float(self.low[j]), "high": float(self.high[j])}
            lines.append(line)
        return {"kind": self.kind, "note": NOTES[self.kind], "columns": lines}

    def tables(self, most: int = 30) -> list[DisplayTable]:
        header = ["column", "relative", TITLES[self.kind]]
        if self.low is not None:
            header.append(f"{self.confidence_level:.0%} interval")
        rows = []
        for j in self.order[:most]:
            row = [self.names[j], f"{self.relative[j]:.1f}", f"{self.value[j]:.4g}"]
            if self.low is not None and self.high is not None:
                row.append(f"{self.low[j]:.3g} to {self.high[j]:.3g}")
            rows.append(row)
        more = len(self.names) - len(rows)
        ending = f"... and {more} more" if more > 0 else ""
        return [DisplayTable(header, rows, notes=[NOTES[self.kind]], ending=ending)]

    def draw(self, ax: Any = None, most: int = 20) -> Any:
        """Bars, relative to the largest. Returns the Axes."""
        from hedgerow.draw.explanation import draw_importance

        return draw_importance(self, ax=ax, most=most)
