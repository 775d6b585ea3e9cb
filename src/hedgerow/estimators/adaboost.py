"""AdaBoostClassifier: any weak learner, boosted, behind scikit-learn's face.

`fit` is the path of data: check, rows, target, boost. Everything it does stands in hedgerow.boost.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.validation import check_is_fitted

from hedgerow.boost import Choices, Rounds, Rows, Target, Votes, Watch, boost, classes_of_scores, signs_of
from hedgerow.boost.calibrate import ALPHAS
from hedgerow.boost.chances import chances
from hedgerow.boost.combine import chances_of_votes
from hedgerow.boost.importance import importances
from hedgerow.boost.losses import losses
from hedgerow.boost.packed import scores, staged_scores
from hedgerow.boost.weak.learner import ClassLearner
from hedgerow.encode import Schema
from hedgerow.estimators.asked import _is_whole, _number, _share, _whole_or_none, one_of
from hedgerow.estimators.bases import PREDICTIONS, Adapted, Predictions, learner_of
from hedgerow.estimators.boosted_rows import new_rows, taken, training_rows
from hedgerow.estimators.diagnosed import Diagnosed, codes_of
from hedgerow.estimators.targets import classes_of, weight_of
from hedgerow.prune.share_out import held_out
from hedgerow.store.parts import Parts
from hedgerow.types import Count, Float, Index

MULTICLASS = ("samme", "vote", "mh")
OVER_HALF = ("negate", "reset", "stop")


@dataclass(frozen=True, eq=False)
class _Asked:
    learner: Any
    predictions: Predictions
    choices: Choices
    multiclass: str | None
    over_half: str | None
    patience: int
    validation_fraction: float
    tol: float


class AdaBoostClassifier(Diagnosed, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Weak predictors, each fitted to the rows that those before it have wrong, and summed.

    Parameters
    ----------
    estimator : what is boosted: "stump" (the default; one test of one column), "tree", "c45", "word" (one
        word of sparse counts), "linear", "neuron"; any classifier; or a learner of hedgerow.boost.weak with settings.
        hedgerow's own take categories and missing cells as they are; what others are given is X itself
    n_estimators : rounds
    max_depth : of estimator="tree"; None for no limit
    learning_rate : each alpha is multiplied by it
    predictions : "discrete" (yes or no), "abstaining" (yes, no or silent), "confident" (a number: how sure)
    loss : "exponential" (AdaBoost's) or "logistic" (wrong labels weigh less)
    alpha : how much a predictor counts: "one" 1/2 log(mu+/mu-), "two" one for its yes and one for its no, "search" for
        the least loss, "own" where answers are weighed already. None: "one" for discrete and abstaining predictions,
        "own" for stumps and trees that answer 1/2 log(mu+/mu-), "search" for other confident ones
    smoothing : added to mu+ and mu-, so that nobody is infinitely sure. None: nothing unless one of them is zero; half
        a row in leaves that answer with confidence
    over_half : when a predictor is wrong more often than right: "negate" it (a negative alpha), "reset" the weights to
        where they started, or "stop". None: "negate", and "reset" where classes are voted for
    multiclass : three and more classes: "samme", "vote" (argmax of the alphas, lecture 002), or "mh": each class
        against the rest, on shared rounds. None: "samme" for discrete predictions, else "mh"
    abstain_below : other classifiers are silent where |2p - 1| is below this (predictions="abstaining")
    early_stopping : end when the error on held-out rows has not fallen for n_iter_no_change rounds, and keep the best
        number of rounds. `fit(..., validation=(X, y))` does so on rows of your own
    validation_fraction, n_iter_no_change, tol : how many rows, how patient, and what counts as lower
    warm_start : go on from the rounds there are, up to n_estimators
    categorical_features : names or positions of number columns that are categories
    feature_names : names of the columns of a matrix that has none, such as the words of sparse counts
    random_state : for learners that draw, and for which rows are held out
    n_jobs : threads; None and -1 for all usable cores. The model does not depend on it

    Attributes
    ----------
    rounds_ : every round with its predictor, alpha, mu+, mu-, mu0 and loss.   stopped_ : why there are no more
    weighting_ : "weights" if the learner was given weights, "resampling" if rows were drawn by weight
    estimators_, estimator_weights_ (2 alpha, scikit-learn's scale), estimator_errors_, feature_importances_
    classes_, n_classes_, n_features_in_, feature_names_in_, schema_
    """

    rounds_: Rounds
    schema_: Schema | None
    classes_: NDArray[Any]

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        max_depth: int | None = 3,
        learning_rate: float = 1.0,
        predictions: str = "discrete",
        loss: str = "exponential",
        alpha: str | None = None,
        smoothing: float | None = None,
        over_half: str | None = None,
        multiclass: str | None = None,
        abstain_below: float = 0.5,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 10,
        tol: float = 0.0,
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
        self.predictions = predictions
        self.loss = loss
        self.alpha = alpha
        self.smoothing = smoothing
        self.over_half = over_half
        self.multiclass = multiclass
        self.abstain_below = abstain_below
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.warm_start = warm_start
        self.categorical_features = categorical_features
        self.feature_names = feature_names
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, validation: tuple[Any, Any] | None = None
    ) -> Self:
        asked = self._asked()
        going_on = bool(self.warm_start) and hasattr(self, "rounds_")
        before = (self.classes_, self.schema_) if going_on else None
        rows = training_rows(self, X)
        codes, weight = self._target(y, rows.n_rows, sample_weight)
        if before is not None:
            self._refuse_other_data(*before, rows)
        rng = np.random.default_rng(check_random_state(self.random_state).randint(2**31 - 1))
        used = weight > 0
        aside = self._aside(codes, used, rng, validation)
        self._places: Count = np.flatnonzero(used & ~aside)
        self._refuse_one_class(codes[self._places])
        part = taken(rows, self._places, weight)
        base = weight[self._places] / weight[self._places].sum()
        learner, choices = self._settled(asked)
        watch = self._watch(asked, rows, codes, weight, np.flatnonzero(used & aside), validation)
        self.schema_ = rows.schema
        self.weighting_ = "resampling" if isinstance(learner, Adapted) and not learner.weights else "weights"
        self.rounds_ = boost(
            learner,
            part,
            self._goal(asked, learner, codes[self._places]),
            base,
            choices,
            rng,
            watch=watch,
            earlier=self.rounds_.rounds if going_on else (),
        )
        self.stopped_ = self.rounds_.stopped
        self.n_classes_ = len(self.classes_)
        return self

    def _restore(self, parts: Parts) -> None:
        """What fit would have left, but for where the training rows stood, from a model file."""
        self._asked()
        self.rounds_, self.schema_ = parts.body, parts.schema
        self.stopped_, self.weighting_ = self.rounds_.stopped, "weights"
        self._places = np.empty(0, np.int64)

    def _asked(self) -> _Asked:
        predictions: Predictions = one_of("predictions", self.predictions, PREDICTIONS)  # type: ignore[assignment]
        smoothing = None if self.smoothing is None else _number("smoothing", self.smoothing, 0.0, np.inf)
        below = _number("abstain_below", self.abstain_below, 0.0, 1.0)
        depth = _whole_or_none("max_depth", self.max_depth, 1, 2**31 - 1)
        learner = learner_of(self.estimator, predictions, smoothing, below, depth)
        alpha = self.alpha if self.alpha is None else one_of("alpha", self.alpha, ALPHAS)
        by_answers = {"signs": "one", "abstaining": "one", "confident": "search", "calibrated": "own"}
        choices = Choices(
            n_rounds=_whole("n_estimators", self.n_estimators, 1),
            loss=one_of("loss", self.loss, tuple(losses())),
            alpha=alpha or by_answers[learner.gives],  # type: ignore[arg-type]
            smoothing=smoothing,
            learning_rate=_number("learning_rate", self.learning_rate, 1e-12, np.inf),
        )
        multiclass = (
            self.multiclass if self.multiclass is None else one_of("multiclass", self.multiclass, MULTICLASS)
        )
        over_half = (
            self.over_half if self.over_half is None else one_of("over_half", self.over_half, OVER_HALF)
        )
        return _Asked(
            learner,
            predictions,
            choices,
            multiclass,
            over_half,
            _whole("n_iter_no_change", self.n_iter_no_change, 1),
            _share("validation_fraction", self.validation_fraction),
            _number("tol", self.tol, 0.0, 1.0),
        )

    def _votes(self, asked: _Asked) -> bool:
        """Whether classes are voted for, rather than each told from the rest."""
        if len(self.classes_) == 2 or asked.multiclass == "mh":
            return False
        chooses = ("signs", "abstaining") if isinstance(asked.learner, Adapted) else ("signs",)
        can = asked.learner.gives in chooses and isinstance(asked.learner, ClassLearner)
        if asked.multiclass is not None and not can:
            raise ValueError(
                f"multiclass={asked.multiclass!r} needs a learner that chooses among all classes, discretely. Use "
                "multiclass='mh' (each class against the rest), or predictions='discrete' with another estimator."
            )
        return can

    def _settled(self, asked: _Asked) -> tuple[Any, Choices]:
        """The choices that depend on the number of classes."""
        votes = self._votes(asked)
        samme = votes and asked.multiclass in (None, "samme")
        if votes and asked.choices.alpha != "one":
            raise ValueError(
                f"alpha={asked.choices.alpha!r} has no meaning where classes are voted for. Use alpha='one', or "
                "multiclass='mh'."
            )
        choices = replace(
            asked.choices,
            over_half=asked.over_half or ("reset" if votes else "negate"),  # type: ignore[arg-type]
            handicap=0.5 * np.log(len(self.classes_) - 1) if samme else 0.0,
        )
        return asked.learner, choices

    def _goal(self, asked: _Asked, learner: Any, codes: Index) -> Target:
        if self._votes(asked):
            return Votes(codes, len(self.classes_))
        return signs_of(codes, len(self.classes_))

    def _target(self, y: Any, n_rows: int, sample_weight: Any) -> tuple[Index, Float]:
        weight = weight_of(sample_weight, n_rows)
        target, self.classes_ = classes_of(type(self).__name__, y, n_rows, weight, None)
        return target.codes, np.ones(n_rows) if target.weight is None else target.weight

    def _refuse_one_class(self, codes: Index) -> None:
        present = np.unique(codes)
        if len(present) < 2:
            raise ValueError(
                f"{type(self).__name__} needs at least two classes, but the rows that count have one class only: "
                f"{self.classes_[present].tolist()}."
            )

    def _refuse_other_data(self, classes: NDArray[Any], schema: Schema | None, rows: Rows) -> None:
        if not np.array_equal(classes, self.classes_) or schema != rows.schema:
            raise ValueError(
                "warm_start=True goes on with the rounds there are, but y has other classes or X other columns than "
                "before. Give the same, or warm_start=False."
            )
        if len(self.rounds_) > self.n_estimators:
            raise ValueError(
                f"n_estimators={self.n_estimators} is fewer than the {len(self.rounds_)} rounds there are already. "
                "With warm_start=True it counts all rounds."
            )

    def _aside(self, codes: Index, used: Any, rng: np.random.Generator, validation: Any) -> Any:
        """The rows held out for early stopping."""
        aside = np.zeros(len(codes), bool)
        if self.early_stopping and validation is None:
            if used.sum() < 2:
                raise ValueError("early_stopping=True holds rows out, but there is only one row.")
            where = np.flatnonzero(used)
            seed = int(rng.integers(2**31 - 1))
            aside[where] = held_out(codes[where].astype(np.int64), self.validation_fraction, seed)
        return aside

    def _watch(
        self, asked: _Asked, rows: Rows, codes: Index, weight: Float, aside: Count, validation: Any
    ) -> Watch | None:
        if validation is not None:
            watched = new_rows(self, validation[0], rows.schema)
            goal, weights = codes_of(self.classes_, validation[1], watched.n_rows), np.ones(watched.n_rows)
        elif len(aside):
            watched, goal, weights = taken(rows, aside, weight), codes[aside], weight[aside]
        else:
            return None
        target = self._goal(asked, asked.learner, goal)
        return Watch(watched, target, weights / weights.sum(), asked.patience, asked.tol)

    # ------------------------------------------------------------------ answers

    def _judged_rows(self, X: Any) -> Rows:
        check_is_fitted(self)
        return new_rows(self, X, self.schema_)

    def _asked_about(self, X: Any) -> tuple[Rounds, Rows]:
        rows = self._judged_rows(X)
        return self.rounds_, rows

    def _boosted_rows(self, X: Any, y: Any, sample_weight: Any) -> tuple[Rows, Index, Count]:
        rows = self._judged_rows(X)
        codes = codes_of(self.classes_, y, rows.n_rows)
        places = self._places[self._places < rows.n_rows]
        return taken(rows, places, np.ones(rows.n_rows)), codes[places], places

    def decision_function(self, X: Any) -> Float:
        """Two classes: one score a row, above zero for the second. More: a score for each class."""
        return _flat(scores(*self._asked_about(X)))

    def staged_decision_function(self, X: Any) -> Iterator[Float]:
        """The same after each round."""
        for total in staged_scores(*self._asked_about(X)):
            yield _flat(total)

    def predict(self, X: Any) -> NDArray[Any]:
        total = scores(*self._asked_about(X))
        return self.classes_[classes_of_scores(total)]

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        for total in staged_scores(*self._asked_about(X)):
            yield self.classes_[classes_of_scores(total)]

    def predict_proba(self, X: Any) -> Float:
        """The chances at which the scores would be right, if the loss were the truth of it."""
        return self._chances(scores(*self._asked_about(X)))

    def staged_predict_proba(self, X: Any) -> Iterator[Float]:
        for total in staged_scores(*self._asked_about(X)):
            yield self._chances(total)

    def predict_log_proba(self, X: Any) -> Float:
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        for said in self.staged_predict(X):
            yield float(accuracy_score(y, said, sample_weight=sample_weight))

    def _chances(self, total: Float) -> Float:
        return chances_of_votes(total) if self.rounds_.form == "votes" else chances(total, self.rounds_.loss)

    # ------------------------------------------------------------------ what it is made of

    @property
    def estimators_(self) -> list[Any]:
        """The weak predictors, or for other classifiers the fitted classifiers; with "mh" a tuple for the classes."""
        check_is_fitted(self)
        each = [
            tuple(getattr(weak, "estimator", weak) for weak in round.weaks) for round in self.rounds_.rounds
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
        return importances(self.rounds_, self.n_features_in_)

    def to_text(self) -> str:
        """What was done, and every round."""
        check_is_fitted(self)
        what = "stump" if self.estimator is None else self.estimator
        how = {
            "weights": "the learner was given the weights",
            "resampling": "the learner takes no weights: each round it was given rows drawn by weight",
        }[self.weighting_]
        head = (
            f"{len(self.rounds_)} rounds of {what}, {self.predictions} predictions, {self.loss} loss; {how}."
        )
        return f"{head}\nEnded: {self.stopped_}.\n{self.diagnostics_}"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        other = self.estimator is not None and hasattr(self.estimator, "get_params")
        base = get_tags(self.estimator).input_tags if other else None
        tags.input_tags.allow_nan = base.allow_nan if base else True
        tags.input_tags.categorical = base.categorical if base else True
        tags.input_tags.sparse = base.sparse if base else self.estimator == "word"
        return tags


def _whole(name: str, given: Any, least: int) -> int:
    if _is_whole(given) and given >= least:
        return int(given)
    raise ValueError(f"{name}={given!r} is out of range. Give a whole number of at least {least}.")


def _flat(total: Float) -> Float:
    return total[:, 0] if total.shape[1] == 1 else total
