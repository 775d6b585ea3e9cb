"""A hash of each row.   In: a Table.   Out: 64 bits a row; equal rows have equal hashes, on every machine.

    row    = cell of column 0 + cell of column 1 + ...      (modulo 2^64)
    a row without some of its columns is a subtraction, so "equal in all other columns" costs no second pass

A number is its float64 (0 and -0 are one, so is every NaN), a category the text of its level: not its code, which
depends on what other rows have.
"""

import hashlib

import numpy as np

from hedgerow.table.sparse import SparseTable
from hedgerow.table.table import Column, Table
from hedgerow.types import FloatAny, Word

GOLDEN = 0x9E3779B97F4A7C15  # splitmix64
MISSING = b"\x00missing"


def hash_rows(table: Table) -> Word:
    if isinstance(table, SparseTable):
        return _hash_entries(table)
    total = np.zeros(table.n_rows, np.uint64)
    for place, column in enumerate(table.columns):
        total += hash_cells(column, place)
    return total


def hash_cells(column: Column, place: int) -> Word:
    """`place`: of the column in its table; the same cell in another column is another hash."""
    if column.is_coded:
        texts = [level.encode("utf-8", "surrogatepass") for level in column.levels]
        levels = np.array([_digest(text) for text in [*texts, MISSING]], np.uint64)
        cells = levels[np.asarray(column.values, np.int64)]  # -1, missing, is the last
    else:
        cells = _bits(column.numbers)
    return mix_bits(cells + np.uint64(GOLDEN * (place + 1) % 2**64))


def _bits(numbers: FloatAny) -> Word:
    values = np.array(numbers, np.float64) + 0.0  # -0 becomes 0
    values[np.isnan(values)] = np.nan
    return values.view(np.uint64)


def _hash_entries(table: SparseTable) -> Word:
    """The hash of a row of zeros, and what the entries of each row change in it."""
    rows = table.by_row
    with np.errstate(over="ignore"):
        places = (np.arange(rows.n_columns, dtype=np.uint64) + np.uint64(1)) * np.uint64(GOLDEN)
        zero = mix_bits(places)
        change = mix_bits(_bits(rows.values) + places[rows.column]) - zero[rows.column]
        sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(change, dtype=np.uint64)])
        total: Word = zero.sum(dtype=np.uint64) + sums[rows.start[1:]] - sums[rows.start[:-1]]
        return total


def _digest(text: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def mix_bits(bits: Word) -> Word:
    """The finaliser of splitmix64."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(bits ^ (bits >> np.uint64(31)), np.uint64)
