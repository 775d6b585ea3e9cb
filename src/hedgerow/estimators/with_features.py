"""WithFeatures: a model behind the features that it cannot make itself.   In: a table with text, dates, categories of
many levels.   Out: the fitted model of the columns that are made of them (hedgerow.features), learned from the rows of
fit alone, so that a cross-validation learns them in each fold.
"""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from hedgerow.docstrings import document
from hedgerow.errors import check_choice
from hedgerow.estimators.delegating import unwrap
from hedgerow.estimators.exporting import ExportMixin
from hedgerow.features import Features, class_outcome, learn_features, number_outcome
from hedgerow.features.features import FORMS
from hedgerow.features.words import as_text
from hedgerow.fitting.target import check_sample_weight
from hedgerow.intake.frame_dates import to_dated_table
from hedgerow.table import Table


def _has(name: str) -> Any:
    return available_if(lambda self: hasattr(getattr(self, "model_", self.estimator), name))


@document()
class WithFeatures(ExportMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A model behind features: words of free text, parts of dates, target rates of categories with many levels.

    Parameters
    ----------
    estimator : estimator
        What is fitted to the columns that are made.
    form : {"columns", "tfidf", "presence"}
        What the estimator gets: a table, with the 300 most telling words of a text as counts (for trees); or a sparse
        table of numbers with every word and pair of words by tf-idf (for linear machines), or as 0 and 1 (for boosted
        stumps).
    text : sequence of str
        Columns of text that are free text, not categories. A Table knows its own.
    random_state : int
        Of the parts by which the rates of training rows are found out of fold.

    Attributes
    ----------
    features_ : Features
        What was learned: `features_.inner.names` are the columns the model reads, `telling_words()` the words.
    model_ : estimator
        The fitted estimator.
    classes_
    n_features_in_

    See Also
    --------
    ToNumbers : Plain columns as numbers.
    study : Makes features by itself.

    Examples
    --------
    >>> from hedgerow import LinearSVC, WithFeatures
    >>> rows = {"review": ["a good film", "not good", "good fun", "so bad", "bad film", "bad and long"]}
    >>> model = WithFeatures(LinearSVC(), form="tfidf", text=["review"]).fit(rows, [1, 0, 1, 0, 0, 0])
    >>> model.predict({"review": ["good film"]}).tolist()
    [1]
    """

    features_: Features
    model_: Any

    def __init__(
        self, estimator: Any, *, form: str = "columns", text: Any = (), random_state: int = 0
    ) -> None:
        self.estimator = estimator
        self.form = form
        self.text = text
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the features, then fit the model to them."""
        check_choice("form", self.form, FORMS)
        table, y = self._read(X), np.asarray(y)
        if is_classifier(self.estimator):
            classes, codes = np.unique(y, return_inverse=True)
            outcome = class_outcome(codes.reshape(-1), classes)
        else:
            outcome = number_outcome(np.asarray(y, np.float64))
        weight = check_sample_weight(sample_weight, table.n_rows)
        self.features_, made = learn_features(
            table, outcome, weight, form=self.form, random_state=self.random_state
        )
        model = clone(self.estimator)
        more = (
            {}
            if weight is None or not has_fit_parameter(model, "sample_weight")
            else {"sample_weight": weight}
        )
        self.model_ = model.fit(self._rows(made), y, **more)
        return self._remember(table)

    def _remember(self, table: Table) -> Self:
        self.n_features_in_ = len(table.columns)
        if table.named:
            self.feature_names_in_ = np.array(table.names, dtype=object)
        return self

    def _read(self, X: Any) -> Table:
        table = to_dated_table(X)
        if not len(self.text):
            return table
        for name in self.text:
            if not table.column(name).is_coded:
                raise ValueError(f"text names {name!r}, which holds numbers. Expected: columns of text.")
        columns = [as_text(one) if one.name in self.text else one for one in table.columns]
        return Table(tuple(columns), table.n_rows, table.named)

    def _rows(self, made: Table) -> Any:
        """As the estimator takes them: models of numbers alone take the matrix."""
        if self.form == "columns" or get_tags(self.estimator).input_tags.categorical:
            return made
        return made.matrix  # type: ignore[attr-defined]

    def make_features(self, X: Any) -> Any:
        """What the model reads of these rows.

        Parameters
        ----------
        X : table
            Rows with the columns of training.

        Returns
        -------
        Table or matrix
            As the estimator takes them.
        """
        check_is_fitted(self, "model_")
        return self._rows(self.features_.make(to_dated_table(X)))

    def telling_words(self) -> dict[str, list[tuple[str, float]]]:
        """The words of each text column that tell most, the strongest first.

        Returns
        -------
        dict
            By column: pairs of a word and by how much the outcome is higher in rows that have it.
        """
        check_is_fitted(self, "model_")
        names = self.features_.schema.names
        return {names[one.column]: list(one.telling) for one in self.features_.words}

    @property
    def classes_(self) -> Any:
        return self.model_.classes_

    def predict(self, X: Any) -> Any:
        return self.model_.predict(self.make_features(X))

    @_has("predict_proba")  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:
        return self.model_.predict_proba(self.make_features(X))

    @_has("decision_function")  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Any:
        return self.model_.decision_function(self.make_features(X))

    def __sklearn_tags__(self) -> Any:
        tags = get_tags(self.estimator)
        tags.input_tags.categorical = True
        return tags


def model_inside(fitted: Any) -> Any:
    """The estimator that reads the columns: out of features and out of what draws rows."""
    while hasattr(fitted, "model_"):
        fitted = fitted.model_
    return fitted


def name_features(fitted: Any, importances: list[tuple[str, float]]) -> list[tuple[str, float]]:
    """Where a model was fitted to a matrix, which has no names: x12 is the column that features made."""
    inside = unwrap(fitted)
    if not isinstance(inside, WithFeatures) or not inside.features_.is_sparse:
        return importances
    names = inside.features_.inner.names
    known = {f"x{j}": name for j, name in enumerate(names)}
    return [(known.get(name, name), value) for name, value in importances]


def unwrap_all(fitted: Any) -> Any:
    """Out of every wrapper: what can be explained by itself."""
    inside = unwrap(fitted)
    return unwrap(inside.model_) if isinstance(inside, WithFeatures) else inside
