"""The additive view of boosted stumps.   In: Rounds whose predictors look at one column each.   Out: for each column,
the score as a function of its value.

A sum of stumps is a sum over columns of step functions:  f(x) = s_1(x_1) + ... + s_d(x_d).  So the whole model can be
read, a table or a curve for each column.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.boost.boost_input import BoostInput, rows_of_matrix
from hedgerow.boost.combine import predict_weak, weigh_outputs
from hedgerow.boost.diagnose_words import additive_table
from hedgerow.boost.rounds import Rounds
from hedgerow.display import DisplayTable, Result
from hedgerow.encode import Schema
from hedgerow.types import Float, FloatAny


@dataclass(frozen=True, eq=False)
class Shape:
    """What one column adds to the score."""

    name: str
    column: int
    levels: tuple[str, ...]  # of a category; () for numbers
    ends: Float  # numbers: the value up to which each piece but the last reaches, rising
    scores: Float  # pieces (or levels) x columns of the score
    missing: Float  # what a missing cell adds
    unseen: Float  # what a level adds that training rows did not have
    has_missing: bool  # training rows had missing cells
    n_rounds: int

    @property
    def span(self) -> float:
        """From the least it adds to the most; over all columns of the score the largest."""
        return float(np.ptp(self.scores, axis=0).max())

    def of(self, values: FloatAny) -> Float:
        """What these cells add: rows x columns of the score."""
        if self.levels:
            place = np.where(np.isnan(values), 0, values).astype(np.int64)
            known = np.minimum(place, len(self.levels))
            table = np.vstack([self.scores, self.unseen])
            out = table[known]
        else:
            out = self.scores[np.searchsorted(self.ends, values, side="left").clip(max=len(self.ends))]
        return np.where(np.isnan(values)[:, None], self.missing, out)

    def pieces(self) -> Iterator[tuple[str, Float]]:
        """Words for each piece, and what it adds."""
        if self.levels:
            yield from zip(self.levels, self.scores, strict=True)
        else:
            texts = [f"{end:.6g}" for end in self.ends]
            for k, score in enumerate(self.scores):
                low = texts[k - 1] if k else ""
                high = texts[k] if k < len(texts) else ""
                yield (f"{low} to {high}" if low and high else f"<= {high}" if high else f"> {low}"), score
        if self.has_missing:
            yield "missing", self.missing


@dataclass(frozen=True, eq=False, repr=False)
class Additive(Result):
    """What each column adds to the score of boosted stumps.

    Attributes
    ----------
    shapes :
        Columns that a stump tests, the widest span first.

    See Also
    --------
    hedgerow.AdaBoostClassifier.diagnose : Returns it.

    Examples
    --------
    >>> from hedgerow import AdaBoostClassifier, datasets
    >>> heart = datasets.heart()
    >>> model = AdaBoostClassifier(n_estimators=10).fit(heart.table, heart.target)
    >>> found = model.diagnose(heart.table, heart.target).additive
    >>> len(found["chest pain"].scores)
    4
    """

    shapes: tuple[Shape, ...]
    classes: tuple[str, ...]

    def scores(self, matrix: FloatAny) -> Float:
        """Compute the model's score from the shapes alone.

        Parameters
        ----------
        matrix : ndarray of shape (n_samples, n_features)
            Encoded rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Scores.
        """
        total = np.zeros((len(matrix), self.shapes[0].scores.shape[1] if self.shapes else 1))
        for shape in self.shapes:
            total += shape.of(np.asarray(matrix[:, shape.column], np.float64))
        return total

    def __getitem__(self, name: str) -> Shape:
        for shape in self.shapes:
            if shape.name == name:
                return shape
        raise KeyError(f"No rule tests {name!r}. Tested: {', '.join(s.name for s in self.shapes)}.")

    def to_dict(self) -> dict[str, Any]:
        return {
            shape.name: {
                "rounds": shape.n_rounds,
                "pieces": {words: score.tolist() for words, score in shape.pieces()},
            }
            for shape in self.shapes
        }

    def tables(self) -> list[DisplayTable]:
        return [additive_table(self)]

    def draw(self, **options: Any) -> Any:
        """Draw the curves of the widest columns with matplotlib.

        Parameters
        ----------
        **options : dict
            Options of the picture.
        """
        from hedgerow.draw.boosting import draw_additive

        return draw_additive(self, **options)


def is_additive(rounds: Rounds) -> bool:
    return all(hasattr(weak, "column") for round in rounds.rounds for weak in round.weaks)


def additive_of(rounds: Rounds, rows: BoostInput, schema: Schema, classes: tuple[str, ...]) -> Additive:
    """Only where `is_additive`; `rows` are those of training."""
    missing = np.asarray(np.isnan(rows.matrix).any(axis=0))
    each = (_shape(rounds, schema, j, bool(missing[j])) for j in range(len(schema.names)))
    found = [shape for shape in each if shape is not None]
    return Additive(tuple(sorted(found, key=lambda shape: -shape.span)), classes)


def _shape(rounds: Rounds, schema: Schema, j: int, has_missing: bool) -> Shape | None:
    """Each stump that tests column j is evaluated on each piece of it."""
    asking = [
        (round, k, weak)
        for round in rounds.rounds
        if not round.reset
        for k, weak in enumerate(round.weaks)
        if weak.column == j
    ]
    if not asking:
        return None
    levels = schema.levels[j] if schema.kinds[j] == "category" else ()
    ends = np.unique([t for _, _, weak in asking if np.isfinite(t := getattr(weak, "threshold", np.nan))])
    pieces = np.arange(len(levels), dtype=np.float64) if levels else np.append(ends, np.finfo(float).max)
    rows = _rows_with(j, np.concatenate([pieces, [len(levels), np.nan]]), len(schema.names))
    total = np.zeros((rows.n_rows, rounds.width))
    for round, k, weak in asking:
        outputs = predict_weak((weak,), rows, rounds.form)
        width = rounds.width if rounds.form == "votes" else 1
        added = weigh_outputs(outputs, round.alpha, round.alpha_no, rounds.form, width)
        total[:, slice(None) if rounds.form == "votes" else slice(k, k + 1)] += added
    return Shape(schema.names[j], j, levels, ends, total[:-2], total[-1], total[-2], has_missing, len(asking))


def _rows_with(column: int, values: Float, n_columns: int) -> BoostInput:
    matrix = np.zeros((len(values), n_columns))
    matrix[:, column] = values
    return rows_of_matrix(matrix)
