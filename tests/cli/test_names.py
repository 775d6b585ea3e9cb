"""One set of names: metrics, models and options are called the same in study, fit, evaluate, compare and Python."""

import inspect
import json
from dataclasses import fields

import numpy as np
import polars as pl
import pytest

import hedgerow as library
from hedgerow.candidate import candidate_names, load_candidate
from hedgerow.cli.commands.compare import CompareOptions
from hedgerow.cli.commands.evaluate import EvaluateOptions
from hedgerow.cli.commands.fit import FitOptions
from hedgerow.cli.commands.study import StudyCommandOptions
from hedgerow.evaluation.metric import metrics
from hedgerow.studies.options import StudyOptions

EVERYWHERE = {"target", "task", "random_state", "categories", "drop", "memory", "n_jobs", "json"}
JUDGING = {"scoring", "repeats", "groups", "weights", "positive"}
IN_PYTHON = (JUDGING - {"weights"}) | {
    "sample_weight",
    "random_state",
    "n_jobs",
}  # rows' weights are arrays there


def names(options):
    return {one.name for one in fields(options)}


def test_options_have_the_same_names_in_all_commands():
    for options in (StudyCommandOptions, FitOptions, EvaluateOptions, CompareOptions):
        assert names(options) >= EVERYWHERE, options
    for options in (StudyCommandOptions, EvaluateOptions, CompareOptions):
        assert names(options) >= JUDGING, options


def test_and_in_python():
    assert names(StudyOptions) >= (EVERYWHERE - {"json"}) | JUDGING
    assert set(inspect.signature(library.study).parameters) >= names(StudyOptions)
    for function in (library.evaluate, library.compare):
        assert set(inspect.signature(function).parameters) >= IN_PYTHON
    same = set(inspect.signature(library.compare).parameters) & {"prefer", "margin"}
    assert same <= names(StudyCommandOptions) & names(CompareOptions)
    assert len(same) == 2


@pytest.fixture
def flowers(tmp_path):
    random = np.random.default_rng(0)
    x = random.normal(size=(90, 2))
    frame = pl.DataFrame({"a": x[:, 0], "b": x[:, 1], "w": 1 + random.random(90)})
    frame = frame.with_columns(
        kind=np.where(x[:, 0] + 0.5 * x[:, 1] > 0.4, "iris", "rose"), size=x[:, 0] + 0.1 * x[:, 1]
    )
    frame.write_csv(tmp_path / "flowers.csv")
    return tmp_path / "flowers.csv"


@pytest.mark.slow
@pytest.mark.parametrize("metric", metrics())
def test_a_metric_has_one_name(hedgerow, flowers, metric, tmp_path):
    target, other = ("kind", "size") if metrics()[metric].task == "classification" else ("size", "kind")
    shared = ("--target", target, "--drop", other, "--scoring", metric, "--weights", "w", "--json")
    evaluated = json.loads(hedgerow("evaluate", flowers, "--model", "stump", "--cv", 3, *shared).out)
    assert [one["name"] for one in evaluated["scores"]] == [metric]
    compared = json.loads(hedgerow("compare", flowers, "--models", "stump,tree", "--cv", 3, *shared).out)
    assert compared["scoring"] == metric
    folder = ("--folder", tmp_path / "study", "--folds", 2, "--repeats", 1)
    studied = json.loads(hedgerow("study", flowers, "--models", "stump,tree", *folder, *shared).out)
    assert studied["question"]["scoring"] == metric


@pytest.mark.slow
@pytest.mark.parametrize("name", candidate_names())
def test_every_candidate_can_be_fitted_alone_by_its_name(hedgerow, flowers, name):
    target, other = ("kind", "size") if "classification" in load_candidate(name).TASKS else ("size", "kind")
    ran = hedgerow("fit", flowers, "--target", target, "--drop", f"{other},w", "--model", name, "--json")
    assert ran.code == 0, ran.err
