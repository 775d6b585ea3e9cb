"""What a fitted gradient booster says about itself: Shapley values, importance, single trees, the loss by round."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hedgerow.encode import Schema
from hedgerow.ensemble.explanation import Explanation
from hedgerow.ensemble.importance_table import Importance
from hedgerow.gradient import GradientTrees, Loss
from hedgerow.gradient.diagnose import RoundLosses
from hedgerow.gradient.explain import additive_shapes, gain_importance, permutation_importance, shapley_values
from hedgerow.tree.tree import Tree
from hedgerow.types import Float, FloatAny

CELLS_SHOWN = 50  # rows whose cells stand beside their values


class GradientExplained:
    trees_: GradientTrees
    schema_: Schema
    _loss: Loss
    _matrix: Callable[[Any], tuple[FloatAny, int]]
    _known_target: Callable[[Any, int], Float]

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
        if self.trees_.n_outputs == 1:
            return Explanation(values[:, :, 0], base, self.schema_.names, (), self._cells(rows))
        classes = tuple(map(str, getattr(self, "classes_", ())))
        return Explanation(values, base, self.schema_.names, classes, self._cells(rows))

    def importance(
        self, kind: str = "gain", X: Any = None, y: Any = None, *, repeats: int = 5, random_state: int = 0
    ) -> Importance:
        """How much each column matters.

        kind : "gain" (the loss of the training rows fell by so much at its splits), or "permutation" (the mean loss of
            X, y rises by so much when the column's cells are exchanged; give rows the model has not seen)
        """
        check_is_fitted(self, "trees_")
        if kind == "gain":
            return Importance("gain", self.schema_.names, gain_importance(self.trees_))
        if kind != "permutation":
            raise ValueError(f"kind={kind!r} is unknown. Known: gain, permutation.")
        if X is None or y is None:
            raise ValueError("kind='permutation' needs rows the model has not seen. Give X and y.")
        rows, threads = self._matrix(X)
        target = self._known_target(y, len(rows))
        rng = np.random.default_rng(random_state)
        rise, error = permutation_importance(
            self.trees_,
            self._loss,
            rows,
            target,
            repeats,
            rng,
            threads,
        )
        return Importance("unseen", self.schema_.names, rise, rise - 1.96 * error, rise + 1.96 * error, 0.95)

    def tree(self, number: int = 0, output: int = 0) -> Tree:
        """The tree of a round (counted from 0) and an output."""
        check_is_fitted(self, "trees_")
        trees = self.trees_
        if not (0 <= number < trees.n_rounds and 0 <= output < trees.n_outputs):
            raise ValueError(
                f"number={number!r}, output={output!r}: there are {trees.n_rounds} rounds of {trees.n_outputs} trees."
            )
        return trees.tree(number * trees.n_outputs + output)

    def additive(self) -> Any:
        """What each column adds to raw, where every tree asks about one column (max_depth=1)."""
        check_is_fitted(self, "trees_")
        return additive_shapes(self.trees_)

    def diagnose(self, X: Any, y: Any, sample_weight: Any = None, *, test: Any = None) -> RoundLosses:
        """The mean loss before the first round and after each: of X, y, and of test=(X, y) if given."""
        check_is_fitted(self, "trees_")
        name = self.loss if isinstance(self.loss, str) else type(self.loss).__name__  # type: ignore[attr-defined]
        train = self._losses_by_round(X, y, sample_weight)
        held_out = np.empty(0) if test is None else self._losses_by_round(test[0], test[1], None)
        return RoundLosses(name, train, held_out)

    def _losses_by_round(self, X: Any, y: Any, weight: Any) -> Float:
        rows, threads = self._matrix(X)
        target = self._known_target(y, len(rows))
        loss = self._loss
        start = np.repeat(self.trees_.baseline[:, None], len(rows), axis=1)
        stages = (np.ascontiguousarray(raw.T) for raw in self.trees_.staged_raw(rows, threads))
        return np.array([loss.mean_loss(target, raw, weight) for raw in (start, *stages)])

    def _cells(self, rows: FloatAny) -> tuple[tuple[str, ...], ...] | None:
        if len(rows) > CELLS_SHOWN:
            return None
        levels = self.schema_.levels

        def word(j: int, x: float) -> str:
            if np.isnan(x):
                return "missing"
            if levels[j]:
                return levels[j][int(x)] if x < len(levels[j]) else "a level never seen"
            return f"{x:.5g}"

        return tuple(tuple(word(j, float(x)) for j, x in enumerate(row)) for row in rows)
