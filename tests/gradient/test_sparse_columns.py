"""Sparse columns: entries against cells written out, and the model of dense histograms to the bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.gradient.test_bits import bits

from hedgerow.core import native
from hedgerow.gradient import BoostParams, LossOptions, bin_table, boost, load_loss
from hedgerow.gradient.bins import Bins, encode_block, group
from hedgerow.table import to_table

N = 1_203


def counted(n, d, seed):
    """Counts of words, most of them zero; some cells missing."""
    rng = np.random.default_rng(seed)
    X = rng.poisson(rng.uniform(0.002, 0.2, d), (n, d)).astype(np.float64)
    X[rng.random((n, d)) < 0.001] = np.nan
    return X, rng


def written_out(binned):
    """Codes of all columns; 0 in those that cannot be split, which are not there."""
    usual, start, row, code = binned.sparse.others
    codes = np.zeros((len(usual), binned.n_rows), np.uint8)
    codes[usual == -1] = binned.codes
    for j in np.flatnonzero(usual >= 0):
        codes[j] = usual[j]
        codes[j, row[start[j] : start[j + 1]]] = code[start[j] : start[j + 1]]
    return codes


@given(st.integers(0, 1000), st.sampled_from([np.float32, np.float64]), st.integers(2, 9))
def test_bins_of_entries_are_those_of_the_cells(seed, dtype, max_bins):
    sparse = pytest.importorskip("scipy.sparse")
    X, _ = counted(37, 5 if seed % 2 else 53, seed)
    X[:, 1:9:2] -= 1.0  # no zeros but few
    X = X.astype(dtype)
    matrix = sparse.csr_array(X)
    matrix.data[::7] = 0.0  # entries of zero
    found = bin_table(to_table(matrix), max_bins=max_bins)
    wanted = bin_table(to_table(matrix.toarray()), max_bins=max_bins)
    np.testing.assert_array_equal(found.codes, wanted.codes)
    np.testing.assert_array_equal(found.grouped[: found.codes.size], wanted.grouped[: wanted.codes.size])
    np.testing.assert_array_equal(written_out(found), written_out(wanted))
    for own, other in zip(
        found.sparse.others + found.sparse.entries, wanted.sparse.others + wanted.sparse.entries, strict=True
    ):
        np.testing.assert_array_equal(own, other)
    np.testing.assert_array_equal(found.has_missing, wanted.has_missing)
    for own, other in zip(found.edges, wanted.edges, strict=True):
        np.testing.assert_array_equal(own, other)


@given(st.integers(0, 1000), st.integers(1, 30))
def test_usual_codes_are_those_of_nearly_all_rows(seed, min_rows):
    rng = np.random.default_rng(seed)
    codes = (rng.random((70, 101)) < rng.uniform(0, 0.3, (70, 1))).astype(np.uint8) * 3
    found, start, row, code = native.gradient_find_others(codes, min_rows, 1)
    other = np.minimum((codes == 0).sum(axis=1), (codes == 3).sum(axis=1))
    usual = np.where((codes == 0).sum(axis=1) >= 51, 0, 3)
    sparse = (other >= min_rows) & (other <= 101 // 8)
    wanted = np.where(other < min_rows, -2, np.where(sparse & (sparse.sum() >= 32), usual, -1))
    np.testing.assert_array_equal(found, wanted)
    others = (codes != wanted[:, None]) & (wanted >= 0)[:, None]
    np.testing.assert_array_equal(start, np.cumsum([0, *others.sum(axis=1)]))
    np.testing.assert_array_equal(row, np.nonzero(others)[1])
    np.testing.assert_array_equal(code, codes[others])


def both(min_rows):
    """The same codes with sparse columns, and with all of them dense."""
    X, rng = counted(N, 80, 5)
    columns = {f"w{j}": X[:, j] for j in range(80)} | {
        "number": rng.normal(size=N),
        "never": np.repeat([0.0, 1.0], [N - 2, 2]),
        "town": np.array([f"t{k}" for k in rng.integers(0, 9, N)], dtype=object),
        "rare": np.where(rng.random(N) < 0.05, "yes", "no").astype(object),
    }
    table = to_table(columns)
    sparse = bin_table(table, min_rows=min_rows)
    bins = Bins(sparse.schema, sparse.n_bins, sparse.has_missing, sparse.edges, sparse.code_of_level)
    y = np.nan_to_num(X[:, 70:]).sum(axis=1) + columns["number"] + (columns["rare"] == "yes")
    return sparse, group(bins, encode_block(bins, table), np.empty, 1), (y > np.median(y)).astype(np.float64)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"threads": 3, "block_rows": 64},
        {"subsample": 0.6, "block_rows": 7},
        {"node_features": 0.3, "level_by_level": True},
    ],
)
def test_models_are_those_of_dense_histograms(options):
    sparse, dense, y = both(min_rows=5)
    assert (sparse.sparse.others[0] >= 0).sum() > 32
    assert (sparse.sparse.others[0] == -2).any()
    loss = load_loss("log_loss", "classes", LossOptions(n_classes=2))
    params = BoostParams(max_iter=6, min_rows=5, l2=1.0, **options)
    found, wanted = (
        boost(binned, y, None, loss, params, np.random.default_rng(1)) for binned in (sparse, dense)
    )
    assert bits(found) == bits(wanted)


@settings(max_examples=10)
@given(st.integers(0, 1000), st.sampled_from([{}, {"threads": 2, "block_rows": 100}, {"subsample": 0.7}]))
def test_columns_of_few_other_cells_are_looked_at_where_a_leaf_may_have_so_few(seed, options):
    """Rows of the second or third class stand in 40 rows, of which the first columns tell some apart."""
    rng = np.random.default_rng(seed)
    X = np.zeros((900, 60))
    X[:40, 50] = 1.0
    X[:12, :20] = rng.random((12, 20)) < 0.8
    X[:, 20:50] = rng.random((900, 30)) < rng.uniform(0.004, 0.1, 30)
    y = np.zeros(900)
    y[:40] = np.repeat([1.0, 2.0], [12, 28])
    table = to_table(X)
    sparse = bin_table(table, min_rows=5)
    assert (sparse.sparse.others[0] >= 0).sum() > 32
    bins = Bins(sparse.schema, sparse.n_bins, sparse.has_missing, sparse.edges, sparse.code_of_level)
    dense = group(bins, encode_block(bins, table), np.empty, 1)
    loss = load_loss("log_loss", "classes", LossOptions(n_classes=3))
    params = BoostParams(max_iter=15, **options)
    found, wanted = (
        boost(binned, y, None, loss, params, np.random.default_rng(1)) for binned in (sparse, dense)
    )
    assert bits(found) == bits(wanted)
    assert options == {"subsample": 0.7} or found.n_rows[found.first_child < 0].min() < 20


def test_columns_that_cannot_be_split_leave_a_constant():
    X = np.zeros((50, 40))
    X[:3] = 1.0
    binned = bin_table(to_table(X), min_rows=4)
    assert (binned.sparse.others[0] == -2).all()
    loss = load_loss("squared_error", "numbers", LossOptions())
    trees = boost(binned, X[:, 0], None, loss, BoostParams(max_iter=2, min_rows=4), np.random.default_rng(1))
    assert trees.n_trees == 2 == len(trees.value)


def test_native_refuses_parts_that_do_not_fit():
    codes = np.zeros((1, 5), np.uint8)
    n_bins, none = np.array([2, 2, 2], np.int32), np.zeros(3, np.uint8)
    grouped = np.empty(5 + 16, np.uint8)

    def group_codes(usual=(0, -1, 0), start=(0, 1, 1, 2), row=(0, 4), code=(1, 1), grouped=grouped):
        others = (
            np.array(usual, np.int32),
            np.array(start),
            np.array(row, np.uint32),
            np.array(code, np.uint8),
        )
        return native.gradient_group_codes(codes, n_bins, none, others, grouped, 1)

    group_codes()
    for wrong, message in (
        ({"usual": (0, -1, 9)}, "usual code is larger"),
        ({"usual": (0, 0, 0)}, "codes"),
        ({"start": (0, 1, 0, 2)}, "start must rise"),
        ({"start": (0, 1, 1, 3)}, "start is out of range"),
        ({"row": (0, 5)}, "rows of a sparse column"),
        ({"start": (0, 2, 2, 2), "row": (3, 3)}, "rows of a sparse column"),
        ({"code": (1, 2)}, "code is larger"),
        ({"grouped": grouped[:-1]}, "grouped"),
    ):
        with pytest.raises(ValueError, match=message):
            group_codes(**wrong)
    start, row, values = np.array([0, 1, 1, 2]), np.array([0, 7], np.uint32), np.ones(2)
    with pytest.raises(ValueError, match="row is out of range"):
        native.gradient_bin_entries(start, row, values, 5, 9, 1, 1)
    with pytest.raises(ValueError, match="start must rise"):
        native.gradient_bin_entries(start[::-1].copy(), row, values, 9, 9, 1, 1)
