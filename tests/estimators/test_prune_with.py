"""prune_with=(X, y): prunings judged on rows of the caller's own."""

import numpy as np
import pytest

from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor, RuleListClassifier, datasets, recipe
from hedgerow.grow import Classes
from hedgerow.prune import PruningData, ReducedError


@pytest.fixture(scope="module")
def parts():
    data = datasets.titanic()
    order = np.random.default_rng(3).permutation(data.table.n_rows)
    return [(data.table.take(some), data.target[some]) for some in (order[:900], order[900:])]


def test_the_tree_grows_on_all_rows_and_is_pruned_on_the_others(parts):
    (X, y), (other, theirs) = parts
    grown = DecisionTreeClassifier().fit(X, y)
    pruned = DecisionTreeClassifier(prune="reduced_error").fit(X, y, prune_with=(other, theirs))
    assert pruned.hedgerow_tree_.n_rows[0] == 900
    assert pruned.get_n_leaves() < grown.get_n_leaves()
    rows, _ = grown._rows(other)
    codes = np.searchsorted(grown.classes_, theirs).astype(np.int32)
    by_hand = ReducedError().prune(grown.hedgerow_tree_, PruningData(rows, Classes(codes, 2)))
    assert np.array_equal(by_hand.feature, pruned.hedgerow_tree_.feature)
    assert pruned.score(other, theirs) >= grown.score(other, theirs)


@pytest.mark.parametrize("method", ["depth_limit", "leaf_limit"])
def test_limits_are_chosen_on_them(parts, method):
    (X, y), unseen = parts
    best = DecisionTreeClassifier(prune=method).fit(X, y, prune_with=unseen).score(*unseen)
    assert best >= DecisionTreeClassifier(max_depth=1).fit(X, y).score(*unseen)


def test_id3_and_numbers(parts):
    (X, y), unseen = parts
    X, unseen = X.select(("pclass", "sex")), (unseen[0].select(("pclass", "sex")), unseen[1])
    assert recipe("id3", prune="reduced_error").fit(X, y, prune_with=unseen).get_n_leaves() > 1
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(120, 2))
    t = Z[:, 0] + rng.normal(size=120)
    model = DecisionTreeRegressor(prune="reduced_error").fit(Z[:80], t[:80], prune_with=(Z[80:], t[80:]))
    assert 1 < model.get_n_leaves() < 40


def test_rules_are_judged_on_them(parts):
    (X, y), unseen = parts
    model = RuleListClassifier().fit(X, y, prune_with=unseen)
    assert len(model.rules_) >= 2
    assert model.rules_.everything.rows == 900


@pytest.mark.parametrize(
    ("model", "given", "message"),
    [
        (DecisionTreeClassifier(), "rows", "nothing is pruned.*prune='reduced_error'"),
        (DecisionTreeClassifier(prune="pessimistic"), "rows", "pessimistic needs no rows"),
        (DecisionTreeClassifier(prune="reduced_error"), 3, "prune_with is a int; wanted a pair"),
        (DecisionTreeClassifier(prune="reduced_error"), "other class", "no class"),
    ],
)
def test_bad_rows_say_what_is_wanted(parts, model, given, message):
    (X, y), (other, theirs) = parts
    unseen = {"rows": (other, theirs), "other class": (other, np.full(len(theirs), "lost"))}.get(given, given)
    with pytest.raises(ValueError, match=message):
        model.fit(X, y, prune_with=unseen)
