"""RuleListClassifier: C4.5rules with scikit-learn's API.

`fit` is the path of data: validate, table, target, fit_rules. Everything it does stands in hedgerow.fitting.
"""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from hedgerow.core.sparse_rows import SparseRows, as_matrix, in_blocks
from hedgerow.docstrings import document
from hedgerow.encode import Schema
from hedgerow.estimators.columns import read_rows, read_training_rows
from hedgerow.estimators.exporting import ExportMixin
from hedgerow.estimators.outputs import log_of
from hedgerow.estimators.prune_with import read_prune_with
from hedgerow.estimators.targets import check_classes
from hedgerow.fitting.params import validate_rules
from hedgerow.fitting.rules import fit_rules
from hedgerow.rules import RuleList
from hedgerow.store import ModelState
from hedgerow.table import to_table
from hedgerow.types import Count, Float, FloatAny


@document()
class RuleListClassifier(ExportMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """An ordered list of if-then rules: the paths of a tree, each pruned on its own (C4.5rules). Preconditions are
    dropped while the estimated accuracy does not fall, rules that the list does not need are removed, the others
    ordered by estimated accuracy; the first that holds decides, and where none holds, the default. Columns of text
    or categories and missing cells are taken as they are.

    Parameters
    ----------
    criterion : {"gini", "entropy", "log_loss", "misclassification", "gain_ratio"}
        Criterion of the tree the rules are made of.
    confidence : float
        Confidence of the pessimistic estimate, between 0 and 1; smaller prunes more.
    estimate : {"pessimistic", "held_out"}
        Estimate accuracy on the training rows, or on rows the tree does not see.
    validation_fraction : float
        Share of the rows held out, with `estimate="held_out"`.
    max_rules : int or None
        The list gives up the rules it misses least until there are so many. None for no limit.
    random_state : int, RandomState or None
        Matters only with `estimate="held_out"`: it chooses the rows held out.

    Attributes
    ----------
    rules_ : RuleList
        The rules. Prints itself.
    classes_, n_classes_, n_features_in_, feature_names_in_, schema_, labels_

    See Also
    --------
    DecisionTreeClassifier : The tree itself.

    References
    ----------
    .. [1] J. R. Quinlan, "C4.5: Programs for Machine Learning", Morgan Kaufmann, 1993.

    Examples
    --------
    >>> from hedgerow import RuleListClassifier, datasets
    >>> titanic = datasets.titanic()
    >>> model = RuleListClassifier(max_rules=3).fit(titanic.table, titanic.target)
    >>> len(model.rules_.rules)
    3
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

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, prune_with: tuple[Any, Any] | None = None
    ) -> Self:
        """Fit the rules to rows X and their classes y.

        Parameters
        ----------
        prune_with : tuple of (X, y) or None
            Rows of your own, on which errors of rules are estimated, whatever `estimate` says. None for no such rows.
        """
        params = validate_rules(self.get_params(deep=False))
        table, weight = read_training_rows(self, X, y, sample_weight)
        target, self.classes_ = check_classes(type(self).__name__, y, table.n_rows, weight, self.class_weight)
        unseen: Any = read_prune_with(self, prune_with)
        fitted = fit_rules(table, target, params, classes=self.classes_.tolist(), prune_with=unseen)
        self.rules_, self.schema_, self.labels_ = fitted.rules, fitted.schema, fitted.labels
        self.n_classes_ = len(self.classes_)
        return self

    def _stored_body(self) -> RuleList | None:
        return getattr(self, "rules_", None)

    def _restore(self, state: ModelState) -> None:
        """What fit would have left, from a model file."""
        validate_rules(self.get_params(deep=False))
        self.rules_, self.schema_, self.labels_ = state.body, state.schema, state.body.labels

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of the first rule that holds, or the default."""
        rows = self._rows(X)
        classes: NDArray[Any] = self.classes_[in_blocks(self.rules_.predict, rows)]
        return classes

    def predict_proba(self, X: Any) -> Float:
        """The class shares, unsmoothed, of all training rows that the deciding rule covers: its confidence in the
        table is the share of its class. Where no rule holds, those of the training rows without a rule."""
        rows = self._rows(X)
        return np.asarray(in_blocks(self.rules_.predict_proba, rows))

    def predict_log_proba(self, X: Any) -> Any:
        return log_of(self.predict_proba(X))

    def which_rule(self, X: Any) -> Count:
        """Find the rule that decides each row.

        Returns
        -------
        ndarray of int of shape (n_samples,)
            Numbers of rules; -1 where no rule holds.
        """
        rows = self._rows(X)
        return np.asarray(in_blocks(self.rules_.match, rows), np.int64)

    def explain(self, X: Any) -> list[str]:
        """Say of each row its class, the rule that decides, and how often that rule is right.

        Returns
        -------
        list of str
            A sentence for each row.
        """
        rows = self._rows(X)
        return self.rules_.explain(as_matrix(rows))

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

    def _rows(self, X: Any) -> FloatAny | SparseRows:
        check_is_fitted(self)
        categories = [j for j, kind in enumerate(self.schema_.kinds) if kind == "category"]
        table = to_table(X, categories=categories if self.categorical_features is not None else None)
        return read_rows(self, X, table, self.schema_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        return tags
