"""The statistic against SciPy's, the lecture's figure, and the stated error rate on noise."""

import numpy as np
import pytest
from scipy.stats import binom, chi2, chi2_contingency, fisher_exact

from hedgerow.encode import encode
from hedgerow.grow import Classes, Limits, grow
from hedgerow.prune import ChiSquare
from hedgerow.prune.data import class_weights
from hedgerow.prune.methods.chi_square import competitors, exact_p_value, p_value, statistic
from hedgerow.table import Column, Table
from hedgerow.tree.tree import LEAF
from prune.samples import case_of


@pytest.mark.parametrize("kind", ["plain", "multiway"])
def test_the_statistic_is_scipys(kind):
    tree = case_of(kind, 3, n=151).grown()
    value, freedom = statistic(tree)
    counts, chance = class_weights(tree), p_value(tree)
    for node in np.flatnonzero(tree.kind != LEAF):
        first = int(tree.first_child[node])
        table = counts[first : first + int(tree.n_children[node])]
        table = table[table.sum(axis=1) > 0.5][:, table.sum(axis=0) > 0.5]
        if min(table.shape) < 2:
            assert freedom[node] == 0
            assert chance[node] == 1
            continue
        expected = chi2_contingency(table, correction=False)
        assert value[node] == pytest.approx(expected.statistic)
        assert freedom[node] == expected.dof
        assert chance[node] == pytest.approx(expected.pvalue, abs=1e-12)


def test_the_figure_of_the_lecture():
    """Three degrees of freedom, 5 %: 7.82. Four branches of two classes have three, not n + p - 1."""
    assert chi2.ppf(0.95, 3) == pytest.approx(7.82, abs=0.006)
    tree = four_branches([12, 8], [8, 12], [11, 9], [9, 11])
    assert statistic(tree)[1][0] == 3


def four_branches(*counts):
    level = np.repeat(np.arange(4), [sum(c) for c in counts])
    y = np.concatenate([np.repeat([0, 1], c) for c in counts])
    return grown([(level, 4)], y, 2)


def grown(columns, y, n_classes, max_depth=1):
    """A multiway tree of category columns, each given as (codes, levels)."""
    made = [
        Column(f"c{j}", "category", codes.astype(np.int32), tuple(f"l{k}" for k in range(levels)))
        for j, (codes, levels) in enumerate(columns)
    ]
    rows = encode(Table(tuple(made), len(y), named=False))
    limits = Limits(max_features=len(columns), max_depth=max_depth, multiway=True)
    return grow(rows, Classes(np.asarray(y, np.int32), n_classes), "entropy", limits)


def kept_on_noise(n_columns, levels, n_classes, method, repeats=600, n=200):
    rng = np.random.default_rng(17)
    kept = 0
    for _ in range(repeats):
        columns = [(rng.integers(0, levels, n), levels) for _ in range(n_columns)]
        tree = grown(columns, rng.integers(0, n_classes, n), n_classes)
        kept += method.prune(tree).n_nodes > 1
    return kept


@pytest.mark.slow
@pytest.mark.parametrize(("levels", "n_classes"), [(2, 2), (4, 2), (3, 4)])
@pytest.mark.parametrize("significance", [0.05, 0.2])
def test_noise_is_kept_at_the_stated_rate(levels, n_classes, significance):
    kept = kept_on_noise(1, levels, n_classes, ChiSquare(significance))
    low, high = binom.ppf([1e-4, 1 - 1e-4], 600, significance)
    assert low <= kept <= high


@pytest.mark.slow
def test_the_best_of_seven_noise_columns_is_corrected_for():
    plain = kept_on_noise(7, 3, 2, ChiSquare(0.05))
    corrected = kept_on_noise(7, 3, 2, ChiSquare(0.05, candidates=7))
    low, high = binom.ppf([1e-4, 1 - 1e-4], 600, 0.05)
    assert low <= corrected <= high
    assert plain > 3 * corrected  # the best of seven is not one of seven
    assert plain == pytest.approx(600 * (1 - 0.95**7), rel=0.25)


def test_a_real_effect_stays():
    tree = four_branches([30, 2], [2, 30], [16, 16], [16, 16])
    assert ChiSquare(0.001).prune(tree).n_nodes == 5
    assert ChiSquare(0.05).prune(four_branches([8, 8], [8, 8], [9, 7], [7, 9])).n_nodes == 1


def noise(rng, kind, n=150):
    """A full tree of columns that say nothing, and what is left of it."""
    n_classes = {"numbers": 2, "multiway": 3, "subsets": 2, "both": 4, "rare": 2}[kind]
    y = rng.integers(0, n_classes, n)
    if kind == "rare":  # one row in thirty: where the chi-square distribution is furthest off
        y = (rng.random(n) < 1 / 30).astype(int)
    numbers = [] if kind in ("multiway", "subsets") else list(rng.normal(size=(3, n)))
    categories = [] if kind in ("numbers", "rare") else [rng.integers(0, 5, n) for _ in range(3)]
    made = [Column(f"x{j}", "number", x) for j, x in enumerate(numbers)]
    made += [
        Column(f"c{j}", "category", c.astype(np.int32), tuple("abcde")) for j, c in enumerate(categories)
    ]
    limits = Limits(max_features=len(made), multiway=kind in ("multiway", "both"))
    rows = encode(Table(tuple(made), n, named=False))
    return grow(rows, Classes(y.astype(np.int32), n_classes), "entropy", limits)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["numbers", "multiway", "subsets", "both", "rare"])
def test_a_full_tree_of_noise_becomes_a_leaf_at_the_stated_rate(kind):
    rng, repeats, significance = np.random.default_rng(23), 300, 0.1
    trees = [noise(rng, kind) for _ in range(repeats)]
    honest = sum(ChiSquare(significance, level="tree").prune(tree).n_nodes > 1 for tree in trees)
    assert honest <= binom.ppf(1 - 1e-4, repeats, significance)
    plain = sum(ChiSquare(significance).prune(tree).n_nodes > 1 for tree in trees)
    assert plain > repeats / 2  # tested one by one, something in a full tree nearly always looks real


@pytest.mark.slow
def test_one_noise_column_and_two_classes_come_near_the_stated_rate():
    """Where nothing competes the exact test is not far from its level: it is honest, not idle."""
    kept = kept_on_noise(1, 2, 2, ChiSquare(0.1, level="tree"))
    assert 0.03 * 600 < kept <= binom.ppf(1 - 1e-4, 600, 0.1)


def test_the_whole_tree_level_keeps_what_is_real():
    rng = np.random.default_rng(4)
    x, z, c = rng.normal(size=400), rng.normal(size=400), rng.integers(0, 4, 400)
    y = ((x > 0.3) ^ (rng.random(400) < 0.1)) + 2 * (c == 1)
    made = (
        Column("x", "number", x),
        Column("z", "number", z),
        Column("c", "category", c.astype(np.int32), tuple("abcd")),
    )
    rows = encode(Table(made, 400, named=False))
    for multiway in (False, True):
        limits = Limits(max_features=3, multiway=multiway)
        tree = grow(rows, Classes(y.astype(np.int32), 4), "entropy", limits)
        small = ChiSquare(0.05, level="tree").prune(tree)
        assert {0, 2} == set(small.feature[small.kind != LEAF].tolist())
        assert small.n_leaves <= 9 < tree.n_leaves


def test_the_exact_test_is_fishers():
    for counts in ([9, 1], [3, 7]), ([1, 0], [0, 99]), ([5, 5], [5, 5]), ([30, 2], [2, 30]):
        level = np.repeat([0, 1], [sum(c) for c in counts])
        tree = grown([(level, 2)], np.concatenate([np.repeat([0, 1], c) for c in counts]), 2)
        if tree.n_nodes == 1:
            continue
        one_side = [fisher_exact(counts, alternative=side).pvalue for side in ("greater", "less")]
        assert exact_p_value(tree)[0] == pytest.approx(min(1.0, 2 * min(one_side)))
    assert competitors(grown([(np.array([0, 1, 1]), 3), (np.array([0, 1, 0]), 2)], [0, 1, 1], 2))[0] == 2


def test_settings():
    with pytest.raises(ValueError, match=r"level='forest' is unknown. Known: split, tree"):
        ChiSquare(level="forest")
