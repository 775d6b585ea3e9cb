"""Why this row?   In: Trees and rows.   Out: exact path-dependent Shapley values, additive to the prediction.

base + sum over the columns of values = the mean of the trees' values        (native/explain/shap.hpp says how)
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.core import native
from hedgerow.ensemble.flat import Flat
from hedgerow.types import Float, FloatAny


@dataclass(frozen=True, eq=False)
class Shares:
    values: Float  # rows x columns x outputs
    base: Float  # outputs: the expected prediction, when nothing is known of a row


def shap_values(flat: Flat, rows: FloatAny, threads: int = 1) -> Shares:
    """The mean over the trees. Of two class shares the second is computed and the first is its opposite."""
    arrays = flat.arrays()
    pair = flat.value.shape[1] == 2 and bool(np.all(np.abs(flat.value.sum(axis=1) - 1) < 1e-12))
    if pair:
        arrays["value"] = np.ascontiguousarray(flat.value[:, 1:])
    total, base = native.shap_values(**arrays, rows=rows, threads=threads)
    values = total.reshape(len(rows), -1, len(base)) / flat.n_trees
    base = base / flat.n_trees
    if pair:
        return Shares(np.concatenate([-values, values], axis=2), np.array([1 - base[0], base[0]]))
    return Shares(values, base)
