"""AdaBoostRegressor: AdaBoost.R2 with scikit-learn's API. What it does stands in hedgerow.boost.regress."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.validation import check_is_fitted

from hedgerow.boost.boost_input import BoostInput
from hedgerow.boost.regress import (
    LOSSES,
    NumberRounds,
    NumberTree,
    TreeNumbers,
    boost_numbers,
    numbers,
    staged_numbers,
)
from hedgerow.docstrings import document
from hedgerow.encode import Schema
from hedgerow.errors import check_choice
from hedgerow.estimators.adaboost import AdaBoostClassifier
from hedgerow.estimators.base_estimator import fit_weighted, given_of, takes_weights
from hedgerow.estimators.boost_rows import new_rows, select_rows, training_rows
from hedgerow.estimators.boosted_members import member_of
from hedgerow.estimators.diagnostics import RegressorDiagnosticsMixin
from hedgerow.estimators.targets import check_numbers
from hedgerow.estimators.tree import DecisionTreeRegressor, validate
from hedgerow.fitting.target import check_sample_weight
from hedgerow.fitting.validate import number, whole, whole_or_none
from hedgerow.store import ModelState
from hedgerow.tree.importance import importance
from hedgerow.types import Float


@dataclass(frozen=True, eq=False)
class AdaptedNumbers:
    estimator: Any

    def numbers(self, rows: BoostInput) -> Float:
        return np.asarray(self.estimator.predict(given_of(rows)), np.float64).reshape(-1)


@dataclass(frozen=True, eq=False)
class AdaptedRegressor:
    """A regressor of scikit-learn's kind as a learner of numbers."""

    estimator: Any
    weights: bool

    def __repr__(self) -> str:
        return repr(self.estimator)

    def fit_numbers(
        self, rows: BoostInput, values: Float, weight: Float, rng: np.random.Generator
    ) -> AdaptedNumbers:
        return AdaptedNumbers(fit_weighted(self.estimator, rows, values, weight, rng, weights=self.weights))


@document(AdaBoostClassifier)
class AdaBoostRegressor(RegressorDiagnosticsMixin, RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Regressors, each fitted to the rows that those before it predict poorly. The prediction is their weighted
    median.

    Parameters
    ----------
    estimator : estimator or None
        What is boosted: any regressor; None for a tree that takes categories and missing cells.
    max_depth : int or None
        Depth of the tree. None for no limit.
    loss : {"linear", "square", "exponential"}
        Loss of a row, from its error.

    Attributes
    ----------
    rounds_, stopped_, weighting_, estimators_, estimator_weights_, estimator_errors_, feature_importances_,
    n_features_in_, feature_names_in_, schema_

    See Also
    --------
    AdaBoostClassifier : Boosting of classifiers.
    HistGradientBoostingRegressor : Trees on the gradient of a loss.

    References
    ----------
    .. [1] H. Drucker, "Improving regressors using boosting techniques", ICML, 1997.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import AdaBoostRegressor
    >>> x = np.linspace(0, 3, 100)[:, np.newaxis]
    >>> model = AdaBoostRegressor(random_state=0).fit(x, np.sin(x[:, 0]))
    >>> bool(model.score(x, np.sin(x[:, 0])) > 0.95)
    True
    """

    rounds_: NumberRounds
    schema_: Schema | None

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        max_depth: int | None = 3,
        learning_rate: float = 1.0,
        loss: str = "linear",
        warm_start: bool = False,
        categorical_features: Any = None,
        feature_names: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.learning_rate = learning_rate
        self.loss = loss
        self.warm_start = warm_start
        self.categorical_features = categorical_features
        self.feature_names = feature_names
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        learner = self._learner()
        n_rounds = whole("n_estimators", self.n_estimators, 1)
        loss = check_choice("loss", self.loss, LOSSES)
        rate = number("learning_rate", self.learning_rate, 1e-12, np.inf)
        earlier = self.rounds_ if self.warm_start and hasattr(self, "rounds_") else None
        rows = training_rows(self, X, y, sample_weight)
        weight = check_sample_weight(sample_weight, rows.n_rows)
        target = check_numbers(type(self).__name__, y, rows.n_rows, weight, "squared_error")
        weight = np.ones(rows.n_rows) if weight is None else weight
        used = np.flatnonzero(weight)
        if earlier is not None and len(earlier.base) != len(used):
            raise ValueError(
                f"warm_start=True goes on with the rounds there are, but they were fitted to {len(earlier.base)} rows, "
                f"and now there are {len(used)}. Give the same rows, or warm_start=False."
            )
        self._seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        rng = np.random.default_rng(self._seed)
        self.schema_ = rows.schema
        given = isinstance(learner, NumberTree) or learner.weights
        self.weighting_ = "weights" if given else "resampling"
        self.rounds_ = boost_numbers(
            learner,
            select_rows(rows, used, weight),
            target.values[used],
            weight[used] / weight[used].sum(),
            rng,
            n_rounds=n_rounds,
            loss=loss,
            learning_rate=rate,
            earlier=earlier,
        )
        self.stopped_ = self.rounds_.stopped
        return self

    def _stored_body(self) -> NumberRounds | None:
        return getattr(self, "rounds_", None)

    def _restore(self, state: ModelState) -> None:
        """What fit would have left, but for the training rows' weights, from a model file."""
        self._learner()
        self.rounds_, self.schema_ = state.body, state.schema
        self.stopped_, self.weighting_ = self.rounds_.stopped, "weights"

    def _learner(self) -> Any:
        given = self.estimator
        if given is None:
            return NumberTree(whole_or_none("max_depth", self.max_depth, 1, 2**31 - 1))
        if not hasattr(given, "fit") or not hasattr(given, "get_params"):
            raise TypeError(f"estimator={given!r} is no regressor. Give one, or None for a tree.")
        plain = DecisionTreeRegressor(
            max_depth=getattr(given, "max_depth", None),
            min_samples_leaf=getattr(given, "min_samples_leaf", 1),
            random_state=getattr(given, "random_state", None),
            n_jobs=getattr(given, "n_jobs", None),
        )
        if type(given) is DecisionTreeRegressor and given.get_params() == plain.get_params():
            params = validate(given)
            if isinstance(params.min_samples_leaf, int):
                return NumberTree(given.max_depth, params.min_samples_leaf)
        return AdaptedRegressor(given, takes_weights(given))

    def predict(self, X: Any) -> Float:
        check_is_fitted(self)
        return numbers(self.rounds_, new_rows(self, X, self.schema_))

    def staged_predict(self, X: Any) -> Iterator[Float]:
        """The prediction after each round."""
        check_is_fitted(self)
        yield from staged_numbers(self.rounds_, new_rows(self, X, self.schema_))

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        for predicted in self.staged_predict(X):
            yield float(r2_score(y, predicted, sample_weight=sample_weight))

    @property
    def estimators_(self) -> list[Any]:
        """The fitted regressions, each with `predict`."""
        check_is_fitted(self)
        return [member_of(round.weak, self, place) for place, round in enumerate(self.rounds_.rounds)]

    @property
    def feature_importances_(self) -> Float:
        """The mean over the rounds of their trees' mean decrease of impurity, weighted as the rounds are."""
        check_is_fitted(self)
        each = [_importance(round.weak) for round in self.rounds_.rounds]
        return np.asarray(np.average(each, axis=0, weights=self.estimator_weights_))

    @property
    def estimator_weights_(self) -> Float:
        check_is_fitted(self)
        return np.array([round.alpha for round in self.rounds_.rounds])

    @property
    def estimator_errors_(self) -> Float:
        check_is_fitted(self)
        return np.array([round.mean_loss for round in self.rounds_.rounds])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        base = None if self.estimator is None else get_tags(self.estimator).input_tags
        tags.input_tags.allow_nan = base.allow_nan if base else True
        tags.input_tags.categorical = base.categorical if base else True
        tags.input_tags.sparse = base.sparse if base else True
        return tags


def _importance(weak: Any) -> Float:
    if isinstance(weak, TreeNumbers):
        return importance(weak.tree)
    if not hasattr(weak.estimator, "feature_importances_"):
        raise AttributeError(
            f"{type(weak.estimator).__name__} has no feature_importances_, so that a booster of it has none."
        )
    return np.asarray(weak.estimator.feature_importances_, np.float64)
