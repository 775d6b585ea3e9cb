"""Columns no tree can split on.   In: the column's name and what it holds.   Out: the error, with a way
out."""

from hedgerow.words import quote


def refuse_time(name: str, holds: str) -> TypeError:
    return TypeError(
        f"Column {quote(name)} holds dates, times or durations ({holds}). Expected: numbers, booleans or "
        "text. Ways out: a count from a date, such as (column - first_day).dt.days; a duration in seconds; "
        "or columns of their own for year, month and weekday."
    )


def refuse_complex(name: str) -> ValueError:
    return ValueError(
        f"Complex data not supported: column {quote(name)} holds complex numbers. "
        "Ways out: two columns, numpy.real(X) and numpy.imag(X), or numpy.abs(X)."
    )


def refuse_sparse(type_name: str) -> TypeError:
    return TypeError(
        f"Sparse data was passed ({type_name}), but dense data is required. "
        "Way out: X.toarray(), or X.sparse.to_dense() for a pandas frame; it must fit in memory."
    )


def refuse_nested(name: str, dtype: str) -> TypeError:
    return TypeError(
        f"Column {quote(name)} holds {dtype}. Expected: numbers, booleans or text. "
        "Drop the column, or spread its parts over columns of their own."
    )


def refuse_structured(fields: tuple[str, ...]) -> TypeError:
    return TypeError(
        f"A structured array with the fields {', '.join(map(quote, fields))} is not a 2-D array. Ways out: "
        "pandas.DataFrame(array), or {name: array[name] for name in array.dtype.names}."
    )


def refuse_one_column(type_name: str) -> ValueError:
    return ValueError(
        f"Expected 2D array, got 1D array instead: one {type_name}. Way out: series.to_frame() if it is a "
        "single feature. Reshape your data either using array.reshape(-1, 1) if your data has a single "
        "feature or array.reshape(1, -1) if it contains a single sample."
    )


def refuse_matrix() -> TypeError:
    return TypeError(
        "np.matrix is not supported: its rows stay matrices. Way out: numpy.asarray(X), a plain array."
    )
