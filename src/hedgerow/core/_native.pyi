"""The native door, as Python sees it. The same list stands in native/door/, a file for each folder that uses it."""

from collections.abc import Sequence

from hedgerow.types import Byte, Codes, Count, Float, FloatAny, Index, SmallInt, UIndex, Word

def rank_columns(columns: Sequence[FloatAny], threads: int) -> list[tuple[Codes, int, int]]:
    """For each column: its rank codes (missing = number of codes), the number of codes, of missing cells."""

def grow(
    *,
    codes: Sequence[Codes],
    n_codes: Count,
    n_levels: Index,
    monotone: SmallInt,
    values: Sequence[Float],
    criterion: str,
    n_classes: int,
    classes: Index | None,
    target: Float | None,
    weight: Float | None,
    rows: UIndex | None,
    max_depth: int,
    min_rows_split: int,
    min_rows_leaf: int,
    min_weight_leaf: float,
    max_leaves: int,
    min_decrease: float,
    max_features: int,
    random_splits: bool,
    multiway: bool,
    fractional: bool,
    surrogates: int,
    seed: int,
    trace: bool,
    patch_rows: int,
    threads: int,
) -> tuple[
    Index,
    Byte,
    Float,
    UIndex,
    UIndex,
    Count,
    Word,
    Index,
    Index,
    Index,
    Float,
    Float,
    Count,
    Float,
    Float,
    Float,
    UIndex,
    UIndex,
    Index,
    Index,
    Byte,
    UIndex,
    UIndex,
    Count,
    Word,
    Float,
    Float,
]:
    """feature, kind, threshold, low_row, high_row, subset_start, subset_bits, first_child, n_children, missing_branch,
    value, weight, n_rows, impurity; then the trace: gain, ratio, low_row, high_row (nodes x columns, or no rows);
    then the surrogates: node, feature, first_below, low_row, high_row, first word, words, agreement, adjusted."""

def leaves(nodes: Byte, feature_bits: int, words: Word, rows: FloatAny, threads: int) -> Index:
    """The leaf of each row; nodes packed by tree/pack.py."""

def values(nodes: Byte, feature_bits: int, words: Word, rows: FloatAny, values: Float, threads: int) -> Float:
    """The value at the leaf of each row."""

def weakest_links(parent: Index, risk: Float) -> tuple[Float, Index, Float]:
    """Alpha at which each node is cut (+inf: never itself), the order of the cuts, the risk after each."""

_Rows = tuple[Float | None, Count | None, Index | None, Float | None, int]
_Solved = tuple[Float, Float, int, int, int, int, float, float, float, Float]

def svm_solve(
    kernel: str,
    gamma: float,
    coef0: float,
    degree: int,
    rows: _Rows,
    wide: bool,
    c: Float,
    low: Float,
    high: Float,
    start: Float | None,
    row_of: Index | None,
    tolerance: float,
    seconds: float,
    steps: int,
    bytes: int,
    threads: int,
) -> _Solved:
    """b, Kb a row, how it ended (0 solved, 1 time, 2 steps, 3 rounding), steps, rounds, kernel values computed, gap,
    seconds, worst curvature, history (seconds, gap). Rows: dense, or starts, columns and values; and the width."""

def svm_solve_given(
    matrix: Float,
    chosen: Index | None,
    c: Float,
    low: Float,
    high: Float,
    start: Float | None,
    row_of: Index | None,
    tolerance: float,
    seconds: float,
    steps: int,
    threads: int,
) -> _Solved:
    """The same on a kernel matrix; with `chosen`, on these rows and columns of it."""

def svm_sums(
    kernel: str,
    gamma: float,
    coef0: float,
    degree: int,
    rows: _Rows,
    coef: Float,
    columns: _Rows,
    wide: bool,
    threads: int,
) -> Float:
    """For each column row and output: the sum over rows of coef times kernel."""

def svm_matrix(
    kernel: str, gamma: float, coef0: float, degree: int, rows: _Rows, columns: _Rows, threads: int
) -> Float:
    """Kernel values, rows x columns."""

def linear_solve(
    rows: tuple[Float | None, Count | None, Index | None, Float | None, int],
    target: Float,
    cost: Float,
    side: SmallInt,
    *,
    epsilon: float,
    squared: bool,
    intercept: bool,
    dual: bool,
    tol: float,
    seconds: float,
    iterations: int,
    start_w: Float | None,
    start_b: float,
    start_beta: Float | None,
    seed: int,
    threads: int,
) -> tuple[Float, float, Float, int, int, Float]:
    """w, b, beta, iterations, ending (see native/linear/machine.hpp), progress (seconds, primal, dual)."""
