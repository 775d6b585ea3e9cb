"""What a fitted gradient booster says about itself: Shapley values, importance, partial dependence, the loss by
round."""

from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hedgerow.encode import Schema
from hedgerow.ensemble.explanation import Explanation
from hedgerow.ensemble.importance_table import Importance
from hedgerow.errors import check_choice
from hedgerow.fitting.target import check_sample_weight
from hedgerow.gradient import GradientTrees, Loss
from hedgerow.gradient.dependence import PartialDependence
from hedgerow.gradient.diagnose import RoundLosses
from hedgerow.gradient.explain import (
    dependence_by_rows,
    dependence_by_trees,
    gain_importance,
    permutation_importance,
    shapley_values,
)
from hedgerow.types import Float, FloatAny
from hedgerow.words import did_you_mean, listing, quote

CELLS_SHOWN = 50  # rows whose cells stand beside their values
MOST_ROWS = 2_000  # that a partial dependence is the mean over


class GradientExplained:
    trees_: GradientTrees
    schema_: Schema
    train_score_: Float
    validation_score_: Float
    _loss: Loss
    _matrix: Callable[[Any], tuple[FloatAny, int]]
    _known_target: Callable[[Any, int], Float]
    _new_loss: Callable[[], Loss]

    @property
    def feature_importances_(self) -> Float:
        """Each column's share of the gain of all splits."""
        check_is_fitted(self, "trees_")
        gain = gain_importance(self.trees_)
        total = float(gain.sum())
        return gain / total if total > 0 else gain

    def explain(self, X: Any) -> Explanation:
        """Exact path-dependent Shapley values of raw (the log odds, the log of the expected target, or the number)."""
        rows, threads = self._matrix(X)
        values, base = shapley_values(self.trees_, rows, threads)
        names, cells = self._raw_names(), self._cells(rows)
        if self.trees_.n_outputs == 1:
            return Explanation(values[:, :, 0], base, self.schema_.names, (), cells, names)
        return Explanation(values, base, self.schema_.names, self._class_names(), cells, names)

    def _class_names(self) -> tuple[str, ...]:
        return tuple(map(str, getattr(self, "classes_", ())))

    def _raw_names(self) -> tuple[str, ...]:
        return self._loss.raw_names(self._class_names())

    def importance(
        self, kind: str = "gain", X: Any = None, y: Any = None, *, repeats: int = 5, random_state: int = 0
    ) -> Importance:
        """Measure how much each column matters.

        Parameters
        ----------
        kind : {"gain", "permutation"}
            Fall of the training loss at its splits; or rise of the mean loss of X, y when the column's cells are
            exchanged (give rows the model has not seen).
        repeats : int
            How often the cells are exchanged.

        Returns
        -------
        Importance
            Prints and draws itself.
        """
        check_is_fitted(self, "trees_")
        check_choice("kind", kind, ("gain", "permutation"))
        if kind == "gain":
            return Importance("gain", self.schema_.names, gain_importance(self.trees_))
        if X is None or y is None:
            raise ValueError("kind='permutation' needs rows the model has not seen. Give X and y.")
        rows, threads = self._matrix(X)
        target = self._known_target(y, len(rows))
        rng = np.random.default_rng(random_state)
        loss = self._started_loss(target, None)
        rise, error = permutation_importance(self.trees_, loss, rows, target, repeats, rng, threads)
        return Importance("unseen", self.schema_.names, rise, rise - 1.96 * error, rise + 1.96 * error, 0.95)

    def partial_dependence(
        self, column: str | int, X: Any = None, *, points: Any = None, random_state: int = 0
    ) -> PartialDependence:
        """Predict, on average, what one column's cell being this or that gives when the others stay as they are.

        Parameters
        ----------
        column : str or int
            The column.
        X : array-like or None
            Rows to average over (2,000 of them at most, drawn at random); the mean is then of probabilities or
            numbers. None: the mean is of raw, over the training rows that went down each branch.
        points : array-like or None
            Numbers, or levels, to look at. None: levels, or the deciles and more of X (without X, the splits).

        Returns
        -------
        PartialDependence
            Prints and draws itself.
        """
        check_is_fitted(self, "trees_")
        at = self._column(column)
        levels = self.schema_.levels[at]
        rows, threads = (np.empty((0, len(self.schema_.names))), 1) if X is None else self._matrix(X)
        if len(rows) > MOST_ROWS:
            rows = rows[np.sort(np.random.default_rng(random_state).permutation(len(rows))[:MOST_ROWS])]
        cells = self._points(at, points, rows[:, at])
        words = tuple(self._cell_words(at, float(cell)) for cell in cells)
        name = self.schema_.names[at]
        if X is None:
            mean = dependence_by_trees(self.trees_, at, cells)
            return PartialDependence(name, cells, words, levels, mean, self._raw_names())
        found = dependence_by_rows(self.trees_, self._loss, at, cells, rows, threads)
        classes = self._class_names()
        outputs = tuple(f"probability of {one}" for one in classes) or ("prediction",)
        if len(classes) == 2:
            found, outputs = found[:, :, 1:], outputs[1:]
        low, high = np.quantile(found, (0.1, 0.9), axis=1)
        return PartialDependence(
            name, cells, words, levels, found.mean(axis=1), outputs, low, high, len(rows)
        )

    def _column(self, given: str | int) -> int:
        names = self.schema_.names
        if isinstance(given, str) and given in names:
            return names.index(given)
        if isinstance(given, (int, np.integer)) and 0 <= given < len(names):
            return int(given)
        hint = did_you_mean(str(given), names)
        raise ValueError(f"column={quote(given)} is no column. Columns: {listing(names)}.{hint}")

    def _points(self, column: int, given: Any, cells: FloatAny) -> Float:
        levels = self.schema_.levels[column]
        if given is not None:
            return np.array([self._point(column, one) for one in np.atleast_1d(np.asarray(given, object))])
        if levels:
            return np.arange(len(levels), dtype=np.float64)
        known = cells[~np.isnan(cells)]
        if len(known):
            return np.unique(np.quantile(known, np.linspace(0, 1, 41), method="nearest"))
        own = self.trees_.threshold[self.trees_.column == column]
        cuts = np.unique(own[own < np.finfo(np.float64).max])
        return np.append(cuts, cuts[-1:] + 1.0) if len(cuts) else np.zeros(1)

    def _point(self, column: int, given: Any) -> float:
        levels = self.schema_.levels[column]
        if isinstance(given, str) and given in levels:
            return float(levels.index(given))
        if isinstance(given, Real) and not np.isinf(float(given)):
            return float(given)
        wanted = f"Levels: {listing(levels)}." if levels else "Expected: finite numbers."
        hint = did_you_mean(str(given), levels)
        raise ValueError(
            f"points holds {given!r}, which no cell of {quote(self.schema_.names[column])} can be. {wanted}{hint}"
        )

    def diagnose(
        self, X: Any = None, y: Any = None, sample_weight: Any = None, *, test: Any = None
    ) -> RoundLosses:
        """Compute the mean loss before the first round and after each: of X, y, and of test=(X, y) if given. Without
        X: of the training rows and of those held out, as `fit` kept them (early_stopping=True, or eval_set).

        Returns
        -------
        RoundLosses
            Prints and draws itself.
        """
        check_is_fitted(self, "trees_")
        name = self.loss if isinstance(self.loss, str) else type(self.loss).__name__  # type: ignore[attr-defined]
        if X is not None:
            train = self._losses_by_round(X, y, sample_weight)
            held_out = np.empty(0) if test is None else self._losses_by_round(test[0], test[1], None)
            return RoundLosses(name, train, held_out)
        if test is not None:
            raise ValueError(
                "test is given without training rows. Give diagnose(X, y, test=(X_test, y_test))."
            )
        by_loss = isinstance(self.scoring, str) and self.scoring == "loss"  # type: ignore[attr-defined]
        if not len(self.train_score_) or not by_loss:
            raise ValueError(
                "fit kept no losses by round: it does with early_stopping=True or eval_set=(X, y), and scoring='loss'. "
                "Give the rows: diagnose(X, y, test=(X_test, y_test))."
            )
        return RoundLosses(name, -self.train_score_, -self.validation_score_)

    def _losses_by_round(self, X: Any, y: Any, sample_weight: Any) -> Float:
        rows, threads = self._matrix(X)
        target = self._known_target(y, len(rows))
        weight = check_sample_weight(sample_weight, len(rows))
        start = np.repeat(self.trees_.baseline[:, None], len(rows), axis=1)
        stages = (np.ascontiguousarray(raw.T) for raw in self.trees_.staged_raw(rows, threads))
        loss = self._started_loss(target, weight)
        return np.array([loss.mean_loss(target, raw, weight) for raw in (start, *stages)])

    def _started_loss(self, target: Float, weight: Float | None) -> Loss:
        """A model file does not say where Huber's loss bends: of a loaded model it is where it would in these rows."""
        if self._loss.is_started:
            return self._loss
        loss = self._new_loss()
        loss.start(target, weight)
        return loss

    def _cells(self, rows: FloatAny) -> tuple[tuple[str, ...], ...] | None:
        if len(rows) > CELLS_SHOWN:
            return None
        return tuple(tuple(self._cell_words(j, float(x)) for j, x in enumerate(row)) for row in rows)

    def _cell_words(self, column: int, x: float) -> str:
        levels = self.schema_.levels[column]
        if np.isnan(x):
            return "missing"
        if levels:
            return levels[int(x)] if x < len(levels) else "a level never seen"
        return f"{x:.5g}"
