"""HistGradientBoostingRegressor behind scikit-learn's face: its parameters and its numbers."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.metrics import r2_score

from hedgerow.docstrings import document
from hedgerow.estimators.gradient_base import HistGradientBoosting
from hedgerow.estimators.hist_gradient_boosting import HistGradientBoostingClassifier
from hedgerow.estimators.stream_target import TargetReader
from hedgerow.estimators.targets import check_numbers
from hedgerow.types import Float

LARGEST_TARGET = 1e140


@document(HistGradientBoostingClassifier)
class HistGradientBoostingRegressor(RegressorMixin, HistGradientBoosting):  # type: ignore[misc]
    r"""Trees on binned columns, each fitted to the gradient of the loss at the sum of those before it; for numbers.

    Parameters
    ----------
    loss : {"squared_error", "absolute_error", "huber", "quantile", "poisson", "gamma", "tweedie"} or object
        What is minimised; or an object with gradients and losses.
    quantile : float or None
        The quantile of `loss="quantile"`, between 0 and 1. None for other losses.
    tweedie_power : float
        Power of `loss="tweedie"`, between 1 and 2.
    huber_quantile : float
        Share of the errors that `loss="huber"` squares.

    Attributes
    ----------
    trees_, n_iter_, n_trees_per_iteration_, train_score_, validation_score_, do_early_stopping_, is_categorical_,
    n_features_in_, feature_names_in_, feature_importances_, schema_, labels_

    See Also
    --------
    HistGradientBoostingClassifier : The same for classes.
    RandomForestRegressor : Trees that do not know each other.

    Notes
    -----
    Round t fits a tree to gradients :math:`g_i` and second derivatives :math:`h_i` of the loss at the sum of the
    trees before it. A leaf of rows S has the value :math:`-G / (H + \lambda)` with :math:`G = \sum_S g_i`, :math:`H
    = \sum_S h_i`, and a split gains :math:`G_L^2/(H_L + \lambda) + G_R^2/(H_R + \lambda) - G^2/(H + \lambda)`. Sums
    are of integers, so the model is the same to the bit for any number of threads.

    References
    ----------
    .. [1] J. Friedman, "Greedy function approximation: a gradient boosting machine", Annals of Statistics 29, 2001.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import HistGradientBoostingRegressor
    >>> x = np.linspace(0, 3, 300)[:, np.newaxis]
    >>> model = HistGradientBoostingRegressor().fit(x, np.sin(x[:, 0]))
    >>> bool(model.score(x, np.sin(x[:, 0])) > 0.99)
    True
    """

    _target_kind = "numbers"

    def __init__(
        self,
        loss: Any = "squared_error",
        *,
        quantile: float | None = None,
        learning_rate: float = 0.1,
        max_iter: int = 100,
        max_leaf_nodes: int | None = 31,
        max_depth: int | None = None,
        min_samples_leaf: int = 20,
        l2_regularization: float = 1.0,
        max_features: float = 1.0,
        max_bins: int = 255,
        categorical_features: Any = "from_dtype",
        monotonic_cst: Any = None,
        interaction_cst: Any = None,
        warm_start: bool = False,
        early_stopping: bool | str = "auto",
        scoring: Any = "loss",
        validation_fraction: float | int | None = 0.1,
        n_iter_no_change: int = 10,
        tol: float = 1e-7,
        verbose: int = 0,
        random_state: Any = None,
        tweedie_power: float = 1.5,
        huber_quantile: float = 0.9,
        l1_regularization: float = 0.0,
        min_hessian_leaf: float = 1e-3,
        min_gain: float = 0.0,
        growth: str = "leaf",
        subsample: float = 1.0,
        max_features_tree: float = 1.0,
        callbacks: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.loss = loss
        self.quantile = quantile
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.l2_regularization = l2_regularization
        self.max_features = max_features
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.monotonic_cst = monotonic_cst
        self.interaction_cst = interaction_cst
        self.warm_start = warm_start
        self.early_stopping = early_stopping
        self.scoring = scoring
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.verbose = verbose
        self.random_state = random_state
        self.tweedie_power = tweedie_power
        self.huber_quantile = huber_quantile
        self.l1_regularization = l1_regularization
        self.min_hessian_leaf = min_hessian_leaf
        self.min_gain = min_gain
        self.growth = growth
        self.subsample = subsample
        self.max_features_tree = max_features_tree
        self.callbacks = callbacks
        self.n_jobs = n_jobs

    def _fit_target(self, y: Any, n_rows: int, weight: Float | None) -> tuple[Float, Float | None]:
        values = check_numbers(type(self).__name__, y, n_rows, weight, "").values
        _check_size(values if weight is None else values[weight > 0])
        return values, weight

    def _read_target(self, y: TargetReader, weight: Float | None) -> tuple[Float, Float | None]:
        values = y.read_numbers(type(self).__name__)
        _check_size(values if weight is None else values[weight > 0])
        return values, weight

    def _known_target(self, y: Any, n_rows: int) -> Float:
        return self._fit_target(y, n_rows, None)[0]

    def _labels(self, target: Float) -> Float:
        return target

    def predict(self, X: Any) -> Float:
        return np.asarray(self._mean_of(self._raw_predict(X))[0])

    def staged_predict(self, X: Any) -> Iterator[Float]:
        return (self._mean_of(raw)[0] for raw in self._staged_raw_predict(X))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        return float(r2_score(y, self.predict(X), sample_weight=sample_weight))


def _check_size(values: Float) -> None:
    """Gains are made of squares of the targets, which must be numbers themselves."""
    largest = float(np.abs(values).max(initial=0.0))
    if largest > LARGEST_TARGET or 0.0 < largest < 1 / LARGEST_TARGET:
        raise ValueError(
            f"The largest |y| is {largest:.3g}, and squares of such numbers are too large or too small to compare. "
            f"Expected: 0, or from {1 / LARGEST_TARGET:g} to {LARGEST_TARGET:g}. Divide y by {largest:.1g} and "
            "multiply predictions by it."
        )
