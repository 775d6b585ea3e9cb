"""Every row's weight in every round of boosting.   In: a fitted booster, the rows it was fitted to.   Out: RowWeights:
D_t before each round and after the last, whether the round's predictor had the row right; it prints and draws itself.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hedgerow.boost.combine import predict_weak
from hedgerow.boost.state import start
from hedgerow.boost.target import Target, Votes, signs_of
from hedgerow.display import DisplayTable, Result
from hedgerow.docstrings import document
from hedgerow.types import Count, Float, SmallInt

MOST = 20  # lines and rounds that are printed of themselves
SIGNS = {1: " ", 0: "o", -1: "x"}


@dataclass(frozen=True, eq=False, repr=False)
class RowWeights(Result):
    """The weight of every row in every round of boosting.

    Attributes
    ----------
    row :
        Positions of the rows.
    label :
        Their labels.
    weight :
        Rounds x rows: the weight before each round.
    right :
        Rounds x rows: whether the round's predictor is right.

    See Also
    --------
    hedgerow.teaching.trace_weights : Returns it.

    Examples
    --------
    >>> from hedgerow import AdaBoostClassifier, datasets, teaching
    >>> points = datasets.ten_points()
    >>> model = AdaBoostClassifier(n_estimators=3).fit(points.table, points.target)
    >>> teaching.trace_weights(model, points.table, points.target).n_rounds
    3
    """

    row: Count
    label: tuple[str, ...]
    weight: Float
    right: SmallInt

    @property
    def n_rounds(self) -> int:
        """Number of rounds."""
        return len(self.right)

    def tables(self) -> list[DisplayTable]:
        rounds, rows = min(self.n_rounds, MOST // 2), min(len(self.row), MOST)
        header = ("row", "label", *(f"D_{t + 1}" for t in range(rounds + 1)))
        lines = [
            (str(self.row[i]), self.label[i], *(self._cell(t, i) for t in range(rounds + 1)))
            for i in range(rows)
        ]
        left = []
        if rows < len(self.row):
            left.append(f"{len(self.row) - rows:,} more rows")
        if rounds < self.n_rounds:
            left.append(f"{self.n_rounds - rounds:,} more rounds")
        return [
            DisplayTable(
                header,
                lines,
                words=(1,),
                ending=f"and {', '.join(left)}; to_dict() has all" if left else "",
                notes=(
                    "x: the round's predictor has the row wrong; o: it is silent. Weights of a round sum to one.",
                ),
            )
        ]

    def _cell(self, t: int, i: int) -> str:
        mark = SIGNS[int(self.right[t, i])] if t < self.n_rounds else " "
        return f"{self.weight[t, i]:.4f}{mark}"

    def draw(self, ax: Any = None) -> Any:
        """A line for each row over the rounds, with matplotlib. Returns the Axes."""
        from hedgerow.teaching.pictures import draw_row_weights

        return draw_row_weights(self, ax=ax)


@document()
def trace_weights(booster: Any, X: Any, y: Any, sample_weight: Any = None) -> RowWeights:
    """D_t of every row in every round of a fitted AdaBoostClassifier.

    Parameters
    ----------
    booster : AdaBoostClassifier or BoostedNeuronsClassifier
        A fitted booster.
    X : array-like or frame
        The rows of fit.
    y : array-like of shape (n_samples,)
        Their classes.
    sample_weight : array-like of shape (n_samples,) or None
        The weights of fit. None for equal ones.

    Returns
    -------
    RowWeights
        Rounds x rows. Prints and draws itself.

    See Also
    --------
    AdaBoostClassifier : The booster; its `diagnose` has the rounds as a whole.

    Examples
    --------
    >>> from hedgerow import AdaBoostClassifier, datasets, teaching
    >>> points = datasets.ten_points()
    >>> booster = AdaBoostClassifier(n_estimators=3).fit(points.table, points.target)
    >>> teaching.trace_weights(booster, points.table, points.target).weight[0].tolist()
    [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]
    """
    check_is_fitted(booster)
    if not hasattr(booster, "_standing"):
        raise ValueError(
            f"{type(booster).__name__} has no weights of rows. Give a fitted AdaBoostClassifier."
        )
    rounds, rows, codes, places = booster._standing(X, y, sample_weight)
    target: Target = (
        Votes(codes, rounds.width) if rounds.form == "votes" else signs_of(codes, max(2, rounds.width))
    )
    state = start(target, rounds.base, rounds.loss, rows.threads)
    weights, right = [_of_rows(state.weight, len(codes))], []
    for round in rounds.rounds:
        outputs = predict_weak(round.weaks, rows, rounds.form)
        cells = state.cell_outputs(outputs)
        agreement = (np.sign(state.signs * cells) * (np.sign(round.alpha) or 1.0)).reshape(len(codes), -1)
        right.append(np.where((agreement < 0).any(axis=1), -1, (agreement > 0).any(axis=1)))
        if round.reset:
            state.reset()
        else:
            state.step(outputs, cells, round.alpha, round.alpha_no)
        weights.append(_of_rows(state.weight, len(codes)))
    names = [str(name) for name in booster.classes_]
    signs = np.array(right, np.int8).reshape(len(right), len(codes))
    return RowWeights(places, tuple(names[k] for k in codes), np.array(weights), signs)


def _of_rows(cells: Float, n_rows: int) -> Float:
    weight: Float = np.array(cells).reshape(n_rows, -1).sum(axis=1)
    share: Float = weight / weight.sum()
    return share
