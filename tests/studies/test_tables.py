"""Tables as people have them, studied: free text, dates in four forms, titles in a workbook, rows in time order."""

import datetime as dt

import numpy as np
import polars as pl
import pytest

import hedgerow
from hedgerow.errors import ParameterError
from hedgerow.estimators.saving import extract_state
from hedgerow.evaluation.splits import make_time_splits
from hedgerow.features.words import as_text
from hedgerow.store.reasons import explain_state
from hedgerow.studies.load import load_data
from hedgerow.studies.options import StudyOptions
from hedgerow.table import Table, to_table
from hedgerow.table.split import hold_out_last

QUICK = {"folds": 3, "repeats": 1}
GOOD = ["great", "lovely", "moving", "funny"]
BAD = ["dull", "awful", "tedious", "noisy"]
FILLER = ["the", "film", "plot", "actor", "scene", "story", "a", "and", "with", "camera", "town", "music"]


def reviews(n_rows=260, seed=0):
    random = np.random.default_rng(seed)
    label = random.integers(0, 2, n_rows)
    rows = []
    for one in label:
        tone = random.choice([GOOD, BAD][1 - one] if random.random() < 0.9 else [BAD, GOOD][1 - one])
        rows.append(" ".join([*random.choice(FILLER, 7), tone, *random.choice(FILLER, 5)]))
    return pl.DataFrame(
        {"review": rows, "minutes": random.integers(80, 150, n_rows), "liked": label.astype(str)}
    )


def news(n_rows=240, seed=1):
    random = np.random.default_rng(seed)
    words = {
        "sport": ["match", "goal", "coach"],
        "money": ["bank", "shares", "profit"],
        "world": ["vote", "border", "treaty"],
    }
    topic = random.choice(list(words), n_rows)
    text = [
        " ".join([*random.choice(FILLER, 6), *random.choice(words[one], 2), *random.choice(FILLER, 4)])
        for one in topic
    ]
    return pl.DataFrame({"headline": text, "topic": topic})


def sales(n_rows=400, seed=2):
    """The level drifts: rows near in time know each other."""
    random = np.random.default_rng(seed)
    day = np.sort(random.integers(0, 500, n_rows))
    level = np.cumsum(random.normal(size=501))
    x = random.normal(size=n_rows)
    date = [dt.date(2022, 1, 1) + dt.timedelta(int(one)) for one in day]
    return pl.DataFrame({"sold": date, "x": x, "price": level[day] + 0.3 * x})


@pytest.mark.slow
def test_reviews_are_read_by_their_words():
    result = hedgerow.study(reviews(), "liked", models=["tree", "linear_svm"], **QUICK)
    assert result.holdout.scores[0].value < 0.6  # log loss; guessing has 0.69
    kinds = {column.name: column.kind for column in result.profile.columns}
    assert kinds["review"] == "text"
    output = {word for side in result.extra["words"]["texts"][0]["sides"] for word, _ in side["words"][:4]}
    assert output & set(GOOD)
    assert output & set(BAD)


@pytest.mark.slow
def test_reasons_of_words_add_up():
    table = reviews()
    result = hedgerow.study(table, "liked", models=["linear_svm"], **QUICK)
    state = extract_state(result.model)
    read = to_table(table.head(9).drop("liked"))
    read = Table(tuple(as_text(c) if c.name == "review" else c for c in read.columns), 9, True)
    found = explain_state(state, read)
    decision = result.model.estimator.decision_function(read)
    np.testing.assert_allclose(np.abs(found.score), np.abs(decision), atol=1e-9)
    assert any("(" in words for words in found.words(0, read, 2))


@pytest.mark.slow
def test_news_of_three_topics():
    result = hedgerow.study(news(), "topic", models=["linear_svm", "adaboost"], **QUICK)
    accuracy = {score.name: score.value for score in result.holdout.scores}["accuracy"]
    assert accuracy > 0.9


@pytest.mark.parametrize("form", ["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%d %b %Y"])
def test_dates_in_four_forms_have_parts(form):
    """Summers are different, which a day number cannot say in one question."""
    random = np.random.default_rng(3)
    days = [dt.date(2021, 1, 1) + dt.timedelta(int(one)) for one in random.integers(0, 1400, 300)]
    late = np.array([day.month in (6, 7, 8) for day in days]) ^ (random.random(300) < 0.05)
    frame = pl.DataFrame({"day": [day.strftime(form) for day in days], "busy": np.where(late, "yes", "no")})
    result = hedgerow.study(frame, "busy", models=["tree"], positive="yes", **QUICK)
    area = {score.name: score.value for score in result.holdout.scores}["roc_auc"]
    assert area > 0.8
    assert any("day: month" in str(node) for node in result.explanation.tree.nodes)


@pytest.mark.slow
def test_a_workbook_with_two_title_rows(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("fastexcel")
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Reviews of the year"])
    sheet.append(["collected by hand"])
    table = reviews(120)
    sheet.append(table.columns)
    for row in table.rows():
        sheet.append(row)
    book.save(tmp_path / "reviews.xlsx")
    result = hedgerow.study(tmp_path / "reviews.xlsx", "liked", models=["linear_svm"], **QUICK)
    assert {column.name: column.kind for column in result.profile.columns}["review"] == "text"


@pytest.mark.slow
def test_a_random_split_is_said_to_flatter():
    result = hedgerow.study(sales(), "price", models=["gradient_boosting"], **QUICK)
    assert any("time='sold'" in note.text for note in result.notes if note.severe)


@pytest.mark.slow
def test_time_learns_from_what_came_before(tmp_path):
    table = sales().sample(fraction=1.0, shuffle=True, seed=0)
    result = hedgerow.study(
        table, "price", time="sold", models=["gradient_boosting"], folds=3, folder=tmp_path / "study"
    )
    rows = pl.read_csv(tmp_path / "study" / "holdout.csv")["row"].to_numpy()
    days = table["sold"].to_numpy()
    others = np.setdiff1d(np.arange(table.height), rows)
    assert days[others].max() < days[rows].min()
    random = hedgerow.study(table, "price", models=["gradient_boosting"], **QUICK)
    assert result.holdout.scores[0].value > 2 * random.holdout.scores[0].value
    assert any("random split would flatter" in note.text for note in result.profile.notes)


def test_rows_of_one_moment_stay_together():
    time = np.repeat(np.arange(7.0), 5)[np.random.default_rng(0).permutation(35)]
    train, test = hold_out_last(time, 0.2)
    assert time[train].max() < time[test].min()
    splits = make_time_splits(time, 3)
    assert all(time[part.train].max() < time[part.test].min() for part in splits.parts)
    tested = np.concatenate([part.test for part in splits.parts])
    assert len(np.unique(tested)) == len(tested)


def test_a_time_that_is_text_is_refused():
    with pytest.raises(ParameterError, match="holds text"):
        hedgerow.study(reviews(), "liked", time="review", models=["tree"], **QUICK)


def test_large_categories_have_rates_that_do_not_leak():
    """A category of noise with a level for every third row: no model may seem better than guessing."""
    random = np.random.default_rng(4)
    frame = pl.DataFrame(
        {"shop": [f"s{k}" for k in random.integers(0, 100, 330)], "y": random.choice(["a", "b"], 330)}
    )
    result = hedgerow.study(frame, "y", models=["gradient_boosting", "tree"], categories=["shop"], **QUICK)
    assert result.verdict.chosen in ("", "baseline")


def test_time_itself_is_no_leak_and_a_tree_that_asks_for_it_is_no_guess():
    """A level that wanders: by chance rows the day says all, of later rows nothing."""
    random = np.random.default_rng(0)
    level = 100 + 3 * np.cumsum(random.normal(size=400))
    days = [dt.date(2021, 1, 1) + dt.timedelta(days=k) for k in range(400)]
    frame = pl.DataFrame({"day": days, "x": random.normal(size=400), "sales": level})
    result = hedgerow.study(frame, "sales", models=["stump", "tree"], time="day", **QUICK)
    assert not any("alone explains" in note.text for note in result.notes)
    scores = {one.name: one.scores[0].value for one in result.candidates if one.name != "baseline"}
    assert result.verdict.most_accurate == min(scores, key=scores.get)


def test_totals_among_the_rows_are_asked_about():
    """Twelve months and their sum, year by year."""
    sales = np.random.default_rng(0).uniform(800, 1200, (10, 12))
    months = [*map(str, range(1, 13)), "Total"]
    frame = pl.DataFrame({
        "year": np.repeat(np.arange(2010, 2020), 13),
        "month": months * 10,
        "sales": np.column_stack([sales, sales.sum(axis=1)]).ravel(),
        "share": np.random.default_rng(1).uniform(size=130),
    })  # fmt: skip
    words = "10 rows of 130 have 'Total' in month and more of sales than nearly all others."
    assert any(note.startswith(words) for note in load_data(frame, StudyOptions("sales")).notes)
    assert not load_data(frame, StudyOptions("share")).notes


def test_how_the_target_was_read_is_no_warning():
    prices = np.random.default_rng(0).uniform(5, 90, 200).round(2)
    frame = pl.DataFrame({"x": prices, "profit": [f"${price:.2f}" for price in prices]})
    found = load_data(frame, StudyOptions("profit"))
    assert "profit: numbers in $." in found.reading
    assert not any("profit: numbers" in note for note in found.notes)
    lost = frame.with_columns(profit=pl.when(pl.int_range(200) == 3).then(pl.lit("much")).otherwise("profit"))
    assert any(
        "profit: numbers in $; 1 cell such as 'much'" in note
        for note in load_data(lost, StudyOptions("profit")).notes
    )


@pytest.mark.parametrize(("noise", "count"), [(0.06, 1), (0.3, 0)])
def test_numbers_that_are_predicted_too_well_are_asked_about(noise, count):
    """An adjusted poll gives the raw one away, with the two others: three columns, each of them weak."""
    random = np.random.default_rng(0)
    parts = random.normal(size=(400, 3))
    y = parts @ [0.7, 0.7, 0.7] + parts[:, 0] * parts[:, 1] * noise + noise * random.normal(size=400)
    frame = pl.DataFrame({"a": parts[:, 0], "b": parts[:, 1], "c": parts[:, 2], "raw": y})
    result = hedgerow.study(frame, "raw", models=("linear_svm",), **QUICK)
    notes = [note.text for note in result.notes if "few numbers can be predicted so well" in note.text]
    assert len(notes) == count
