"""The loop: bounds, weights, resets, early stopping, and weak learners that are perfect, useless or broken."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.boost import BoostOptions, ValidationRows, Votes, boost, rows_of_matrix, scores, signs_of
from hedgerow.boost.boost import WeakLearnerError
from hedgerow.boost.loss import load_loss, normalized_weights
from hedgerow.boost.weak.stump import Stump
from hedgerow.boost.weak.tree import Tree

RNG = np.random.default_rng(0)


@dataclass
class Says:
    """Answers that are the same whatever the weights, one list after the other."""

    lists: Any
    output_kind: str = "signs"
    at: int = -1

    def fit(self, rows, signs, weight, rng):
        assert weight.sum() == pytest.approx(1)
        self.at += 1
        return Said(np.asarray(self.lists[min(self.at, len(self.lists) - 1)], float))

    def fit_classes(self, rows, codes, n_classes, weight, rng):
        return self.fit(rows, None, weight, rng)


@dataclass
class Said:
    values: Any

    def outputs(self, rows):
        return self.values

    def choices(self, rows):
        return self.values.astype(np.int32)


def data(seed, n=60, d=3, classes=2):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d))
    score = x[:, 0] + np.sin(2 * x[:, 1]) + rng.normal(size=n) * 0.5
    codes = np.searchsorted(np.quantile(score, np.arange(1, classes) / classes), score).astype(np.int32)
    return x, codes, np.full(n, 1 / n)


def run(learner, x, codes, base=None, classes=2, votes=False, watch=None, earlier=(), **choices):
    target = Votes(codes, classes) if votes else signs_of(codes, classes)
    base = np.full(len(codes), 1 / len(codes)) if base is None else base
    rows = rows_of_matrix(x)
    rng = np.random.default_rng(0)
    return boost(
        learner, rows, target, base, BoostOptions(**choices), rng, validation=watch, earlier=earlier
    ), rows


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**31),
    output_kind=st.sampled_from(["signs", "abstaining", "confident"]),
    n=st.integers(5, 40),
)
def test_identities_on_random_predictors(seed, output_kind, n):
    """The loss after each round is the product of the normalisers, 2 sqrt(mu+ mu-) + mu0 each, and bounds the error."""
    rng = np.random.default_rng(seed)
    outputs = rng.choice([-1.0, 1.0] if output_kind == "signs" else [-1.0, 0.0, 1.0], size=(8, n))
    if output_kind == "confident":
        outputs = rng.normal(size=(8, n))
    codes = rng.integers(0, 2, n).astype(np.int32)
    alpha = "search" if output_kind == "confident" else "one"
    done, _ = run(Says(outputs, output_kind), np.zeros((n, 1)), codes, n_rounds=8, alpha=alpha)
    loss = 1.0
    for round in done.rounds:
        assert round.right + round.wrong + round.silent == pytest.approx(1)
        if output_kind != "confident" and round.right > 0 and round.wrong > 0:
            assert round.normaliser == pytest.approx(2 * np.sqrt(round.right * round.wrong) + round.silent)
            assert 1 - round.normaliser == pytest.approx((np.sqrt(round.right) - np.sqrt(round.wrong)) ** 2)
        loss *= round.normaliser
        assert round.loss == pytest.approx(loss)
        assert round.error <= loss + 1e-12
        assert round.normaliser <= 1 + 1e-12


@pytest.mark.parametrize("loss", ["exponential", "logistic"])
@pytest.mark.parametrize(
    "learner", [Stump(), Stump("abstaining"), Stump("calibrated"), Tree("calibrated", max_depth=2)]
)
def test_weights_are_what_the_loss_says_of_the_margins(loss, learner):
    x, codes, base = data(1)
    alpha = "own" if learner.output_kind == "calibrated" else "one"
    done, rows = run(learner, x, codes, n_rounds=12, loss=loss, alpha=alpha)
    signs = np.where(codes == 1, 1.0, -1.0)
    assert done.margins[:, 0] == pytest.approx(signs * scores(done, rows)[:, 0])
    assert done.weight == pytest.approx(normalized_weights(load_loss(loss), done.margins, base[:, None]))
    error = np.mean((scores(done, rows)[:, 0] > 0) != (codes == 1))
    assert done.rounds[-1].error == pytest.approx(error)
    losses = [round.loss for round in done.rounds]
    assert losses == sorted(losses, reverse=True)


@pytest.mark.parametrize("votes", [False, True])
def test_more_classes(votes):
    x, codes, _ = data(2, n=120, classes=3)
    done, rows = run(Stump(), x, codes, classes=3, votes=votes, n_rounds=25, handicap=0.5 * np.log(2) * votes)
    assert done.width == 3
    total = scores(done, rows)
    assert done.rounds[-1].error == pytest.approx(np.mean(total.argmax(axis=1) != codes))
    assert done.rounds[-1].error < done.rounds[0].error
    assert done.weight.sum() == pytest.approx(1)
    if votes:
        won = total[np.arange(120), codes]
        assert done.margins[:, 0] == pytest.approx(2 * won - total.sum(axis=1))


def test_a_perfect_predictor_ends_it():
    codes = np.array([0, 1, 1, 0, 1], np.int32)
    done, _ = run(Stump(), codes[:, None].astype(float), codes, n_rounds=9)
    assert len(done) == 1
    assert "makes no mistake" in done.stopped
    assert np.isfinite(done.rounds[0].alpha)
    assert done.rounds[0].alpha > 0
    assert done.rounds[0].error == 0


def test_a_useless_predictor_ends_it():
    codes = np.array([0, 1, 0, 1], np.int32)
    done, _ = run(Says([[1, 1, 1, 1]]), np.zeros((4, 1)), codes, n_rounds=9)
    assert len(done) == 1
    assert done.rounds[0].alpha == pytest.approx(0, abs=1e-12)
    assert "right as often as wrong" in done.stopped


def test_a_constant_predictor_is_worth_one_round():
    """After it the weights are balanced, and it is worth nothing more."""
    codes = np.array([0, 1, 1, 1, 1], np.int32)
    done, _ = run(Stump(), np.zeros((5, 2)), codes, n_rounds=9)
    assert len(done) == 1
    assert done.rounds[0].epsilon == pytest.approx(0.2)
    assert "right as often as wrong" in done.stopped
    assert done.weight[codes == 1].sum() == pytest.approx(0.5)


def test_over_half_negated():
    codes = np.array([0, 1, 1, 1, 0], np.int32)
    done, rows = run(Says([[1, -1, -1, -1, -1]]), np.zeros((5, 1)), codes, n_rounds=1)
    assert done.rounds[0].alpha == pytest.approx(-0.5 * np.log(4))
    assert done.rounds[0].error == pytest.approx(0.2)
    assert scores(done, rows)[1, 0] > 0


def test_over_half_resets_the_weights():
    codes = np.array([0, 1, 1, 1, 0], np.int32)
    good, bad = [-1, 1, 1, 1, 1], [1, 1, -1, -1, 1]
    done, rows = run(Says([good, bad, good]), np.zeros((5, 1)), codes, n_rounds=3, over_half="reset")
    assert [round.reset for round in done.rounds] == [False, True, False]
    assert done.rounds[1].alpha == 0
    assert done.rounds[2].wrong == pytest.approx(0.2)  # on equal weights again
    assert done.rounds[2].loss == pytest.approx(np.mean(np.exp(-done.margins)))
    assert scores(done, rows)[0, 0] == pytest.approx(-2 * 0.5 * np.log(4))


def test_over_half_on_the_first_weights_cannot_be_reset():
    codes = np.array([0, 1, 1, 1, 0], np.int32)
    good, bad = [-1, 1, 1, 1, 1], [1, 1, -1, -1, 1]
    done, _ = run(Says([good, bad, bad]), np.zeros((5, 1)), codes, n_rounds=9, over_half="reset")
    assert len(done) == 2
    assert "weights are those of the start" in done.stopped
    ended, _ = run(Says([good, bad]), np.zeros((5, 1)), codes, n_rounds=9, over_half="stop")
    assert len(ended) == 1
    assert "wrong at least as often as right" in ended.stopped


class Breaks:
    output_kind = "signs"

    def __init__(self, after):
        self.after = after

    def __repr__(self):
        return "Breaks()"

    def fit(self, rows, signs, weight, rng):
        self.after -= 1
        if self.after < 0:
            raise RuntimeError("out of paper")
        return Stump().fit(rows, signs, weight, rng)


def test_a_broken_learner():
    x, codes, _ = data(3)
    with pytest.raises(
        WeakLearnerError, match=r"round 1: the weak learner Breaks\(\) failed: RuntimeError: out of paper"
    ):
        run(Breaks(0), x, codes, n_rounds=5)
    done, _ = run(Breaks(3), x, codes, n_rounds=5)
    assert len(done) == 3
    assert "out of paper" in done.stopped


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ([1, 1, 1], "shape"),
        ([1, np.nan, 1, 1, 1], "row 1"),
        ([np.inf] * 5, "finite numbers"),
        ([0, 1, 1, 1, 0], "labels 0 and 1 are none"),
    ],
)
def test_answers_nobody_can_use(said, words):
    with pytest.raises(WeakLearnerError, match=words):
        run(Says([said]), np.zeros((5, 1)), np.array([0, 1, 1, 1, 0], np.int32))


def test_ctrl_c_is_not_a_broken_learner():
    class Stops(Breaks):
        def fit(self, rows, signs, weight, rng):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(Stops(0), np.zeros((5, 1)), np.array([0, 1, 1, 1, 0], np.int32))


@pytest.mark.parametrize("loss", ["exponential", "logistic"])
@pytest.mark.parametrize("votes", [False, True])
def test_going_on_is_the_same_as_going_through(loss, votes):
    x, codes, _ = data(4, classes=3)
    choices = {"loss": loss, "votes": votes, "classes": 3, "over_half": "reset"}
    whole, _ = run(Stump(), x, codes, n_rounds=14, **choices)
    part, _ = run(Stump(), x, codes, n_rounds=6, **choices)
    more, _ = run(Stump(), x, codes, n_rounds=14, earlier=part.rounds, **choices)
    assert [r.alpha for r in more.rounds] == pytest.approx([r.alpha for r in whole.rounds])
    assert more.weight == pytest.approx(whole.weight)


def test_early_stopping_keeps_the_best_rounds():
    x, codes, _ = data(5, n=150)
    other, other_codes, other_base = data(6, n=80)
    watch = ValidationRows(rows_of_matrix(other), signs_of(other_codes, 2), other_base, patience=7)
    done, rows = run(Tree(max_depth=3), x, codes, n_rounds=300, watch=watch)
    checked = [round.checked for round in done.rounds]
    assert len(done) < 300
    assert checked[-1] == min(checked)
    assert checked.count(checked[-1]) == 1
    assert "has not fallen for 7 rounds" in done.stopped
    again = np.mean((scores(done, watch.rows)[:, 0] > 0) != (other_codes == 1))
    assert again == pytest.approx(checked[-1])
    assert done.margins[:, 0] == pytest.approx(np.where(codes == 1, 1, -1) * scores(done, rows)[:, 0])


def test_a_thousand_sure_rounds():
    """Losses fall below the smallest float; weights stay weights."""
    x, codes, _ = data(7, n=50)
    done, _ = run(Tree("calibrated"), x, codes, n_rounds=400, alpha="own")
    assert np.isfinite(done.weight).all()
    assert done.weight.sum() == pytest.approx(1)
    assert done.rounds[-1].error == 0


@pytest.mark.parametrize("loss", ["exponential", "logistic"])
def test_a_round_that_is_not_kept_leaves_no_trace(loss):
    """Answers that carry their own weight, of no use from the second round on."""

    class Loud:
        output_kind = "calibrated"

        def fit(self, rows, signs, weight, rng):
            return self

        def outputs(self, rows):
            return np.array([3.0, 3.0, -3.0, 3.0])

    rows = rows_of_matrix(np.arange(4.0)[:, None])
    target = signs_of(np.array([1, 1, 0, 0], np.int32), 2)
    found = boost(
        Loud(), rows, target, np.full(4, 0.25), BoostOptions(n_rounds=9, loss=loss, alpha="own"), RNG
    )
    score = scores(found, rows)[:, 0]
    assert found.margins[:, 0] == pytest.approx(target.values[:, 0] * score)
