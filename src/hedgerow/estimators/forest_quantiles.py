"""Quantiles of a forest's predictions (quantile regression forest).   In: a forest of numbers, rows.   Out: rows x
quantiles."""

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hedgerow.ensemble import predict
from hedgerow.ensemble.flat import flat_of
from hedgerow.ensemble.quantiles import LeafRows, leaf_rows, quantiles_of
from hedgerow.estimators.forest_inspection import ForestInspectionMixin
from hedgerow.types import Float


class QuantileMixin(ForestInspectionMixin):
    """For estimators as ForestInspectionMixin wants them, of numbers."""

    def predict_quantiles(self, X: Any, quantiles: Any = (0.1, 0.5, 0.9)) -> Float:
        """Predict quantiles of the training targets in the leaves each row ends in (quantile regression forest)."""
        wanted = check_quantiles(quantiles)
        check_is_fitted(self)
        self._need_trees()
        if "_leaf_rows" not in self.__dict__:
            self._leaf_rows = self._make_leaf_rows()
        rows, threads = self._rows(X)  # type: ignore[attr-defined]
        return quantiles_of(self._leaf_rows, predict.leaves(self.forest_, rows, threads), wanted)

    def predict_interval(self, X: Any, confidence_level: float = 0.9) -> Float:
        """Predict an interval that holds the share `confidence_level` of what the forest has seen for such rows."""
        if not 0 < confidence_level < 1:
            raise ValueError(
                f"confidence_level={confidence_level!r} is out of range. Give a share such as 0.9."
            )
        return self.predict_quantiles(X, ((1 - confidence_level) / 2, (1 + confidence_level) / 2))

    def _make_leaf_rows(self) -> LeafRows:
        rows, target, threads = self._trained_on(None, None)
        leaves = predict.leaves(self.forest_, rows, threads)
        starts = flat_of(self.forest_).starts
        return leaf_rows(leaves, starts, target.values, self.forest_.draws.weights)  # type: ignore[union-attr]


def check_quantiles(given: Any) -> Float:
    wanted = np.atleast_1d(np.asarray(given, np.float64))
    if wanted.ndim != 1 or not len(wanted) or not np.all((wanted >= 0) & (wanted <= 1)):
        raise ValueError(f"quantiles={given!r}: give numbers from 0 to 1, such as (0.1, 0.5, 0.9).")
    return wanted
