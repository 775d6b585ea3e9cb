"""Features: what is made of text, dates and large categories; nothing of the rows that are not learned from."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.feature_selection import chi2

from hedgerow.features import class_outcome, learn_features, needs_features, number_outcome
from hedgerow.features.dates import take_part
from hedgerow.features.rates import MANY_LEVELS, M
from hedgerow.features.words import as_text, measure_telling
from hedgerow.table import Table, to_table

CLASSES = np.array(["no", "yes"])
WORDS = ["good", "bad", "fun", "dull", "long", "film", "plot", "actor", "very", "not"]


def make_table(n_rows=220, seed=0):
    """Text, two dates, a category of many levels, a number; the target follows each a little."""
    random = np.random.default_rng(seed)
    texts = [" ".join(random.choice(WORDS, 6)) for _ in range(n_rows)]
    levels = [f"z{k:02}" for k in random.integers(0, MANY_LEVELS + 10, n_rows)]
    day = random.integers(0, 900, n_rows).astype(float)
    frame = {"text": texts, "zip": levels, "x": random.normal(size=n_rows)}
    table = to_table(frame)
    dates = to_table({"born": 18000 + day, "seen": 19000 + day[::-1] / 3})
    columns = [as_text(one) if one.name == "text" else one for one in table.columns]
    columns += [replace(one, kind="date" if one.name == "born" else "datetime") for one in dates.columns]
    score = np.array([text.count("good") - text.count("bad") for text in texts]) + random.normal(size=n_rows)
    return Table(tuple(columns), n_rows, True), (score > 0).astype(np.int64)


def test_columns_are_named_for_what_they_are():
    table, codes = make_table()
    assert needs_features(table)
    assert not needs_features(table.select(["x"]))
    features, made = learn_features(table, class_outcome(codes, CLASSES))
    assert features.inner.names == made.names
    assert made.names[:4] == ("zip", "x", "born", "seen")
    assert {"born: month", "born: weekday", "seen: hour", "zip: rate of yes", "text: good"} <= set(made.names)
    assert "days from born to seen" in made.names
    assert len(features.origin) == len(made.columns)
    assert features.schema.names[features.origin[made.names.index("text: good")]] == "text"


@pytest.mark.parametrize("form", ["columns", "tfidf", "presence"])
def test_new_rows_are_made_one_by_one_as_together(form):
    table, codes = make_table()
    features, _ = learn_features(table, class_outcome(codes, CLASSES), form=form)
    whole = features.make(table.take(np.arange(7)))
    for row in range(7):
        one = features.make(table.take([row]))
        for a, b in zip(one.columns, whole.columns, strict=True):
            np.testing.assert_array_equal(a.values[0], b.values[row])


def test_test_rows_change_nothing():
    table, codes = make_table()
    train = np.arange(150)
    outcome = class_outcome(codes[train], CLASSES)
    first, made = learn_features(table.take(train), outcome)
    other = make_table(seed=5)[0]
    joined = [
        replace(a, values=np.concatenate([a.values[:150], b.values[150:]])) if a.kind != "text" else a
        for a, b in zip(table.columns, other.columns, strict=True)
    ]
    second, again = learn_features(Table(tuple(joined), 220, True).take(train), outcome)
    assert first.inner == second.inner
    for a, b in zip(made.columns, again.columns, strict=True):
        np.testing.assert_array_equal(a.values, b.values)


def test_rates_of_training_rows_do_not_know_their_own_target():
    """A level of its own for each row: in fold, the rate would be the target; out of fold it is the overall rate."""
    random = np.random.default_rng(1)
    codes = random.integers(0, 2, 400)
    table = to_table({"id": [f"k{k}" for k in range(400)]})
    features, made = learn_features(table, class_outcome(codes, CLASSES))
    cells = made.column("id: rate of yes").values
    assert np.ptp(cells) < 0.05
    inside = features.make(table).column("id: rate of yes").values
    np.testing.assert_allclose(inside, (codes + M * codes.mean()) / (1 + M))


def test_rates_are_those_of_a_slow_twin():
    table, codes = make_table()
    weight = np.random.default_rng(2).uniform(0.5, 2, len(codes))
    features, _ = learn_features(table, class_outcome(codes, CLASSES), weight)
    new = to_table({"zip": ["z00", "z07", "never", None]})
    column = table.column("zip")
    overall = np.average(codes, weights=weight)

    def slow(level):
        rows = [k for k, code in enumerate(column.values) if column.levels[code] == level]
        return (sum(weight[k] * codes[k] for k in rows) + M * overall) / (sum(weight[rows]) + M)

    rates = features.rates[0]
    found = {level: rates.values[k, 0] for k, level in enumerate(column.levels)}
    assert all(np.isclose(found[level], slow(level)) for level in column.levels)
    padded = [replace(one, values=one.values[:4]) for one in table.columns if one.name != "zip"]
    rows = Table((*padded, *new.columns), 4, True)
    cells = features.make(rows).column("zip: rate of yes").values
    np.testing.assert_allclose(cells, [slow("z00"), slow("z07"), overall, overall])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.datetimes(), min_size=1, max_size=9))
def test_parts_are_those_of_the_calendar(moments):
    series = pl.Series(moments, dtype=pl.Datetime("us"))
    days = series.dt.epoch("us").cast(pl.Float64).to_numpy() / 86_400_000_000
    for part, wanted in (("year", series.dt.year()), ("month", series.dt.month() - 1)):
        np.testing.assert_array_equal(take_part(np.floor(days), part), wanted.to_numpy())
    np.testing.assert_array_equal(take_part(np.floor(days), "weekday"), series.dt.weekday().to_numpy() - 1)


def test_no_day_of_the_calendar_has_no_parts():
    assert np.isnan(take_part(np.array([np.nan, 1e300, -np.inf]), "month")).all()


def test_tfidf_is_that_of_scikit_learn():
    table, codes = make_table()
    text = table.select(["text"])
    features, made = learn_features(text, class_outcome(codes, CLASSES), form="tfidf")
    texts = [text.columns[0].levels[code] for code in text.columns[0].values]
    vectorizer = TfidfVectorizer(ngram_range=(1, 2), min_df=2).fit(texts)
    place = [vectorizer.vocabulary_[term] for term in features.words[0].terms]
    np.testing.assert_allclose(
        made.matrix.toarray(), vectorizer.transform(texts)[:, place].toarray(), atol=1e-12
    )
    np.testing.assert_allclose(features.make(text).matrix.toarray(), made.matrix.toarray(), atol=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_telling_words_are_by_chi_square(n_classes):
    random = np.random.default_rng(3)
    present = random.integers(0, 2, (90, 5))
    codes = random.integers(0, n_classes, 90)
    from scipy.sparse import csr_array

    outcome = class_outcome(codes, np.arange(n_classes))
    found, _ = measure_telling(csr_array(present), present.sum(axis=0), outcome)
    present_part, _ = chi2(present, codes)
    absent_part, _ = chi2(1 - present, codes)
    np.testing.assert_allclose(found, present_part + absent_part)


def test_numbers_are_told_by_correlation():
    table, codes = make_table()
    numbers = codes + np.random.default_rng(0).normal(size=len(codes))
    features, made = learn_features(table, number_outcome(numbers))
    assert {"good", "bad"} & {term for term, _ in features.words[0].telling[:3]}
    assert "zip: mean" in made.names


def test_text_without_a_word_in_two_rows_is_refused():
    table = to_table({"t": [f"w{k} q{k}" for k in range(30)]})
    text = Table((as_text(table.columns[0]),), 30, True)
    with pytest.raises(ValueError, match="no word"):
        learn_features(text, class_outcome(np.arange(30) % 2, CLASSES))
