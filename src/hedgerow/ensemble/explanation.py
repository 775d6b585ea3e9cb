"""Explanations to read.   In: Shapley values of rows.   Out: an object that says of each row which columns moved the
prediction, and by how much.

    base + sum of a row's values = its prediction
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.display import DisplayTable, Result
from hedgerow.types import Count, Float


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Result):
    """Shapley values: which columns moved each row's prediction, and by how much.

    Attributes
    ----------
    values :
        Rows x columns (numbers), or rows x columns x classes.
    base :
        Outputs: the prediction when nothing is known of a row.
    classes :
        Names of the classes; empty for numbers.
    cells :
        What stands in each cell, where few rows are explained.
    outputs :
        What is explained, where it is neither a probability nor the prediction itself.

    See Also
    --------
    hedgerow.RandomForestClassifier.explain : Returns it.

    Examples
    --------
    >>> from hedgerow import RandomForestClassifier, datasets
    >>> heart = datasets.heart()
    >>> forest = RandomForestClassifier(20, random_state=0).fit(heart.table, heart.target)
    >>> forest.explain(heart.table.take([0, 1])).values.shape
    (2, 13, 2)
    """

    values: Float
    base: Float
    names: tuple[str, ...]
    classes: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...] | None = None
    outputs: tuple[str, ...] = ()

    @property
    def prediction(self) -> Float:
        """Base and values added up: rows, or rows x classes."""
        total = self.values.sum(axis=1) + (self.base if self.classes else self.base[0])
        return np.asarray(total)

    def of(self, output: int | str | None = None) -> Float:
        """Get the values of one class (the last if not given), or of the number.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            Shapley values.
        """
        if not self.classes:
            return self.values
        return np.asarray(self.values[:, :, self._place(output)])

    def _place(self, output: int | str | None) -> int:
        if output is None:
            return len(self.classes) - 1
        if str(output) in self.classes:
            return self.classes.index(str(output))
        if isinstance(output, int) and 0 <= output < len(self.classes):
            return output
        raise ValueError(f"{output!r} is no class. Classes: {', '.join(self.classes)}.")

    def order(self, row: int, output: int | str | None = None) -> Count:
        """Sort columns by how much they moved the row, the most first.

        Returns
        -------
        ndarray of int
            Positions of columns.
        """
        return np.argsort(-np.abs(self.of(output)[row]), kind="stable")

    def table(self, row: int = 0, output: int | str | None = None, most: int = 12) -> list[tuple[str, str]]:
        """List the columns that moved a row the most, with their cells.

        Returns
        -------
        list of (str, str)
            What a line says, and its number.
        """
        values, place = self.of(output)[row], self._place(output) if self.classes else 0
        lines = [("nothing known", f"{self.base[place]:.4g}")]
        order = self.order(row, output)
        for j in order[:most]:
            cell = f" = {self.cells[row][j]}" if self.cells is not None else ""
            lines.append((f"{self.names[j]}{cell}", f"{values[j]:+.4g}"))
        rest = float(values[order[most:]].sum())
        if len(order) > most:
            lines.append((f"{len(order) - most} other columns", f"{rest:+.4g}"))
        end = float(values.sum() + self.base[place])
        lines.append((self.title(place), f"{end:.4g}"))
        return lines

    def title(self, place: int) -> str:
        """Say what base and values add up to.

        Parameters
        ----------
        place : int
            Position of the output.

        Returns
        -------
        str
            A few words.
        """
        if self.outputs:
            return self.outputs[place]
        return f"probability of {self.classes[place]}" if self.classes else "prediction"

    def to_dict(self) -> dict[str, Any]:
        return {
            "names": list(self.names),
            "classes": list(self.classes),
            "outputs": list(self.outputs),
            "base": self.base.tolist(),
            "values": self.values.tolist(),
        }

    def __len__(self) -> int:
        return len(self.values)

    def tables(self) -> list[DisplayTable | str]:
        if len(self) == 0:
            return ["No row explained."]
        head = f"Row 0 of {len(self):,}" if len(self) > 1 else "One row"
        return [DisplayTable((), self.table(), caption=head)]

    def draw(self, row: int = 0, output: int | str | None = None, ax: Any = None) -> Any:
        """From the base to the row's prediction, a bar a column. Returns the Axes."""
        from hedgerow.draw.explanation import draw_explanation

        return draw_explanation(self, row, output, ax=ax)
