"""ToNumbers: a table of anything -> the numbers a support vector machine or a linear model needs."""

from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from hedgerow.docstrings import document
from hedgerow.encode import Preparation, numbers, prepare
from hedgerow.estimators.columns import read_rows, read_training_rows
from hedgerow.table import Table, to_table
from hedgerow.types import Float


@document()
class ToNumbers(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Columns of numbers, text and categories, with missing cells, as one matrix of numbers. For models that take
    nothing else: `make_pipeline(ToNumbers(), SVC())`. Trees, and what is made of them, do not need it.

    Parameters
    ----------
    standardize : bool
        Numbers less their mean, in standard deviations. False keeps their scale; a missing cell is the mean in both
        cases.
    max_levels : int
        A category has a column for each of so many levels, the most frequent ones.

    Attributes
    ----------
    preparation_ : Preparation
        What is done to each column.
    n_features_in_, feature_names_in_

    See Also
    --------
    TopFeatures : Keep the columns that matter.
    SVC : A model that needs numbers.

    Examples
    --------
    >>> from hedgerow import ToNumbers, datasets
    >>> titanic = datasets.titanic()
    >>> ToNumbers().fit(titanic.table).transform(titanic.table).shape[0]
    1309
    """

    preparation_: Preparation

    def __init__(
        self, *, standardize: bool = True, max_levels: int = 100, categorical_features: Any = None
    ) -> None:
        self.standardize = standardize
        self.max_levels = max_levels
        self.categorical_features = categorical_features

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        if not (isinstance(self.max_levels, Integral) and self.max_levels >= 1):
            raise ValueError(
                f"max_levels={self.max_levels!r} is out of range. Give a whole number of at least 1."
            )
        table, weight = read_training_rows(self, X, y, sample_weight)
        self.preparation_ = prepare(
            table, weight, standardize=bool(self.standardize), max_levels=int(self.max_levels)
        )
        return self

    @classmethod
    def _restored(cls, preparation: Preparation) -> Self:
        """From a model file."""
        names = [j for j, kind in enumerate(preparation.schema.kinds) if kind == "category"]
        model = cls(categorical_features=names or None)
        model.preparation_ = preparation
        return model

    def transform(self, X: Any) -> Float:
        return numbers(self.preparation_, self._table(X))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """The names of the columns that come out: "age", "sex=female", "age is missing"."""
        check_is_fitted(self)
        return np.array(self.preparation_.names, dtype=object)

    def _table(self, X: Any) -> Table:
        check_is_fitted(self)
        schema = self.preparation_.schema
        categories = [j for j, kind in enumerate(schema.kinds) if kind == "category"]
        table = to_table(X, categories=categories if self.categorical_features is not None else None)
        read_rows(self, X, table, schema)  # an error where the columns are not those of training
        return table

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        return tags
