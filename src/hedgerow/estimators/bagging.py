"""Bagging: members of any kind, each trained on rows (and columns) drawn for it.   In: parameters.   Out: a classifier
and a regressor with scikit-learn's API; bagging_base.py has what they share.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from hedgerow.docstrings import document
from hedgerow.ensemble import predict
from hedgerow.estimators.bag_members import member_scores, member_votes, rows_to_give, table_of_members
from hedgerow.estimators.bagging_base import BaggingBase
from hedgerow.estimators.forest_quantiles import QuantileMixin, check_quantiles
from hedgerow.estimators.outputs import (
    check_output_classes,
    check_output_numbers,
    log_of,
    means,
    most_probable,
    probabilities,
)
from hedgerow.estimators.targets import check_classes, check_numbers
from hedgerow.estimators.tree import DecisionTreeClassifier, DecisionTreeRegressor
from hedgerow.grow import Outputs, Target
from hedgerow.types import Float


def _decides(bagging: Any) -> bool:
    """Whether the members have decision functions."""
    getattr(bagging.estimator_, "decision_function")  # noqa: B009  an AttributeError names what is missing
    return True


@document()
class BaggingClassifier(ClassifierMixin, BaggingBase):  # type: ignore[misc]
    """Classifiers, each trained on rows (and columns) drawn for it; their mean probabilities, or votes, decide. With
    hedgerow's trees, text, categories and missing cells are taken as they are; other learners get X as it came.

    Parameters
    ----------
    estimator : estimator or None
        Any classifier of scikit-learn's form; None for DecisionTreeClassifier().
    max_features : int or float
        Columns of each member, or a share of them. RandomForestClassifier draws columns at each node.
    verbose : int
        Accepted for compatibility with scikit-learn and ignored.

    Attributes
    ----------
    estimator_, estimators_, estimators_features_, estimators_samples_, classes_, n_classes_, n_features_in_,
    feature_names_in_, oob_, oob_score_, oob_decision_function_, schema_
    draws_ : Draws
        What each member drew.
    forest_ : Forest
        The members as trees, where they are hedgerow's.
    stopped_ : str
        Why there are no more members, with `stop="oob"`.

    See Also
    --------
    BaggingRegressor : The same for numbers.
    RandomForestClassifier : Columns drawn at each node.

    References
    ----------
    .. [1] L. Breiman, "Bagging Predictors", Machine Learning 24, 1996.

    Examples
    --------
    >>> from hedgerow import BaggingClassifier, datasets
    >>> titanic = datasets.titanic()
    >>> model = BaggingClassifier(n_estimators=25, random_state=0).fit(titanic.table, titanic.target)
    >>> bool(0.75 < model.oob_.score().value < 0.85)
    True
    """

    _tree_type = DecisionTreeClassifier

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 10,
        *,
        max_samples: int | float | None = None,
        max_features: int | float = 1.0,
        bootstrap: bool = True,
        bootstrap_features: bool = False,
        oob_score: Any = False,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        stop: str | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.max_features = max_features
        self.bootstrap = bootstrap
        self.bootstrap_features = bootstrap_features
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.stop = stop

    def _target(self, y: Any, n_rows: int, weight: Float | None) -> Target:
        target, self.classes_ = check_classes(type(self).__name__, y, n_rows, weight, None)
        self.n_classes_ = len(self.classes_)
        return target

    def _outputs(self, y: Any, n_rows: int, weight: Float | None) -> Outputs:
        self._refuse_oob()
        target, self.classes_, _ = check_output_classes(y, n_rows, weight)
        self.n_classes_ = list(target.n_classes)
        return target

    def predict_proba(self, X: Any, **params: Any) -> Any:
        """The mean over the members of their probabilities; of members without probabilities, the share of votes. Of
        several outputs a list. `params`: metadata for the members, where scikit-learn routes it."""
        return probabilities(self, self._values(X, **self._routed("predict_proba", params)))

    def predict_log_proba(self, X: Any, **params: Any) -> Any:
        return log_of(probabilities(self, self._values(X, **self._routed("predict_log_proba", params))))

    def predict(self, X: Any, **params: Any) -> NDArray[Any]:
        """The class with the largest mean probability; ties go to the first class."""
        return most_probable(self, self._values(X, **self._routed("predict", params)))

    @available_if(_decides)  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Float:
        """The mean over the members of their decision functions."""
        rows, threads = self._rows(X)
        given = rows_to_give(X, table_of_members(X), self._members)
        one = delayed(member_scores)
        work = (one(m, given, self._columns(t, rows.shape[1])) for t, m in enumerate(self._members))
        return np.asarray(np.mean(Parallel(threads, prefer="threads")(work), axis=0))

    def predict_votes(self, X: Any) -> Float:
        """The share of the members that vote for each class."""
        rows, threads = self._rows(X)
        if hasattr(self, "forest_"):
            return predict.votes(self.forest_, rows, threads)
        given = rows_to_give(X, table_of_members(X), self._members)
        total = np.zeros((len(rows), len(self.classes_)))
        for t, member in enumerate(self._members):
            total += member_votes(member, given, self._columns(t, self.n_features_in_), self.classes_)
        return np.asarray(total / len(self._members))


@document(BaggingClassifier)
class BaggingRegressor(RegressorMixin, QuantileMixin, BaggingBase):  # type: ignore[misc]
    """Regressions, each trained on rows (and columns) drawn for it; their mean decides. With hedgerow's trees,
    `predict_quantiles` speaks of the target's distribution; of other members it gives quantiles of what the members
    say: how far they are apart, not how far the target may be.

    Parameters
    ----------
    estimator : estimator or None
        Any regressor of scikit-learn's form; None for DecisionTreeRegressor().

    Attributes
    ----------
    estimator_, estimators_, estimators_features_, estimators_samples_, n_features_in_, feature_names_in_, oob_,
    oob_score_, oob_prediction_, forest_, stopped_, draws_, schema_

    See Also
    --------
    BaggingClassifier : The same for classes.
    RandomForestRegressor : Columns drawn at each node.

    References
    ----------
    .. [1] L. Breiman, "Bagging Predictors", Machine Learning 24, 1996.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import BaggingRegressor
    >>> x = np.linspace(0, 3, 100)[:, np.newaxis]
    >>> model = BaggingRegressor(random_state=0).fit(x, x[:, 0])
    >>> model.predict_quantiles([[1.0]]).shape
    (1, 3)
    """

    _tree_type = DecisionTreeRegressor

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 10,
        *,
        max_samples: int | float | None = None,
        max_features: int | float = 1.0,
        bootstrap: bool = True,
        bootstrap_features: bool = False,
        oob_score: Any = False,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        stop: str | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.max_features = max_features
        self.bootstrap = bootstrap
        self.bootstrap_features = bootstrap_features
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.stop = stop

    def _target(self, y: Any, n_rows: int, weight: Float | None) -> Target:
        criterion = getattr(self.estimator, "criterion", "squared_error")
        return check_numbers(type(self).__name__, y, n_rows, weight, criterion)

    def _outputs(self, y: Any, n_rows: int, weight: Float | None) -> Outputs:
        self._refuse_oob()
        return check_output_numbers(y, n_rows, weight, getattr(self.estimator, "criterion", "squared_error"))

    def predict(self, X: Any, **params: Any) -> Float:
        """The mean over the members. `params`: metadata for the members, where scikit-learn routes it."""
        return means(self, self._values(X, **self._routed("predict", params)))

    def predict_quantiles(self, X: Any, quantiles: Any = (0.1, 0.5, 0.9)) -> Float:
        """Predict quantiles of the target; of members from elsewhere, quantiles of what the members say."""
        check_is_fitted(self)
        if hasattr(self, "forest_"):
            return super().predict_quantiles(X, quantiles)
        wanted = check_quantiles(quantiles)
        _, threads = self._rows(X)
        predicted = np.stack([values[:, 0] for values in self._member_values(X, threads)])
        return np.asarray(np.quantile(predicted, wanted, axis=0).T)
