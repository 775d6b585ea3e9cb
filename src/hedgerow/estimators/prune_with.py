"""Validation rows of the caller's own.   In: prune_with=(X, y) of fit.   Out: the table and target to prune on."""

from typing import Any

from hedgerow.errors import ParameterError
from hedgerow.estimators.columns import check_columns
from hedgerow.estimators.targets import check_numbers, codes_of
from hedgerow.grow import Classes, Target
from hedgerow.table import Table, to_table


def read_prune_with(estimator: Any, given: Any) -> tuple[Table, Target] | None:
    """`estimator` knows its columns, and its classes if it has some."""
    if given is None:
        return None
    if not isinstance(given, tuple) or len(given) != 2:
        raise ParameterError(
            "prune_with is a {}; wanted a pair (X, y) of rows that the tree has not seen.",
            type(given).__name__,
        )
    X, y = given
    table = to_table(X, categories=estimator.categorical_features)
    check_columns(estimator, X)
    if table.n_rows == 0:
        raise ParameterError(
            "prune_with=(X, y) has no rows to judge a pruning on. Give some, or leave it out."
        )
    if not hasattr(estimator, "classes_"):
        return table, check_numbers(type(estimator).__name__, y, table.n_rows, None, estimator.criterion)
    return table, Classes(codes_of(estimator.classes_, y, table.n_rows), len(estimator.classes_))
