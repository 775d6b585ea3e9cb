"""Base learners for boosting.   In: what the caller named or made.   Out: a weak learner of hedgerow.boost.

hedgerow's own learners read the shared codes. Any other classifier is adapted: it is given the weights if its `fit`
takes them, else a sample of the rows drawn by weight.
"""

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal

import numpy as np
from sklearn.base import clone
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import has_fit_parameter

from hedgerow.boost.rows import Rows
from hedgerow.boost.weak.learner import Answers
from hedgerow.boost.weak.linear import Linear
from hedgerow.boost.weak.neuron import Neuron
from hedgerow.boost.weak.stump import Stump
from hedgerow.boost.weak.tree import Tree, c45
from hedgerow.boost.weak.word import Word
from hedgerow.estimators.tree import DecisionTreeClassifier, validate
from hedgerow.types import Float, Index

Predictions = Literal["discrete", "abstaining", "confident"]
PREDICTIONS: tuple[Predictions, ...] = ("discrete", "abstaining", "confident")
NAMES = ("stump", "tree", "c45", "word", "linear", "neuron")


def learner_of(
    given: Any, predictions: Predictions, smoothing: float | None, abstain_below: float, max_depth: int
) -> Any:
    """The weak learner that was asked for."""
    if given is None or isinstance(given, str):
        return _named("stump" if given is None else given, predictions, smoothing, max_depth)
    if hasattr(given, "gives") and hasattr(given, "fit"):
        return given
    if not hasattr(given, "fit") or not hasattr(given, "get_params"):
        raise TypeError(
            f"estimator={given!r} is no classifier. Give one of {', '.join(NAMES)}, a scikit-learn classifier, or a "
            "weak learner of hedgerow.boost.weak."
        )
    own = _tree(given, predictions, smoothing) if type(given) is DecisionTreeClassifier else None
    return own or Adapted(given, predictions, abstain_below, takes_weights(given))


def takes_weights(estimator: Any) -> bool:
    return bool(has_fit_parameter(estimator, "sample_weight"))


def _named(name: str, predictions: Predictions, smoothing: float | None, max_depth: int) -> Any:
    gives: Answers = {"discrete": "signs", "abstaining": "abstaining", "confident": "calibrated"}[predictions]  # type: ignore[assignment]
    if name not in NAMES:
        near = get_close_matches(name, NAMES, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise ValueError(
            f"estimator={name!r} is unknown. Known: {', '.join(NAMES)}; or give a classifier.{hint}"
        )
    if name == "stump":
        return Stump(gives, smoothing=smoothing)
    if name == "word":
        return Word(gives, smoothing=smoothing)
    if name in ("tree", "c45"):
        if gives == "abstaining":
            raise ValueError(
                f"estimator={name!r} does not abstain. Use predictions='discrete' or 'confident', or estimator='stump'."
            )
        if name == "c45":
            return c45(gives)
        return Tree(gives, max_depth=max_depth, smoothing=smoothing)
    if name == "linear":
        wanted = {"discrete": Linear(delta=0.0), "abstaining": Linear(), "confident": Linear(soft=True)}
        return wanted[predictions]
    if predictions != "confident":
        raise ValueError(
            f"estimator='neuron' answers with confidence. Use predictions='confident', not {predictions!r}."
        )
    return Neuron()


def _tree(given: Any, predictions: Predictions, smoothing: float | None) -> Tree | None:
    """hedgerow's own tree, grown from shared codes; None where it asks for more than a round can share."""
    params = validate(given)
    plain = (
        predictions != "abstaining"
        and not params.random_splits
        and not params.surrogates
        and isinstance(params.min_samples_leaf, int)
        and params.min_samples_split == 2
        and not params.min_weight_fraction_leaf
        and not params.min_impurity_decrease
        and not params.ccp_alpha
        and params.max_bins is None
        and params.monotonic_cst is None
        and not params.trace
        and params.max_features is None
        and (params.prune is None or params.prune.needs == "nothing")
        and given.class_weight is None
        and given.categorical_features is None
    )
    if not plain:
        return None
    return Tree(
        "calibrated" if predictions == "confident" else "signs",
        criterion=params.criterion,
        max_depth=params.max_depth,
        max_leaves=params.max_leaf_nodes,
        min_rows_leaf=int(params.min_samples_leaf),
        multiway=params.multiway,
        fractional=params.fractional,
        prune=params.prune,
        smoothing=smoothing,
    )


@dataclass(frozen=True, eq=False)
class AdaptedWeak:
    estimator: Any
    predictions: Predictions
    abstain_below: float

    def answers(self, rows: Rows) -> Float:
        X = given_of(rows)
        if self.predictions == "discrete":
            return np.where(np.asarray(self.estimator.predict(X)) == 1, 1.0, -1.0)
        sure = self._confidence(X)
        if self.predictions == "confident":
            return sure
        return np.where(np.abs(sure) < self.abstain_below, 0.0, np.sign(sure))

    def choices(self, rows: Rows) -> Index:
        X = given_of(rows)
        said = np.asarray(self.estimator.predict(X)).astype(np.int32)
        if self.predictions == "abstaining":
            said[self.estimator.predict_proba(X).max(axis=1) < (1 + self.abstain_below) / 2] = -1
        return said

    def _confidence(self, X: Any) -> Float:
        """Between -1 and 1 from probabilities; else the decision function as it is."""
        if hasattr(self.estimator, "predict_proba"):
            shares = np.asarray(self.estimator.predict_proba(X), np.float64)
            own = [np.flatnonzero(np.asarray(self.estimator.classes_) == side) for side in (1, -1)]
            yes, no = (shares[:, at].sum(axis=1) for at in own)
            return np.asarray(yes - no)
        return np.asarray(self.estimator.decision_function(X), np.float64)

    def words(self) -> str:
        return type(self.estimator).__name__


@dataclass(frozen=True, eq=False)
class Adapted:
    """A classifier of scikit-learn's kind as a weak learner."""

    estimator: Any
    predictions: Predictions = "discrete"
    abstain_below: float = 0.5
    weights: bool = True  # it is given weights; else rows drawn by weight

    def __repr__(self) -> str:
        return repr(self.estimator)

    @property
    def gives(self) -> Answers:
        answers: dict[str, Answers] = {
            "discrete": "signs",
            "abstaining": "abstaining",
            "confident": "confident",
        }
        return answers[self.predictions]

    @property
    def random(self) -> bool:
        return not self.weights

    def fit(self, rows: Rows, signs: Float, weight: Float, rng: np.random.Generator) -> AdaptedWeak:
        self._refuse_without_confidence()
        return self._weak(rows, signs.astype(np.int64), weight, rng)

    def fit_classes(
        self, rows: Rows, codes: Index, n_classes: int, weight: Float, rng: np.random.Generator
    ) -> AdaptedWeak:
        return self._weak(rows, codes.astype(np.int64), weight, rng)

    def _weak(self, rows: Rows, labels: Any, weight: Float, rng: np.random.Generator) -> AdaptedWeak:
        fitted = fit_weighted(self.estimator, rows, labels, weight, rng, weights=self.weights)
        return AdaptedWeak(fitted, self.predictions, self.abstain_below)

    def _refuse_without_confidence(self) -> None:
        if self.predictions == "discrete" or hasattr(self.estimator, "predict_proba"):
            return
        if not hasattr(self.estimator, "decision_function"):
            raise TypeError(
                f"{type(self.estimator).__name__} has neither predict_proba nor decision_function, so that its answers "
                "carry no confidence. Use predictions='discrete'."
            )


def fit_weighted(
    estimator: Any, rows: Rows, y: Any, weight: Float, rng: np.random.Generator, *, weights: bool
) -> Any:
    """A copy of the estimator, fitted with weights (a mean of one), or to rows drawn by weight."""
    made, X = clone(estimator), given_of(rows)
    if "random_state" in made.get_params(deep=False):
        made.set_params(random_state=int(rng.integers(2**31 - 1)))
    if weights:
        return made.fit(X, y, sample_weight=weight / rows.share)
    drawn = rng.choice(len(weight), size=len(weight), p=weight / weight.sum())
    return made.fit(_safe_indexing(X, drawn), np.asarray(y)[drawn])


def given_of(rows: Rows) -> Any:
    """What the caller gave where it is an array, a frame or a sparse matrix; else the matrix of numbers."""
    return rows.matrix if rows.given is None else rows.given
