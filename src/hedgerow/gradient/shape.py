"""Shapes: what a column adds.   In: values piece by piece.   Out: Shape, PairShape; Shapes, all of a model, which print
and draw themselves.

    raw of a row = intercept + the shape of each column at the row's cell (+ the shape of each pair)

Pieces of a number reach up to the ends, the last one beyond them; those of a category are its levels. After the pieces
stands one more: the missing cell, and the level never seen. Shapes have mean zero over the training rows.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from hedgerow.display import DisplayTable, Result
from hedgerow.types import Float, Mask
from hedgerow.words import did_you_mean, quote

MOST_ROWS = 12  # of a printed table


@dataclass(frozen=True, eq=False)
class Pieces:
    """How a column is cut."""

    name: str
    column: int
    levels: tuple[str, ...]  # of a category; () for numbers
    ends: Float  # numbers: the value up to which each piece but the last reaches

    def __len__(self) -> int:
        """Without the missing one."""
        return len(self.levels) or len(self.ends) + 1

    @property
    def points(self) -> Float:
        """A cell in each piece, NaN at last."""
        if self.levels:
            return np.append(np.arange(len(self.levels), dtype=np.float64), np.nan)
        if not len(self.ends):
            return np.array([0.0, np.nan])
        last = self.ends[-1]
        return np.concatenate([self.ends, [last + max(1.0, abs(last)), np.nan]])

    def words(self) -> list[str]:
        if self.levels:
            return [*self.levels, "missing"]
        ends = [f"{end:.5g}" for end in self.ends]
        if not ends:
            return ["any number", "missing"]
        inner = [f"{a} to {b}" for a, b in pairwise(ends)]
        return [f"up to {ends[0]}", *inner, f"above {ends[-1]}", "missing"]


@dataclass(frozen=True, eq=False)
class Shape:
    """What one column adds to raw."""

    pieces: Pieces
    values: Float  # pieces, then missing x outputs
    rows: Float  # training rows of each piece, as the leaves of the trees count them; missing ones last
    low: Float | None = None  # band, of the same shape as the values
    high: Float | None = None

    @property
    def name(self) -> str:
        return self.pieces.name

    @property
    def levels(self) -> tuple[str, ...]:
        return self.pieces.levels

    @property
    def ends(self) -> Float:
        return self.pieces.ends

    @property
    def scores(self) -> Float:
        """Pieces x outputs, without the missing one."""
        return self.values[:-1]

    @property
    def missing(self) -> Float:
        """What a missing cell adds, to each output."""
        return np.asarray(self.values[-1])

    @property
    def span(self) -> float:
        """From the least it adds to the most."""
        return float(np.ptp(self.scores, axis=0).max())

    def set_constant(
        self,
        value: Any = None,
        *,
        above: float | None = None,
        up_to: float | None = None,
        levels: Any = None,
        missing: bool | None = None,
    ) -> "Shape":
        """The same with one value for some cells: numbers above one end and up to the other, or some levels; for all
        cells if neither is given.

        value : one for each output, or one for all; the mean of what is replaced if not given
        missing : whether missing cells take it too; only where all cells do, if not given
        """
        cut = self
        for end in (above, up_to):
            if end is not None:
                cut = cut._cut_at(float(end))
        chosen = np.append(cut._chosen(above, up_to, levels), False)
        chosen[-1] = chosen[:-1].all() if missing is None else missing
        if value is None:
            weight = cut.rows * chosen
            weight = weight if weight.sum() > 0 else chosen.astype(np.float64)
            value = np.average(cut.values, axis=0, weights=weight)
        new = cut.values.copy()
        try:
            new[chosen] = value
        except (TypeError, ValueError):
            new[chosen] = np.nan
        if not np.isfinite(new).all():
            raise ValueError(
                f"value={value!r} is no number. Give a finite one, or one for each of the {new.shape[1]} outputs."
            )
        return replace(cut, values=new, low=None, high=None)

    def _chosen(self, above: float | None, up_to: float | None, levels: Any) -> Mask:
        if not self.levels:
            if levels is not None:
                raise ValueError(
                    f"{quote(self.name)} holds numbers and has no levels. Give above= and up_to=."
                )
            low = -np.inf if above is None else above
            high = np.inf if up_to is None else up_to
            if not low < high:
                raise ValueError(f"above={above!r} is not below up_to={up_to!r}: no cell lies between.")
            tops = np.append(self.ends, np.inf)
            return np.asarray((tops > low) & (tops <= high))
        levels = [levels] if isinstance(levels, str) else levels
        unknown = [one for one in levels or () if one not in self.levels]
        if unknown:
            hint = did_you_mean(str(unknown[0]), self.levels)
            raise ValueError(f"{quote(unknown[0])} is no level of {quote(self.name)}.{hint}")
        return np.array([levels is None or one in levels for one in self.levels])

    def _cut_at(self, end: float) -> "Shape":
        """The same with a piece that ends here."""
        if self.levels or not np.isfinite(end):
            raise ValueError(
                f"{quote(self.name)} cannot be cut at {end!r}. Give a finite number for a column of numbers, levels= "
                "for a category."
            )
        if end in self.ends:
            return self
        place = int(np.searchsorted(self.ends, end))
        double = np.insert(np.arange(len(self.values)), place, place)
        rows = self.rows[double]
        rows[place : place + 2] /= 2
        bands = {
            name: None if band is None else band[double]
            for name, band in (("low", self.low), ("high", self.high))
        }
        pieces = replace(self.pieces, ends=np.insert(self.ends, place, end))
        return replace(self, pieces=pieces, values=self.values[double], rows=rows, **bands)


@dataclass(frozen=True, eq=False)
class PairShape:
    """What the trees that test two columns add, beyond the shapes of either. What depends on one of them alone
    may stand here too."""

    first: Pieces
    second: Pieces
    values: Float  # pieces of the first, missing last x pieces of the second, missing last x outputs

    @property
    def name(self) -> str:
        return f"{self.first.name} x {self.second.name}"

    @property
    def span(self) -> float:
        return float(np.ptp(self.values[:-1, :-1], axis=(0, 1)).max())


@dataclass(frozen=True, eq=False, repr=False)
class Shapes(Result):
    """What each column, or pair of columns, adds to the prediction.

    Attributes
    ----------
    intercept :
        Of each output.
    shapes :
        The widest first.
    pairs :
        What each pair of columns adds besides.
    outputs :
        What is added to: "log odds of survived".
    confidence_level :
        Of the bands, where there are some.
    n_refits :
        That the bands come from.

    See Also
    --------
    hedgerow.HistGradientBoostingClassifier.additive : Returns it.

    Examples
    --------
    >>> from hedgerow import HistGradientBoostingClassifier, datasets
    >>> heart = datasets.heart()
    >>> model = HistGradientBoostingClassifier(max_iter=5, interaction_cst="no_interactions")
    >>> model = model.fit(heart.table, heart.target)
    >>> model.additive(heart.table, heart.target, n_refits=2).n_refits
    2
    """

    intercept: Float
    shapes: tuple[Shape, ...]
    pairs: tuple[PairShape, ...] = ()
    outputs: tuple[str, ...] = ("prediction",)
    confidence_level: float = 0.95
    n_refits: int = 0

    def __iter__(self) -> Iterator[Shape]:
        return iter(self.shapes)

    def __len__(self) -> int:
        return len(self.shapes)

    def __getitem__(self, which: int | str) -> Shape:
        if isinstance(which, int):
            return self.shapes[which]
        names = [shape.name for shape in self.shapes]
        if which not in names:
            hint = did_you_mean(which, names)
            raise KeyError(
                f"{which!r} has no shape: no tree tests it alone. Shapes: {', '.join(names)}.{hint}"
            )
        return self.shapes[names.index(which)]

    def tables(self) -> list[DisplayTable | str]:
        head = ", ".join(
            f"{name} {value:.4g}" for name, value in zip(self.outputs, self.intercept, strict=True)
        )
        rows = [[one.name, f"{one.span:.4g}", f"{len(one.pieces):,}"] for one in self.shapes[:MOST_ROWS]]
        rows += [[one.name, f"{one.span:.4g}", "pair"] for one in self.pairs[:MOST_ROWS]]
        more = len(self.shapes) + len(self.pairs) - len(rows)
        notes = [self.band_words] if self.n_refits else []
        ending = f"... and {more} more" if more > 0 else ""
        table = DisplayTable(["column", "span", "pieces"], rows, notes=notes, ending=ending)
        return [f"On average: {head}. Each column adds:", table]

    @property
    def band_words(self) -> str:
        """Where the bands come from."""
        return (
            f"Bands: {self.confidence_level:.0%} at each point, from {self.n_refits} refits with random weights on the "
            "rows (Bayesian bootstrap): the chance in the rows, not what too few rounds smooth away."
        )

    def draw(self, most: int = 9) -> Any:
        """A panel for each column (and pair), the widest first. Returns the Figure."""
        from hedgerow.draw.shapes import draw_shapes

        return draw_shapes(self, most=most)
