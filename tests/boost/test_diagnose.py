"""Diagnoses: bounds that hold, margins in their range, the rows that carry the weight, and words for all of it."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boost.samples import boosted, problem
from hedgerow import AdaBoostClassifier, datasets
from hedgerow.boost import (
    BoostInput,
    BoostOptions,
    Votes,
    boost,
    classes_of_scores,
    rows_of_matrix,
    scores,
    signs_of,
)
from hedgerow.boost.diagnose import diagnose
from hedgerow.boost.margins import Margins, rounds_to_show
from hedgerow.boost.round_table import round_table
from hedgerow.boost.sgd import Descent
from hedgerow.boost.weak.linear import Linear
from hedgerow.boost.weak.neuron import Neuron
from hedgerow.boost.weak.stump import Stump
from hedgerow.encode import schema_of
from hedgerow.table import to_table

QUICK = Descent(steps=60)
LEARNERS = {
    "stumps": (Stump(), "one"),
    "silent stumps": (Stump("abstaining"), "one"),
    "sure stumps": (Stump("calibrated"), "own"),
    "planes": (Linear(descent=QUICK), "one"),
    "neurons": (Neuron(descent=QUICK), "search"),
}


def rows_of_table(columns):
    table = to_table(columns)
    return BoostInput(table.n_rows, table.names, table, schema_of(table))


def run(rows, target, learner="stumps", n_rounds=10, **choices):
    weak, alpha = LEARNERS[learner]
    base = np.full(rows.n_rows, 1 / rows.n_rows)
    options = BoostOptions(n_rounds=n_rounds, alpha=alpha, **choices)
    return boost(weak, rows, target, base, options, np.random.default_rng(0))


def some_classes(seed, n=61, many=3, d=3):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d))
    codes = np.digitize(x[:, 0] + 0.4 * rng.normal(size=n), np.linspace(-1, 1, many + 1)[1:-1]).astype(
        np.int32
    )
    codes[:many] = np.arange(many)
    return x, codes


@given(
    st.integers(0, 300),
    st.sampled_from(sorted(LEARNERS)),
    st.sampled_from(["exponential", "logistic"]),
    st.sampled_from([2, 3]),
)
def test_the_training_error_never_exceeds_the_bound(seed, learner, loss, many):
    x, codes = some_classes(seed, many=many)
    rows = rows_of_matrix(x)
    rounds = run(rows, signs_of(codes, many), learner, 6, loss=loss)
    table = round_table(rounds, rows.schema, tuple("abc"[:many]))
    assert (table.error <= table.bound + 1e-9).all()


@given(st.integers(0, 300))
def test_the_bound_holds_for_votes(seed):
    x, codes = some_classes(seed)
    rounds = run(rows_of_matrix(x), Votes(codes, 3), "stumps", 6)
    if all(round.alpha >= 0 for round in rounds.rounds):
        assert all(round.error <= round.loss + 1e-9 for round in rounds.rounds)


@given(st.integers(0, 300))
def test_the_bound_of_signs_is_the_product_of_the_lectures(seed):
    x, signs, _ = problem(seed)
    rounds, rows = boosted(Stump(), x, signs > 0, n_rounds=8)
    table = round_table(rounds, rows.schema, ("no", "yes"))
    eps = table.epsilon
    if (eps > 0).all():
        np.testing.assert_allclose(table.bound, np.cumprod(2 * np.sqrt(eps * (1 - eps))), rtol=1e-9)


@given(st.integers(0, 300))
def test_the_bound_of_silence_is_two_roots_and_what_was_not_answered(seed):
    x, signs, _ = problem(seed)
    rounds, rows = boosted(Stump("abstaining"), x, signs > 0, n_rounds=8, smoothing=0.0)
    table = round_table(rounds, rows.schema, ("no", "yes"))
    assert np.array_equal(
        table.epsilon, table.wrong
    )  # the weight of the rows it has wrong: silence is no mistake
    if (table.wrong > 0).all():
        factor = 2 * np.sqrt(table.right * table.wrong) + table.silent
        np.testing.assert_allclose(table.normaliser, factor, rtol=1e-9)
        np.testing.assert_allclose(table.bound, np.cumprod(factor), rtol=1e-9)
        decrease = (np.sqrt(table.right) - np.sqrt(table.wrong)) ** 2
        np.testing.assert_allclose(1 - table.normaliser, decrease, rtol=1e-9)


@given(st.integers(0, 300), st.sampled_from(sorted(LEARNERS)), st.sampled_from([2, 3]))
def test_margins_are_in_their_range_and_tell_the_mistakes(seed, learner, many):
    x, codes = some_classes(seed, many=many)
    rows = rows_of_matrix(x)
    rounds = run(rows, signs_of(codes, many), learner, 7)
    found = diagnose(rounds, rows, codes, tuple("abc"[:many]), margins_after=[2, 4])
    assert set(found.margins.after.tolist()) <= {2, 4, len(rounds)}
    assert (np.abs(found.margins.values) <= 1 + 1e-12).all()
    below = found.margins.at_or_below(0.0)
    errors = found.rounds.error[found.margins.after - 1]
    assert (below >= errors - 1e-12).all()
    wrong = classes_of_scores(scores(rounds, rows)) != codes
    assert (found.margins.values[-1][wrong] <= 1e-12).all()


@given(st.integers(0, 300))
def test_margins_of_votes(seed):
    x, codes = some_classes(seed)
    rows = rows_of_matrix(x)
    rounds = run(rows, Votes(codes, 3), "stumps", 7)
    found = diagnose(rounds, rows, codes, ("a", "b", "c"))
    assert (np.abs(found.margins.values) <= 1 + 1e-12).all()


def test_margins_by_hand():
    """Three stumps that count 0.42, 0.65 and 0.92: a row one of them has wrong has the rest minus it, of the sum."""
    points = datasets.ten_points()
    rows = rows_of_table(points.frame().drop("label"))
    codes = (points.target == 1).astype(np.int32)
    rounds = run(rows, signs_of(codes, 2), n_rounds=3)
    alpha = np.array([round.alpha for round in rounds.rounds])
    agree = np.array([round.weaks[0].outputs(rows) * np.where(codes == 1, 1, -1) for round in rounds.rounds])
    found = diagnose(rounds, rows, codes, ("-", "+"))
    np.testing.assert_allclose(found.margins.values[-1], alpha @ agree / alpha.sum(), atol=1e-12)
    assert found.margins.values[-1].min() == pytest.approx((0.4236 + 0.6496 - 0.9229) / 1.9962, abs=1e-3)


def test_the_ten_points_in_words():
    points = datasets.ten_points()
    rows = rows_of_table(points.frame().drop("label"))
    codes = (points.target == 1).astype(np.int32)
    found = diagnose(run(rows, signs_of(codes, 2), n_rounds=3), rows, codes, ("-", "+"))
    assert found.rounds.rules == (
        "x1 > 2.5 -> -, else +",
        "x1 > 8.5 -> -, else +",
        "x2 > 6.5 -> +, else -",
    )
    np.testing.assert_allclose(found.rounds.epsilon, [0.3, 3 / 14, 3 / 22], atol=1e-12)
    np.testing.assert_allclose(found.rounds.alpha, [0.4236, 0.6496, 0.9229], atol=1e-4)
    assert found.rounds.error.tolist() == pytest.approx([0.3, 0.3, 0.0])
    text = str(found)
    for words in (
        "0.2143",
        "0.6496",
        "x2 > 6.5 -> +, else -",
        "Who carries the weight",
        "What each column adds",
    ):
        assert words in text
    # After three rounds the heaviest rows are the three that the last stump has wrong.
    assert sorted(found.heaviest.row[:3].tolist()) == [0, 1, 8]
    np.testing.assert_allclose(found.heaviest.weight[:3], 1 / 6, rtol=1e-9)


def test_who_carries_the_weight():
    x, signs, _ = problem(3, n=200)
    rounds, rows = boosted(Stump(), x, signs > 0, n_rounds=20)
    codes = (signs > 0).astype(np.int32)
    heavy = diagnose(rounds, rows, codes, ("no", "yes"), most_rows=7).heaviest
    weight = rounds.weight[:, 0]
    assert len(heavy) == 7
    np.testing.assert_allclose(heavy.weight, np.sort(weight)[::-1][:7])
    np.testing.assert_allclose(weight[heavy.row], heavy.weight)
    assert heavy.label == tuple(("no", "yes")[codes[i]] for i in heavy.row)
    assert heavy.tenth == pytest.approx(np.sort(weight)[::-1][:20].sum())
    assert 1 <= heavy.equal_rows <= 200


@given(
    st.integers(0, 300), st.sampled_from(["stumps", "silent stumps", "sure stumps"]), st.sampled_from([2, 3])
)
def test_stumps_are_the_sum_of_their_columns(seed, learner, many):
    rng = np.random.default_rng(seed)
    x, codes = some_classes(seed, many=many)
    x[rng.random(x.shape) < 0.1] = np.nan
    levels = np.array(["red", "green", "blue", "grey"])
    table = {f"n{j}": x[:, j] for j in range(3)} | {"colour": levels[rng.integers(0, 4, len(x))].tolist()}
    rows = rows_of_table(table)
    rounds = run(rows, signs_of(codes, many), learner, 12)
    additive = diagnose(rounds, rows, codes, tuple("abc"[:many])).additive
    np.testing.assert_allclose(additive.scores(rows.matrix), scores(rounds, rows), atol=1e-10)
    assert sum(shape.n_rounds for shape in additive.shapes) == sum(len(r.weaks) for r in rounds.rounds)


def test_votes_of_stumps_are_the_sum_of_their_columns():
    x, codes = some_classes(5)
    rows = rows_of_matrix(x)
    rounds = run(rows, Votes(codes, 3), "stumps", 9)
    additive = diagnose(rounds, rows, codes, ("a", "b", "c")).additive
    np.testing.assert_allclose(additive.scores(rows.matrix), scores(rounds, rows), atol=1e-10)


def test_levels_never_seen_and_missing_cells_in_the_additive_view():
    rows = rows_of_table({"colour": ["red", "red", "blue", "green", None, "red", "blue"] * 3})
    codes = np.array([1, 1, 0, 0, 1, 0, 0] * 3, np.int32)
    rounds = run(rows, signs_of(codes, 2), n_rounds=4)
    shape = diagnose(rounds, rows, codes, ("no", "yes")).additive["colour"]
    new = BoostInput(2, rows.names, to_table({"colour": ["violet", None]}), rows.schema)
    np.testing.assert_allclose(shape.of(new.matrix[:, 0]), scores(rounds, new))
    assert dict(shape.pieces()).keys() == {"red", "blue", "green", "missing"}
    with pytest.raises(KeyError, match="No rule tests 'size'"):
        diagnose(rounds, rows, codes, ("no", "yes")).additive["size"]


def test_a_label_0_is_not_read_as_silence():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 2))
    y = (x[:, 0] > 0).astype(int)
    y[:6] = 1 - y[:6]
    rules = AdaBoostClassifier(n_estimators=1).fit(x, y).diagnostics_.rules
    assert rules[0].endswith("-> class 1, else class 0")


def test_spam_rules_in_words():
    spam = datasets.spam()
    rows = BoostInput(spam.table.n_rows, spam.table.names, spam.table, schema_of(spam.table))
    classes, codes = np.unique(spam.target, return_inverse=True)
    rounds = run(rows, signs_of(codes.astype(np.int32), 2), n_rounds=6)
    rules = round_table(rounds, rows.schema, tuple(classes)).rules
    assert rules[0].startswith("charDollar > ")
    assert rules[0].endswith("-> spam, else nonspam")
    assert any(rule.startswith("remove > ") and "-> spam" in rule for rule in rules)


def test_other_learners_have_no_additive_view_and_say_their_weights():
    x, signs, _ = problem(1)
    rounds, rows = boosted(Linear(descent=QUICK), x, signs > 0, n_rounds=3)
    found = diagnose(rounds, rows, (signs > 0).astype(np.int32), ("no", "yes"))
    assert found.additive is None
    assert " x0" in found.rounds.rules[0]
    assert "coverage" in str(found)
    assert found.to_dict()["additive"] is None


def test_test_error_after_each_round():
    x, signs, _ = problem(1, n=80)
    rounds, rows = boosted(Stump(), x, signs > 0, n_rounds=5)
    codes = (signs > 0).astype(np.int32)
    found = diagnose(rounds, rows, codes, ("no", "yes"), test=(rows, codes))
    np.testing.assert_allclose(found.rounds.test_error, found.rounds.error)
    assert "test error" in str(found)


def test_a_dict_for_json_and_html_that_escapes():
    rows = rows_of_table({"<b>x</b>": [1.0, 2.0, 3.0, 4.0], "plain": [0.0, 1.0, 0.0, 1.0]})
    codes = np.array([0, 0, 1, 0], np.int32)
    found = diagnose(run(rows, signs_of(codes, 2), n_rounds=3), rows, codes, ("<i>", "yes"))
    again = json.loads(json.dumps(found.to_dict()))
    assert again["rounds"]["alpha"] == pytest.approx(found.rounds.alpha.tolist())
    for html in (found._repr_html_(), found.rounds._repr_html_(), found.additive._repr_html_()):
        assert "<b>" not in html
        assert "<i>" not in html
        assert html.count("<table>") == html.count("</table>")


def test_long_runs_are_printed_short():
    x, signs, _ = problem(2, n=90)
    rounds, rows = boosted(Stump(), x, signs > 0, n_rounds=120)
    table = round_table(rounds, rows.schema, ("no", "yes"))
    assert len(str(table).splitlines()) < 25
    assert len(table.to_dict()["alpha"]) == len(rounds)


def test_the_margin_curve_counts_weight():
    margins = Margins(
        np.array([1, 2]), np.array([[0.5, -0.5, 0.1], [0.2, 0.2, -1.0]]), np.array([0.2, 0.3, 0.5])
    )
    x, y = margins.curve(0)
    assert x.tolist() == [-0.5, 0.1, 0.5]
    np.testing.assert_allclose(y, [0.3, 0.8, 1.0])
    np.testing.assert_allclose(margins.at_or_below(0.0), [0.3, 0.5])
    np.testing.assert_allclose(margins.quantile(0.5), [0.1, -1.0])


def test_rounds_to_show():
    assert rounds_to_show(120).tolist() == [1, 5, 10, 50, 100, 120]
    assert rounds_to_show(3, [2, 99]).tolist() == [2, 3]
