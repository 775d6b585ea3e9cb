"""y of several columns.   In: y as the caller has it.   Out: what grow reads; lists of classes, of probabilities.

For estimators with `n_outputs_`; where it is more than one, `classes_` and `n_classes_` are lists, as scikit-learn
has them.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils import check_array
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets

from hedgerow.core.criteria import NON_NEGATIVE_CRITERIA
from hedgerow.fitting.outputs import split_values
from hedgerow.fitting.target import encode_numbers, refuse_missing
from hedgerow.grow import ManyClasses, ManyNumbers, Outputs
from hedgerow.types import Float


class SparseTarget(TypeError, ValueError):
    """y is sparse: a TypeError as of scikit-learn's trees, and a ValueError as of its forests."""


def count_outputs(y: Any) -> int:
    """The columns of y; 1 where it is one column, or no table at all."""
    if issparse(y):
        raise SparseTarget("sparse multilabel-indicator for y is not supported. Way out: y.toarray().")
    if isinstance(y, str) or y is None:
        return 1
    if type(y) is np.ndarray and y.ndim == 1:
        return 1
    try:
        shape = np.asarray(y).shape
    except (
        ValueError,
        TypeError,
    ):  # rows of unequal length, a sparse y: the checks of one column explain them
        return 1
    return int(shape[1]) if len(shape) == 2 and shape[1] > 1 else 1


def check_output_classes(
    y: Any, n_rows: int, weight: Float | None
) -> tuple[ManyClasses, list[NDArray[Any]], NDArray[Any]]:
    """The target, the classes of each output, and y as an array."""
    y = _checked(y, n_rows, None)
    check_classification_targets(y)
    found = [np.unique(y[:, k], return_inverse=True) for k in range(y.shape[1])]
    codes = np.column_stack([code for _, code in found]).astype(np.int32)
    target = ManyClasses(np.ascontiguousarray(codes), tuple(len(classes) for classes, _ in found), weight)
    return target, [classes for classes, _ in found], y


def check_output_numbers(y: Any, n_rows: int, weight: Float | None, criterion: str) -> ManyNumbers:
    y = _checked(y, n_rows, np.float64)
    if criterion in NON_NEGATIVE_CRITERIA:
        for column in y.T:
            encode_numbers(column, None, criterion)
    return ManyNumbers(np.ascontiguousarray(y), weight)


def _checked(y: Any, n_rows: int, dtype: Any) -> NDArray[Any]:
    y = check_array(y, dtype=dtype, input_name="y", ensure_all_finite=False)
    if len(y) != n_rows:
        raise ValueError(f"y has {len(y)} rows, but X has {n_rows}. Give one row of targets a row.")
    for k in range(y.shape[1]):
        refuse_missing(y[:, k])
    return y  # type: ignore[no-any-return]


def output_weights(class_weight: Any, y: NDArray[Any], rows: Any = None) -> Float | None:
    """The weight of each row by its classes: the product over the outputs. `rows`: "balanced" as they are drawn."""
    if class_weight is None:
        return None
    if isinstance(class_weight, str) and class_weight == "balanced_subsample":
        class_weight = "balanced"
    return np.asarray(compute_sample_weight(class_weight, y, indices=rows), np.float64)


def times(weight: Float | None, factor: Float | None) -> Float | None:
    if weight is None or factor is None:
        return factor if weight is None else weight
    return weight * factor


def one_number_a_row(target: Outputs) -> NDArray[Any]:
    """Equal where all outputs are: what rows of equal content are ordered by."""
    y = target.codes if isinstance(target, ManyClasses) else target.values
    return np.unique(y, axis=0, return_inverse=True)[1].reshape(-1)


def probabilities(model: Any, values: Float) -> Any:
    """Rows x classes; of several outputs a list of these."""
    return values if model.n_outputs_ == 1 else split_values(values, model.n_classes_)


def log_of(proba: Any) -> Any:
    """The logarithm of probabilities, or of each in a list."""
    with np.errstate(divide="ignore"):
        return [np.log(part) for part in proba] if isinstance(proba, list) else np.log(proba)


def most_probable(model: Any, values: Float) -> NDArray[Any]:
    """The class with the largest share, the first of equal ones; rows x outputs where there are several."""
    if model.n_outputs_ == 1:
        return model.classes_[np.argmax(values, axis=1)]  # type: ignore[no-any-return]
    parts = split_values(values, model.n_classes_)
    columns = [classes[part.argmax(axis=1)] for classes, part in zip(model.classes_, parts, strict=True)]
    kind = np.result_type(*columns) if all(c.dtype.kind in "biuf" for c in columns) else None
    return np.column_stack(columns) if kind is not None else np.array(columns, dtype=object).T


def means(model: Any, values: Float) -> Float:
    """One number a row; rows x outputs where there are several."""
    return values[:, 0] if model.n_outputs_ == 1 else values
