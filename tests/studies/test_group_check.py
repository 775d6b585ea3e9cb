"""Rows that belong together: said where rows of a new group are predicted clearly worse."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import hedgerow
from hedgerow import RandomForestClassifier, RandomForestRegressor
from hedgerow.errors import spell_as_option
from hedgerow.evaluation.data import make_data
from hedgerow.studies.group_check import check_groups, find_group_column
from hedgerow.studies.load import load_data
from hedgerow.studies.options import StudyOptions
from hedgerow.table import to_table


def visits(effect: float) -> tuple[dict, np.ndarray]:
    """Sixty subjects, five visits each; what a subject is like shows in the target, and in no column."""
    random = np.random.default_rng(0)
    subject = np.repeat(np.arange(60), 5)
    age, base = random.integers(20, 80, 60), random.normal(size=60)
    rows = {
        "subject": subject * 1.0, "age": age[subject] * 1.0, "base": base[subject], "visit": np.tile(np.arange(5.0), 60)
    }  # fmt: skip
    return rows, effect * random.normal(size=60)[subject] + 0.3 * random.normal(size=300)


def test_the_column_of_the_groups_and_what_they_share():
    rows, _ = visits(1.0)
    assert find_group_column(to_table(rows)) == ("subject", ("age", "base"))
    assert find_group_column(to_table({**rows, "subject": np.arange(300.0)})) is None


@pytest.mark.parametrize("name", ["Subject", "patient_id", "householdNr", "firm", "country", "job_ad_id"])
def test_a_column_that_is_called_so_needs_to_share_nothing(name):
    """As in a table of reaction times: subject, day, time."""
    rows, _ = visits(1.0)
    table = to_table({name: rows["subject"], "visit": rows["visit"]})
    assert find_group_column(table) == (name, ())
    assert find_group_column(to_table({"objective": rows["subject"], "visit": rows["visit"]})) is None


def test_a_dozen_machines_are_enough_if_they_are_called_so():
    machine = np.repeat([f"M{k}" for k in range(12)], 20)
    speed = np.random.default_rng(0).normal(size=240)
    assert find_group_column(to_table({"machine_id": machine, "speed": speed})) == ("machine_id", ())
    assert find_group_column(to_table({"colour": machine, "speed": speed})) is None


def test_a_name_that_is_left_out_still_names_groups():
    """Patients with two visits each: a text that seldom repeats is not learned from, but tells who is who."""
    random = np.random.default_rng(0)
    patient = np.repeat(np.arange(150), 2)
    cells = random.normal(size=(150, 4))
    frame = pd.DataFrame(
        {"patient": [f"P{k:04d}" for k in patient], **{f"x{j}": cells[patient, j] for j in range(4)}}
    )
    frame["x0"] += random.normal(0, 0.01, 300)  # not exact copies
    frame["y"] = np.where(random.random(150) < 0.5, "ill", "well")[patient]
    result = hedgerow.study(frame, "y", models=("forest",), folds=3, repeats=1)
    assert any("Rows of one patient belong together" in note.text for note in result.notes)


def test_a_question_that_is_answered_is_not_asked():
    rows, y = visits(2.0)
    frame = pd.DataFrame({**rows, "y": y}).rename(columns={"subject": "case_id"})
    found, quick = (
        [
            note.text
            for note in hedgerow.study(frame, "y", models=("forest",), folds=3, repeats=1, **more).notes
        ]
        for more in ({}, {"quick": True})
    )
    assert any("Rows of one case_id belong together" in text for text in found)
    assert not any("case_id is called an identifier" in text for text in found)
    assert any("case_id is called an identifier" in text for text in quick)


def test_what_names_the_groups_is_not_called_a_leak_as_well():
    random = np.random.default_rng(0)
    patient = np.repeat(np.arange(40), 15)
    y = random.normal(120, 15, 40)[patient] + random.normal(0, 5, 600)
    frame = pd.DataFrame({"patient": [f"P{k}" for k in patient], "dose": random.integers(0, 3, 600), "y": y})
    notes = [note.text for note in hedgerow.study(frame, "y", models=("forest",), folds=3, repeats=1).notes]
    assert any("Rows of one patient belong together" in text for text in notes)
    assert not any("patient alone explains" in text for text in notes)


def test_a_number_with_fractions_is_no_identifier():
    random = np.random.default_rng(0)
    frame = pl.DataFrame({"price_index": random.integers(80, 120, 300) / 100, "y": random.normal(size=300)})
    assert not load_data(frame, StudyOptions("y")).group_questions
    whole = frame.with_columns(pl.col("price_index") * 100)
    assert load_data(whole.cast({"price_index": pl.Int64}), StudyOptions("y")).group_questions


def test_rows_without_a_target_do_not_matter_to_the_check():
    rows, y = visits(2.0)
    frame = pd.DataFrame({**rows, "y": np.where(np.arange(300) < 60, np.nan, y)})
    result = hedgerow.study(frame, "y", models=("forest",), folds=3, repeats=1)
    assert not any("failed" in note.text for note in result.notes)
    assert any("Rows of one subject belong together" in note.text for note in result.notes)


def test_a_few_rows_without_a_name_do_not_hide_the_groups():
    rows, y = visits(2.0)
    subject = np.where(np.arange(300) % 25 == 0, np.nan, rows["subject"])
    table = to_table({**rows, "subject": subject})
    assert find_group_column(table) == ("subject", ("age", "base"))
    model = RandomForestRegressor(n_estimators=20, min_samples_leaf=2, random_state=0)
    assert check_groups(model, make_data([model], table, y), table, "subject", (), spell_as_option, 0)
    mostly = np.where(np.arange(300) % 5 == 0, rows["subject"], np.nan)
    assert find_group_column(to_table({"subject": mostly, "visit": rows["visit"]})) is None


@pytest.mark.parametrize("shared", [("age", "base"), ()])
@pytest.mark.parametrize(("effect", "count"), [(2.0, 1), (0.0, 0)])
def test_rows_of_new_groups_are_predicted_worse(effect, count, shared):
    rows, y = visits(effect)
    table = to_table(rows)
    model = RandomForestRegressor(n_estimators=20, min_samples_leaf=2, random_state=0)
    found = check_groups(model, make_data([model], table, y), table, "subject", shared, spell_as_option, 0)
    assert len(found) == count
    if count:
        words = ": they share age and base." if shared else "."
        assert found[0].message.startswith(f"Rows of one subject belong together{words}")
        assert "--groups subject" in found[0].message


@pytest.mark.parametrize(("depends", "count"), [(True, 1), (False, 0)])
def test_a_rare_class_that_is_hardly_ever_predicted_may_depend_on_the_group(depends, count):
    """Applications to 300 advertisements, of which some answer four in ten, and others none: no model makes fewer
    mistakes than always saying no."""
    random = np.random.default_rng(3)
    ad = np.repeat(np.arange(300), 5)
    rows = {"ad_id": ad * 1.0, "pay": random.normal(size=300)[ad], "age": random.normal(size=1500)}
    answers = random.random(300) < 0.15
    answered = (answers[ad] if depends else random.permutation(answers[ad])) & (random.random(1500) < 0.4)
    table, model = to_table(rows), RandomForestClassifier(n_estimators=50, min_samples_leaf=3, random_state=0)
    data = make_data([model], table, np.where(answered, "yes", "no"))
    found = check_groups(model, data, table, "ad_id", (), spell_as_option, 0)
    assert len(found) == count
    if count:
        assert "A random split flatters: a log loss of " in found[0].message


def test_few_groups_are_enough_where_each_row_is_predicted_both_ways():
    """Two dozen pigs, weighed week by week: a single hold-out of five of them could not tell."""
    random = np.random.default_rng(1)
    pig = np.repeat(np.arange(24), 10)
    start, litter, week = random.normal(25, 3, 24), random.integers(0, 6, 24), np.tile(np.arange(10.0), 24)
    rows = {"pig": pig * 1.0, "start": start[pig], "litter": litter[pig] * 1.0, "week": week}
    gain = random.normal(7, 2.5, 24)
    y = start[pig] + gain[pig] * week + random.normal(size=240)
    table, model = to_table(rows), RandomForestRegressor(n_estimators=20, min_samples_leaf=2, random_state=0)
    assert find_group_column(table) == ("pig", ("start", "litter"))
    found = check_groups(model, make_data([model], table, y), table, "pig", ("start",), spell_as_option, 0)
    assert len(found) == 1
    assert "on the same rows in folds drawn at random" in found[0].message


def test_a_number_that_is_mostly_zero_names_no_groups():
    """Incomes before a training: most are zero, and its square and logarithm follow."""
    income = np.where(np.arange(400) % 5 < 3, 0.0, np.arange(400) // 8)
    rows = {
        "income": income,
        "squared": income**2,
        "logarithm": np.log1p(income),
        "age": np.arange(400.0) % 41,
    }
    assert find_group_column(to_table(rows)) is None
