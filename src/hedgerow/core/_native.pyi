"""The native module, as Python sees it. native/bindings has a file for each stage; tests/core compares the two."""

from collections.abc import Sequence
from typing import Any

from hedgerow.types import Byte, Codes, Count, Float, FloatAny, Index, SmallInt, UIndex, UShort, Word

def end_calls(now: bool) -> None:
    """While it is so, calls of all threads end with KeyboardInterrupt, as Ctrl-C ends those of the main thread."""

def instruction_set() -> str:
    """Of the clones that hot loops are compiled to, the one this processor takes: avx512f, avx2 or baseline."""

def rank_columns(columns: Sequence[FloatAny], threads: int) -> list[tuple[Codes, int, int]]:
    """For each column: its rank codes (missing = number of codes), the number of codes, of missing cells."""

def distinct_values(
    columns: Sequence[FloatAny], codes: Sequence[Codes], n_codes: Count, threads: int
) -> list[Float]:
    """The number of each rank code, column by column."""

def any_infinite(rows: FloatAny, threads: int) -> bool:
    """Whether a cell is an infinity; NaN is none."""

def rank_entries(
    start: Count, values: FloatAny, n_rows: int, threads: int
) -> tuple[UIndex, UIndex, Count, Count, Count, Float]:
    """Sparse columns: codes of the entries, code of all other rows, numbers of codes and of missing cells; where each
    column's values begin, and the value of each code."""

def criterion_names() -> dict[str, dict[str, bool]]:
    """The criteria of this build, in the order shown to users: name -> what it is (core/criteria.py)."""

def criterion_impurity(criterion: str, shares: Float) -> Float:
    """The impurity of each row of class shares (rows x classes)."""

def criterion_loss(criterion: str, target: Float, value: Float) -> Float:
    """The loss of each target where a value is predicted."""

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
    output_n_classes: Sequence[int],
    output_classes: Index | None,
    output_target: Float | None,
    weight: Float | None,
    rows: UIndex | None,
    limits: dict[str, Any],
    seed: int,
    trace: bool,
    exact: bool,
    subtree_rows: int,
    sparse: tuple[Any, ...] | None,
    threads: int,
) -> dict[str, Any]:
    """A tree by the names of Grown (grow/grow.py). `limits`: the fields of Limits (grow/limits.py). `sparse`: the
    arrays of SparseCodes (encode/sparse.py), in place of the codes."""

def optimal_tree(
    *,
    bits: Word,
    channels: Count,
    base: Count,
    farthest: Count,
    group: Index,
    cells: UShort,
    of_classes: bool,
    factor: float,
    least: Count,
    price: float,
    max_depth: int,
    max_splits: int,
    seconds: float,
    threads: int,
) -> dict[str, Any]:
    """The best tree of questions (native/optimal/problem.hpp): question and first child of each node, its cost, what no
    tree costs less than, sets of points solved, whether time ran out, the exception that ended it (or None)."""

def leaves(nodes: Byte, feature_bits: int, words: Word, rows: FloatAny, threads: int) -> Index:
    """The leaf of each row; nodes packed by tree/pack.py."""

def values(nodes: Byte, feature_bits: int, words: Word, rows: FloatAny, values: Float, threads: int) -> Float:
    """The value at the leaf of each row."""

def weakest_links(parent: Index, risk: Float) -> tuple[Float, Index, Float]:
    """Alpha at which each node is cut (+inf: never itself), the order of the cuts, the risk after each."""

_Rows = tuple[Float | None, Count | None, Index | None, Float | None, int]
_Solved = tuple[Float, Float, int, int, int, int, float, float, float, Float]

def multiway_leaves(
    nodes: Byte,
    words: Word,
    surrogates: Byte,
    surrogate_begin: Count,
    surrogate_words: Word,
    part: Float,
    rows: FloatAny,
    threads: int,
) -> Index:
    """The leaf of each row in any tree, packed by tree/pack.py; -1 where a missing cell is spread."""

def multiway_values(
    nodes: Byte,
    words: Word,
    surrogates: Byte,
    surrogate_begin: Count,
    surrogate_words: Word,
    part: Float,
    rows: FloatAny,
    values: Float,
    threads: int,
) -> Float:
    """The value of each row: its leaf's, or its leaves' by share."""

def multiway_ends(
    nodes: Byte,
    words: Word,
    surrogates: Byte,
    surrogate_begin: Count,
    surrogate_words: Word,
    part: Float,
    rows: FloatAny,
    threads: int,
) -> tuple[Count, Count, Float]:
    """Where rows end: row, leaf, share; row by row."""

def raised(
    nodes: Byte,
    words: Word,
    surrogates: Byte,
    surrogate_begin: Count,
    surrogate_words: Word,
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

def draw_counts(how: str, n_rows: int, size: int, order: UIndex, line: Float, seed: int, tree: int) -> UIndex:
    """How often the tree draws each row; ensemble/draws.py says what the arguments are."""

def draw_counts_of_places(
    how: str,
    n_order: int,
    size: int,
    seed: int,
    tree: int,
    place: Count,
    begin: Float,
    end: Float,
    line_end: float,
) -> UIndex:
    """The same of the rows at some places among the `n_order` that may be drawn. `begin`, `end`: their stretches of a
    line of length `line_end`; 0: all are of length one."""

def count_codes(
    codes: Codes, n_codes: int, rows: UIndex, classes: Index, weight: Float, n_classes: int
) -> Float:
    """Of some rows, by code (missing last): the weight of each class, then the number of rows."""

def sum_codes(
    codes: Codes, n_codes: int, rows: UIndex, target: Float, weight: Float, criterion: str, facts: Float
) -> Float:
    """The same of numbers: weight, rows, sum of weight x (target - centre), lowest and highest target. `facts` of the
    node: its weight, rows, lowest and highest target."""

def sum_node(rows: UIndex, target: Float, weight: Float, criterion: str, facts: Float) -> tuple[float, float]:
    """Of some rows of a node: the sum of weight x (target - centre), and of their losses."""

def node_stats(criterion: str, facts: Float, rest: float, loss: float) -> tuple[Float, float, float, bool]:
    """Class weights or mean, weight, impurity of a node, whether it is pure. `facts` of classes: the weight of each,
    and the rows; `rest`, `loss`: of numbers, the two sums of sum_node."""

def split_of_cells(
    criterion: str,
    limits: dict[str, Any],
    facts: Float,
    rest: float,
    loss: float,
    cells: Float,
    n_codes: int,
    n_levels: int,
    values: Float,
    key: int,
    column: int,
) -> tuple[float, int, Byte]:
    """The best split of a column of a node: the gain, the last code up to the threshold (-1: missing cells against all
    others), which codes go to the first child. `cells`: those of count_codes or sum_codes, of all rows."""

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
    exact: bool,
    limits: dict[str, Any],
    how: str,
    size: int,
    order: UIndex,
    line: Float,
    seed: int,
    first_tree: int,
    n_trees: int,
    sparse: tuple[Any, ...] | None,
    records: Byte | None,
    threads: int,
) -> list[dict[str, Any] | tuple[Any, ...]]:
    """For each tree what `grow` answers, or, as a tuple, a slim tree: first_child, feature and threshold (of inner
    nodes), n_rows and place (of leaves), table."""

def made_whole(slim: tuple[Any, ...], criterion: str) -> dict[str, Any]:
    """What `grow` answers, from a slim tree."""

def hash_rows(columns: Sequence[FloatAny], n_rows: int, threads: int = 1) -> Word:
    """A hash of each row's numbers."""

def hash_entries(start: Count, column: Index, values: FloatAny, n_columns: int) -> Word:
    """The same of sparse rows."""

def hash_more(hashes: Word, words: Word) -> Word:
    """The same with one more word a row."""

def pack_forest(
    trees: list[tuple[Any, ...]], n_features: int, narrow: bool
) -> tuple[Byte, int, Count, Word, Float]:
    """Trees as (feature, kind, threshold, first_child, missing_child, subset_start, subset_bits, value) or slim
    -> nodes, feature_bits (0: wide), first node of each tree and the end, words of subsets, table of leaf values."""

def forest_values(
    nodes: Byte, feature_bits: int, start: Count, words: Word, table: Float, rows: FloatAny, threads: int
) -> Float:
    """Rows x outputs: the mean over the trees of the table's row of each leaf."""

def forest_leaves(
    nodes: Byte, feature_bits: int, start: Count, words: Word, rows: FloatAny, threads: int
) -> Index:
    """Rows x trees: the leaf of each row."""

def forest_values_sparse(
    nodes: Byte,
    feature_bits: int,
    start: Count,
    words: Word,
    table: Float,
    rows: tuple[Count, Index, FloatAny, int],
    threads: int,
) -> Float:
    """The same of sparse rows (core/sparse_rows.py)."""

def forest_leaves_sparse(
    nodes: Byte,
    feature_bits: int,
    start: Count,
    words: Word,
    rows: tuple[Count, Index, FloatAny, int],
    threads: int,
) -> Index:
    """The same of sparse rows."""

def tree_seed(seed: int, tree: int) -> int:
    """The seed of one tree of a forest."""

def shap_values(
    nodes: Byte,
    starts: Count,
    words: Word,
    surrogates: Byte,
    surrogate_words: Word,
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
    surrogates: Byte,
    surrogate_words: Word,
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
    surrogates: Byte,
    surrogate_words: Word,
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
) -> tuple[Float, Float, Float, float, float]:
    """For each column the rise of the loss when its cells are another row's, each row's mean over its trees: weighted
    sum over the rows, sum of squares, sum of products of two different trees; the weight of the rows, and of its
    squares."""

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

def coarse_columns(
    codes: Sequence[Codes], n_codes: Count, n_levels: Index, threads: int
) -> tuple[Byte, UIndex, Count, Count, Count]:
    """coarse, order, order_start, bin_start, last_code: see native/boost/coarse.hpp."""

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
    signs: Float | None,
    group: UShort | None,
    n_groups: int,
    weight: Float,
    merit: str,
    threads: int,
) -> tuple[int, int, int, int, bool, float, Float, Float, Float, Byte]:
    """column, last code of the first side, a row with it and one with the next code (-1: none), missing on the first
    side, merit; weight of each group on the first side, on the second, in missing cells; levels on the first side."""

def side_answers(codes: Codes, n_codes: int, last: int, first: float, second: float, missing: float) -> Float:
    """Rows x 1: `first` for codes up to `last`, `missing` for missing cells, else `second`."""

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
    loss: str,
    margins: Float,
    since: Float,
    weight: Float,
    threads: int,
) -> tuple[float, float, float]:
    """Changes margins, since and weight in place. normaliser, loss (0 for "exponential"), error."""

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
    depth: Index,
    column: Index,
    amount: Float,
    rows: FloatAny,
    width: int,
    threads: int,
) -> Float:
    """Rows x width: what the leaves of all trees add up to; wide nodes as tree/pack.py makes them."""

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
    kernel_dot: Float | None,
    row_of: Index | None,
    tolerance: float,
    seconds: float,
    steps: int,
    bytes: int,
    threads: int,
) -> _Solved:
    """b, Kb a row, how it ended (0 solved, 1 time, 2 steps, 3 rounding), steps, rounds, kernel values computed, gap,
    seconds, worst curvature, history (seconds, gap). Rows: dense, or starts, columns and values; and the width.
    `kernel_dot`: Kb of the start, if known."""

def svm_solve_path(
    kernel: str,
    gamma: float,
    coef0: float,
    degree: int,
    rows: _Rows,
    wide: bool,
    c: Float,
    low: Float,
    high: Float,
    costs: Float,
    tolerance: float,
    seconds: float,
    steps: int,
    bytes: int,
    threads: int,
) -> list[_Solved]:
    """One for each cost, which rise; low and high are for the cost 1."""

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
    bytes: int,
    threads: int,
) -> _Solved:
    """The same on a kernel matrix; with `chosen`, on these rows and columns of it."""

def svm_trace_steps(
    matrix: Float, c: Float, low: Float, high: Float, tolerance: float, steps: int
) -> tuple[Count, Float]:
    """Steps one by one from zero: the variables that rise and fall; by how much, then gap, dual and primal."""

def svm_kernel_dot(
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

def svm_gram(kernel: str, rows: _Rows, wide: bool, threads: int) -> FloatAny:
    """Products of all rows with all, float64 if `wide`: what the values of this kernel are made of, for any gamma."""

def kernel_names() -> dict[str, dict[str, Any]]:
    """The kernels of this build: name -> what it is (core/kernels.py)."""

def svm_diagonal(kernel: str, gamma: float, coef0: float, degree: int, squares: Float) -> Float:
    """The kernel of each row with itself, from the rows' squared lengths."""

def svm_apply_kernel(
    kernel: str, gamma: float, coef0: float, degree: int, gram: FloatAny, threads: int
) -> FloatAny:
    """Kernel values from products of rows."""

def svm_solve_each(
    kernel: str,
    gamma: float,
    coef0: float,
    degree: int,
    given: _Rows,
    wide: bool,
    rows: Index,
    starts: Count,
    sign: Float,
    weight: Float,
    tolerance: float,
    seconds: float,
    steps: int,
    bytes: int,
    threads: int,
) -> tuple[Float, Float, Float, list[Float]]:
    """Machines for classes, each from rows of its own (native/svm/many.hpp): b and Kb, one machine after another; a
    line of numbers for each (ending, steps, rounds, kernel values, gap, seconds, curvature); histories."""

def svm_kernel_dot_each(
    kernel: str,
    gamma: float,
    coef0: float,
    degree: int,
    given: _Rows,
    rows: Index,
    coef: Float,
    rows_starts: Count,
    columns: Index,
    columns_starts: Count,
    threads: int,
) -> Float:
    """svm_kernel_dot of many machines in float64, each from rows of its own to columns of its own."""

def svm_solve_many(
    matrix: FloatAny,
    rows: Index,
    starts: Count,
    sign: Float,
    weight: Float,
    judged: Index,
    judged_starts: Count,
    costs: Float,
    tolerance: float,
    seconds: float,
    steps: int,
    threads: int,
) -> tuple[tuple[Float, Float, Float, list[Float]], Float]:
    """Machines on one kernel matrix, each for every cost: what svm_solve_each gives, and the scores of judged rows, one
    after another."""

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
    products: Float | None,
    seed: int,
    threads: int,
) -> tuple[Float, float, Float, int, int, Float]:
    """w, b, beta, iterations, ending (see native/linear/binary_svm.hpp), progress (seconds, primal, dual)."""

def linear_products(
    rows: tuple[Float | None, Count | None, Index | None, Float | None, int], *, intercept: bool, threads: int
) -> Float:
    """The mean of x x' over some of the rows (native/linear/products.hpp), for `products` of linear_solve."""

def linear_solve_l1(
    columns: tuple[Float | None, Count | None, Index | None, Float | None, int],
    sign: Float,
    cost: Float,
    *,
    tol: float,
    seconds: float,
    iterations: int,
    seed: int,
) -> tuple[Float, Float, int, int, Float]:
    """w, beta, iterations, ending, progress. `columns`: the rows of X transposed (native/linear/l1.hpp)."""

def linear_solve_classes(
    rows: tuple[Float | None, Count | None, Index | None, Float | None, int],
    codes: Index,
    classes: int,
    cost: Float,
    *,
    tol: float,
    seconds: float,
    iterations: int,
    seed: int,
) -> tuple[Float, Float, int, int, Float]:
    """w (classes x columns), beta (rows x classes), iterations, ending, progress (native/linear/crammer_singer.hpp)."""

def gradient_bin_edges(numbers: Sequence[FloatAny], max_bins: int, threads: int) -> list[Float]:
    """Of each column, the edges between its bins (native/gradient/bin.hpp)."""

def gradient_bin_codes(
    numbers: Sequence[FloatAny], edges: Sequence[Float], place: Count, codes: Byte, threads: int
) -> Count:
    """Writes codes[place of the column]; returns the number of missing cells of each column."""

def gradient_group_codes(
    codes: Byte,
    n_bins: Index,
    has_missing: Byte,
    others: tuple[Index, Count, UIndex, Byte] | None,
    grouped: Byte,
    threads: int,
) -> tuple[Count, UShort]:
    """The codes as histograms read them, written into `grouped`: a byte a cell of columns that are not sparse, and 16
    more. Returns where the entries of each row begin, and the entries of sparse columns."""

def gradient_find_others(codes: Byte, min_rows: int, threads: int) -> tuple[Index, Count, UIndex, Byte]:
    """Of each column the code of nearly all rows (-1: none, -2: fewer than min_rows have another) and where its other
    cells begin; their rows and codes."""

def gradient_bin_entries(
    start: Count, row: UIndex, values: FloatAny, n_rows: int, max_bins: int, min_rows: int, threads: int
) -> tuple[list[Float], Byte, tuple[Index, Count, UIndex, Byte], Byte]:
    """Of a sparse table the edges of each column, whether it has missing cells, what gradient_find_others returns, and
    the codes of columns that are not sparse."""

def gradient_quantise(gradient: Float, hessian: Float, threads: int) -> tuple[Count, float, float]:
    """A word for each row, and the units of gradient and hessian (native/gradient/quantise.hpp)."""

class GradientSpareMemory:
    """Memory kept from tree to tree of one table (native/gradient/grow.hpp); for one thread at a time."""

    def __init__(self) -> None: ...
    @property
    def n_histograms(self) -> int: ...

def gradient_grow(
    *,
    codes: Byte,
    grouped: Byte,
    others: tuple[Index, Count, UIndex, Byte] | None = None,
    entries: tuple[Count, UShort] | None = None,
    n_bins: Index,
    has_missing: Byte,
    categorical: Byte,
    monotone: SmallInt,
    gradient: Float,
    hessian: Float,
    rows: UIndex | None,
    used_columns: Byte | None,
    interactions: Sequence[Sequence[int]],
    max_leaves: int,
    max_depth: int,
    level_by_level: bool,
    min_rows: int,
    enough_hessian: float,
    min_hessian: float,
    min_gain: float,
    l1: float,
    l2: float,
    category_smoothing: float,
    category_l2: float,
    category_cost: float,
    few_levels: int,
    min_level_rows: float,
    max_features: int,
    seed: int,
    block_rows: int,
    spare: GradientSpareMemory | None = None,
    threads: int,
) -> tuple[
    Index, Index, Index, Byte, Byte, Word, Float, Float, Float, Count, Count, Index, Float, Float, UIndex
]:
    """column, bin, first_child, categorical, missing_left, levels (nodes x 4), value, gain, hessian, begin, n_rows,
    depth, low, high; then the rows, sorted by leaf."""

def gradient_add_leaves(
    rows: UIndex, begin: Count, n_rows: Count, value: Float, scores: Float, threads: int
) -> None:
    """scores[rows of a leaf] += the leaf's value."""

def gradient_add_left_out(
    *,
    rows: UIndex,
    begin: Count,
    n_rows: Count,
    value: Float,
    leaf_hessian: Float,
    gradient: Float,
    hessian: Float,
    weight: Float | None,
    rate: float,
    times: float,
    scores: Float,
    threads: int,
) -> None:
    """scores[rows of a leaf] += the leaf's value, the row's own part in it taken off `times` times. `leaf_hessian`:
    with the penalty."""

def gradient_add_by_codes(
    *,
    codes: Byte,
    others: tuple[Index, Count, UIndex, Byte] | None = None,
    n_bins: Index,
    has_missing: Byte,
    is_category: Byte,
    column: Index,
    bin: Index,
    first_child: Index,
    categorical: Byte,
    missing_left: Byte,
    levels: Word,
    value: Float,
    scores: Float,
    threads: int,
) -> None:
    """scores += the tree's value for every row of codes."""

def gradient_add_trees(
    nodes: Byte,
    words: Word,
    root: Count,
    depth: Index,
    output: Index,
    value: Float,
    rows: FloatAny,
    out: Float,
    threads: int,
) -> None:
    """out (rows x outputs) += the sum of the trees."""

def gradient_code_levels(
    rows: FloatAny, column: Index, unseen: Float, start: Count, code: Float, threads: int
) -> Float:
    """The rows with their categories as level numbers (native/gradient/level_codes.hpp)."""

def gradient_find_cells(edges: Float) -> Byte:
    """Of columns x edges: where to look for a number among them (native/gradient/predict_blocks.hpp)."""

def gradient_add_blocks(
    nodes: Byte,
    start: Count,
    value: Float,
    leaf_start: Count,
    output: Index,
    goes_left: Byte,
    column: Index,
    n_levels: Index,
    edges: Float,
    cells: Byte,
    rows: FloatAny,
    out: Float,
    threads: int,
) -> None:
    """The same for many rows, 64 at a time (native/gradient/predict_blocks.hpp)."""

def binary_log_loss_gradients(
    raw: Float, y: Float, weight: Float | None, gradient: Float, hessian: Float, threads: int
) -> None: ...
def multinomial_gradients(
    raw: Float, y: Index, weight: Float | None, gradient: Float, hessian: Float, threads: int
) -> None: ...
def sum_of_squares(x: Float, threads: int) -> Count:
    """As sum_exactly, of the squares."""

def sum_exactly(x: Float, threads: int) -> Count:
    """The limbs of the sum (native/common/exact_sum.hpp), which add up over any pieces."""

def binary_probabilities(raw: Float, threads: int) -> Float:
    """Rows x 2, of log odds of the second class."""

def class_probabilities(raw: Float, threads: int) -> Float:
    """Rows x classes, by softmax of raw (classes x rows)."""

def exp_values(x: Float, threads: int) -> Float:
    """exp, the same bits on every processor."""

# Gradient boosting in parts, for rows that lie in several places.

def gradient_count_values(
    before: Sequence[tuple[int, Count, Float, Float]], numbers: Sequence[FloatAny], threads: int
) -> list[tuple[int, Count, Float, Float]]:
    """Of each column the cells of its values (native/gradient/value_cells.hpp): shift; count, least and largest value
    of each cell. `before`: what was counted so far."""

def gradient_merge_cells(
    a: tuple[int, Count, Float, Float], b: tuple[int, Count, Float, Float]
) -> tuple[int, Count, Float, Float]: ...
def gradient_cell_edges(cells: tuple[int, Count, Float, Float], max_bins: int) -> Float: ...
def gradient_extent(
    gradient: Float, hessian: Float, rows: UIndex | None, threads: int
) -> tuple[float, float, float, bool]:
    """The largest |gradient|, the largest and the least hessian, and whether all are sound."""

def gradient_coarse_sums(
    gradient: Float,
    hessian: Float,
    rows: UIndex | None,
    extent: tuple[float, float, float, bool],
    threads: int,
) -> tuple[int, int, int]: ...
def gradient_units(
    extent: tuple[float, float, float, bool], sums: tuple[int, int, int], n_rows: int
) -> tuple[float, float, int, int, float, bool]:
    """The units of a round, from the extent and the sums of all rows (native/gradient/quantise.hpp)."""

def gradient_words(
    gradient: Float,
    hessian: Float,
    rows: UIndex | None,
    units: tuple[float, float, int, int, float, bool],
    threads: int,
) -> Count: ...
def gradient_histogram(
    codes: Byte, grouped: Byte, n_bins: Index, has_missing: Byte, words: Count, rows: UIndex, threads: int
) -> Count: ...
def gradient_cell_starts(n_bins: Index, has_missing: Byte) -> Count:
    """The first cell of each column in a histogram."""

def gradient_choose(
    *,
    n_bins: Index,
    has_missing: Byte,
    categorical: Byte,
    monotone: SmallInt,
    cells: Count,
    counts: Count | None,
    total: int,
    n_rows: int,
    low: float,
    high: float,
    allowed: Byte,
    units: tuple[float, float, int, int, float, bool],
    min_rows: int,
    enough_hessian: float,
    min_hessian: float,
    min_gain: float,
    l1: float,
    l2: float,
    category_smoothing: float,
    category_l2: float,
    category_cost: float,
    few_levels: int,
    min_level_rows: float,
) -> tuple[bool, float, int, int, bool, bool, int, Word, float, float, float]:
    """The best split of a node: whether it is sure (else counts are wanted), gain, column (-1: none), bin, categorical,
    missing_left, the word of the left side, levels that go left; the values of left side, right side and node."""

def gradient_part(codes: Byte, goes_left: Byte, rows: UIndex, threads: int) -> int:
    """The rows of a node in place, those that go left first; returns how many."""

def gradient_leaf_sums(
    gradient: Float,
    hessian: Float,
    rows: UIndex,
    begin: Count,
    n_rows: Count,
    units: tuple[float, float, int, int, float, bool],
    threads: int,
) -> tuple[Count, Count]: ...
def gradient_node_values(
    first_child: Index,
    low: Float,
    high: Float,
    gradient: Count,
    hessian: Count,
    units: tuple[float, float, int, int, float, bool],
    l1: float,
    l2: float,
) -> tuple[Float, Float]:
    """Value and hessian of each node from the sums of its leaves."""
