"""One set of names: metrics, models and options are called the same in study, fit, evaluate, compare and Python."""

import inspect
import json
from dataclasses import fields
from importlib import import_module

import numpy as np
import polars as pl
import pytest

import hedgerow as library
from hedgerow.candidate import candidate_names, load_candidate
from hedgerow.cli.commands.compare import CompareOptions
from hedgerow.cli.commands.evaluate import EvaluateOptions
from hedgerow.cli.commands.fit import FitOptions
from hedgerow.cli.commands.study import StudyCommandOptions
from hedgerow.cli.options import plain_name
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


COMMANDS = ("study", "fit", "compare", "evaluate", "predict", "rules", "prune")
ELSEWHERE = {  # the same word with another meaning or default, and why
    "folds": {
        "study": "5, drawn twice",
        "fit": "of the cross-validation inside a pruning, whose name it has in Python",
    },
    "scoring": {"evaluate": "all metrics, where none is named"},
    "test_share": {"study": "sealed", "prune": "half of the rows grow, a fifth prunes"},
    "holdout": {"study": "sealed", "evaluate": "another name of cv", "compare": "another name of cv"}
    | {"prune": "half of the rows grow, a fifth prunes"},
    "cv": {"study": "another name of folds"},
    "model": {"predict": "a file, not a name"},
}
OF_A_MODEL = {"criterion", "max_depth", "max_leaf_nodes", "min_samples_leaf", "max_rules", "confidence"}


def typed_options():
    """Of each command: every word that may be typed, with its type and default."""
    for command in COMMANDS:
        made = import_module(f"hedgerow.cli.commands.{command}").make()
        for name, one in inspect.signature(made).parameters.items():
            words = [
                word.lstrip("-").replace("-", "_")
                for word in one.annotation.__metadata__[0].param_decls or ()
            ]
            kind = str(one.annotation.__origin__).replace("<class '", "").replace("'>", "").partition(" |")[0]
            for word in {name, *(word for word in words if "/" not in word)}:
                yield word, command, (kind, one.default)


def test_a_word_means_the_same_in_every_command():
    """The same type and the same default; a parameter of a model has the model's own default in `fit`."""
    found = {}
    for word, command, meaning in typed_options():
        found.setdefault(word, {})[command] = meaning
    for word, meanings in found.items():
        different = ELSEWHERE.get(word, {})
        assert set(different) <= set(meanings), word
        same = {command: one for command, one in meanings.items() if command not in different}
        if word in OF_A_MODEL:
            assert len({kind for kind, _ in same.values()}) == 1, (word, same)
        else:
            assert len(set(same.values())) <= 1, (word, same)


def test_rows_are_split_by_the_same_words_in_every_command():
    known = {}
    for word, command, _ in typed_options():
        known.setdefault(command, set()).add(word)
    for command in ("study", "evaluate", "compare"):
        assert {"folds", "cv", "holdout", "repeats", "groups", "time", "weights"} <= known[command]
    for command in ("fit", "rules", "prune"):
        assert {"holdout", "test_share"} <= known[command]


@pytest.mark.parametrize("name", candidate_names())
def test_what_a_table_calls_a_model_can_be_typed(name):
    assert plain_name(load_candidate(name).TITLE) == name
    assert plain_name(f"tree , {load_candidate(name).TITLE}") == f"tree,{name}"


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
def test_every_candidate_can_be_fitted_alone_by_its_name(hedgerow, flowers, name, tmp_path):
    """Its model file has probabilities, and every metric of the task."""
    target, other = ("kind", "size") if "classification" in load_candidate(name).TASKS else ("size", "kind")
    file, given = (
        tmp_path / "alone.hedgerow",
        ("--target", target, "--drop", f"{other},w", "--model", name, "--json"),
    )
    ran = hedgerow("fit", flowers, *given, "--save", file)
    assert ran.code == 0, ran.err
    header = hedgerow("predict", file, flowers).out.splitlines()[0]
    evaluated = json.loads(hedgerow("evaluate", flowers, *given, "--folds", 3).out)
    assert not [one["name"] for one in evaluated["scores"] if one["missing"]]
    if target == "kind":
        assert header == "prediction,probability_iris,probability_rose"
