"""What a model was trained on, for methods that need it later (out of bag, importance, quantiles).

In: the Table and the target.   Out: the same, held without copying; distinguished from rows that were changed since. It
does not go along when the model is copied or saved.
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.ensemble.draws import row_hashes
from hedgerow.grow import Classes, Target
from hedgerow.table import Table
from hedgerow.table.row_hash import hash_rows
from hedgerow.table.sparse import SparseTable
from hedgerow.types import Word


@dataclass(frozen=True, eq=False)
class TrainingData:
    table: Table
    target: Target
    mark: int

    def check_unchanged(self) -> "TrainingData":
        if fingerprint(self.table, self.target) == self.mark:
            return self
        raise ValueError(
            "The rows the model was trained on have been changed in place since. Fit again, or give the rows as they "
            "were: X and y."
        )


def keep_training(table: Table, target: Target, hashes: Word | None = None) -> TrainingData:
    return TrainingData(table, target, fingerprint(table, target, hashes))


def fingerprint(table: Table, target: Target, hashes: Word | None = None) -> int:
    """A number that other rows, or the same in another order, are most unlikely to have."""
    y = target.codes.astype(np.uint64) if isinstance(target, Classes) else target.values.view(np.uint64)
    place = 2 * np.arange(table.n_rows, dtype=np.uint64) + np.uint64(1)
    with np.errstate(over="ignore"):
        if hashes is None:
            sparse = isinstance(table, SparseTable)
            hashes = hash_rows(table) if sparse else row_hashes(table.columns, table.n_rows)
        mixed = hashes ^ (y * np.uint64(0x9E3779B97F4A7C15))
        return int((mixed * place).sum(dtype=np.uint64))
