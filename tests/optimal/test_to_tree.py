"""Questions, and the Tree made of a solution: every row ends where its answers lead."""

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.encode import encode, matrix
from hedgerow.grow import Classes
from hedgerow.optimal import Costs, Size, make_questions, solve, to_tree
from hedgerow.table import to_table
from hedgerow.tree.check import check
from hedgerow.tree.decide import leaf_of


def mixed_table(seed, n_rows=90):
    rng = np.random.default_rng(seed)
    number = np.where(rng.random(n_rows) < 0.2, None, np.round(rng.normal(size=n_rows), 1))
    level = np.where(rng.random(n_rows) < 0.15, None, rng.choice(list("abcd"), n_rows))
    return to_table(
        pl.DataFrame({"x": number.tolist(), "k": level.tolist(), "z": rng.integers(0, 3, n_rows)})
    )


def walk(questions, solution, n_rows):
    """The leaf of each row by its answers."""
    node = np.zeros(n_rows, np.int64)
    for row in range(n_rows):
        while solution.question[node[row]] >= 0:
            yes = questions.answers[solution.question[node[row]], row]
            node[row] = solution.first_child[node[row]] + (not yes)
    return node


@settings(max_examples=12)
@given(st.integers(0, 2**32 - 1))
def test_rows_end_where_their_answers_lead(seed):
    table = mixed_table(seed)
    rng = np.random.default_rng(seed)
    rows = encode(table)
    target = Classes(rng.integers(0, 3, table.n_rows).astype(np.int32), 3)
    questions_given = make_questions(rows, target, max_thresholds=4, max_subset_size=2)
    found = solve(questions_given, target, Costs(), Size(3, 7))
    tree = to_tree(rows, target, questions_given, found, Costs())
    check(tree)
    leaf = leaf_of(tree, matrix(rows.schema, table))
    assert np.array_equal(leaf, walk(questions_given, found, table.n_rows))
    wrong = np.count_nonzero(np.argmax(tree.value, axis=1)[leaf] != target.codes)
    assert wrong == found.cost


def test_questions_are_different_and_are_answered_both_ways():
    table = mixed_table(3)
    target = Classes(np.random.default_rng(0).integers(0, 2, table.n_rows).astype(np.int32), 2)
    questions_given = make_questions(encode(table), target, max_thresholds=None, max_subset_size=2)
    assert len(questions_given) == len({(a ^ a[0]).tobytes() for a in questions_given.answers})
    assert np.all(questions_given.answers.any(axis=1) & ~questions_given.answers.all(axis=1))
    sides = questions_given.missing_yes[
        (questions_given.column == 0) & np.isfinite(questions_given.threshold)
    ]
    assert 0 < sides.sum() < len(sides)  # missing cells on either side
    assert np.isposinf(questions_given.threshold[questions_given.column == 0]).sum() == 1  # is it known?
    assert max(map(len, questions_given.levels)) == 4  # of k: is it known?
    assert {1, 2} <= {len(levels) for levels in questions_given.levels}


def test_thresholds_are_those_that_matter():
    """Of a column with many values, boosting finds the step; a column of noise may give none."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(4000, 2))
    target = Classes((x[:, 0] > 0.731).astype(np.int32), 2)
    questions_given = make_questions(encode(to_table(x)), target, max_thresholds=3, max_subset_size=1)
    assert np.bincount(questions_given.column, minlength=2).max() <= 3
    assert np.abs(questions_given.threshold[questions_given.column == 0] - 0.731).min() < 0.02
