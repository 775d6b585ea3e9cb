"""A study, from a table to its folder."""

import json

import numpy as np
import polars as pl
import pytest

import hedgerow
from hedgerow import datasets, load
from hedgerow.evaluation.fold import FoldResult
from hedgerow.report.words import describe_target
from hedgerow.store import load_state
from hedgerow.studies.options import StudyOptions
from hedgerow.studies.result import StudyResult
from hedgerow.studies.study import study_in_folder

QUICK = {"models": ("stump", "tree"), "folds": 3, "repeats": 1}


def table(n: int = 150, seed: int = 0) -> pl.DataFrame:
    """A number with gaps, a category, a date, noise; two classes, and a number to predict."""
    random = np.random.default_rng(seed)
    x, town = random.normal(size=n), random.choice(["oak", "ash", "elm"], n)
    score = x + (town == "oak") + 0.5 * random.normal(size=n)
    return pl.DataFrame(
        {
            "x": pl.Series(np.where(random.random(n) < 0.1, np.nan, x)).fill_nan(None),
            "town": town,
            "day": pl.Series(np.arange(n) % 30).cast(pl.Int32).cast(pl.Date),
            "noise": random.normal(size=n),
            "kept": np.where(score > 0.3, "yes", "no"),
            "price": 10 * score + 50,
        }
    )


@pytest.fixture(scope="module")
def titanic(tmp_path_factory):
    folder = tmp_path_factory.mktemp("titanic")
    return hedgerow.study(
        "titanic", folder=folder, models=("stump", "tree", "rules"), folds=3, repeats=1
    ), folder


def test_the_answer(titanic):
    result, _ = titanic
    assert result.question.target == "survived"
    assert result.question.n_train + result.question.n_holdout == 1309
    loss, area = result.holdout.scores[:2]
    assert (loss.name, area.name) == ("log_loss", "roc_auc")
    assert 0.3 < loss.low < loss.value < loss.high < 0.6
    assert [one.name for one in result.candidates][-1] == "baseline"
    assert "area under ROC" in str(result)


def test_the_folder(titanic):
    result, folder = titanic
    output = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert StudyResult.from_dict(output) == result
    assert "hedgerow.study('titanic'" in (folder / "command.txt").read_text(encoding="utf-8")
    assert "<h1>" in (folder / "report.html").read_text(encoding="utf-8")
    out = pl.read_csv(folder / "holdout.csv")
    assert out.height == result.question.n_holdout
    right = float((out["truth"] == out["prediction"]).mean())
    accuracy = next(score for score in result.holdout.scores if score.name == "accuracy")
    assert right == pytest.approx(accuracy.value)


def test_the_model_is_the_one_that_was_judged(titanic):
    _, folder = titanic
    data = datasets.titanic()
    out = pl.read_csv(folder / "holdout.csv")
    rows = data.frame().drop("survived")[out["row"].to_list()]
    assert load(folder / "model.hedgerow").predict(rows).tolist() == out["prediction"].to_list()
    assert load_state(folder / "model.hedgerow").target == "survived"


@pytest.mark.slow
def test_the_same_again(titanic, tmp_path):
    result, _ = titanic
    again = hedgerow.study("titanic", models=("stump", "tree", "rules"), folds=3, repeats=1, n_jobs=1)
    assert again == result


def test_counts_that_are_taken_for_classes_are_spoken_of():
    """Visits 0 to 5: classes, as other few whole numbers, with the way out; numbers where that is asked for."""
    random = np.random.default_rng(0)
    visits = np.minimum(random.poisson(1.2, 200), 5)
    frame = pl.DataFrame(
        {"ill": visits + random.normal(size=200), "age": random.normal(size=200), "visits": visits}
    )
    result = hedgerow.study(frame, "visits", models=("tree",), folds=3, repeats=1)
    assert "(task='regression' overrules)" in result.question.task_reason
    assert any(
        "counts or grades, task='regression' predicts" in note.text for note in result.notes if note.severe
    )
    result = hedgerow.study(frame, "visits", models=("tree",), folds=3, repeats=1, task="regression")
    assert not any("counts or grades" in note.text for note in result.notes)
    assert describe_target(result).endswith("; regression, set by task='regression'")


def test_numbers(tmp_path):
    result = hedgerow.study(table().drop("kept"), "price", folder=tmp_path, **QUICK)
    assert result.question.task == "regression"
    assert result.question.scoring == "rmse"
    assert result.holdout.residuals is not None
    assert result.holdout.confusion == ()
    days = table().drop("kept", "price").with_columns(pl.col("day").cast(pl.Int32))
    assert load(tmp_path / "model.hedgerow").predict(days).shape == (150,)


def test_dates_are_numbers_and_it_says_so():
    result = hedgerow.study(table().drop("price"), "kept", **QUICK)
    day = next(column for column in result.profile.columns if column.name == "day")
    assert day.used
    assert "dates, read by day" in day.remark


def test_a_rare_class_is_judged_fairly():
    frame = (
        table(400)
        .drop("price")
        .with_columns(kept=pl.when(pl.col("x") > 1.3).then(pl.lit("yes")).otherwise(pl.lit("no")))
    )
    result = hedgerow.study(frame, "kept", **QUICK)
    assert result.question.scoring == "log_loss"
    assert result.question.positive == "yes"
    assert result.holdout.operating_point.aim == "balanced accuracy: every class counts the same"


@pytest.mark.slow
def test_groups_and_weights():
    frame = table(200).drop("price").with_columns(house=pl.Series(np.arange(200) // 5), counts=pl.lit(2.0))
    result = hedgerow.study(frame, "kept", groups="house", weights="counts", **QUICK)
    unused = {column.name: column.remark for column in result.profile.columns if not column.used}
    assert "belong together" in unused["house"]
    assert "how much a row counts" in unused["counts"]


def test_a_model_that_fails_stays_with_its_reason(monkeypatch):
    def failing(self, *args, **kw):
        raise RuntimeError("no room")

    monkeypatch.setattr(hedgerow.RuleListClassifier, "fit", failing)
    result = hedgerow.study(table().drop("price"), "kept", models=("tree", "rules"), folds=3, repeats=1)
    rules = next(one for one in result.candidates if one.name == "rules")
    assert "no room" in rules.failure
    assert rules.scores == ()


def test_no_time_at_all_still_ends_with_a_report(tmp_path):
    result = hedgerow.study(table().drop("price"), "kept", budget=1e-9, folder=tmp_path / "late", **QUICK)
    assert result.verdict.chosen == "baseline"
    assert not result.verdict.is_recommended
    assert str(result).startswith("No model could be compared")
    severe = [note.text for note in result.notes if note.severe]
    assert any(text.startswith("The time of the comparison was used up") for text in severe)
    assert any(
        text.startswith("Left out, because the time was used up: explanations such as") for text in severe
    )
    assert not any("failed" in text for text in severe)
    assert (tmp_path / "late" / "report.html").is_file()


def test_time_used_up_by_the_first_fits_still_ends_with_a_model_and_a_report(tmp_path, monkeypatch):
    """By a clock that moves with each fit of a tree: the first fit uses up the budget."""
    now, fit = [0.0], hedgerow.DecisionTreeClassifier.fit

    def slow_fit(self, *given, **named):
        now[0] += self.min_samples_split == 2  # not of the baseline
        return fit(self, *given, **named)

    monkeypatch.setattr(hedgerow.DecisionTreeClassifier, "fit", slow_fit)
    for module in ("studies.attempts", "evaluation.run"):
        monkeypatch.setattr(f"hedgerow.{module}.perf_counter", lambda: now[0])
    folder, rows = tmp_path / "late", table(400).drop("price")
    result = hedgerow.study(rows, "kept", budget=0.5, folder=folder, models=("rules", "tree"), n_jobs=1)
    assert result.verdict.chosen == "tree"  # a model of a quick study: these come first
    assert "Every other model that has a score is shown to be worse" in result.verdict.statements[0]
    assert any(note.text.startswith("The time of the comparison was used up") for note in result.notes)
    assert {file.name for file in folder.iterdir()} >= {"report.html", "result.json", "model.hedgerow"}


def test_the_class_of_interest():
    result = hedgerow.study(table().drop("price"), "kept", positive="no", **QUICK)
    assert result.question.positive == "no"
    assert tuple(one.label for one in result.profile.class_counts) == result.question.classes == ("yes", "no")


def test_the_class_that_is_called_like_the_column_is_of_interest():
    """homeless, of homeless (46 %) and housed, in a column homeless."""
    rows = table().drop("price").rename({"kept": "homeless"})
    words = pl.when(pl.col("homeless") == "yes").then(pl.lit("Homeless")).otherwise(pl.lit("housed"))
    result = hedgerow.study(rows.with_columns(words.alias("homeless")), "homeless", **QUICK)
    assert result.question.positive == "Homeless"


def test_a_guess_has_one_score():
    """The baseline beside the hold-out is that of the training rows: the one that is kept where nothing beats it."""
    random = np.random.default_rng(5)
    rows = pl.DataFrame({"x": random.normal(size=40), "y": random.normal(10, 2, 40)})
    result = hedgerow.study(rows, "y", **QUICK)
    assert not result.verdict.is_recommended
    for score in result.holdout.scores:
        if score.name != "mae":  # its baseline is the median
            assert score.baseline == pytest.approx(score.value)
    page = result.to_html()
    assert "opened once, for the guess that is kept only" in page
    assert "No model is recommended; this tree" in page


def test_a_hold_out_of_a_few_rows_is_said_to_be_small():
    """32 cars, six of them held out: the score of six others may be quite another one."""
    random = np.random.default_rng(2)
    weight = random.uniform(1.5, 5.4, 32).round(2)
    rows = pl.DataFrame({"weight": weight, "mpg": 37 - 5 * weight + random.normal(0, 2, 32)})
    result = hedgerow.study(rows, "mpg", **QUICK)
    said = [note.text for note in result.notes if note.severe]
    assert any(text.startswith("The hold-out has only 6 rows: with others") for text in said)
    assert "rests on 26 rows" in str(result)
    more = hedgerow.study(table().drop("price"), "kept", **QUICK)
    assert not any("The hold-out has only" in note.text for note in more.notes)


def test_a_hold_out_of_two_rows_of_a_class_is_said_to_say_little():
    random = np.random.default_rng(0)
    is_rare = np.arange(200) % 20 == 0
    rows = pl.DataFrame({"x": random.normal(size=200) + 2 * is_rare, "y": np.where(is_rare, "active", "not")})
    result = hedgerow.study(rows, "y", **QUICK)
    (said,) = (note.text for note in result.notes if note.text.startswith("The hold-out has only"))
    assert "only 2 rows of the class active: with others" in said
    assert said.endswith("rests on 8 rows of it.")


def test_rows_of_small_weight_are_rows_of_the_hold_out():
    """A sum of weights of 0.4 was "only 0 rows of the class"."""
    random = np.random.default_rng(0)
    bad = random.random(400) < 0.3
    rows = {"x": random.normal(size=400) + bad, "w": np.full(400, 0.01), "y": np.where(bad, "bad", "good")}
    result = hedgerow.study(pl.DataFrame(rows), "y", **QUICK, weights="w")
    assert not any("The hold-out has only" in note.text for note in result.notes)


WRONG = {
    "target": ({"target": "kep"}, "Did you mean"),
    "no target": ({"target": None}, "Which column"),
    "model": ({"models": ("forrest",)}, "forest"),
    "scoring": ({"scoring": "acuracy"}, "accuracy"),
    "holdout": ({"holdout": 1.5}, "holdout"),
    "folds": ({"folds": 1}, "folds"),
    "task": ({"task": "regresion"}, "regression"),
    "positive": ({"positive": "maybe"}, "maybe"),
    "groups": ({"groups": "houze"}, "is no column"),
    "weights": ({"weights": "town"}, "numbers of 0 or more"),
    "nothing to blend": ({"models": ("blend",)}, "leaves no model to compare"),
    "rules for numbers": ({"target": "price", "models": ("rules",)}, "cannot do regression"),
}


@pytest.mark.parametrize("what", WRONG)
def test_mistakes_are_named(what):
    options, words = WRONG[what]
    with pytest.raises((ValueError, TypeError), match=words):
        hedgerow.study(table(60), **{"target": "kept", **QUICK, **options})


def test_tables_that_teach_nothing():
    with pytest.raises(ValueError, match="at least 30"):
        hedgerow.study(table(20).drop("price"), "kept", **QUICK)
    with pytest.raises(ValueError, match="in every row"):
        hedgerow.study(table().drop("price").with_columns(kept=pl.lit("yes")), "kept", **QUICK)
    with pytest.raises(TypeError, match="no table"):
        hedgerow.study(42, "kept")


def test_a_column_without_a_value_is_left_out():
    result = hedgerow.study(
        table().drop("price").with_columns(empty=pl.lit(None, pl.Float64)), "kept", **QUICK
    )
    empty = next(column for column in result.profile.columns if column.name == "empty")
    assert not empty.used


def test_hostile_names():
    frame = table().drop("price").rename({"x": "<script>", "town": "a\nb\x00"})
    result = hedgerow.study(frame, "kept", **QUICK)
    assert "<script>" not in result.to_html().partition("<main>")[2].partition("</main>")[0]


@pytest.mark.slow
def test_of_a_file_too_large_for_the_memory_models_that_can_learn_from_all_rows(tmp_path):
    """The panel is compared on a sample; a tree pruned by cross-validation stays there, a stump reads the stream."""
    table(2000).drop("price").write_csv(tmp_path / "t.csv")
    given = QUICK | {"memory": 0.0002}
    of_sample = hedgerow.study(tmp_path / "t.csv", "kept", **(given | {"models": ("tree",)}))
    assert of_sample.question.n_rows < 2000
    assert any("needs its rows there (its pruning judges" in note.text for note in of_sample.notes)
    folder = tmp_path / "study"
    of_all = hedgerow.study(tmp_path / "t.csv", "kept", folder=folder, **(given | {"models": ("stump",)}))
    question = of_all.question
    assert question.n_train + question.n_holdout == 2000
    assert question.n_compared < 2000
    assert any("was then fitted to all training rows" in note.text for note in of_all.notes)
    held = pl.read_csv(folder / "holdout.csv")["row"]
    assert len(held) == of_all.holdout.n_rows == held.n_unique() <= question.n_holdout
    assert load(folder).predict(table(3).drop("price", "kept")).shape == (3,)


@pytest.mark.slow
def test_a_quick_study_of_such_a_file_says_what_it_used(tmp_path):
    table(2000).drop("price").write_csv(tmp_path / "t.csv")
    given = QUICK | {"memory": 0.0002, "quick": True, "models": ("stump",)}
    result = hedgerow.study(tmp_path / "t.csv", "kept", **given)
    notes = " ".join(note.text for note in result.notes)
    assert f"{result.question.n_rows:,} of 2,000 rows, drawn at random; stump on" in notes
    assert "Without quick=True more rows are used" in notes
    assert (
        f"found in {result.question.n_rows:,} rows, drawn at random, and the rows used were drawn from these"
        in notes
    )
    assert "needs its rows there" not in notes


@pytest.mark.slow
def test_answers_are_not_found_twice(tmp_path, monkeypatch):
    hedgerow.study(table().drop("price"), "kept", folder=tmp_path, **QUICK)
    heard: list[FoldResult] = []

    class Tell:
        def on_step(self, message): ...
        def on_data(self, loaded): ...
        def on_comparison(self, models, n_splits, n_known):
            self.known = n_known

        def on_fold_result(self, model, result):
            heard.append(result)

    tell = Tell()
    hedgerow.study(table().drop("price"), "kept", folder=tmp_path, callback=tell, **QUICK)
    assert heard == []
    assert tell.known == 9
    hedgerow.study(table(seed=1).drop("price"), "kept", folder=tmp_path, callback=tell, **QUICK)
    assert len(heard) == 9  # another table is another study


class _Known:
    """How many answers were there already."""

    n = 0

    def on_step(self, message): ...

    def on_data(self, loaded): ...

    def on_comparison(self, models, n_splits, n_known):
        self.n = n_known

    def on_fold_result(self, model, result): ...


@pytest.mark.slow
def test_another_study_does_not_take_a_folder(tmp_path):
    frame = table().drop("price")
    hedgerow.study(frame, "kept", folder=tmp_path, **QUICK)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    for change in ({"random_state": 1}, {"models": ("stump",)}, {"positive": "no"}, {"target": "town"}):
        options = {"target": "kept", **QUICK, **change}
        with pytest.raises(ValueError, match=r"holds another study .*nothing in it is overwritten"):
            hedgerow.study(frame, folder=tmp_path, **options)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
    hedgerow.study(frame, "kept", folder=tmp_path, budget=1e6, n_jobs=1, **QUICK)  # the same study


def test_a_killed_study_keeps_its_folder_too(tmp_path):
    class Killed(RuntimeError): ...

    class Tell(_Known):
        def on_fold_result(self, model, result):
            raise Killed

    frame = table().drop("price")
    with pytest.raises(Killed):
        hedgerow.study(frame, "kept", folder=tmp_path, callback=Tell(), **QUICK)
    with pytest.raises(ValueError, match="holds another study"):
        hedgerow.study(frame, "kept", folder=tmp_path, random_state=1, **QUICK)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "n_known"),
    [
        ({"models": ("stump", "rules")}, 6),  # baseline and stump
        ({"scoring": "log_loss"}, 9),
        ({"positive": "yes"}, 9),  # as it was
        ({"positive": "no"}, 0),  # classes in another order
        ({"random_state": 1}, 0),
        ({"folds": 4}, 0),
        ({"drop": ("noise",)}, 0),
    ],
    ids=str,
)
def test_fits_that_still_apply_are_taken_over(tmp_path, change, n_known):
    frame, options = table().drop("price"), {"target": "kept", **QUICK, **change}
    hedgerow.study(frame, "kept", folder=tmp_path / "one", **QUICK)
    options = StudyOptions(**options)
    tell = _Known()
    result = study_in_folder(tmp_path / "two", frame, options, "two", tell, (tmp_path / "one",))
    assert tell.n == n_known
    alone = study_in_folder(tmp_path / "three", frame, options, "two", None)
    assert result == alone  # as if nothing had been there


def test_a_class_that_the_hold_out_lacks_keeps_its_place_in_the_confusion_matrix():
    """Of three classes the middle one has no row there: names and counts stood side by side, one apart."""
    random = np.random.default_rng(0)
    x = np.concatenate([random.random(100), 1 + random.random(2), 2 + random.random(100)])
    frame = pl.DataFrame({"x": x, "y": ["a"] * 100 + ["b"] * 2 + ["c"] * 100})
    result = hedgerow.study(frame, "y", models=("tree",), folds=2, repeats=1)
    counts = np.array(result.holdout.confusion)
    assert counts.shape == (3, 3)
    assert result.question.classes == ("a", "b", "c")
    assert counts[1].sum() == 0 < 15 <= counts[0, 0]
    assert counts[2, 2] >= 15


def test_a_hold_out_unlike_the_training_rows_is_said():
    """Rows in the order of time, the last fifth of which are another world."""
    random = np.random.default_rng(0)
    x, day = random.random(400), np.arange(400)
    y = np.where(day < 320, 3 * x, 40 - 9 * x) + random.normal(0, 0.1, 400)
    frame = pl.DataFrame({"x": x, "day": day, "y": y})
    result = hedgerow.study(frame, "y", time="day", models=("tree",), quick=True)
    assert any(
        note.severe and note.text.startswith("The hold-out is predicted worse than the folds: root mean")
        for note in result.notes
    )
