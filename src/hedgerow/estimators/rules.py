"""RuleListClassifier: C4.5rules behind scikit-learn's face.

`fit` is the path of data: check, table, encode, and then hedgerow.rules: grow, one rule a leaf, post-prune.
"""

from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from hedgerow.core import threads_for
from hedgerow.encode import Schema, encode
from hedgerow.estimators.asked import check, one_of
from hedgerow.estimators.columns import remember_columns, rows_of
from hedgerow.estimators.targets import classes_of, weight_of
from hedgerow.estimators.tree import DecisionTreeClassifier
from hedgerow.grow import CLASS_CRITERIA, extent
from hedgerow.rules import ESTIMATES, Plan, RuleList, learn_rules
from hedgerow.store import Parts
from hedgerow.table import to_table
from hedgerow.tree.labels import labels_of
from hedgerow.types import Count, Float, FloatAny


class RuleListClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """An ordered list of if-then rules: the paths of a tree, each pruned on its own (C4.5rules).

    Preconditions are dropped while the estimated accuracy does not fall, rules that the list does not need are
    removed, the others ordered by estimated accuracy; the first that holds decides, and where none holds, the
    default. Columns of text or categories and missing cells are taken as they are.

    Parameters
    ----------
    criterion, max_depth, min_samples_leaf, min_weight_fraction_leaf : of the tree the rules are made of, as in
        DecisionTreeClassifier
    confidence : of the pessimistic estimate, between 0 and 1; smaller prunes more
    estimate : "pessimistic", on the training rows, or "held_out", on rows the tree does not see
    validation_fraction : share of the rows held out, with estimate="held_out"
    max_rules : the list gives up the rules it misses least until there are so many; None for no limit
    random_state : matters only with estimate="held_out": it chooses the rows held out
    class_weight : dict by class, "balanced", or None
    categorical_features : names or positions of number columns that are categories
    n_jobs : threads; None and -1 for all usable cores. The rules do not depend on it

    Attributes
    ----------
    rules_ : the RuleList.   classes_, n_classes_, n_features_in_, feature_names_in_
    schema_ : the columns as they were understood.   labels_ : the words for them
    """

    rules_: RuleList
    schema_: Schema

    def __init__(
        self,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        confidence: float = 0.25,
        estimate: str = "pessimistic",
        validation_fraction: float = 0.2,
        max_rules: int | None = None,
        random_state: Any = None,
        class_weight: Any = None,
        categorical_features: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.confidence = confidence
        self.estimate = estimate
        self.validation_fraction = validation_fraction
        self.max_rules = max_rules
        self.random_state = random_state
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        asked = check(self._tree(), CLASS_CRITERIA)
        plan = self._plan()
        table = to_table(X, categories=self.categorical_features)
        remember_columns(self, X, table)
        weight = weight_of(sample_weight, table.n_rows)
        target, self.classes_ = classes_of(type(self).__name__, y, table.n_rows, weight, self.class_weight)
        threads = threads_for(self.n_jobs, table.n_rows * len(table.columns))
        rows = encode(table, weight=target.weight, threads=threads)
        self.schema_, self.n_classes_ = rows.schema, len(self.classes_)
        self.labels_ = labels_of(
            rows.schema.names,
            rows.schema.kinds,
            rows.schema.levels,
            self.classes_.tolist(),
            missing=frozenset(np.flatnonzero(rows.n_missing).tolist()),
        )
        n_rows, total = extent(target)
        limits = asked.limits(n_rows, len(table.columns), total)
        self.rules_ = learn_rules(rows, target, asked.criterion, limits, self.labels_, plan, threads)
        return self

    def _restore(self, parts: Parts) -> None:
        """What fit would have left, from a model file."""
        check(self._tree(), CLASS_CRITERIA)
        self._plan()
        self.rules_, self.schema_, self.labels_ = parts.body, parts.schema, parts.body.labels

    def _tree(self) -> DecisionTreeClassifier:
        return DecisionTreeClassifier(
            criterion=self.criterion,
            max_depth=self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
            min_weight_fraction_leaf=self.min_weight_fraction_leaf,
        )

    def _plan(self) -> Plan:
        """Raises, or says how to prune."""
        _between("confidence", self.confidence)
        _between("validation_fraction", self.validation_fraction)
        if self.max_rules is not None and not (isinstance(self.max_rules, Integral) and self.max_rules >= 1):
            raise ValueError(
                f"max_rules={self.max_rules!r} is out of range. Give a whole number of at least 1, or None."
            )
        if one_of("estimate", self.estimate, ESTIMATES) == "pessimistic":
            return Plan(confidence=float(self.confidence), max_rules=self.max_rules)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        return Plan(float(self.confidence), float(self.validation_fraction), self.max_rules, seed)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of the first rule that holds, or the default."""
        rows = self._rows(X)
        classes: NDArray[Any] = self.classes_[self.rules_.decisions(rows)]
        return classes

    def predict_proba(self, X: Any) -> Float:
        """The class shares, unsmoothed, of all training rows that the deciding rule covers: its confidence in the
        table is the share of its class. Where no rule holds, those of the training rows without a rule."""
        rows = self._rows(X)
        return self.rules_.shares(rows)

    def predict_log_proba(self, X: Any) -> Float:
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def which_rule(self, X: Any) -> Count:
        """The number of the rule that decides each row; -1 where no rule holds."""
        rows = self._rows(X)
        return self.rules_.fired(rows).astype(np.int64)

    def explain(self, X: Any) -> list[str]:
        """For each row its class, the rule that decided, and how often that rule is right."""
        rows = self._rows(X)
        return self.rules_.explain(rows)

    def to_text(self, width: int = 100) -> str:
        """The rules as a table for a terminal. `rules_.to_text()` has every digit and can be read back."""
        check_is_fitted(self)
        return self.rules_.to_table().to_text(width)

    def __str__(self) -> str:
        return self.to_text() if hasattr(self, "rules_") else repr(self)

    def _html_repr(self) -> str:
        """What a notebook shows: the rules once there are some, scikit-learn's diagram before."""
        if not hasattr(self, "rules_"):
            return super()._html_repr()  # type: ignore[no-any-return]
        return self.rules_._repr_html_()

    def _rows(self, X: Any) -> FloatAny:
        check_is_fitted(self)
        categories = [j for j, kind in enumerate(self.schema_.kinds) if kind == "category"]
        table = to_table(X, categories=categories if self.categorical_features is not None else None)
        return rows_of(self, X, table, self.schema_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags


def _between(name: str, given: Any) -> None:
    if not (isinstance(given, Real) and not isinstance(given, bool) and 0 < float(given) < 1):
        raise ValueError(f"{name}={given!r} is out of range. Give a number between 0 and 1.")
