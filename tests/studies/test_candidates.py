"""The models of the panel: what they are called, what they search, how much they read, and what time there is."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from tests.studies.test_study import table

import hedgerow
from hedgerow.evaluation import run as evaluation
from hedgerow.report.words import partial_words


def test_the_result_has_both_names():
    result = hedgerow.study(table().drop("price"), "kept", models=("linear_svm",), folds=3, repeats=1)
    assert {(one.name, one.option) for one in result.candidates} == {
        ("linear SVM", "linear_svm"),
        ("baseline", "baseline"),
    }
    assert "linear_svm" not in str(result)
    assert "linear_svm" not in " ".join(result.verdict.statements)


def test_a_sample_is_stated(monkeypatch):
    from hedgerow.candidates import svm

    monkeypatch.setattr(svm, "MAX_ROWS", 40)
    result = hedgerow.study(table(150).drop("price"), "kept", models=("svm",), folds=3, repeats=1)
    machine = next(one for one in result.candidates if one.option == "svm")
    assert machine.n_rows == 40
    assert "a sample of 40 rows" in machine.method


@pytest.mark.slow
def test_the_time_that_is_given_is_kept(monkeypatch):
    """A clock that runs by itself: an hour for each fit. What was not begun is left out, and said."""
    clock, done = [0.0], evaluation.fit_and_predict

    def slow(job):
        clock[0] += 3600.0
        return done(job)

    monkeypatch.setattr(evaluation, "fit_and_predict", slow)
    monkeypatch.setattr(evaluation, "perf_counter", lambda: clock[0])
    monkeypatch.setattr("hedgerow.studies.attempts.perf_counter", lambda: clock[0])
    options = {"models": ("stump", "tree"), "folds": 3, "repeats": 1, "n_jobs": 1}
    rows = table(400).drop("price")  # enough to recommend a model: a guess has no learning curve
    result = hedgerow.study(rows, "kept", budget=5 * 3600.0, **options)
    assert clock[0] <= 7 * 3600.0  # six were begun within the time; none after it
    assert any("time of the comparison was used up" in note.text for note in result.notes)
    assert result.explanation.learning_curve is None
    whole = hedgerow.study(rows, "kept", **options)
    assert not any("time" in note.text for note in whole.notes)
    assert whole.explanation.learning_curve is not None


def test_what_there_was_no_time_for_has_not_failed():
    """A budget of nothing: the guess and a report. Models with a few folds say on how many their score rests."""
    result = hedgerow.study(table(150).drop("price"), "kept", models=("stump", "tree"), budget=1e-9)
    assert not result.verdict.is_recommended
    assert "stump not begun: the time was used up" in str(result)
    assert "stump failed" not in str(result)
    guess, other = result.candidates[0], replace(result.candidates[0], name="stump")
    few = replace(other, fold_scores=guess.fold_scores[:3])
    assert partial_words(few, replace(result, candidates=(guess, few))) == "on 3 of 10 folds"
    assert partial_words(other, replace(result, candidates=(guess, other))) == ""
    late = replace(few, given_up="after 3 of 10 folds")
    assert partial_words(late, replace(result, candidates=(guess, late))) == "given up after 3 of 10 folds"


@pytest.mark.slow
def test_the_learning_curve_ends_where_the_folds_are():
    result = hedgerow.study(table(300).drop("price"), "kept", models=("tree",), folds=4, repeats=2)
    curve = result.explanation.learning_curve
    chosen = next(one for one in result.candidates if one.name == result.verdict.chosen)
    assert len(curve.x) == 5
    assert curve.x[-1] == 180  # of 240 training rows, three quarters
    assert curve.y[-1] == pytest.approx(np.mean(chosen.fold_scores[:4]), abs=0.02)


@pytest.mark.slow
def test_a_wide_table_is_drawn_once_and_says_so(monkeypatch):
    from hedgerow.studies import benchmark
    from hedgerow.studies.summarize import holdout

    monkeypatch.setattr(benchmark, "WIDE", 10)
    monkeypatch.setattr(holdout, "MOST_COLUMNS", 10)
    random = np.random.default_rng(0)
    cells = random.normal(size=(120, 30))
    frame = pl.DataFrame({f"c{j}": cells[:, j] for j in range(30)}).with_columns(
        y=np.where(cells[:, 3] > 0, "a", "b")
    )
    result = hedgerow.study(frame, "y", models=("stump", "tree"), folds=3)
    assert result.question.repeats == 1
    assert any("drawn once" in note.text for note in result.notes)
    assert len(result.explanation.importance) == 10
    assert result.explanation.importance[0].name == "c3"
    assert "of 30 columns the 10" in result.explanation.importance_title
    assert hedgerow.study(frame, "y", models=("stump",), folds=3, repeats=2).question.repeats == 2


def test_rows_that_weigh_nothing_take_no_part():
    frame = table(200).drop("price").with_columns(w=pl.Series(np.arange(200) % 3 > 0).cast(float))
    result = hedgerow.study(frame, "kept", weights="w", models=("tree",), folds=3, repeats=1)
    assert result.holdout.n_rows == result.question.n_holdout
    assert sum(map(sum, result.holdout.confusion)) == result.holdout.n_rows
    assert result.question.n_train + result.holdout.n_rows == 133
    assert not any("failed" in note.text for note in result.notes)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["forest", "linear_svm"])
def test_threads_leave_no_trace(model, tmp_path, monkeypatch):
    """One thread is one thread, also in the fit at the end; and the files do not tell."""
    seen = []
    usable = evaluation.usable_cores
    monkeypatch.setattr(evaluation, "usable_cores", lambda: seen.append("all") or usable())
    for threads in (1, 2):
        hedgerow.study(
            table(200).drop("price"), "kept", models=(model,), folds=3, repeats=1, n_jobs=threads,
            folder=tmp_path / str(threads), command="it",
        )  # fmt: skip
    assert seen == []
    for name in ("result.json", "holdout.csv"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()
    assert hedgerow.load(tmp_path / "1" / "model.hedgerow").get_params().get("n_jobs") is None
