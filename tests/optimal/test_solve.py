"""The solver against brute force: always the optimum, never a wrong certificate, whatever the threads."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.twins.optimal import class_cost, least_cost, number_cost

from hedgerow.grow import Classes, Numbers
from hedgerow.optimal import Costs, Questions, Size, solve


def questions(answers, column=None):
    n = len(answers)
    column = np.arange(n) if column is None else column
    return Questions(column.astype(np.int32), np.zeros(n), ((),) * n, np.zeros(n, bool), answers)


def draw_case(seed):
    rng = np.random.default_rng(seed)
    n_rows, n_questions = int(rng.integers(2, 26)), int(rng.integers(0, 6))
    answers = rng.random((n_questions, n_rows)) < rng.choice([0.2, 0.5])
    kind = rng.choice(["none", "whole", "any"])
    weight = None
    if kind != "none":
        weight = rng.choice([0.0, 1.0, 2.0, 0.5] if kind == "whole" else [0.3, 1.7, np.pi], n_rows)
        weight[0] = 1.0
    return rng, answers, rng.integers(0, 3, n_questions), weight


def draw_size(rng, n_used):
    price = float(rng.choice([0.0, 0.0, 0.7, 1.3]))
    least = min(int(rng.choice([1, 1, 2, 3])), n_used)
    return Size(int(rng.integers(0, 5)), int(rng.integers(1, 9)), least, 0.0, price)


def check(answers, column, target, costs, size, leaf_cost, used):
    wanted = least_cost(answers, leaf_cost, used, size.max_depth, size.max_leaves)
    found = [solve(questions(answers, column), target, costs, size, threads=n) for n in (1, 2, 3, 8)]
    one = found[0]
    assert one.proved
    assert np.isclose(one.objective, wanted, rtol=1e-9, atol=1e-9)
    assert np.isclose(one.bound, one.objective)
    for other in found[1:]:
        assert other.cost == one.cost
        assert np.array_equal(other.question, one.question)
        assert np.array_equal(other.first_child, one.first_child)


@given(st.integers(0, 2**32 - 1))
def test_classes_agree_with_brute_force(seed):
    rng, answers, column, weight = draw_case(seed)
    n_rows, k = answers.shape[1], int(rng.integers(1, 5))
    codes = rng.integers(0, k, n_rows).astype(np.int32)
    matrix = 1.0 - np.eye(k)
    if rng.random() < 0.4:
        matrix *= rng.integers(0, 4, (k, k)) if rng.random() < 0.5 else rng.random((k, k))
    all_weight = np.ones(n_rows) if weight is None else weight
    used = np.flatnonzero(all_weight)
    size = draw_size(rng, len(used))
    cost = class_cost(codes, all_weight, matrix, size.leaf_price, size.min_rows_leaf)
    check(answers, column, Classes(codes, k, weight), Costs(matrix), size, cost, used)


@given(st.integers(0, 2**32 - 1))
def test_numbers_agree_with_brute_force(seed):
    rng, answers, column, weight = draw_case(seed)
    n_rows = answers.shape[1]
    values = rng.normal(size=n_rows) if rng.random() < 0.5 else rng.integers(0, 5, n_rows).astype(float)
    all_weight = np.ones(n_rows) if weight is None else weight
    used = np.flatnonzero(all_weight)
    size = draw_size(rng, len(used))
    cost = number_cost(values, all_weight, size.leaf_price, size.min_rows_leaf)
    check(answers, column, Numbers(values, weight), Costs(), size, cost, used)


@given(st.integers(0, 2**32 - 1))
def test_a_search_that_is_stopped_claims_nothing_that_is_not_so(seed):
    """A time limit of nothing at all: the bound is below the optimum, the tree is not better than it."""
    rng, answers, column, weight = draw_case(seed)
    codes = rng.integers(0, 2, answers.shape[1]).astype(np.int32)
    size = Size(4, 8, 1, 0.0, float(rng.choice([0.0, 0.6])))
    target = Classes(codes, 2, weight)
    stopped = solve(questions(answers, column), target, Costs(), size, time_limit=1e-9)
    best = solve(questions(answers, column), target, Costs(), size)
    assert best.proved
    assert stopped.bound <= best.objective + 1e-9
    assert stopped.objective >= best.objective - 1e-9
    assert stopped.bound <= stopped.objective


def test_planes_and_cells_give_the_same_tree():
    """Many thresholds of few columns are summed by cells, the same questions of a column each by bit planes."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=(3, 700))
    column = np.repeat(np.arange(3), 9)
    answers = np.array([x[j] <= t for j in range(3) for t in np.linspace(-1, 1, 9)])
    target = Numbers(x[0] * x[1] + rng.normal(size=700))
    by_cells = solve(questions(answers, column), target, Costs(), Size(3, 8))
    by_planes = solve(questions(answers), target, Costs(), Size(3, 8))
    assert by_cells.cost == by_planes.cost
    assert np.array_equal(by_cells.question, by_planes.question)


def test_a_larger_tree_is_never_worse_and_a_price_makes_it_smaller():
    rng = np.random.default_rng(2)
    answers = rng.random((9, 300)) < 0.5
    target = Classes(((answers[0] ^ answers[4]) | (rng.random(300) < 0.1)).astype(np.int32), 2)
    found = [solve(questions(answers), target, Costs(), Size(5, n)) for n in range(1, 9)]
    assert all(a.cost >= b.cost for a, b in pairwise(found))
    assert all(one.n_leaves <= n for n, one in enumerate(found, 1))
    leaves = [
        solve(questions(answers), target, Costs(), Size(4, 16, 1, 0.0, p)).n_leaves for p in (0.5, 3, 20, 200)
    ]
    assert leaves == sorted(leaves, reverse=True)
    assert leaves[-1] == 1
