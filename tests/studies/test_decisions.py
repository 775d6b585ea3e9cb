"""Decisions of a study: rare classes, the operating point, costs, intervals, and what the model file keeps."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import roc_auc_score

import hedgerow
from hedgerow import DecisionTreeClassifier, load
from hedgerow.candidate import TaskSpec
from hedgerow.candidates import tree
from hedgerow.cli.commands.predict import tabulate
from hedgerow.decision import Aim
from hedgerow.estimators.meta import weigh_by_cost
from hedgerow.evaluation.data import make_data
from hedgerow.evaluation.fold import FoldResult
from hedgerow.evaluation.predictions import Predictions, ScoringData
from hedgerow.evaluation.select import Choice
from hedgerow.evaluation.splits import make_splits
from hedgerow.store import load_state
from hedgerow.studies import train
from hedgerow.studies.decide import decide_results
from hedgerow.studies.summarize.operating_point import lift_table
from hedgerow.table import to_table


def loans(n: int, seed: int = 0) -> pl.DataFrame:
    """Nineteen of twenty are good."""
    random = np.random.default_rng(seed)
    debt, late = random.beta(2, 5, n), random.poisson(0.4, n)
    income, job = random.lognormal(10, 0.5, n), random.choice(["clerk", "nurse", "none"], n)
    log_odds = -6.4 + 6 * debt + 1.2 * late - 0.8 * (np.log(income) - 10) + 1.3 * (job == "none")
    status = np.where(random.random(n) < 1 / (1 + np.exp(-log_odds)), "bad", "good")
    return pl.DataFrame({"debt": debt, "late": late, "income": income, "job": job, "status": status})


def areas(result) -> dict[str, float]:
    return {
        one.name: score.value for one in result.candidates for score in one.scores if score.name == "roc_auc"
    }


@pytest.fixture(scope="module")
def loan(tmp_path_factory):
    folder = tmp_path_factory.mktemp("loan")
    models = ("stump", "tree", "rules", "forest", "adaboost", "linear_svm")
    result = hedgerow.study(
        loans(1500), "status", folder=folder, models=models, folds=4, repeats=1,
        cost="good:bad=1,bad:good=20",
    )  # fmt: skip
    return result, folder


@pytest.mark.slow
def test_rare_classes_are_learned_and_ranked(loan):
    result, _ = loan
    assert result.question.positive == "bad"
    found = areas(result)
    assert found["linear SVM"] > 0.75
    assert found["AdaBoost"] > 0.72
    assert found["forest"] > 0.65
    assert found["tree"] > 0.55  # no root
    assert found[result.verdict.chosen] > max(found.values()) - 0.03
    assert result.verdict.chosen not in ("stump", "rules", "baseline")


def test_equally_likely_rows_are_taken_together():
    """Of a tree with two leaves, in a table that is sorted by the target."""
    truth = np.repeat([1, 0], [6, 14])
    chance = np.where(np.arange(20) % 2 == 0, 0.4, 0.2)
    rows = ScoringData(truth, Predictions(truth, np.column_stack([1 - chance, chance])), np.ones(20), 2)
    assert [(one.n_rows, one.n_found, one.lift) for one in lift_table(rows)] == [(10, 3, 1.0), (20, 6, 1.0)]


@pytest.mark.slow
def test_costs_move_the_threshold_and_pay_off(loan):
    result, folder = loan
    point = result.holdout.operating_point
    assert point.threshold == pytest.approx(1 / 21)
    assert point.cost.cost < point.cost.nothing
    assert point.cost.saved == pytest.approx(point.cost.cheapest - point.cost.cost)
    assert point.cost.saved_low < point.cost.saved < point.cost.saved_high
    assert "doing nothing" in str(result)
    assert [row.gain for row in point.lift] == sorted(row.gain for row in point.lift)
    assert point.lift[-1].lift == pytest.approx(1)
    out = pl.read_csv(folder / "holdout.csv")
    assert ((out["probability_bad"] >= point.threshold) == (out["prediction"] == "bad")).all()
    output = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert output["holdout"]["operating_point"]["n_alarms"] == int((out["prediction"] == "bad").sum())
    assert 'id="operating_point"' in (folder / "report.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_models_learn_by_costs_where_asked_for(tmp_path):
    """A stump asks about the costly class, and ranks it better; probabilities are calibrated all the same."""
    rows, given = (
        loans(1500),
        {"models": ("stump", "rules"), "folds": 3, "repeats": 1, "cost": "good:bad=1,bad:good=20"},
    )
    result = hedgerow.study(rows, "status", folder=tmp_path, cost_weights=True, **given)
    out = pl.read_csv(tmp_path / "holdout.csv")
    assert out["probability_bad"].mean() == pytest.approx((rows["status"] == "bad").mean(), abs=0.03)
    assert result.holdout.operating_point.threshold == pytest.approx(1 / 21)
    plain = hedgerow.study(rows, "status", **given)
    found, usual = areas(result), areas(plain)
    assert found["stump"] > usual["stump"] + 0.02
    assert found["rules"] != usual["rules"]
    assert found["baseline"] == usual["baseline"]


def test_the_baseline_predicts_the_most_frequent_class_whatever_the_aim():
    """A threshold at the share of a rare class would have it call every row rare."""
    result = hedgerow.study(
        loans(600), "status", models=("linear_svm",), aim="balanced_accuracy", folds=3, repeats=1, quick=True
    )
    baseline = next(one for one in result.candidates if one.name == "baseline")
    scores = {score.name: score.value for score in baseline.scores}
    assert scores["recall"] == 0.0
    assert scores["accuracy"] > 0.8
    assert "balanced accuracy" in result.holdout.operating_point.aim


def test_a_tree_by_costs_is_not_cut_to_a_few_leaves():
    """Pruned by log loss, a few heavy rows would cut it back to half as many leaves."""
    leaves = {False: 0, True: 0}
    for seed in range(4):
        rows = loans(1500, seed)
        y = rows["status"].to_numpy()
        weight = weigh_by_cost(y, {"good": 1.0, "bad": 20.0})
        for has_costs in leaves:
            model = tree.make_estimator(TaskSpec("classification", 1500, 4, 2, has_costs=has_costs), {})
            leaves[has_costs] += model.fit(rows.drop("status"), y, sample_weight=weight).get_n_leaves()
    assert leaves[True] > 1.5 * leaves[False]


def test_mistakes_without_a_cost_are_spoken_of():
    """They cost nothing, so that of several classes the model may always make them."""
    random = np.random.default_rng(0)
    y = random.choice(["low", "mid", "top"], 150)
    frame = pl.DataFrame({"x": random.normal(size=150) + (y == "top"), "y": y})
    given = {"models": ("stump",), "folds": 3, "repeats": 1}
    result = hedgerow.study(frame, "y", cost="top:low=9,low:top=1", **given)
    found = [note.text for note in result.notes if note.severe and "without a cost" in note.text]
    assert found[0].startswith(
        "4 mistakes without a cost count as none, such as low predicted as mid: name every"
    )
    every = ",".join(f"{a}:{b}=1" for a in ("low", "mid", "top") for b in ("low", "mid", "top") if a != b)
    whole = hedgerow.study(frame, "y", cost=every, **given)
    assert not any("without a cost" in note.text for note in whole.notes)


def test_cost_weights_need_costs():
    with pytest.raises(ValueError, match="cost_weights=True needs cost="):
        hedgerow.study(loans(50), "status", cost_weights=True)


@pytest.mark.slow
def test_the_model_file_decides_as_the_study_did(loan):
    _, folder = loan
    out = pl.read_csv(folder / "holdout.csv")
    rows = loans(1500).drop("status")[out["row"].to_list()]
    model, state = load(folder / "model.hedgerow"), load_state(folder / "model.hedgerow")
    assert model.predict(rows).tolist() == out["prediction"].to_list()
    mine = tabulate(state, to_table(rows, categories=["job"]), 1)
    assert mine["prediction"].to_list() == out["prediction"].to_list()
    for name in ("probability_bad", "probability_good"):
        assert np.allclose(mine[name], out[name], atol=1e-9)


def boundary(n: int, seed: int) -> pl.DataFrame:
    """A fifth of the rows is inside; two columns say which, with noise."""
    random = np.random.default_rng(seed)
    x, z = random.normal(size=(2, n))
    log_odds = 4 * (x + z) - 5 + 1.5 * (x > 0.7) - 2 * np.abs(z)
    inside = np.where(random.random(n) < 1 / (1 + np.exp(-log_odds)), "in", "out")
    return pl.DataFrame({"x": x, "z": z, "noise": random.normal(size=n), "place": inside})


@pytest.mark.slow
@pytest.mark.parametrize("model", ["linear_svm", "svm"])
def test_support_vector_machines_give_calibrated_probabilities(model, tmp_path):
    frame = boundary(400, 2)
    result = hedgerow.study(
        frame, "place", folder=tmp_path, models=(model,), folds=3, repeats=1, aim="top=10%"
    )
    out = pl.read_csv(tmp_path / "holdout.csv")
    share = float((frame["place"] == "in").mean())
    assert out["probability_in"].mean() == pytest.approx(share, abs=0.06)
    assert roc_auc_score(out["truth"] == "in", out["probability_in"]) > 0.9
    assert {score.name for score in result.holdout.scores} >= {"log_loss", "brier", "roc_auc"}
    proba = load(tmp_path / "model.hedgerow").predict_proba(frame.drop("place")[out["row"].to_list()])
    assert np.allclose(proba[:, 0], out["probability_in"], atol=1e-9)


def test_a_blend_is_saved_with_its_members_and_their_decisions(tmp_path, monkeypatch):
    """Whichever model is best here: the blend is taken."""

    def take_the_blend(*given):
        return replace(compare(*given), choice=Choice("blend", "blend", "blend"))

    compare = train._compare
    monkeypatch.setattr(train, "_compare", take_the_blend)
    frame, models = boundary(400, 4), ("tree", "linear_svm", "adaboost", "blend")
    result = hedgerow.study(frame, "place", folder=tmp_path, models=models, folds=3, repeats=1)
    assert result.verdict.chosen == "blend"
    assert dict(result.explanation.facts)["size"].endswith("models")
    assert result.holdout.scores[0].value < result.holdout.scores[0].baseline / 2
    out = pl.read_csv(tmp_path / "holdout.csv")
    rows = frame.drop("place")[out["row"].to_list()]
    model = load(tmp_path / "model.hedgerow")
    assert model.predict(rows).tolist() == out["prediction"].to_list()
    assert np.allclose(model.predict_proba(rows)[:, 0], out["probability_in"], atol=1e-9)
    mine = tabulate(load_state(tmp_path / "model.hedgerow"), to_table(rows), 1)
    assert np.allclose(mine["probability_in"], out["probability_in"], atol=1e-9)


def test_numbers_come_with_intervals(tmp_path):
    random = np.random.default_rng(1)
    x = random.uniform(0, 10, 600)
    frame = pl.DataFrame(
        {"x": x, "noise": random.normal(size=600), "price": x * (1 + 0.2 * random.normal(size=600))}
    )
    result = hedgerow.study(frame, "price", folder=tmp_path, models=("tree",), folds=3, repeats=1)
    assert [one.coverage for one in result.holdout.intervals] == [0.5, 0.8, 0.9, 0.95, 0.99]
    assert all(abs(one.observed - one.coverage) < 0.1 for one in result.holdout.intervals)
    assert "Prediction intervals made for 90%" in str(result)
    state = load_state(tmp_path / "model.hedgerow")
    found = tabulate(state, to_table(frame.drop("price")), 1, 0.9)
    inside = (frame["price"] >= found["low"]) & (frame["price"] <= found["high"])
    assert 0.85 < inside.mean() <= 1
    low, high = load(tmp_path / "model.hedgerow").predict_interval(frame.drop("price"), 0.9)
    assert np.allclose(low, found["low"])
    assert np.allclose(high, found["high"])


def test_decision_values_beyond_all_others_are_not_certain():
    """Searches of C found nothing in four folds, log-odds of about 1 in the fifth: the calibrator of the four took them
    for 26 (log loss 4.2, where guessing has 0.72)."""
    random = np.random.default_rng(0)
    y = np.where(random.random(250) < 0.3, "yes", "no")
    data = make_data([DecisionTreeClassifier()], random.normal(size=(250, 2)), y)
    splits = make_splits(5, data)
    results = []
    for k, part in enumerate(splits.parts):
        score = random.normal(scale=1.0 if k == 4 else 0.005, size=len(part.test))
        given = Predictions((score > 0).astype(int), None, np.column_stack([-score, score]))
        results.append(FoldResult(given, "", 0.0, 0.0, None))
    decided, _ = decide_results(tuple(results), data, splits, Aim("accuracy"))
    proba, truth = decided[4].predictions.proba, data.y[splits.parts[4].test]
    share = data.y.mean()
    guess = -np.log(np.where(truth == 1, share, 1 - share)).mean()
    assert -np.log(proba[np.arange(len(truth)), truth]).mean() < 1.1 * guess
