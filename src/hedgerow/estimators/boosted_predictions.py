"""Predictions of a fitted AdaBoostClassifier, after all rounds or after each; and what it is made of."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import accuracy_score
from sklearn.utils.validation import check_is_fitted

from hedgerow.boost import BoostInput, Rounds, classes_of_scores
from hedgerow.boost.combine import probabilities, silent_rows
from hedgerow.boost.packed import scores, staged_scores
from hedgerow.boost.rounds import compute_importances
from hedgerow.encode import Schema
from hedgerow.estimators.boost_rows import new_rows
from hedgerow.estimators.boosted_members import member_of, write_trees
from hedgerow.estimators.outputs import log_of
from hedgerow.types import Float, Mask


class BoostedPredictionsMixin:
    rounds_: Rounds
    schema_: Schema | None
    classes_: NDArray[Any]
    n_features_in_: int

    def _judged_rows(self, X: Any) -> BoostInput:
        check_is_fitted(self)
        return new_rows(self, X, self.schema_)

    def _scores(self, X: Any) -> Float:
        rows = self._judged_rows(X)
        return scores(self.rounds_, rows)

    def _staged_scores(self, X: Any) -> Iterator[Float]:
        rows = self._judged_rows(X)
        return staged_scores(self.rounds_, rows)

    def decision_function(self, X: Any) -> Float:
        """Two classes: one score a row, above zero for the second. More: a score for each class."""
        return _flat(self._scores(X))

    def staged_decision_function(self, X: Any) -> Iterator[Float]:
        """The same after each round."""
        for total in self._staged_scores(X):
            yield _flat(total)

    def predict(self, X: Any, *, abstain: Any = None) -> NDArray[Any]:
        """Predict the class of each row. Where the score is zero, because every predictor abstains or they cancel out,
        it is the most frequent class of the training rows, or the label `abstain`.

        Parameters
        ----------
        abstain : label or None
            What to predict where the score says nothing. None for the most frequent class.
        """
        total = self._scores(X)
        predicted = self._labels(total)
        if abstain is None:
            return predicted
        same_kind = np.asarray(abstain).dtype.kind == predicted.dtype.kind
        predicted = predicted.astype(np.result_type(predicted, np.asarray(abstain)) if same_kind else object)
        predicted[silent_rows(total)] = abstain
        return predicted

    def abstains(self, X: Any) -> Mask:
        """Find the rows on which the score says nothing.

        Returns
        -------
        ndarray of bool of shape (n_samples,)
            True where the score is zero.
        """
        return silent_rows(self._scores(X))

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        for total in self._staged_scores(X):
            yield self._labels(total)

    def _labels(self, total: Float) -> NDArray[Any]:
        return self.classes_[classes_of_scores(total, self.rounds_.prior)]

    def predict_proba(self, X: Any) -> Float:
        """The class probabilities at which these scores have the least expected loss; the class shares of the training
        rows where the score says nothing."""
        return self._probabilities(self._scores(X))

    def staged_predict_proba(self, X: Any) -> Iterator[Float]:
        for total in self._staged_scores(X):
            yield self._probabilities(total)

    def predict_log_proba(self, X: Any) -> Any:
        return log_of(self.predict_proba(X))

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        for predicted in self.staged_predict(X):
            yield float(accuracy_score(y, predicted, sample_weight=sample_weight))

    def _probabilities(self, total: Float) -> Float:
        return probabilities(total, self.rounds_.form, self.rounds_.loss, self.rounds_.prior)

    # ------------------------------------------------------------------ what it is made of

    def trees_to_text(self, most: int = 3) -> str:
        """Of boosted trees, the first `most` as text, each with its alpha.

        Returns
        -------
        str
            Lines of text.
        """
        check_is_fitted(self)
        return write_trees(self, most)

    @property
    def estimators_(self) -> list[Any]:
        """The weak predictors, each with `predict`; for other classifiers the fitted classifiers; with "mh" a tuple for
        the classes."""
        check_is_fitted(self)
        each = [
            tuple(member_of(weak, self, place) for weak in round.weaks)
            for place, round in enumerate(self.rounds_.rounds)
        ]
        return [weaks[0] if len(weaks) == 1 else weaks for weaks in each]

    @property
    def estimator_weights_(self) -> Float:
        check_is_fitted(self)
        return np.array([2 * round.alpha for round in self.rounds_.rounds])

    @property
    def estimator_errors_(self) -> Float:
        check_is_fitted(self)
        return np.array([round.epsilon for round in self.rounds_.rounds])

    @property
    def feature_importances_(self) -> Float:
        """Each column's share of the rounds that ask about it, by the size of alpha (trees: by what each one says)."""
        check_is_fitted(self)
        return compute_importances(self.rounds_, self.n_features_in_)


def _flat(total: Float) -> Float:
    return total[:, 0] if total.shape[1] == 1 else total
