"""Docstrings: numpydoc has no finding, defaults are true, attributes exist, examples run."""

import doctest
import importlib.util
import inspect
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hedgerow
import hedgerow.prune
from hedgerow.docstrings import document
from hedgerow.docstrings.compose import parse_docstring, parse_entries

CHECKOUT = Path(__file__).resolve().parents[1]
CLASSES = [name for name in hedgerow.__all__ if inspect.isclass(getattr(hedgerow, name))]
FUNCTIONS = [name for name in hedgerow.__all__ if inspect.isfunction(getattr(hedgerow, name))]
CONDITIONAL = {  # documented attributes that need a parameter, names of columns or another kernel
    "trace_", "cp_table_", "stopped_", "feature_names_in_", "coef_", "train_score_", "validation_score_", "oob_score_",
    "oob_decision_function_", "oob_prediction_", "oob_", "n_iter_",
}  # fmt: skip


@pytest.fixture(scope="module")
def checked() -> Any:
    pytest.importorskip("numpydoc")
    spec = importlib.util.spec_from_file_location("checked", CHECKOUT / "tools" / "check_docstrings.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_numpydoc_has_no_finding(checked: Any) -> None:
    assert checked.findings() == []


@pytest.mark.parametrize("name", CLASSES)
def test_every_parameter_is_documented_with_its_default(name: str) -> None:
    entries = parse_entries(parse_docstring(getattr(hedgerow, name).__doc__).sections["Parameters"])
    for parameter in inspect.signature(getattr(hedgerow, name)).parameters.values():
        kind = entries[parameter.name].partition("\n")[0]
        if parameter.default is not inspect.Parameter.empty:
            assert kind.endswith(f", default={parameter.default!r}"), f"{name}({parameter.name}): {kind}"


def fitted(name: str) -> Any:
    kind = getattr(hedgerow, name)
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = X[:, 0] + 0.1 * X[:, 1]
    target = (y > 0).astype(int) if name.endswith(("Classifier", "SVC")) or name == "TopFeatures" else y
    if name.startswith("WeightedVoting"):
        task = name.removeprefix("WeightedVoting")
        return kind([("tree", getattr(hedgerow, f"DecisionTree{task}")())]).fit(X, target)
    if name == "WithFeatures":
        return kind(hedgerow.DecisionTreeClassifier()).fit(X, (y > 0).astype(int))
    return kind().fit(X, target)


@pytest.mark.parametrize("name", [name for name in CLASSES if hasattr(getattr(hedgerow, name), "fit")])
def test_documented_attributes_exist(name: str) -> None:
    model = fitted(name)
    documented = set(parse_entries(parse_docstring(type(model).__doc__).sections["Attributes"]))
    assert {one for one in documented - CONDITIONAL if not hasattr(model, one)} == set()
    assert {one for one in documented if not one.endswith("_")} == set()
    kept = {one for one in vars(model) if one.endswith("_") and not one.startswith("_")}
    assert kept - documented - {"n_outputs_"} == set(), "attributes of fit that the docstring does not name"


def doctest_failures(thing: Any, name: str) -> int:
    (test,) = doctest.DocTestFinder(recurse=False).find(thing, name, globs={})
    assert test.examples, f"{name} has no example"
    return doctest.DocTestRunner(verbose=False).run(test).failed


@pytest.mark.parametrize("name", CLASSES + FUNCTIONS)
def test_examples_run(name: str) -> None:
    assert doctest_failures(getattr(hedgerow, name), name) == 0


@pytest.mark.slow
def test_examples_elsewhere_run(checked: Any) -> None:
    """Of results, prunings, formulas, data sets, teaching and Dask; those of methods stand at their class."""
    elsewhere = {
        name: thing
        for name, (kind, thing) in checked.public().items()
        if kind != "member" and not (kind == "formula" and inspect.isclass(thing))
    }
    assert len(elsewhere) > 100
    assert [name for name, thing in elsewhere.items() if doctest_failures(thing, name)] == []


@pytest.mark.parametrize("name", CLASSES + FUNCTIONS)
def test_see_also_names_what_exists(name: str) -> None:
    text = parse_docstring(getattr(hedgerow, name).__doc__).sections["See Also"]
    assert [one for one in re.findall(r"^(\w+) :", text, re.MULTILINE) if not hasattr(hedgerow, one)] == []


def test_what_is_not_said_is_that_of_the_class_it_is_like() -> None:
    @document()
    class One:
        """First sentence. Second one.

        Parameters
        ----------
        depth : int
            How deep.
        """

        def __init__(self, depth: int = 3, n_jobs: int | None = None) -> None: ...

    @document(One)
    class Other:
        """Another."""

        def __init__(self, depth: int = 5) -> None: ...

    doc = parse_docstring(One.__doc__ or "")
    assert (doc.summary, doc.text) == ("First sentence.", "Second one.")
    assert "n_jobs : int or None, default=None\n    Threads" in doc.sections["Parameters"]
    assert "depth : int, default=5\n    How deep." in (Other.__doc__ or "")
