"""TopFeatures: keep the columns that matter most, train something else on them (lecture 003's filter).

In: a model that can tell importance.   Out: a selector of scikit-learn: arrays in, arrays out; frames in, frames out.
"""

from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import _safe_indexing, get_tags
from sklearn.utils.validation import check_is_fitted, validate_data

from hedgerow.docstrings import document
from hedgerow.ensemble.importance_table import NOTES, Importance
from hedgerow.errors import check_choice
from hedgerow.estimators.bag_members import fit_estimator
from hedgerow.estimators.forest import RandomForestClassifier, RandomForestRegressor
from hedgerow.types import Count, Float, Mask


@document()
class TopFeatures(MetaEstimatorMixin, SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """The k columns of the largest importance.

    Parameters
    ----------
    k : int or float
        How many columns, or a share of them; fewer where there are fewer.
    estimator : estimator or None
        An ensemble of hedgerow, or any model with `feature_importances_` or `coef_`. None for a random forest for
        the target it is given (of classes for text, booleans and whole numbers; else of numbers).
    kind : {"permutation", "corrected", "impurity"}
        Which importance of hedgerow's ensembles; see their `importance`.
    positive : bool
        Drop also columns whose importance is not above zero (of intervals: whose interval is not).
    random_state : int, RandomState or None
        Seed of the estimator; its own if None.

    Attributes
    ----------
    importance_, estimator_, n_features_in_, feature_names_in_

    See Also
    --------
    ToNumbers : All columns as numbers.
    RandomForestClassifier : Where the importance comes from.

    Examples
    --------
    >>> from hedgerow import TopFeatures, datasets
    >>> titanic = datasets.titanic()
    >>> TopFeatures(2, random_state=0).fit(titanic.table, titanic.target).importance_.top(1)
    ('sex',)
    """

    def __init__(
        self,
        k: int | float = 10,
        *,
        estimator: Any = None,
        kind: str = "permutation",
        positive: bool = False,
        random_state: Any = None,
    ) -> None:
        self.k = k
        self.estimator = estimator
        self.kind = kind
        self.positive = positive
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        check_choice("kind", self.kind, tuple(NOTES))
        if not _is_count(self.k):
            raise ValueError(
                f"k={self.k!r} is out of range. Give a number of columns, at least 1, or a share up to 1.0."
            )
        if y is None:
            raise ValueError("TopFeatures requires y to be passed, but the target y is None.")
        validate_data(self, X=X, skip_check_array=True)
        model = _forest_for(y) if self.estimator is None else clone(self.estimator)
        if self.random_state is not None and "random_state" in model.get_params():
            model.set_params(random_state=self.random_state)
        more = {} if sample_weight is None else {"sample_weight": sample_weight}
        self.estimator_ = fit_estimator(model, X, y, **more)
        self.n_features_in_ = self.estimator_.n_features_in_
        self.importance_ = self._importance()
        self._kept = np.sort(self._chosen())
        return self

    def _importance(self) -> Importance:
        model = self.estimator_
        if hasattr(model, "importance"):
            return model.importance(self.kind)  # type: ignore[no-any-return]
        if hasattr(model, "feature_importances_"):
            value = np.asarray(model.feature_importances_, np.float64)
        elif hasattr(model, "coef_"):
            coef = model.coef_.toarray() if issparse(model.coef_) else model.coef_
            value = np.abs(np.atleast_2d(coef)).max(axis=0)
        else:
            raise ValueError(
                f"{type(model).__name__} tells no importance: no feature_importances_, no coef_."
            )
        return Importance("impurity", tuple(map(str, self._names(len(value)))), value)

    def _names(self, n: int) -> Any:
        return getattr(self, "feature_names_in_", [f"x{j}" for j in range(n)])

    def _chosen(self) -> Count:
        found, n = self.importance_, self.n_features_in_
        most = int(self.k) if isinstance(self.k, Integral) else max(1, round(self.k * n))
        order = found.order[:most]
        if not self.positive:
            return order
        least: Float = found.value if found.low is None else found.low
        kept = order[least[order] > 0]
        return kept if len(kept) else order[:1]  # a model wants at least one column

    def _get_support_mask(self) -> Mask:
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, bool)
        mask[self._kept] = True
        return mask

    def transform(self, X: Any) -> Any:
        """The kept columns, in the order of X; a frame stays a frame."""
        check_is_fitted(self)
        if hasattr(X, "columns") and not isinstance(X, np.ndarray):
            validate_data(self, X=X, skip_check_array=True, reset=False)
            return _safe_indexing(X, self._kept, axis=1)
        X = validate_data(
            self, X=X, reset=False, dtype=None, ensure_all_finite="allow-nan", accept_sparse=("csr", "csc")
        )
        return X[:, self._kept]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inside = get_tags(RandomForestClassifier() if self.estimator is None else self.estimator)
        tags.target_tags.required = True
        tags.input_tags.allow_nan = inside.input_tags.allow_nan
        tags.input_tags.categorical = inside.input_tags.categorical
        tags.input_tags.sparse = inside.input_tags.sparse
        return tags


def _forest_for(y: Any) -> Any:
    """A forest of classes, unless the target is numbers that are not whole."""
    numbers = np.asarray(y)
    if numbers.dtype.kind == "f" and not np.all(np.isfinite(numbers) & (numbers == np.floor(numbers))):
        return RandomForestRegressor()
    return RandomForestClassifier()


def _is_count(k: Any) -> bool:
    if isinstance(k, bool):
        return False
    if isinstance(k, Integral):
        return int(k) >= 1
    return isinstance(k, Real) and 0 < float(k) <= 1
