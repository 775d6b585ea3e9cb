"""Native stumps against every test tried one by one."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from tests.twins.boost_stump import best_merit, mass, merit

from hedgerow.boost import BoostInput, rows_of_matrix
from hedgerow.boost.weak.stump import Stump, _best
from hedgerow.encode import schema_of
from hedgerow.table import to_table

RNG = np.random.default_rng(0)
MERIT = {"signs": "error", "abstaining": "silence", "calibrated": "exponential"}


def rows_of(matrix, categories, threads=1):
    table = to_table(matrix, categories=categories or None)
    return BoostInput(table.n_rows, table.names, table, schema_of(table), threads=threads)


def problem(seed, n, d, values, missing, categories, groups=2):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, values, size=(n, d)).astype(float)
    matrix[:, categories] = np.minimum(matrix[:, categories], 4)
    matrix[rng.random((n, d)) < missing] = np.nan
    group = rng.integers(0, groups, n)
    weight = rng.random(n) ** 2 + 1e-6
    return matrix, group, weight / weight.sum()


problems = st.tuples(
    st.integers(0, 2**31),
    st.integers(2, 40),
    st.integers(1, 5),
    st.sampled_from([1, 2, 3, 30]),
    st.sampled_from([0, 0.3]),
)


@pytest.mark.parametrize("output_kind", sorted(MERIT))
@settings(max_examples=40, deadline=None)
@given(drawn=problems, with_categories=st.booleans())
def test_no_test_is_worth_more(output_kind, drawn, with_categories):
    categories = [0] if with_categories else []
    matrix, group, weight = problem(*drawn, categories)
    rows = rows_of(matrix, categories)
    signs = np.where(group == 1, 1.0, -1.0)
    best, column = best_merit(rows.matrix, rows.schema.n_levels, group, 2, weight, MERIT[output_kind])
    weak, outputs = Stump(output_kind).fit_predict(rows, signs, weight, RNG)
    assert np.array_equal(outputs, weak.outputs(rows))
    if column < 0:  # no column has two values: one answer for all
        assert len(np.unique(outputs)) == 1
        return
    assert weak.column == column
    first = answers_side(weak, rows)
    found = merit(MERIT[output_kind], mass(first, group, 2, weight), mass(~first, group, 2, weight))
    assert found == pytest.approx(best, abs=1e-11)


def answers_side(weak, rows):
    """The rows on the first side, from the test alone."""
    values = np.asarray(rows.matrix[:, weak.column], float)
    first = np.isin(values, weak.levels) if weak.n_levels else values <= weak.threshold
    return np.where(np.isnan(values), weak.missing == weak.first, first)


@settings(max_examples=30, deadline=None)
@given(drawn=problems, groups=st.integers(3, 5), criterion=st.sampled_from(["error", "gini"]))
def test_classes(drawn, groups, criterion):
    matrix, group, weight = problem(*drawn, [], groups)
    rows = rows_of(matrix, [])
    best, column = best_merit(rows.matrix, rows.schema.n_levels, group, groups, weight, criterion)
    weak = Stump(criterion=criterion).fit_classes(rows, group.astype(np.int32), groups, weight, RNG)
    if column < 0:
        assert len(np.unique(weak.choices(rows))) == 1
        return
    assert weak.column == column
    values = rows.matrix[:, weak.column]
    sides = []
    for missing_first in (False, True):
        first = np.where(np.isnan(values), missing_first, values <= weak.threshold)
        if first.any() and not first.all():
            sides.append(
                merit(criterion, mass(first, group, groups, weight), mass(~first, group, groups, weight))
            )
    assert max(sides) == pytest.approx(best, abs=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("output_kind", sorted(MERIT))
@pytest.mark.parametrize("signal", [0.0, 1.0])
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_columns_of_many_values_are_exact(output_kind, signal, missing):
    """More values than coarse codes: thresholds inside a coarse code are found where they are best."""
    rng = np.random.default_rng(7)
    n, d = 3001, 3
    matrix = np.round(rng.normal(size=(n, d)), 3)
    matrix[rng.random((n, d)) < missing] = np.nan
    score = signal * np.nan_to_num(np.sin(3 * matrix[:, 1])) + rng.normal(size=n)
    group, weight = (score > 0.2).astype(int), rng.exponential(size=n) ** 2
    weight /= weight.sum()
    rows = rows_of_matrix(matrix)
    assert max(rows.encoded.n_codes) > 256
    best, column = best_merit(matrix, [0] * d, group, 2, weight, MERIT[output_kind])
    weak = Stump(output_kind).fit(rows, np.where(group == 1, 1.0, -1.0), weight, RNG)
    first = answers_side(weak, rows)
    assert weak.column == column
    assert merit(
        MERIT[output_kind], mass(first, group, 2, weight), mass(~first, group, 2, weight)
    ) == pytest.approx(best, abs=1e-11)


@pytest.mark.parametrize("criterion", ["error", "gini"])
def test_many_values_and_classes(criterion):
    rng = np.random.default_rng(8)
    matrix = rng.normal(size=(1500, 2))
    group = np.clip(np.round(matrix[:, 0] + rng.normal(size=1500)), -1, 2).astype(int) + 1
    weight = rng.exponential(size=1500)
    weight /= weight.sum()
    best, column = best_merit(matrix, [0, 0], group, 4, weight, criterion)
    weak = Stump(criterion=criterion).fit_classes(
        rows_of_matrix(matrix), group.astype(np.int32), 4, weight, RNG
    )
    first = matrix[:, weak.column] <= weak.threshold
    assert weak.column == column
    assert merit(criterion, mass(first, group, 4, weight), mass(~first, group, 4, weight)) == pytest.approx(
        best
    )


def test_many_levels():
    """A category of more levels than coarse codes: the levels that lean one way against the others."""
    rng = np.random.default_rng(3)
    level = rng.integers(0, 400, 4000)
    signs = np.where(rng.random(4000) < np.where(level % 2, 0.9, 0.1), 1.0, -1.0)
    weight = np.full(4000, 1 / 4000)
    rows = rows_of(level[:, None].astype(float), [0])
    weak, outputs = Stump().fit_predict(rows, signs, weight, RNG)
    pull = np.bincount(level, signs, minlength=400)
    assert weight[outputs != signs].sum() == pytest.approx(
        sum(
            np.minimum(
                np.bincount(level[signs > 0], minlength=400), np.bincount(level[signs < 0], minlength=400)
            )
        )
        / 4000
    )
    assert set(weak.levels) <= set(np.flatnonzero(pull <= 0).tolist())


@pytest.mark.parametrize("output_kind", sorted(MERIT))
def test_threads_do_not_change_the_stump(output_kind):
    rng = np.random.default_rng(5)
    n = 140_001  # more than one block of rows
    matrix = rng.normal(size=(n, 11)).astype(np.float32)
    signs = np.where(matrix[:, 3] + rng.normal(size=n) > 0, 1.0, -1.0)
    weight = rng.exponential(size=n)
    weight /= weight.sum()
    found = []
    for threads in (1, 2, 3, 8):
        weak = Stump(output_kind).fit(replace(rows_of_matrix(matrix), threads=threads), signs, weight, RNG)
        found.append((weak.column, weak.threshold, weak.first, weak.second))
    assert len(set(found)) == 1


def test_what_was_never_seen():
    """Missing cells and levels that training rows did not have: the heavier side; abstainers are silent."""
    table = to_table({"c": ["a"] * 6 + ["b"] * 3})
    rows = BoostInput(9, table.names, table, schema_of(table))
    signs, weight = np.repeat([1.0, -1.0], [6, 3]), np.full(9, 1 / 9)
    new = to_table({"c": ["z", None, "a", "b"]})
    drawn = BoostInput(4, new.names, new, rows.schema)
    assert Stump().fit(rows, signs, weight, RNG).outputs(drawn).tolist() == [1, 1, 1, -1]
    silent = Stump("abstaining").fit(rows, signs, weight, RNG).outputs(drawn)
    assert silent[:2].tolist() == [0, 0]
    assert np.count_nonzero(silent) == 1


def test_missing_cells_can_be_the_answer():
    values = np.array([1.0, np.nan, 2.0, np.nan, 3.0, np.nan, 1.5])
    signs = np.where(np.isnan(values), 1.0, -1.0)
    rows = rows_of_matrix(values[:, None])
    weak, outputs = Stump().fit_predict(rows, signs, np.full(7, 1 / 7), RNG)
    assert np.array_equal(outputs, signs)
    assert weak.threshold == np.inf


def test_ties_go_to_the_first_column_and_the_lowest_threshold():
    x = np.array([0.0, 1, 2, 3, 4])
    signs = np.array([1.0, -1, -1, -1, 1])
    weak = Stump().fit(rows_of_matrix(np.column_stack([x, x])), signs, np.full(5, 0.2), RNG)
    assert (weak.column, weak.threshold) == (0, 0.5)


@pytest.mark.parametrize("scale", [1e300, 1e-300])
def test_huge_and_tiny_numbers(scale):
    x = np.array([[1.0], [2.0], [3.0], [5.0]]) * scale
    weak, outputs = Stump().fit_predict(rows_of_matrix(x), np.array([1.0, 1, -1, -1]), np.full(4, 0.25), RNG)
    assert outputs.tolist() == [1, 1, -1, -1]
    assert 2 * scale <= weak.threshold < 3 * scale


@given(st.integers(0, 10**6), st.sampled_from(["error", "gini", "exponential", "silence"]))
@settings(max_examples=60, deadline=None)
def test_sparse_rows_have_the_stump_of_the_table_written_out(seed, by):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 90)), int(rng.integers(1, 300))
    cells = rng.integers(-1, 3, (n, d)) * (rng.normal(size=(n, d)) if seed % 2 else 1.0)
    cells[rng.random((n, d)) < rng.choice([0.0, 0.7, 0.98])] = 0
    if seed % 3 == 0:
        cells[rng.random((n, d)) < 0.05] = np.nan
    groups = 3 if by in ("error", "gini") and seed % 4 == 0 else 2
    group = rng.integers(0, groups, n).astype(np.uint16)
    group = group if groups == 3 else np.where(group > 0, 1.0, -1.0)
    weight = rng.random(n)
    weight /= weight.sum()
    rows = [
        BoostInput(n, table.names, table, schema_of(table))
        for table in (to_table(cells), to_table(csr_matrix(cells)))
    ]
    dense, by_entries = (_best(one, group, groups, weight, by) for one in rows)
    assert repr(by_entries) == repr(dense)
