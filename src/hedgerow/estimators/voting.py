"""WeightedVoting, for classes and for numbers: parameters and predictions. How members are fitted is in
voting_base.py."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, RegressorMixin

from hedgerow.docstrings import document
from hedgerow.errors import check_choice
from hedgerow.estimators.targets import check_classes, check_numbers
from hedgerow.estimators.voting_base import WeightedVotingBase
from hedgerow.grow import Classes, Target
from hedgerow.types import Float


@document()
class WeightedVotingClassifier(ClassifierMixin, WeightedVotingBase):  # type: ignore[misc]
    """Classifiers that vote, each with its own coefficient.

    Parameters
    ----------
    voting : {"soft", "hard"}
        The weighted mean of probabilities, or weighted votes.
    weights : "learned", sequence of float or None
        Coefficients of the members; None for equal ones. Learned ones are never negative and sum to one; they
        minimise the log loss (soft) or the squared distance of the votes from the truth (hard), and `coefficients_`
        says how far they can be from the best.

    Attributes
    ----------
    estimators_, named_estimators_, weights_, coefficients_, classes_, n_features_in_, feature_names_in_, schema_

    See Also
    --------
    WeightedVotingRegressor : The same for numbers.
    BaggingClassifier : Many copies of one learner.

    References
    ----------
    .. [1] L. Breiman, "Stacked regressions", Machine Learning 24, 1996.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, RandomForestClassifier, WeightedVotingClassifier
    >>> from hedgerow import datasets
    >>> titanic = datasets.titanic()
    >>> tree, forest = DecisionTreeClassifier(max_depth=3), RandomForestClassifier(20, random_state=0)
    >>> model = WeightedVotingClassifier([("tree", tree), ("forest", forest)]).fit(titanic.table, titanic.target)
    >>> bool(abs(model.weights_.sum() - 1) < 1e-9)
    True
    """

    def __init__(
        self,
        estimators: Any,
        *,
        voting: str = "soft",
        weights: Any = "learned",
        learn_on: str = "folds",
        cv: Any = 5,
        validation_fraction: float = 0.2,
        prefit: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.estimators = estimators
        self.voting = voting
        self.weights = weights
        self.learn_on = learn_on
        self.cv = cv
        self.validation_fraction = validation_fraction
        self.prefit = prefit
        self.n_jobs = n_jobs

    def _check_numbers(self) -> None:
        check_choice("voting", self.voting, ("soft", "hard"))
        super()._check_numbers()

    def _target(self, y: Any, n_rows: int, weight: Float | None) -> Target:
        target, self.classes_ = check_classes(type(self).__name__, y, n_rows, weight, None)
        if not self.prefit:
            return target
        known = np.unique(
            np.concatenate([self.classes_, *(member.classes_ for _, member in self.estimators)])
        )
        codes = np.searchsorted(known, self.classes_).astype(np.int32)[target.codes]
        self.classes_ = known
        return Classes(codes, len(known), target.weight)

    def predict_proba(self, X: Any) -> Float:
        """The weighted mean of the members' probabilities, or the weighted share of their votes."""
        return self._values(X)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class with the largest weighted mean; ties go to the first class."""
        largest = np.argmax(self._values(X), axis=1)
        return self.classes_[largest]  # type: ignore[no-any-return]


@document(WeightedVotingClassifier)
class WeightedVotingRegressor(RegressorMixin, WeightedVotingBase):  # type: ignore[misc]
    """Regressions whose weighted mean decides. Learned coefficients minimise the squared error.

    Parameters
    ----------
    weights : "learned", sequence of float or None
        Coefficients of the members; None for equal ones. Learned ones are never negative and sum to one; they
        minimise the squared error, and `coefficients_` says how far they can be from the best.

    Attributes
    ----------
    estimators_, named_estimators_, weights_, coefficients_, n_features_in_, feature_names_in_, schema_

    See Also
    --------
    WeightedVotingClassifier : The same for classes.

    References
    ----------
    .. [1] L. Breiman, "Stacked regressions", Machine Learning 24, 1996.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import DecisionTreeRegressor, LinearSVR, WeightedVotingRegressor
    >>> x = np.linspace(0, 3, 60)[:, np.newaxis]
    >>> members = [("tree", DecisionTreeRegressor()), ("line", LinearSVR())]
    >>> model = WeightedVotingRegressor(members).fit(x, 2 * x[:, 0])
    >>> len(model.weights_)
    2
    """

    def __init__(
        self,
        estimators: Any,
        *,
        weights: Any = "learned",
        learn_on: str = "folds",
        cv: Any = 5,
        validation_fraction: float = 0.2,
        prefit: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.estimators = estimators
        self.weights = weights
        self.learn_on = learn_on
        self.cv = cv
        self.validation_fraction = validation_fraction
        self.prefit = prefit
        self.n_jobs = n_jobs

    def _target(self, y: Any, n_rows: int, weight: Float | None) -> Target:
        return check_numbers(type(self).__name__, y, n_rows, weight, "squared_error")

    def predict(self, X: Any) -> Float:
        """The weighted mean of the members' numbers."""
        return self._values(X)[:, 0]
