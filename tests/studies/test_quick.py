"""A first answer; and one set of names: every candidate of a study can be fitted alone by its name."""

import numpy as np
import polars as pl
import pytest

import hedgerow
from hedgerow.candidate import TaskSpec, load_candidate, panel_names
from hedgerow.studies import judge
from hedgerow.studies.benchmark import QUICK_FOLDS, QUICK_MODELS
from hedgerow.studies.load import QUICK_ROWS


def test_a_quick_study():
    result = hedgerow.study("heart", quick=True, models=["stump", "tree"])
    assert (result.question.folds, result.question.repeats) == (QUICK_FOLDS, 1)
    assert result.explanation.learning_curve is None
    said = next(note for note in result.notes if note.text.startswith("A quick study"))
    assert said.severe
    assert "tree on 3 folds" in said.text
    assert "rows, drawn" not in said.text
    assert result.explanation.tree.stability is None
    assert set(QUICK_MODELS) <= set(panel_names())


def test_a_quick_study_names_the_columns_of_time_and_groups_that_it_does_not_check():
    random = np.random.default_rng(0)
    pig = np.repeat(np.arange(30), 8)
    day = pl.Series(np.tile(np.arange(8), 30) * 7 + pig).cast(pl.Int32).cast(pl.Date)
    frame = pl.DataFrame(
        {"subject": pig, "day": day, "feed": random.normal(size=240), "y": random.normal(size=240)}
    )
    given = {"quick": True, "models": ["stump"]}
    said = hedgerow.study(frame, "y", **given).notes[1].text
    assert (
        "If new rows come later than these, time='day' tests on later rows; if they come with a new subject, "
        in said
    )
    assert "If new rows" not in hedgerow.study(frame, "y", time="day", **given).notes[1].text
    late = hedgerow.study(frame, "y", models=["stump"], budget=1e-9)
    assert any(
        "comparison was used up" in one.text and "If new rows come later" in one.text for one in late.notes
    )


def test_names_that_are_left_out_are_columns_of_groups_of_a_quick_study_too():
    random = np.random.default_rng(0)
    patient = [f"Patient {k}" for k in np.repeat(np.arange(120), 2)]
    frame = pl.DataFrame({"patient": patient, "x": random.normal(size=240), "y": random.normal(size=240)})
    result = hedgerow.study(frame, "y", quick=True, models=["stump"])
    assert "patient" not in [one.name for one in result.profile.columns if one.used]
    assert "If new rows come with a new patient, groups='patient'" in result.notes[1].text


def test_a_quick_study_of_many_rows_draws_some_and_says_so(tmp_path):
    random = np.random.default_rng(0)
    n_rows = 3 * QUICK_ROWS
    x = random.normal(size=n_rows)
    y = np.where(np.arange(n_rows) % 100 == 7, "rare", np.where(x > 0, "high", "low"))
    frame = pl.DataFrame({"x": x, "y": y})
    result = hedgerow.study(frame, "y", quick=True, models=["stump"], folder=tmp_path / "study")
    assert result.question.n_rows == QUICK_ROWS
    assert {one.label: one.count for one in result.profile.class_counts}["rare"] == QUICK_ROWS // 100
    assert any(f"{QUICK_ROWS:,} of {n_rows:,} rows, drawn at random" in note.text for note in result.notes)
    assert not any("is missing in" in note.text for note in result.notes)
    held = pl.read_csv(tmp_path / "study" / "holdout.csv")
    assert (
        held["truth"].to_list() == y[held["row"].to_numpy()].tolist()
    )  # numbers of rows are those of the table


def test_a_target_that_most_rows_lack_is_a_warning():
    frame = pl.DataFrame({"x": np.arange(300.0), "y": ["a", "b", None, None, None] * 60})
    result = hedgerow.study(frame, "y", quick=True, models=["stump"])
    assert any(note.severe and "y is missing in 60% of the rows" in note.text for note in result.notes)


@pytest.mark.slow
@pytest.mark.parametrize("name", panel_names())
def test_every_candidate_is_fitted_alone_by_its_name(name):
    heart = hedgerow.datasets.heart()
    spec = TaskSpec("classification", heart.table.n_rows, len(heart.table.columns), 2)
    model = load_candidate(name).make_estimator(spec, {})
    assert len(model.fit(heart.table, heart.target).predict(heart.table)) == heart.table.n_rows


def test_models_that_many_classes_would_take_too_long_are_left_out_and_named(monkeypatch):
    monkeypatch.setattr(load_candidate("gradient_boosting"), "MAX_CLASSES", 3)
    random = np.random.default_rng(3)
    y = np.arange(200) % 4
    frame = pl.DataFrame({"x": y + random.normal(size=200), "z": random.normal(size=200), "y": y.astype(str)})
    result = hedgerow.study(frame, "y", quick=True)
    assert {one.name for one in result.candidates} == {"baseline", "tree", "linear SVM", "forest"}
    said = next(note for note in result.notes if note.text.startswith("gradient boosting: left out"))
    assert said.severe
    assert "4 classes" in said.text
    assert "gradient_boosting" in said.text


def test_with_many_classes_folds_are_drawn_once_and_no_score_ranks_the_rows_of_each(monkeypatch):
    monkeypatch.setattr(judge, "MANY_CLASSES", 3)
    random = np.random.default_rng(3)
    y = np.arange(200) % 4
    frame = pl.DataFrame({"x": y + random.normal(size=200), "y": y.astype(str)})
    result = hedgerow.study(frame, "y", models=["stump"])
    assert result.question.repeats == 1
    assert not {"roc_auc", "average_precision"} & {one.name for one in result.candidates[0].scores}
    said = " ".join(note.text for note in result.notes)
    assert "With 4 classes the folds are drawn once, not twice" in said
    assert (
        "With 4 classes, forests have 100 trees with 5 rows in a leaf at least, and scores that rank" in said
    )
    asked = hedgerow.study(frame, "y", models=["stump"], scoring="roc_auc")
    assert asked.candidates[0].scores[0].name == "roc_auc"


def test_forests_of_many_classes_have_fewer_trees_and_larger_leaves():
    def sizes(n_classes, **options):
        spec = TaskSpec("classification", 1000, 5, n_classes)
        model = load_candidate("forest").make_estimator(spec, options)
        return model.n_estimators, model.min_samples_leaf

    assert sizes(100) == (200, 1)
    assert sizes(101) == (100, 5)
    assert sizes(101, min_samples_leaf=2) == (100, 2)


def test_gradient_boosting_of_many_classes_takes_fewer_and_larger_steps():
    def steps(n_classes):
        spec = TaskSpec("classification", 1000, 5, n_classes)
        model = load_candidate("gradient_boosting").make_estimator(spec, {}).estimator
        return model.max_iter, model.learning_rate

    assert steps(2) == steps(28) == (700, 0.07)
    assert steps(100) == (200, pytest.approx(0.245))
    assert steps(200) == (100, 0.3)
