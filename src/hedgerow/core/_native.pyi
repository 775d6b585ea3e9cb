"""The native door, as Python sees it. The same list stands in native/door/, a file for each folder that uses it."""

from collections.abc import Sequence

from hedgerow.types import Byte, Codes, Count, Float, FloatAny, Index, SmallInt, UIndex, UShort, Word

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

def descend(
    *,
    rows: Float,
    signs: Float,
    weight: Float,
    starts: Float,
    activation: str,
    delta: float,
    sampling: str,
    l2: float,
    rate: float,
    steps: int,
    batch: int,
    seed: int,
    threads: int,
) -> tuple[Float, Float]:
    """Neurons (a row each: weights, bias, height) by stochastic gradient descent from `starts`; the loss of each."""

def weakest_links(parent: Index, risk: Float) -> tuple[Float, Index, Float]:
    """Alpha at which each node is cut (+inf: never itself), the order of the cuts, the risk after each."""

def coarse_columns(
    codes: Sequence[Codes], n_codes: Count, n_levels: Index, threads: int
) -> tuple[Byte, UIndex, Count, Count, Count]:
    """coarse, order, order_start, bin_start, last_code: see native/boost/stumps.hpp."""

def best_stump(
    *,
    codes: Sequence[Codes],
    n_codes: Count,
    n_levels: Index,
    coarse: Byte,
    order: UIndex,
    order_start: Count,
    bin_start: Count,
    last_code: Count,
    group: UShort,
    n_groups: int,
    weight: Float,
    merit: str,
    threads: int,
) -> tuple[int, int, bool, float, Float, Float, Float, Byte]:
    """column, last code of the first side, missing on the first side, merit; weight of each group on the first side, on
    the second, in missing cells; levels on the first side."""

def word_masses(start: Count, row: Index, group: UShort, n_groups: int, weight: Float, threads: int) -> Float:
    """Columns x groups: the weight of each group in the rows that are not zero in the column."""

def answer_masses(
    signs: Float, answers: Float, weight: Float, threads: int
) -> tuple[float, float, float, float, float, int]:
    """Weight of the answers: yes right, yes wrong, no right, no wrong, silent; and how many are not silent."""

def boost_step(
    signs: Float,
    answers: Float,
    yes: float,
    no: float,
    base: Float,
    logistic: bool,
    margins: Float,
    since: Float,
    weight: Float,
    threads: int,
) -> tuple[float, float, float]:
    """Changes margins, since and weight in place. normaliser, loss (logistic only), error."""

def table_scores(
    column: Index,
    n_levels: Index,
    end_start: Count,
    ends: Float,
    line_start: Count,
    lines: Float,
    rows: FloatAny,
    threads: int,
) -> Float:
    """Rows x width: what the tables of the columns add up to (native/boost/score.hpp)."""

def tree_scores(
    nodes: Byte,
    words: Word,
    root: Count,
    column: Index,
    amount: Float,
    rows: FloatAny,
    width: int,
    threads: int,
) -> Float:
    """Rows x width: what the leaves of all trees add up to; wide nodes as tree/pack.py makes them."""
