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
    min_wrong: float,
    min_loss: float,
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

def forked_leaves(
    nodes: Byte,
    words: Word,
    stand: Byte,
    stand_begin: Count,
    stand_words: Word,
    part: Float,
    rows: FloatAny,
    threads: int,
) -> Index:
    """The leaf of each row in any tree, packed by tree/pack.py; -1 where a missing cell is spread."""

def forked_values(
    nodes: Byte,
    words: Word,
    stand: Byte,
    stand_begin: Count,
    stand_words: Word,
    part: Float,
    rows: FloatAny,
    values: Float,
    threads: int,
) -> Float:
    """The value of each row: its leaf's, or its leaves' by share."""

def forked_ends(
    nodes: Byte,
    words: Word,
    stand: Byte,
    stand_begin: Count,
    stand_words: Word,
    part: Float,
    rows: FloatAny,
    threads: int,
) -> tuple[Count, Count, Float]:
    """Where rows end: row, leaf, share; row by row."""

def raised(
    nodes: Byte,
    words: Word,
    stand: Byte,
    stand_begin: Count,
    stand_words: Word,
    part: Float,
    rows: FloatAny,
    classes: Index,
    weight: Float | None,
    n_classes: int,
    log_confidence: float,
    z: float,
    tolerance: float,
    threads: int,
) -> tuple[Index, Byte, Float, Count]:
    """For each node: whose test and children it has now (-1: a leaf), whether its rows are others than before,
    the weight of each class and the number of its rows."""

def rule_sums(
    holds: Word,
    n_rows: int,
    begin: Count,
    part: Index,
    left: Byte,
    of_class: Word,
    weight: Float | None,
    decision: Index,
    threads: int,
) -> tuple[Float, Float]:
    """Wrong and right weight each rule covers (rules x 2), and would cover more without each precondition
    (preconditions x 2)."""

def rule_counts(
    holds: Word,
    n_rows: int,
    begin: Count,
    part: Index,
    left: Byte,
    of_class: Word,
    weight: Float | None,
    threads: int,
) -> tuple[Float, Count]:
    """The weight of each class that each rule covers (rules x classes), and the number of its rows."""

def take_rows(
    holds: Word,
    n_rows: int,
    begin: Count,
    part: Index,
    left: Byte,
    of_class: Word,
    decision: Index,
    first: int,
    taker: Index,
) -> Index:
    """By row: the first rule (counted from `first`) that takes it, of those that get some row right; -1: none."""
