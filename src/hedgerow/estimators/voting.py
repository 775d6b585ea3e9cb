"""WeightedVoting, for classes and for numbers: parameters and predictions. How members are fitted is in
voting_base.py."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, RegressorMixin

from hedgerow.errors import check_choice
from hedgerow.estimators.targets import check_classes, check_numbers
from hedgerow.estimators.voting_base import WeightedVotingBase
from hedgerow.grow import Classes, Target
from hedgerow.types import Float


class WeightedVotingClassifier(ClassifierMixin, WeightedVotingBase):  # type: ignore[misc]
    """Classifiers that vote, each with its own coefficient.

    Parameters
    ----------
    estimators : list of (name, classifier)
    voting : "soft" for the weighted mean of probabilities, "hard" for weighted votes
    weights : "learned", a number a member, or None for equal ones. Learned ones are never negative and of sum one; they
        minimise log loss (soft) or the squared distance of the votes from the truth (hard), and `coefficients_` says
        how far they can be from the best
    learn_on : "folds" (out-of-fold predictions of all rows) or "validation" (rows set aside)
    cv : folds, or a splitter of scikit-learn.   validation_fraction : share of the rows set aside
    prefit : members are fitted already; fit learns the coefficients on all rows it is given
    n_jobs : threads

    Attributes
    ----------
    estimators_, named_estimators_, weights_, coefficients_, classes_, n_features_in_, feature_names_in_
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


class WeightedVotingRegressor(RegressorMixin, WeightedVotingBase):  # type: ignore[misc]
    """Regressions whose weighted mean decides. Parameters are those of WeightedVotingClassifier but for `voting`, which
    it has not; learned coefficients minimise squared error."""

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
