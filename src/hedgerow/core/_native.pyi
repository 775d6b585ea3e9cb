"""The native door, as Python sees it. The same list stands in native/door/, a file for each folder that uses it."""

from collections.abc import Sequence
from typing import Any

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

def draw_counts(how: str, n_rows: int, size: int, order: UIndex, line: Float, seed: int, tree: int) -> UIndex:
    """How often the tree draws each row; ensemble/draws.py says what the arguments are."""

def grow_forest(
    *,
    codes: Sequence[Codes],
    n_codes: Count,
    n_levels: Index,
    monotone: SmallInt,
    values: Sequence[Float],
    edges: Sequence[Float],
    criterion: str,
    n_classes: int,
    classes: Index | None,
    target: Float | None,
    weight: Float | None,
    class_weight: Float | None,
    balanced: bool,
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
    how: str,
    size: int,
    order: UIndex,
    line: Float,
    seed: int,
    first_tree: int,
    n_trees: int,
    threads: int,
) -> list[tuple[Any, ...]]:
    """For each tree what `grow` answers."""

def hash_rows(columns: Sequence[FloatAny], n_rows: int) -> Word:
    """A hash of each row's numbers."""

def hash_more(hashes: Word, words: Word) -> Word:
    """The same with one more word a row."""

def pack_forest(
    trees: list[tuple[Any, ...]], n_features: int, narrow: bool
) -> tuple[Byte, int, Count, Word, Float]:
    """Trees as (feature, kind, threshold, first_child, missing_child, subset_start, subset_bits, value) -> nodes,
    feature_bits (0: wide), first node of each tree and the end, words of subsets, table of leaf values."""

def forest_values(
    nodes: Byte, feature_bits: int, start: Count, words: Word, table: Float, rows: FloatAny, threads: int
) -> Float:
    """Rows x outputs: the mean over the trees of the table's row of each leaf."""

def forest_leaves(
    nodes: Byte, feature_bits: int, start: Count, words: Word, rows: FloatAny, threads: int
) -> Index:
    """Rows x trees: the leaf of each row."""

def tree_seed(seed: int, tree: int) -> int:
    """The seed of one tree of a forest."""

def shap_values(
    nodes: Byte,
    starts: Count,
    words: Word,
    stands: Byte,
    stand_words: Word,
    value: Float,
    weight: Float,
    rows: FloatAny,
    threads: int,
) -> tuple[Float, Float]:
    """Shapley values of all trees together, rows x (columns x outputs), and the value when nothing is known; trees
    made flat by ensemble/flat.py."""

def tally_outside(
    nodes: Byte,
    starts: Count,
    words: Word,
    stands: Byte,
    stand_words: Word,
    value: Float,
    weight: Float,
    rows: FloatAny,
    outside: Word,
    classes: Index | None,
    numbers: Float | None,
    row_weight: Float | None,
    sum: Float,
    many: Index,
    threads: int,
) -> tuple[Float, Index, Float, Float]:
    """The sum of the values of the trees each row is outside of and their number, both counted on from what is given;
    after each tree the weighted loss of the rows and the weight it is over."""

def permuted_rise(
    nodes: Byte,
    starts: Count,
    words: Word,
    stands: Byte,
    stand_words: Word,
    value: Float,
    weight: Float,
    rows: FloatAny,
    outside: Word,
    classes: Index | None,
    numbers: Float | None,
    row_weight: Float | None,
    seed: int,
    repeats: int,
    threads: int,
) -> tuple[Float, Float, float, float]:
    """For each column the rise of the loss when its cells are another row's: weighted sum over the rows, sum of
    squares; the weight of the rows, and of its squares."""
