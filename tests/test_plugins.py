"""The table of plug-in kinds in CONTRIBUTING.md is true: folders, contracts, examples; a new plug-in is one new file.

Each kind has a test that adds a plug-in and uses it (WORKS). Here: every file of a folder satisfies its contract, and a
copy of an example under a new name is listed, and named where somebody gives an unknown name.
"""

import ast
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.temporary_plugin import temporary_plugin

from hedgerow import candidate
from hedgerow.boost import loss as boosting_loss
from hedgerow.boost import weak_learner
from hedgerow.evaluation import check, comparison_test, metric
from hedgerow.export import exporter
from hedgerow.gradient import loss as gradient_loss
from hedgerow.plugins import load_plugins, plugin_names
from hedgerow.prune import method
from hedgerow.report import section
from hedgerow.store import kind as store_kind

CHECKOUT = Path(__file__).resolve().parents[1]
SOURCE = CHECKOUT / "src" / "hedgerow"
NEW = "brand_new"


class Kind(NamedTuple):
    protocol: Any
    names: Callable[[], Any]  # what is there, by name
    # An error that lists what is there; None: nobody gives a name
    load_unknown: Callable[[], Any] | None = None


PYTHON = {
    "boosting loss": Kind(
        boosting_loss.Loss, boosting_loss.loss_names, lambda: boosting_loss.load_loss("none such")
    ),
    "gradient boosting loss": Kind(
        gradient_loss.LossFile,
        lambda: gradient_loss.loss_names("numbers"),
        lambda: gradient_loss.load_loss("none such", "numbers", gradient_loss.LossOptions()),
    ),
    "weak learner": Kind(
        weak_learner.WeakLearnerFile,
        weak_learner.load_weak_learners,
        lambda: weak_learner.load_weak_learner("none such"),
    ),
    "pruning": Kind(method.MethodFile, method.load_methods, lambda: method.make_method("none such")),
    "metric": Kind(metric.Metric, metric.metrics, lambda: metric.load_metric("none such", "regression")),
    "comparison test": Kind(
        comparison_test.ComparisonTest,
        comparison_test.comparison_tests,
        lambda: comparison_test.load_comparison_test("none such"),
    ),
    "method check": Kind(check.Check, check.checks),
    "report section": Kind(section.Section, section.load_sections),
    "candidate model": Kind(
        candidate.Candidate, candidate.candidate_names, lambda: candidate.load_candidate("none such")
    ),
    "exporter": Kind(exporter.Exporter, exporter.load_exporters, lambda: exporter.load_exporter("none such")),
    "kind of model file": Kind(store_kind.Kind, store_kind.load_kinds),
}

WORKS = {  # the test that adds a plug-in of this kind and uses it
    "split criterion": "core/test_native_plugins.py::test_a_criterion_and_a_kernel_are_one_file_each",
    "SVM kernel": "core/test_native_plugins.py::test_a_criterion_and_a_kernel_are_one_file_each",
    "boosting loss": "boost/test_losses.py::test_a_new_loss_is_the_one_that_is_minimised",
    "gradient boosting loss": "gradient/test_losses.py::test_a_new_loss_is_one_new_file",
    "weak learner": "boost/test_weak_learners.py::test_a_new_weak_learner_is_one_new_file",
    "pruning": "prune/test_method.py::test_a_new_method_is_one_new_file",
    "metric": "evaluation/test_plugins.py::test_a_new_metric_is_one_file",
    "comparison test": "evaluation/test_plugins.py::test_a_new_comparison_test_is_one_file",
    "method check": "evaluation/test_plugins.py::test_a_new_check_is_one_file",
    "report section": "report/test_sections.py::test_a_new_file_is_a_section",
    "candidate model": "candidates/test_candidates.py::test_a_new_candidate_is_one_file",
    "exporter": "export/test_exporter.py::test_a_new_exporter_is_one_new_file",
    "kind of model file": "store/test_kinds.py::test_a_new_kind_is_one_new_file",
}


class Row(NamedTuple):
    kind: str
    folder: Path
    contract: Path
    example: Path


def place(text: str) -> Path:
    return (CHECKOUT if text.startswith("native/") else SOURCE) / text


def read_table() -> dict[str, Row]:
    text = (CHECKOUT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|`]+) \| `([^`]+)` \| `([^`]+)` \| `([^`]+)` \|$", text, flags=re.MULTILINE)
    return {
        kind: Row(kind, place(folder), place(contract), place(folder) / example)
        for kind, folder, contract, example in rows
    }


TABLE = read_table()


def package_of(row: Row) -> str:
    return ".".join(("hedgerow", *row.folder.relative_to(SOURCE).parts))


def test_the_table_has_every_kind() -> None:
    assert set(TABLE) == set(WORKS)
    assert {kind for kind, row in TABLE.items() if row.folder.is_relative_to(SOURCE)} == set(PYTHON)


def test_no_folder_of_plugins_is_left_out() -> None:
    """Whoever asks hedgerow.plugins for a folder has it in the table."""
    packages = {
        found
        for file in SOURCE.rglob("*.py")
        if "from hedgerow.plugins import" in (text := file.read_text(encoding="utf-8"))
        or "import plugins" in text
        for found in re.findall(r'^[A-Z_]+ = "(hedgerow\.[a-z_.]+)"', text, flags=re.MULTILINE)
    }
    assert packages == {package_of(TABLE[kind]) for kind in PYTHON}


@pytest.mark.parametrize("row", TABLE.values(), ids=list(TABLE))
def test_folder_contract_and_example_are_there(row: Row) -> None:
    assert row.folder.is_dir()
    assert row.contract.is_file()
    assert row.example.is_file()


@pytest.mark.parametrize("kind", PYTHON)
def test_every_file_satisfies_its_contract(kind: str) -> None:
    row, known = TABLE[kind], PYTHON[kind]
    assert known.protocol.__module__ == ".".join(
        ("hedgerow", *row.contract.relative_to(SOURCE).with_suffix("").parts)
    )
    found = load_plugins(package_of(row), known.protocol)
    files = {file.stem for file in row.folder.glob("*.py")} - {"__init__"}
    assert set(found) == files == set(plugin_names(package_of(row)))


@pytest.mark.parametrize("kind", WORKS)
def test_a_new_one_is_tried_somewhere(kind: str) -> None:
    file, _, function = WORKS[kind].partition("::")
    parsed = ast.parse((CHECKOUT / "tests" / file).read_text(encoding="utf-8"))
    assert function in {node.name for node in parsed.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("kind", PYTHON)
def test_there_is_no_other_list(kind: str, tmp_path: Path) -> None:
    """A copy of the example under a new name: it is listed, and so it is in the error for an unknown name."""
    row, known = TABLE[kind], PYTHON[kind]
    source = row.example.read_text(encoding="utf-8")
    if kind == "pruning":  # the class has the name of the file
        source = re.sub(rf"\b{method.class_name(row.example.stem)}\b", method.class_name(NEW), source)
    with temporary_plugin(package_of(row), tmp_path, NEW, source):
        assert NEW in known.names()
        if known.load_unknown is not None:
            with pytest.raises(ValueError, match=rf"'none such' is unknown.* Known.*\b{NEW}\b"):
                known.load_unknown()
    assert NEW not in known.names()
