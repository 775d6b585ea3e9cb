"""Strength, correlation, diversity: by hand and against pairs."""

from itertools import combinations

import numpy as np
import pytest

from hedgerow.ensemble.diversity import ambiguity, diversity, majority_vote_error, never_drawn


def test_against_pairs_and_breimans_definitions():
    rng = np.random.default_rng(0)
    n, members, classes = 60, 7, 3
    codes = rng.integers(0, classes, n).astype(np.int32)
    votes = np.where(rng.random((n, members)) < 0.6, codes[:, None], rng.integers(0, classes, (n, members)))
    out = np.ones((n, members), bool)
    found = diversity(votes.astype(np.int32), codes, classes, out)
    right = votes == codes[:, None]
    pairs = list(combinations(range(members), 2))
    assert found.disagreement == pytest.approx(
        np.mean([(right[:, a] != right[:, b]).mean() for a, b in pairs])
    )
    assert found.double_fault == pytest.approx(
        np.mean([(~right[:, a] & ~right[:, b]).mean() for a, b in pairs])
    )
    assert found.member_error == pytest.approx(1 - right.mean())
    share = np.stack([(votes == k).mean(axis=1) for k in range(classes)], axis=1)
    own = share[np.arange(n), codes]
    share[np.arange(n), codes] = -1
    margin = own - share.max(axis=1)
    assert found.strength == pytest.approx(margin.mean())
    rival = share.argmax(axis=1)
    raw = right.astype(float) - (votes == rival[:, None])  # each member's own margin
    np.testing.assert_allclose(raw.mean(axis=1), margin)
    assert found.correlation == pytest.approx(margin.var() / raw.std(axis=0).mean() ** 2)


def test_members_that_never_differ():
    codes = np.array([0, 1, 1, 0, 1], np.int32)
    one = np.array([0, 1, 0, 0, 1], np.int32)
    found = diversity(np.repeat(one[:, None], 4, axis=1), codes, 2, np.ones((5, 4), bool))
    assert found.correlation == pytest.approx(1)
    assert found.disagreement == 0
    assert found.ensemble_error == pytest.approx(0.2)
    assert "strength" in str(found)


def test_ambiguity_is_exact_and_rows_in_every_bag_are_left_out():
    rng = np.random.default_rng(1)
    truth = rng.normal(size=50)
    said = truth[:, None] + rng.normal(size=(50, 6))
    out = rng.random((50, 6)) < 0.4
    out[:3] = False
    found = ambiguity(said, truth, out)
    assert found.ensemble_error == pytest.approx(found.member_error - found.spread)
    assert found.n_rows == np.count_nonzero(out.any(axis=1))
    with pytest.raises(ValueError, match="out of any"):
        ambiguity(said, truth, np.zeros((50, 6), bool))
    with pytest.raises(ValueError, match="out of any"):
        diversity(np.zeros((5, 2), np.int32), np.zeros(5, np.int32), 2, np.zeros((5, 2), bool))


def test_majority_vote():
    assert majority_vote_error(1, 0.3) == pytest.approx(0.3)
    assert majority_vote_error(2, 0.3) == pytest.approx(0.3)  # a tie is half wrong
    assert majority_vote_error(3, 0.3) == pytest.approx(0.3**3 + 3 * 0.3**2 * 0.7)
    assert majority_vote_error(101, 0.5) == pytest.approx(0.5)
    for bad in ((0, 0.1), (3, 1.5)):
        with pytest.raises(ValueError, match="at least one member"):
            majority_vote_error(*bad)
    with pytest.raises(ValueError, match="at least one row"):
        never_drawn(0)
