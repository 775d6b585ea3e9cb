"""The statistic against SciPy's, the lecture's figure, and the stated error rate on noise."""

import numpy as np
import pytest
from scipy.stats import binom, chi2, chi2_contingency

from hedgerow.encode import encode
from hedgerow.grow import Classes, Limits, grow
from hedgerow.prune import ChiSquare
from hedgerow.prune.chi_square import by_chance, statistic
from hedgerow.prune.evidence import class_weights
from hedgerow.table import Column, Table
from hedgerow.tree.tree import LEAF
from prune.samples import case_of


@pytest.mark.parametrize("kind", ["plain", "multiway"])
def test_the_statistic_is_scipys(kind):
    tree = case_of(kind, 3, n=151).grown()
    value, freedom = statistic(tree)
    counts, chance = class_weights(tree), by_chance(tree)
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
        kept += method.pruned(tree).n_nodes > 1
    return kept


@pytest.mark.parametrize(("levels", "n_classes"), [(2, 2), (4, 2), (3, 4)])
@pytest.mark.parametrize("significance", [0.05, 0.2])
def test_noise_is_kept_at_the_stated_rate(levels, n_classes, significance):
    kept = kept_on_noise(1, levels, n_classes, ChiSquare(significance))
    low, high = binom.ppf([1e-4, 1 - 1e-4], 600, significance)
    assert low <= kept <= high


def test_the_best_of_seven_noise_columns_is_corrected_for():
    plain = kept_on_noise(7, 3, 2, ChiSquare(0.05))
    corrected = kept_on_noise(7, 3, 2, ChiSquare(0.05, candidates=7))
    low, high = binom.ppf([1e-4, 1 - 1e-4], 600, 0.05)
    assert low <= corrected <= high
    assert plain > 3 * corrected  # the best of seven is not one of seven
    assert plain == pytest.approx(600 * (1 - 0.95**7), rel=0.25)


def test_a_real_effect_stays():
    tree = four_branches([30, 2], [2, 30], [16, 16], [16, 16])
    assert ChiSquare(0.001).pruned(tree).n_nodes == 5
    assert ChiSquare(0.05).pruned(four_branches([8, 8], [8, 8], [9, 7], [7, 9])).n_nodes == 1
