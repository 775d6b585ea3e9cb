"""Scores of all rounds at once are the scores of the rounds, one by one."""

import numpy as np
import pytest

from hedgerow.boost import BoostOptions, Votes, boost, combine, signs_of
from hedgerow.boost.boost_input import BoostInput
from hedgerow.boost.packed import _pack, scores
from hedgerow.boost.weak.c45 import c45
from hedgerow.boost.weak.stump import Stump
from hedgerow.boost.weak.tree import Tree
from hedgerow.encode import schema_of
from hedgerow.table import to_table


def tables(seed, n):
    """Numbers and categories, both with missing cells."""
    rng = np.random.default_rng(seed)
    number = np.where(rng.random(n) < 0.1, np.nan, np.round(rng.normal(size=n), 2))
    levels = np.array(["a", "b", "c", "d", None], object)[rng.integers(0, 5, n)]
    more = rng.integers(0, 4, n).astype(float)
    return to_table({"x": number, "c": levels, "k": more}), number, more, levels


def rows_of(table, schema=None, threads=1):
    return BoostInput(table.n_rows, table.names, table, schema or schema_of(table), threads=threads)


LEARNERS = [
    Stump(),
    Stump("abstaining"),
    Stump("calibrated"),
    Tree(max_depth=3),
    Tree("calibrated", max_depth=3),
]
CASES = [(learner, False, alpha) for learner in LEARNERS for alpha in ("one", "two")]
CASES += [(learner, True, "one") for learner in LEARNERS if learner.output_kind == "signs"]


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(("learner", "votes", "alpha"), CASES)
def test_the_same_scores(learner, votes, classes, alpha):
    table, number, more, levels = tables(1, 300)
    score = np.nan_to_num(number) + (levels == "b") * 1.5 + more * 0.3
    codes = np.searchsorted(np.quantile(score, np.arange(1, classes) / classes), score).astype(np.int32)
    rows = rows_of(table)
    target = Votes(codes, classes) if votes else signs_of(codes, classes)
    done = boost(
        learner,
        rows,
        target,
        np.full(300, 1 / 300),
        BoostOptions(n_rounds=20, alpha=alpha),
        np.random.default_rng(0),
    )
    assert _pack(done) is not None
    other, *_ = tables(2, 101)
    unseen = to_table({"x": [np.nan, 1e300, -1e300], "c": ["zzz", None, "a"], "k": [99.0, np.nan, -1.0]})
    for new in (table, other, unseen):
        new_rows = rows_of(new, rows.schema)
        assert scores(done, new_rows) == pytest.approx(combine.scores(done, new_rows), abs=1e-12)
    few = rows_of(other, rows.schema, threads=3)
    assert np.array_equal(scores(done, few), scores(done, rows_of(other, rows.schema)))


def test_float32_rows():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(400, 5)).astype(np.float32)
    codes = (x[:, 0] * x[:, 1] > 0).astype(np.int32)
    for learner in (Stump(), Tree(max_depth=4)):
        rows = rows_of(to_table(x))
        done = boost(
            learner,
            rows,
            signs_of(codes, 2),
            np.full(400, 1 / 400),
            BoostOptions(n_rounds=15),
            np.random.default_rng(0),
        )
        assert scores(done, rows) == pytest.approx(combine.scores(done, rows), abs=1e-12)


def test_trees_that_cannot_be_packed_are_asked_one_by_one():
    table, number, _, levels = tables(3, 200)
    codes = (np.nan_to_num(number) + (levels == "b") > 0.5).astype(np.int32)
    rows = rows_of(table)
    done = boost(
        c45(),
        rows,
        signs_of(codes, 2),
        np.full(200, 1 / 200),
        BoostOptions(n_rounds=4),
        np.random.default_rng(0),
    )
    assert _pack(done) is None
    assert scores(done, rows) == pytest.approx(combine.scores(done, rows))
