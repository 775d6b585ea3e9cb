"""The tally of rows out of bag: the native kernel against loops."""

from dataclasses import replace

import numpy as np
import pytest

from hedgerow.ensemble.oob import add_member, add_trees, empty_tally, losses, outside_bits
from hedgerow.ensemble.stop import look
from hedgerow.grow import Classes
from twins import outside as twin

from .forests import forest_of


def loss_of(target):
    if isinstance(target, Classes):
        return lambda i, mean: float(mean.argmax() != target.codes[i])
    return lambda i, mean: float((mean[0] - target.values[i]) ** 2)


@pytest.mark.parametrize("task", ["classes", "numbers"])
@pytest.mark.parametrize("more", [{}, {"fractional": True}, {"multiway": True, "fractional": True}])
def test_equal_to_loops(task, more):
    forest, rows, target = forest_of(task=task, **more)
    outs = [forest.draws.oob(t) for t in range(12)]
    total, many, curve = twin.tally(forest.trees, rows, outs, loss_of(target))
    empty = empty_tally(len(rows), forest.n_outputs, None)
    found = add_trees(empty, forest, rows, target, forest.draws)
    np.testing.assert_allclose(found.sum, total, atol=1e-12)
    assert np.array_equal(found.many, many)
    np.testing.assert_allclose(found.loss, curve, atol=1e-12)


def test_trees_added_in_parts_or_one_by_one_are_the_same():
    forest, rows, target = forest_of()
    start = empty_tally(len(rows), 3, None)
    whole = add_trees(start, forest, rows, target, forest.draws)
    first = add_trees(start, forest.first(5), rows, target, forest.draws)
    both = add_trees(first, replace(forest, trees=forest.trees[5:]), rows, target, forest.draws, first_tree=5)
    assert np.array_equal(whole.sum, both.sum)
    assert np.array_equal(whole.loss, both.loss)
    one = start
    from hedgerow.tree.predict import values

    for t, tree in enumerate(forest.trees):
        out = forest.draws.oob(t)
        one = add_member(one, out, values(tree, rows[out]), target)
    np.testing.assert_allclose(one.sum, whole.sum, atol=1e-12)
    np.testing.assert_allclose(one.loss, whole.loss, atol=1e-12)


def test_weights_and_threads():
    weight = np.random.default_rng(1).random(83) * 3
    weight[:4] = 0
    forest, rows, target = forest_of(weight=weight)
    start = empty_tally(len(rows), 3, weight)
    found = [add_trees(start, forest, rows, target, forest.draws, threads=t) for t in (1, 2, 3, 8)]
    for other in found[1:]:
        assert np.array_equal(found[0].sum, other.sum)
        assert np.array_equal(found[0].loss, other.loss)
    covered = found[0].covered
    assert not covered[:4].any()
    expected = np.average(losses(found[0].mean[covered], target, covered), weights=weight[covered])
    assert found[0].loss[-1] == pytest.approx(expected)


def test_bits_of_rows_outside():
    forest, *_ = forest_of(n=131)
    bits = outside_bits(forest.draws, 2, 4)
    for t in range(4):
        whole = [(int(bits[t, i // 64]) >> (i % 64)) & 1 for i in range(131)]
        assert np.array_equal(np.array(whole, bool), forest.draws.oob(2 + t))


def test_the_curve_is_flat_when_what_is_left_is_noise():
    n = np.arange(1, 201)
    falling, flat = 0.1 + 1.0 / n, 0.1 + 0.01 / n
    row_losses = np.repeat([0.0, 1.0], [900, 100])  # standard error 0.0095
    assert look(flat, row_losses, 500).flat
    assert not look(falling, row_losses, 500).flat
    assert look(falling, row_losses, 500).to_gain == pytest.approx(1 / 200, rel=0.1)
    assert not look(flat[:30], row_losses, 500).flat  # too few to say
    assert "Stopped at 200 of at most 500" in str(look(flat, row_losses, 500))
    assert "Grew all 200" in str(look(falling, row_losses, 200))
