"""One-word stumps on sparse counts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from tests.twins.boost_stump import mass, merit

from hedgerow.boost.boost_input import BoostInput, SparseColumns, rows_of_matrix
from hedgerow.boost.weak.word import Word
from hedgerow.core import native

RNG = np.random.default_rng(0)


def rows_of(dense, threads=1):
    columns = csr_array(dense).tocsc()
    sparse = SparseColumns(
        columns.indptr.astype(np.int64),
        columns.indices.astype(np.int32),
        columns.data.astype(float),
        len(dense),
    )
    return BoostInput(
        len(dense), tuple(f"w{j}" for j in range(dense.shape[1])), sparse=sparse, threads=threads
    )


def problem(seed, n, d):
    rng = np.random.default_rng(seed)
    dense = rng.poisson(0.4, (n, d)).astype(float)
    weight = rng.random(n) + 0.01
    return dense, rng.integers(0, 2, n), weight / weight.sum()


@pytest.mark.parametrize(
    ("output_kind", "kind"), [("signs", "error"), ("calibrated", "exponential"), ("abstaining", "one side")]
)
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**31), n=st.integers(2, 40), d=st.integers(1, 7))
def test_the_best_word(output_kind, kind, seed, n, d):
    dense, group, weight = problem(seed, n, d)
    weak = Word(output_kind).fit(rows_of(dense), np.where(group == 1, 1.0, -1.0), weight, RNG)
    worth = []
    for j in range(d):
        there = dense[:, j] > 0
        first, second = mass(there, group, 2, weight), mass(~there, group, 2, weight)
        if kind == "one side":
            worth.append((np.sqrt(first[0]) - np.sqrt(first[1])) ** 2)
        else:
            worth.append(merit(kind, first, second))
    assert weak.word == int(np.argmax(np.array(worth) >= max(worth) - 1e-11))
    outputs = weak.outputs(rows_of(dense))
    assert np.array_equal(outputs == weak.absent, dense[:, weak.word] == 0) or weak.absent == weak.present
    if output_kind == "abstaining":
        assert weak.absent == 0


def test_classes_and_words():
    dense = np.array([[1.0, 0, 2], [1, 0, 0], [0, 3, 0], [0, 1, 1], [0, 0, 5]])
    codes = np.array([0, 0, 1, 1, 1], np.int32)
    weak = Word().fit_classes(rows_of(dense), codes, 2, np.full(5, 0.2), RNG)
    assert np.array_equal(weak.choices(rows_of(dense)), codes)
    assert weak.describe() == "contains 'w0' -> silent, else +1"


def test_dense_rows_are_refused():
    with pytest.raises(ValueError, match=r"csr_array\(X\)"):
        Word().fit(rows_of_matrix(np.eye(3)), np.array([1.0, -1, 1]), np.full(3, 1 / 3), RNG)


def test_threads_do_not_change_masses():
    dense, group, weight = problem(3, 300, 2500)
    sparse = rows_of(dense).sparse
    found = [
        native.word_masses(sparse.start, sparse.row, group.astype(np.uint16), 2, weight, threads)
        for threads in (1, 2, 8)
    ]
    assert all(np.array_equal(one, found[0]) for one in found)
    assert found[0][7] == pytest.approx(mass(dense[:, 7] > 0, group, 2, weight))


@pytest.mark.parametrize("bad", [np.array([0, 5], np.int64), np.array([2, 1], np.int64)])
def test_a_matrix_that_lies(bad):
    with pytest.raises(ValueError, match="start must rise"):
        native.word_masses(bad, np.zeros(3, np.int32), np.zeros(2, np.uint16), 2, np.ones(2), 1)
