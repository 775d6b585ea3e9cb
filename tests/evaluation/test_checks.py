"""What may be wrong with the method is found and reported; what is well is not mentioned."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline

from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor, compare, datasets, evaluate
from hedgerow.evaluation import column_skill
from hedgerow.evaluation.check import Check, checks
from hedgerow.evaluation.checks import leaking_column
from hedgerow.evaluation.data import make_data

RNG = np.random.default_rng(5)
N = 200
X = pd.DataFrame(RNG.normal(size=(N, 3)), columns=["a", "b", "c"])
Y = np.where(X["a"] + RNG.normal(size=N) > 0, "yes", "no")


def found(X, y, **options):
    result = evaluate(DecisionTreeClassifier(max_depth=2), X, y, **{"cv": 5, **options})
    return {f.check: f for f in result.findings}, str(result)


@pytest.mark.parametrize("name", list(checks()))
def test_every_file_is_a_check(name):
    assert isinstance(checks()[name], Check)
    assert checks()[name].__doc__.startswith(f"{name}: ")


def test_nothing_is_found_where_all_is_well():
    assert found(X, Y)[0] == {}
    assert "nothing found" in found(X, Y)[1]


def test_of_one_test_row_no_class_is_missing():
    assert found(X[:30], Y[:30], cv=30)[0] == {}
    known, _ = found(X[:30], np.where(np.arange(30) == 7, "rare", Y[:30]), cv=30)
    assert "class rare (1 row) is missing from the training rows of 1 of 30 splits." in str(
        known["few_of_a_class"]
    )


def test_a_check_that_fails_takes_nothing_down(monkeypatch):
    def fail(data, splits):
        raise ZeroDivisionError("no luck")

    monkeypatch.setattr(checks()["leaking_pair"], "find", fail)
    known, text = found(X.assign(status=np.where(Y == "yes", "closed", "open")), Y)
    assert set(known) == {"leaking_column", "leaking_pair"}
    assert "the check leaking_pair failed (ZeroDivisionError: no luck)" in text


def test_a_column_that_knows_the_answer():
    known, text = found(X.assign(refund=np.where(Y == "yes", 10.0, 0.0) + RNG.normal(size=N)), Y)
    assert known["leaking_column"].severe
    assert known["leaking_column"].columns == ("refund",)
    assert "refund alone explains" in text
    words = X.assign(status=np.where(Y == "yes", "closed", "open"))
    assert found(words, Y)[0]["leaking_column"].columns == ("status",)


def test_a_few_extreme_targets_that_decide_every_score():
    y = np.exp(RNG.normal(size=N) + X["a"].to_numpy())  # skewed, but no row decides
    assert "extreme_target" not in found_of_numbers(y)
    y[7] *= 10_000
    finding = found_of_numbers(y)["extreme_target"]
    assert finding.severe
    assert finding.n_rows == 1
    assert "1 row of 200 has 88%" in finding.message
    claims = np.where(RNG.random(N) < 0.05, np.exp(6 + 1.5 * RNG.normal(size=N)), 0.0)
    assert "extreme_target" not in found_of_numbers(claims)


def found_of_numbers(y):
    return {f.check: f for f in evaluate(DecisionTreeRegressor(max_depth=2), X, y, cv=5).findings}


def test_a_column_that_knows_the_number():
    y = RNG.normal(size=N)
    result = evaluate(DecisionTreeRegressor(max_depth=2), X.assign(twice=np.round(2 * y, 2)), y, cv=5)
    assert any(f.check == "leaking_column" and f.columns == ("twice",) for f in result.findings)


def test_rows_that_were_copied():
    twice = pd.concat([X, X[:60]], ignore_index=True)
    known, text = found(twice, np.append(Y, Y[:60]))
    assert known["duplicated_rows"].severe
    assert known["duplicated_rows"].n_rows == 60
    assert "60 of 260 rows are exact copies of others in all columns. They are kept on one side" in text


def test_copies_on_both_sides_of_given_splits():
    twice = pd.concat([X, X[:60]], ignore_index=True)
    known, text = found(twice, np.append(Y, Y[:60]), cv=KFold(5, shuffle=True, random_state=0))
    assert known["duplicated_rows"].severe
    seen = int(text.split(" test rows stand among")[0].rsplit(" of ", 1)[0].rsplit(" ", 1)[1])
    assert 80 <= seen <= 120
    assert "drop the copies, or give a number of folds" in text
    assert "split_groups" not in known


def test_coarse_columns_have_twins_by_nature():
    coarse = pd.DataFrame({"sex": RNG.choice(["m", "f"], N), "class": RNG.integers(1, 4, N)})
    known, text = found(coarse, Y)
    assert "duplicated_rows" not in known
    assert "5 stratified folds\n" in text


def test_copies_kept_together_are_fine():
    twice = pd.concat([X, X], ignore_index=True)
    known, _ = found(twice, np.append(Y, Y), groups=np.append(np.arange(N), np.arange(N)))
    assert not known["duplicated_rows"].severe


def test_groups_that_are_split():
    groups = np.repeat(np.arange(20), 10)
    known, text = found(X, Y, groups=groups, cv=KFold(5, shuffle=True, random_state=0))
    assert known["split_groups"].severe
    assert "20 of 20 groups stand on both sides" in text
    assert "split_groups" not in found(X, Y, groups=groups)[0]


def test_columns_that_say_nothing():
    known, _ = found(X.assign(same="x", empty=np.nan, zero=0), Y)
    assert known["constant_column"].columns == ("same", "empty", "zero")


def test_columns_that_name_rows():
    named = X.assign(name=[f"n{k}" for k in range(N)], row=np.arange(N), user_id=RNG.permutation(10**6)[:N])
    result = evaluate(DecisionTreeClassifier(max_depth=2), named, Y, cv=3)
    assert [f.columns[0] for f in result.findings if f.check == "identifier_column"] == [
        "name",
        "row",
        "user_id",
    ]


def test_a_column_that_counts_rows_in_time_is_their_time():
    timed = X.assign(t=np.arange(N))
    result = evaluate(DecisionTreeClassifier(max_depth=2), timed, Y, cv="time")
    assert "identifier_column" not in [f.check for f in result.findings]


def test_classes_too_small_for_the_folds():
    y = Y.astype(object)
    y[:3] = "rare"
    known, text = found(X, y.astype(str))
    assert "class rare (3 rows) is missing from the test rows of 2 of 5 splits" in text
    assert not known["few_of_a_class"].severe


def test_comparisons_report_too():
    leaky = X.assign(result=np.where(Y == "yes", 1.0, 0.0))
    result = compare([DecisionTreeClassifier(max_depth=1), DecisionTreeClassifier()], leaky, Y, cv=3)
    assert "result alone explains" in str(result)
    assert result.to_dict()["findings"][0]["check"] == "leaking_column"


@pytest.mark.parametrize("name", ["titanic", "heart", "spam"])
def test_real_data_are_not_accused(name):
    data = datasets.load(name)
    result = evaluate(DecisionTreeClassifier(max_depth=3), data.table, data.target, cv=0.3)
    assert not [f for f in result.findings if f.severe and f.check != "duplicated_rows"]


@pytest.mark.slow
def test_arrays_have_names_too():
    array = np.column_stack([X.to_numpy(), np.arange(N)])
    result = evaluate(LogisticRegression(max_iter=2000), array, Y, cv=3)
    assert [f.columns for f in result.findings] == [("x3",)]


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_the_first_look_at_columns_misses_no_leak(kind):
    """Columns that a small tree passes with are among those that the first look leaves over."""
    for seed in range(20):
        random = np.random.default_rng(seed)
        n = int(random.integers(60, 400))
        y = random.normal(size=n) if kind == "numbers" else random.integers(0, 3, n)
        noise = random.normal(size=n)
        levels = np.unique(np.round(y, 1), return_inverse=True)[1]
        frame = pd.DataFrame(
            {
                "same": y * 2.0,
                "turned": -1.0 * y,
                "gaps": np.where(random.random(n) < 0.02, np.nan, y),
                "near": y + 0.02 * noise,
                "half": np.where(random.random(n) < 0.5, y, noise),
                "noise": noise,
                "text": [f"level {k}" for k in levels],
                "other text": random.choice(["a", "b"], n),
            }
        )
        model = DecisionTreeRegressor() if kind == "numbers" else DecisionTreeClassifier()
        data = make_data([model], frame, y)
        rows = random.permutation(n)
        part = data.table.take(rows)
        possible = column_skill.find_possible(
            part, data, rows, np.full(len(part.columns), leaking_column.ENOUGH)
        )
        for j, column in enumerate(part.columns):
            losses = column_skill.tree_losses(type(part)((column,), n, True), data, rows)
            skill = column_skill.explained_share(losses, column_skill.baseline_losses(data, rows))
            assert skill < leaking_column.ENOUGH or j in possible, (seed, column.name, skill)


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_the_first_look_excludes_noise_where_there_are_many_rows(kind):
    """Of a few hundred rows every column is soon tried; the first look is for wide tables of many rows."""
    for seed in range(20):
        random = np.random.default_rng(seed)
        y = random.normal(size=2000) if kind == "numbers" else random.integers(0, 3, 2000)
        model = DecisionTreeRegressor() if kind == "numbers" else DecisionTreeClassifier()
        data = make_data([model], random.normal(size=(2000, 9)), y)
        assert (
            column_skill.find_possible(
                data.table, data, np.arange(2000), np.full(len(data.table.columns), 0.65)
            )
            == []
        )


def test_a_frame_that_is_no_table_says_why():
    dated = X.assign(day=pd.date_range("2020-01-01", periods=N))
    model = make_pipeline(ColumnTransformer([("numbers", "passthrough", ["a", "b"])]), LogisticRegression())
    words = next(f.message for f in evaluate(model, dated, Y, cv=3).findings if f.check == "no_table")
    assert "columns and duplicated rows were not looked at" in words
    assert "day" in words
