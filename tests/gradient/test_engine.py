"""The engine: fixed point, splits and values against slow twins; the same bits for any threads and blocks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.gradient.engine import grow, sample
from tests.twins import gradient as twin

from hedgerow.core import native
from hedgerow.gradient import BoostParams

FLOATS = st.floats(-1e6, 1e6, allow_subnormal=False)


@given(st.lists(st.tuples(FLOATS, st.floats(0, 1e3, allow_subnormal=False)), min_size=1, max_size=30))
def test_words_are_those_of_the_twin(pairs):
    g, h = (np.array(column) for column in zip(*pairs, strict=True))
    words, g_unit, h_unit = native.gradient_quantise(g, h, 1)
    g_twin, h_twin, units = twin.quantise(g.tolist(), h.tolist())
    np.testing.assert_array_equal(words >> 32, g_twin)
    np.testing.assert_array_equal(words & 0xFFFFFFFF, h_twin)
    assert g_unit == units.gradient
    assert h_unit == pytest.approx(units.hessian, rel=1e-15)


@given(st.integers(1, 50), st.integers(0, 10**6))
def test_a_positive_hessian_is_never_zero_and_sums_fit(n, seed):
    rng = np.random.default_rng(seed)
    g, h = rng.standard_cauchy(n), np.exp(rng.normal(0, 20, n))
    words, _, _ = native.gradient_quantise(g, h, 1)
    assert (words & 0xFFFFFFFF).min() >= 1
    assert (words & 0xFFFFFFFF).sum() < 2**31
    assert np.abs(words >> 32).sum() < 2**31


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_refused(bad):
    with pytest.raises(ValueError, match="not finite"):
        native.gradient_quantise(np.array([1.0, bad]), np.ones(2), 1)
    with pytest.raises(ValueError, match="below zero"):
        native.gradient_quantise(np.ones(2), np.array([1.0, -0.5]), 1)


@given(
    st.integers(3, 60),
    st.integers(1, 3),
    st.integers(0, 10**6),
    st.sampled_from([1, 2, 5]),
    st.sampled_from([0.0, 0.4]),
    st.sampled_from([0.0, 1.5]),
)
def test_the_first_split_has_the_gain_of_the_twin(n, d, seed, min_rows, l1, l2):
    codes, n_bins, has_missing, g, h = sample(n, d, seed, bins=5)
    limits = {"min_rows": min_rows, "l1": l1, "l2": l2, "min_hessian": 0.01}
    tree = grow(codes, n_bins, has_missing, g, h, max_leaves=2, **limits)
    best = twin.best_gain(codes, n_bins, has_missing, g, h, **limits)
    assert tree.gain[0] == pytest.approx(best, rel=1e-9, abs=1e-9)
    if len(tree.column) > 1:
        assert tree.n_rows[1:].min() >= min_rows


@given(st.integers(40, 60), st.integers(0, 10**6), st.sampled_from([0.0, 1.0, 2.0]), st.booleans())
def test_few_rows_are_enough_with_that_hessian(n, seed, enough, equal):
    codes, n_bins, has_missing, g, h = sample(n, 2, seed, bins=9)
    h = np.full(n, 0.2) if equal else h
    limits = {"min_rows": 20, "l1": 0.0, "l2": 1.0, "min_hessian": 0.0, "enough_hessian": enough}
    tree = grow(codes, n_bins, has_missing, g, h, max_leaves=2, **limits)
    best = twin.best_gain(codes, n_bins, has_missing, g, h, **limits)
    assert tree.gain[0] == pytest.approx(best, rel=1e-9, abs=1e-9)
    if len(tree.column) > 1:
        assert tree.n_rows[1:].min() >= 5


def units_of(g, h, rows):
    extent = native.gradient_extent(g, h, rows, 1)
    return native.gradient_units(extent, native.gradient_coarse_sums(g, h, rows, extent, 1), len(rows))


@given(
    st.integers(0, 10**6),
    st.sampled_from([{"min_rows": 1}, {"min_rows": 6}, {"min_rows": 20, "enough_hessian": 1.5}]),
    st.sampled_from([{}, {"l1": 0.4, "l2": 1.5}, {"min_hessian": 0.8, "l2": 0.1}, {"min_gain": 2.0}]),
    st.sampled_from([{}, {"category_cost": 0.0, "min_level_rows": 2.0, "category_smoothing": 0.5}]),
    st.sampled_from([0, 1, -1]),
    st.booleans(),
)
def test_histogram_choice_and_values_are_those_of_the_twin(seed, least, penalty, category, way, bounded):
    """Of drawn rows with weights, some of them zero; numbers, some of them monotone, and levels; missing cells."""
    rng = np.random.default_rng(seed)
    n, n_bins, has_missing = int(rng.integers(40, 120)), np.array([9, 6, 7, 3]), np.array([0, 1, 1, 0])
    categorical, monotone = np.array([0, 0, 1, 1]), np.array([way, way, 0, 0])
    codes = rng.integers(0, (n_bins + has_missing)[:, None], (4, n)).astype(np.uint8)
    weight = rng.choice([0.0, 1.0, 2.5], n)
    g = weight * (rng.normal(size=n) + 0.5 * (codes[1] > 2) - (codes[2] % 3 == 1))
    h = weight * rng.uniform(0.05, 0.25, n)
    rows = np.flatnonzero(rng.random(n) < 0.8).astype(np.uint32)
    units = units_of(g, h, rows)
    words = native.gradient_words(g, h, rows, units, 1)
    grouped = np.empty(codes.size + 16, np.uint8)
    shape = n_bins.astype(np.int32), has_missing.astype(np.uint8)
    native.gradient_group_codes(codes, *shape, None, grouped, 1)
    cells, counts = (
        native.gradient_histogram(codes, grouped, *shape, numbers, rows, 1)
        for numbers in (words, np.ones(n, np.int64))
    )
    for own, start, n_codes in zip(
        codes, native.gradient_cell_starts(*shape), n_bins + has_missing, strict=True
    ):
        slow = twin.histogram(own[rows], words[rows], n_codes)
        np.testing.assert_array_equal(cells[start : start + n_codes], slow)
    low, high = (-0.3, 0.4) if bounded and way else (-np.inf, np.inf)
    rules = twin.Rules(**least, **penalty, **category)
    sure, gain, column, bin_, _, missing_left, left, levels, *values = native.gradient_choose(
        n_bins=shape[0],
        has_missing=shape[1],
        categorical=categorical.astype(np.uint8),
        monotone=monotone.astype(np.int8),
        cells=cells,
        counts=counts,
        total=int(words[rows].sum()),
        n_rows=len(rows),
        low=low,
        high=high,
        allowed=np.ones(4, np.uint8),
        units=units,
        **vars(rules),
    )
    own = words[rows]
    node = twin.Node(own >> 32, own & 0xFFFFFFFF, twin.Units(*units[:2]), units[4], low, high)
    best = twin.largest_gain(codes[:, rows], n_bins, has_missing, categorical, monotone, node, rules)
    assert sure
    assert gain == pytest.approx(best, rel=1e-9, abs=1e-7)
    if column < 0:
        return
    here = codes[column, rows]
    goes = (
        here <= bin_ if not categorical[column] else (levels[here >> 6] >> (here & 63).astype(np.uint64)) & 1
    )
    goes = np.where((here == n_bins[column]) & (categorical[column] == 0), missing_left, goes).astype(bool)
    assert left == own[goes].sum()
    for found, side in zip(values, (goes, ~goes, goes | True), strict=True):
        expected = np.clip(twin.leaf_value(*node.sums(side), rules.l1, rules.l2), node.low, node.high)
        assert found == pytest.approx(expected, rel=1e-12)


@given(st.integers(0, 10**6), st.sampled_from([1, 20]), st.sampled_from([0.0, 1.0]), st.sampled_from([1, 2]))
def test_the_best_of_many_columns_is_the_first_of_the_largest_gain(seed, min_rows, l2, threads):
    """Columns that cannot gain as much as another are left early: what each gains alone says the same."""
    codes, n_bins, has_missing, g, h = sample(300, 40, seed, bins=37)
    codes[31], has_missing[31] = codes[0], has_missing[0]  # equal gains
    options = {"max_leaves": 2, "min_rows": min_rows, "l2": l2}
    alone = []
    for j in range(len(codes)):
        used = (np.arange(len(codes)) == j).astype(np.uint8)
        alone.append(grow(codes, n_bins, has_missing, g, h, used_columns=used, **options).gain[0])
    tree = grow(codes, n_bins, has_missing, g, h, threads=threads, **options)
    assert tree.gain[0] == max(alone)
    assert tree.column[0] == (np.argmax(alone) if max(alone) > 0 else -1)


@given(st.integers(2, 300), st.integers(0, 10**6), st.sampled_from([0.0, 0.7]), st.sampled_from([0.0, 2.0]))
def test_leaf_values_are_newton_steps_of_their_rows(n, seed, l1, l2):
    codes, n_bins, has_missing, g, h = sample(n, 3, seed)
    tree = grow(codes, n_bins, has_missing, g, h, l1=l1, l2=l2)
    for t in range(len(tree.column)):
        rows = tree.rows[tree.begin[t] : tree.begin[t] + tree.n_rows[t]]
        expected = twin.leaf_value(g[rows].sum(), h[rows].sum(), l1, l2)
        assert tree.value[t] == pytest.approx(expected, rel=1e-9, abs=1e-10)


@given(st.integers(5, 400), st.integers(0, 10**6), st.sampled_from([1, 3, 20]))
def test_rows_of_a_leaf_are_those_that_walk_there(n, seed, min_rows):
    codes, n_bins, has_missing, g, h = sample(n, 3, seed)
    tree = grow(codes, n_bins, has_missing, g, h, min_rows=min_rows)
    assert sorted(tree.rows.tolist()) == list(range(n))
    leaf = tree.first_child < 0
    if len(tree.column) > 1:
        assert tree.n_rows[leaf].min() >= min_rows
    by_leaf, by_walk = np.zeros(n), np.zeros(n)
    native.gradient_add_leaves(tree.rows, tree.begin[leaf], tree.n_rows[leaf], tree.value[leaf], by_leaf, 2)
    _walk(tree, codes, n_bins, has_missing, by_walk)
    np.testing.assert_array_equal(by_leaf, by_walk)


def _walk(tree, codes, n_bins, has_missing, scores):
    native.gradient_add_by_codes(
        codes=codes,
        n_bins=n_bins.astype(np.int32),
        has_missing=has_missing.astype(np.uint8),
        is_category=np.zeros(len(codes), np.uint8),
        column=tree.column,
        bin=tree.bin,
        first_child=tree.first_child,
        categorical=tree.categorical,
        missing_left=tree.missing_left,
        levels=tree.levels,
        value=tree.value,
        scores=scores,
        threads=1,
    )


def arrays(tree):
    return [np.asarray(array).tobytes() for array in vars(tree).values()]


LEAST_LEAVES = [{"min_rows": 5}, {"min_rows": 20, "enough_hessian": 1.5}]


@pytest.mark.parametrize("n", [977, 40_000])
@pytest.mark.parametrize("threads", [2, 3, 8])
@pytest.mark.parametrize("least", LEAST_LEAVES)
def test_threads_do_not_change_a_bit(n, threads, least):
    given_ = sample(n, 19, 0)
    assert arrays(grow(*given_, **least)) == arrays(grow(*given_, **least, threads=threads))


@pytest.mark.parametrize("n", [977, 40_000])
@pytest.mark.parametrize("blocks", [7, 64])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("least", LEAST_LEAVES)
def test_blocks_of_rows_do_not_change_a_bit(n, blocks, threads, least):
    given_ = sample(n, 5, 1)
    cut = grow(*given_, **least, block_rows=-(-n // blocks), threads=threads)
    assert arrays(grow(*given_, **least)) == arrays(cut)


def test_histograms_kept_from_other_trees_and_tables_do_not_change_a_bit():
    spare = native.GradientSpareMemory()
    for d, seed in ((5, 0), (5, 1), (9, 2), (5, 3)):
        given_ = sample(977, d, seed)
        assert arrays(grow(*given_, min_rows=5, spare=spare)) == arrays(grow(*given_, min_rows=5))


def test_bagged_rows_are_the_only_ones_in_leaf_totals():
    codes, n_bins, has_missing, g, h = sample(500, 3, 2)
    rows = np.flatnonzero(np.random.default_rng(0).random(500) < 0.5).astype(np.uint32)
    bagged = grow(codes, n_bins, has_missing, g, h, rows=rows)
    alone = grow(np.ascontiguousarray(codes[:, rows]), n_bins, has_missing, g[rows], h[rows])
    np.testing.assert_array_equal(bagged.value, alone.value)
    np.testing.assert_array_equal(bagged.rows, rows[alone.rows])


@pytest.mark.parametrize("level_by_level", [False, True])
def test_limits_hold(level_by_level):
    given_ = sample(3_000, 6, 3)
    tree = grow(*given_, max_leaves=13, level_by_level=level_by_level)
    assert (tree.first_child < 0).sum() == 13
    assert grow(*given_, max_leaves=0, max_depth=4, level_by_level=level_by_level).depth.max() == 4
    gain = grow(*given_, min_gain=5.0).gain
    assert gain[gain > 0].min() > 5.0


def test_without_a_limit_of_leaves_the_order_does_not_matter():
    given_ = sample(2_000, 4, 4)
    free = grow(*given_, max_leaves=0, min_rows=20)
    wide = grow(*given_, max_leaves=100_000, min_rows=20)
    assert sorted(free.value[free.first_child < 0]) == sorted(wide.value[wide.first_child < 0])


def test_levels_that_belong_together_go_together():
    rng = np.random.default_rng(5)
    level = rng.integers(0, 40, 20_000)
    good = np.isin(level, [3, 8, 17, 31, 36])
    codes = level.astype(np.uint8)[None]
    tree = grow(
        codes,
        [40],
        [0],
        np.where(good, -1.0, 0.2),
        np.full(20_000, 0.25),
        categorical=np.ones(1, np.uint8),
        max_leaves=2,
    )
    left = {k for k in range(40) if tree.levels[0, k >> 6] >> np.uint64(k & 63) & np.uint64(1)}
    assert left in ({3, 8, 17, 31, 36}, set(range(40)) - {3, 8, 17, 31, 36})


@given(st.integers(4, 80), st.integers(2, 6), st.integers(0, 10**6), st.sampled_from([0.0, 0.1, 0.25]))
def test_a_set_of_levels_has_the_gain_of_the_best_of_all_sets(n, n_levels, seed, cost):
    rng = np.random.default_rng(seed)
    levels = rng.integers(0, n_levels, n).astype(np.uint8)
    g, h = rng.normal(size=n) - 0.4 * (levels % 2), rng.uniform(0.05, 0.25, n)
    tree = grow(
        levels[None],
        [n_levels],
        [0],
        g,
        h,
        categorical=np.ones(1, np.uint8),
        max_leaves=2,
        category_smoothing=0.0,
        category_l2=0.0,
        category_cost=cost,
        min_level_rows=0.0,
    )
    best = twin.best_set_gain(levels, n_levels, g, h, l2=0.0, cost=cost)
    assert tree.gain[0] == pytest.approx(best, rel=1e-6, abs=1e-6)


def test_a_category_of_many_levels_without_effect_is_not_asked():
    rng = np.random.default_rng(9)
    codes = np.stack([rng.integers(0, 200, 4_000), rng.integers(0, 2, 4_000)]).astype(np.uint8)
    g = rng.normal(size=4_000) - 0.3 * codes[1]
    given_ = (codes, [200, 2], [0, 0], g, np.ones(4_000))
    free = grow(*given_, categorical=np.array([1, 0], np.uint8), max_leaves=2, category_cost=0.0)
    assert free.column[0] == 0  # the best of so many sets gains more than a true effect
    assert grow(*given_, categorical=np.array([1, 0], np.uint8), max_leaves=2).column[0] == 1


@given(st.integers(30, 400), st.integers(0, 10**6))
def test_monotone_columns_rise(n, seed):
    codes, n_bins, has_missing, g, h = sample(n, 3, seed, missing=0.0)
    tree = grow(codes, n_bins, has_missing, g, h, monotone=np.array([1, 0, -1], np.int8), min_rows=2)
    grid = np.repeat(codes[:, :9], 17, axis=1)
    for column, way in ((0, 1), (2, -1)):
        codes_there = grid.copy()
        codes_there[column] = np.tile(np.arange(17), 9)
        scores = np.zeros(codes_there.shape[1])
        _walk(tree, codes_there, n_bins, has_missing, scores)
        assert (way * np.diff(scores.reshape(9, 17), axis=1)).min() >= -1e-12


def test_interactions_keep_groups_apart():
    codes, n_bins, has_missing, g, h = sample(3_000, 4, 6)
    tree = grow(codes, n_bins, has_missing, g, h, interactions=[[0, 1], [2, 3]], min_rows=5)
    groups = {}
    for t in range(len(tree.column)):  # parents stand before children
        if tree.first_child[t] >= 0:
            own = groups.get(t, set()) | {int(tree.column[t])}
            groups[int(tree.first_child[t])] = groups[int(tree.first_child[t]) + 1] = own
    assert all(group <= {0, 1} or group <= {2, 3} for group in groups.values())


def test_columns_drawn_depend_on_the_seed_alone():
    given_ = sample(2_000, 8, 7)
    first = grow(*given_, max_features=2, seed=1)
    assert arrays(first) == arrays(grow(*given_, max_features=2, seed=1, threads=2))
    assert arrays(first) != arrays(grow(*given_, max_features=2, seed=2))


@pytest.mark.parametrize(("noise", "column"), [(1.0, 0), (100.0, -1)])
def test_rounding_of_many_rows_asks_for_no_more_gain_than_chance(noise, column):
    """Ten million rows, of which rounding might pretend a gain of 217 at worst: a split that gains 50."""
    n, unit = 10**7, 5e6 / 2**30
    half, hessian = int((50 * 1.25e6) ** 0.5 / unit), 2**28
    cells = np.zeros(8, np.int64)  # as columns of few codes have them
    cells[:2] = (half << 32) + hessian, (-half << 32) + hessian
    found = native.gradient_choose(
        n_bins=np.array([2], np.int32),
        has_missing=np.zeros(1, np.uint8),
        categorical=np.zeros(1, np.uint8),
        monotone=np.zeros(1, np.int8),
        cells=cells,
        counts=None,
        total=int(cells.sum()),
        n_rows=n,
        low=-np.inf,
        high=np.inf,
        allowed=np.ones(1, np.uint8),
        units=(unit, 2.5e6 / 2**29, 2**29 // n + 1, 2**29 // n, noise, False),
        **BoostParams().split_rules,
    )
    assert found[2] == column
    assert found[0], "min_samples_leaf needs no counts"


def chosen_by_gain(whole, max_leaves):
    """The slow twin of the order of growth: of all splits there could be, the largest gain first."""
    open_leaves, chosen = [0], []
    while open_leaves and len(chosen) + 1 < max_leaves:
        at = max(open_leaves, key=lambda t: whole.gain[t])
        open_leaves.remove(at)
        chosen.append(at)
        children = whole.first_child[at], whole.first_child[at] + 1
        open_leaves += [t for t in children if whole.first_child[t] >= 0]
    return chosen


@pytest.mark.parametrize(("n", "d", "max_leaves"), [(700, 30, 57), (700, 30, 12), (5_000, 3, 31)])
@pytest.mark.parametrize("threads", [1, 3])
def test_leaves_whose_histogram_was_dropped_are_split_the_same(n, d, max_leaves, threads):
    """Of few rows and many columns most histograms are dropped and built again."""
    table = sample(n, d, seed=n + max_leaves)
    whole = grow(*table, max_leaves=0, min_rows=3)
    tree = grow(*table, max_leaves=max_leaves, min_rows=3, threads=threads)

    def splits(found, at):
        names = ("begin", "n_rows", "column", "bin", "missing_left", "gain")
        return {tuple(getattr(found, name)[t].item() for name in names) for t in at}

    chosen = chosen_by_gain(whole, max_leaves)
    assert len(chosen) == max_leaves - 1
    assert splits(tree, np.flatnonzero(tree.first_child >= 0)) == splits(whole, chosen)


@pytest.mark.parametrize(("d", "most"), [(3, 17), (60, 6)])
def test_histograms_are_kept_of_leaves_whose_turn_can_come(d, most):
    """At most half of the leaves; of few rows and many columns, four, and two that are being made."""
    spare = native.GradientSpareMemory()
    grow(*sample(3_000, d, seed=3, bins=200), max_leaves=31, spare=spare)
    assert spare.n_histograms <= most
