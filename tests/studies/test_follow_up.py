"""A time of follow-up is asked about; planned durations and targets that are no event are not."""

import numpy as np
import polars as pl
import pytest

from hedgerow.studies.load import load_data
from hedgerow.studies.options import StudyOptions


def patients(time: str, target: str, n_times: int = 400) -> pl.DataFrame:
    """Who dies early is watched for a short time, as in a trial."""
    random = np.random.default_rng(0)
    days = random.integers(1, n_times + 1, 300)
    died = np.where(random.random(300) < 1 / (1 + np.exp(days / 100 - 2)), "dead", "alive")
    return pl.DataFrame({"age": random.normal(60, 10, 300), time: days, target: died})


def questions(table: pl.DataFrame, target: str) -> list[str]:
    notes = load_data(table, StudyOptions(target)).notes
    return [note for note in notes if "how long each case was watched" in note]


@pytest.mark.parametrize(
    ("time", "target"),
    [
        ("time", "status"),
        ("futime", "death"),
        ("survTime", "Status"),
        ("days_to_death", "Death.event"),
        ("lenfol", "fstat"),
        ("rectime", "censrec"),
        ("days", "cens"),
        ("ldurat", "cens"),
        ("t.tdm", "e.tdm"),
        ("T", "E"),
    ],
)
def test_a_time_of_follow_up_is_asked_about(time, target):
    (question,) = questions(patients(time, target), target)
    assert question.startswith(f"Is {time} how long")
    assert "drop" in question


@pytest.mark.parametrize(
    ("time", "target", "n_times"),
    [
        ("time", "status", 12),
        ("time", "treatment", 400),
        ("hours", "status", 400),
        ("days", "status", 400),
        ("months", "event", 400),
        ("t_ward", "e_tdm", 400),
        ("temperature", "eaten", 400),
        ("time_of_day", "death", 400),
    ],
)
def test_other_durations_and_targets_are_not(time, target, n_times):
    assert not questions(patients(time, target, n_times), target)


@pytest.mark.parametrize(("target", "name", "count"), [
    ("duration", "observed", 1), ("survTime", "status", 1), ("duration", "region", 0), ("price", "observed", 0),
])  # fmt: skip
def test_where_the_target_is_such_a_time_the_end_is_asked_about(target, name, count):
    random = np.random.default_rng(0)
    table = pl.DataFrame({
        "age": random.normal(60, 10, 300), name: random.integers(0, 2, 300), target: random.gamma(2, 40, 300)
    })  # fmt: skip
    notes = load_data(table, StudyOptions(target)).notes
    assert sum(f"Does {name} say whether {target} had ended?" in note for note in notes) == count


def test_what_is_missing_where_a_time_had_not_ended_says_so_too():
    random = np.random.default_rng(0)
    death = random.integers(0, 2, 300)
    cause = [random.choice(["heart", "lung"]) if dead else None for dead in death]
    table = pl.DataFrame({
        "age": random.normal(60, 10, 300), "death": death, "cause": cause, "futime": random.gamma(2, 40, 300)
    })  # fmt: skip
    notes = [note for note in load_data(table, StudyOptions("futime")).notes if "had ended" in note]
    assert [note.split()[1] for note in notes] == ["death", "cause"]
