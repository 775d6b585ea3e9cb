"""Base learners for boosting.   In: what the caller named or made.   Out: a weak learner of hedgerow.boost.

hedgerow's own learners read the shared codes. Any other classifier is adapted: it is given the weights if its `fit`
takes them, else a sample of the rows drawn by weight.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import has_fit_parameter

from hedgerow.boost.boost_input import BoostInput
from hedgerow.boost.weak import tree
from hedgerow.boost.weak.tree import Tree
from hedgerow.boost.weak_learner import (
    OutputKind,
    Predictions,
    WeakParams,
    build_weak_learner,
    weak_learner_names,
)
from hedgerow.estimators.bag_members import fit_estimator
from hedgerow.estimators.tree import DecisionTreeClassifier, validate
from hedgerow.types import Float, Index

# What a tree of shared codes does not do, by the parameter that asks for it and its value where it does not.
PLAIN: dict[str, Any] = {
    "random_splits": False,
    "surrogates": False,
    "stops": False,
    "min_samples_split": 2,
    "min_weight_fraction_leaf": 0.0,
    "min_impurity_decrease": 0.0,
    "ccp_alpha": 0.0,
    "max_bins": None,
    "monotonic_cst": None,
    "trace": False,
    "max_features": None,
}


def resolve_learner(given: Any, params: WeakParams, abstain_below: float) -> Any:
    """The weak learner for `estimator=given`."""
    if given is None or isinstance(given, str):
        return build_weak_learner("stump" if given is None else given, params)
    if hasattr(given, "output_kind") and hasattr(given, "fit"):
        return given
    if not hasattr(given, "fit") or not hasattr(given, "get_params"):
        raise TypeError(
            f"estimator={given!r} is no classifier. Give one of {', '.join(weak_learner_names())}, a scikit-learn "
            "classifier, or a weak learner of hedgerow.boost.weak."
        )
    own = _own_tree(given, params) if type(given) is DecisionTreeClassifier else None
    return own or Adapted(given, params.predictions, abstain_below, takes_weights(given))


def takes_weights(estimator: Any) -> bool:
    return bool(has_fit_parameter(estimator, "sample_weight"))


def _is_set_to(found: Any, wanted: Any) -> bool:
    return found is None if wanted is None else bool(found == wanted)


def _own_tree(given: DecisionTreeClassifier, params: WeakParams) -> Tree | None:
    """hedgerow's own tree, grown from shared codes; None where it asks for more than rounds can share."""
    own = validate(given)
    plain = (
        params.predictions in tree.PREDICTIONS
        and all(_is_set_to(getattr(own, name), value) for name, value in PLAIN.items())
        and isinstance(own.min_samples_leaf, int)
        and (own.prune is None or own.prune.needs == "nothing")
        and given.class_weight is None
        and given.categorical_features is None
    )
    if not plain:
        return None
    return Tree(
        tree.build(params).output_kind,
        criterion=own.criterion,
        max_depth=own.max_depth,
        max_leaves=own.max_leaf_nodes,
        min_rows_leaf=int(own.min_samples_leaf),
        multiway=own.multiway,
        fractional=own.fractional,
        prune=own.prune,
        smoothing=params.smoothing,
    )


@dataclass(frozen=True, eq=False)
class AdaptedWeak:
    estimator: Any
    predictions: Predictions
    abstain_below: float

    def outputs(self, rows: BoostInput) -> Float:
        X = given_of(rows)
        if self.predictions == "discrete":
            return np.where(np.asarray(self.estimator.predict(X)) == 1, 1.0, -1.0)
        sure = self._confidence(X)
        if self.predictions == "confident":
            return sure
        return np.where(np.abs(sure) < self.abstain_below, 0.0, np.sign(sure))

    def choices(self, rows: BoostInput) -> Index:
        X = given_of(rows)
        predicted = np.asarray(self.estimator.predict(X)).astype(np.int32)
        if self.predictions == "abstaining":
            predicted[self.estimator.predict_proba(X).max(axis=1) < (1 + self.abstain_below) / 2] = -1
        return predicted

    def _confidence(self, X: Any) -> Float:
        """Between -1 and 1 from probabilities; else the decision function as it is."""
        if hasattr(self.estimator, "predict_proba"):
            shares = np.asarray(self.estimator.predict_proba(X), np.float64)
            own = [np.flatnonzero(np.asarray(self.estimator.classes_) == side) for side in (1, -1)]
            yes, no = (shares[:, at].sum(axis=1) for at in own)
            return np.asarray(yes - no)
        return np.asarray(self.estimator.decision_function(X), np.float64)

    def describe(self) -> str:
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
    def output_kind(self) -> OutputKind:
        outputs: dict[str, OutputKind] = {
            "discrete": "signs",
            "abstaining": "abstaining",
            "confident": "confident",
        }
        return outputs[self.predictions]

    @property
    def random(self) -> bool:
        return not self.weights

    def fit(self, rows: BoostInput, signs: Float, weight: Float, rng: np.random.Generator) -> AdaptedWeak:
        self._refuse_without_confidence()
        return self._weak(rows, signs.astype(np.int64), weight, rng)

    def fit_classes(
        self, rows: BoostInput, codes: Index, n_classes: int, weight: Float, rng: np.random.Generator
    ) -> AdaptedWeak:
        return self._weak(rows, codes.astype(np.int64), weight, rng)

    def _weak(self, rows: BoostInput, labels: Any, weight: Float, rng: np.random.Generator) -> AdaptedWeak:
        fitted = fit_weighted(self.estimator, rows, labels, weight, rng, weights=self.weights)
        return AdaptedWeak(fitted, self.predictions, self.abstain_below)

    def _refuse_without_confidence(self) -> None:
        if self.predictions == "discrete" or hasattr(self.estimator, "predict_proba"):
            return
        if not hasattr(self.estimator, "decision_function"):
            raise TypeError(
                f"{type(self.estimator).__name__} has neither predict_proba nor decision_function, so that its outputs "
                "carry no confidence. Use predictions='discrete'."
            )


def fit_weighted(
    estimator: Any, rows: BoostInput, y: Any, weight: Float, rng: np.random.Generator, *, weights: bool
) -> Any:
    """A copy of the estimator, fitted with weights (a mean of one), or to rows drawn by weight."""
    made, X = clone(estimator), given_of(rows)
    if "random_state" in made.get_params(deep=False):
        made.set_params(random_state=int(rng.integers(2**31 - 1)))
    if weights:
        return fit_estimator(made, X, y, sample_weight=weight / rows.share)
    drawn = rng.choice(len(weight), size=len(weight), p=weight / weight.sum())
    return fit_estimator(made, _safe_indexing(X, drawn), np.asarray(y)[drawn])


def given_of(rows: BoostInput) -> Any:
    """What the caller gave where it is an array, a frame or a sparse matrix; else the matrix of numbers."""
    return rows.matrix if rows.given is None else rows.given
