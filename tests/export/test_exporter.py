"""Exporters: every file of export/formats works by its name; a new one is one new file."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import hedgerow
import hedgerow.export.formats
from hedgerow import datasets, plugins
from hedgerow.export import exporters_for, load_exporter, load_exporters

NEW = '''"""How many nodes.   In: a tree or a forest.   Out: a number."""
TITLE, SUFFIX, TAKES = "number of nodes", ".num", ("tree", "linear svm")

def export(state, *, factor=1):
    size = state.body.n_nodes if state.model.startswith("tree") else len(state.schema.names)
    return f"{state.labels.features[0]} {factor * size}"
'''


@pytest.fixture
def new_exporter(tmp_path: Path) -> Iterator[str]:
    """`export="sized"`, a file in a folder of its own that the package looks into as well."""
    (tmp_path / "sized.py").write_text(NEW, encoding="utf-8")
    hedgerow.export.formats.__path__.append(str(tmp_path))
    yield "sized"
    hedgerow.export.formats.__path__.remove(str(tmp_path))
    sys.modules.pop("hedgerow.export.formats.sized", None)


@pytest.fixture(scope="module")
def tree() -> Any:
    titanic = datasets.titanic()
    return hedgerow.DecisionTreeClassifier(max_depth=2).fit(titanic.table, titanic.target)


def test_every_exporter_says_what_it_is() -> None:
    assert {"dot", "rules", "svg", "text"} <= set(load_exporters())
    for exporter in load_exporters().values():
        assert exporter.TITLE
        assert exporter.SUFFIX.startswith(".")
        assert exporter.TAKES


@pytest.mark.parametrize("name", exporters_for("tree classifier"))
def test_every_exporter_of_trees(name: str, tree: Any) -> None:
    if name == "onnx":
        pytest.importorskip("onnx")
    found = tree.export(name)
    assert len(found) > 10
    assert found == tree.export(name)


def test_named_methods_are_the_same(tree: Any) -> None:
    assert tree.to_text(width=80) == tree.export("text", width=80)
    assert tree.to_dot(max_depth=1) == tree.export("dot", max_depth=1)
    assert tree.to_svg(merged=True) == tree.export("svg", merged=True)


def test_a_tree_as_rules(tree: Any) -> None:
    lines = tree.export("rules").splitlines()
    assert len(lines) == tree.hedgerow_tree_.n_leaves
    assert lines[0] == "if sex = male and age <= 9.5 then survived  (43 rows, 0.58)"
    rows = [int(line.rpartition("(")[2].split()[0].replace(",", "")) for line in lines]
    assert sum(rows) == tree.hedgerow_tree_.n_rows[0]
    single = hedgerow.DecisionTreeRegressor(max_depth=1).fit([[0.0], [0.0]], [1.0, 3.0])
    assert single.export("rules") == "always 2  (2 rows)\n"


def test_a_rule_list() -> None:
    X = np.arange(40.0)[:, None] % 7
    model = hedgerow.RuleListClassifier().fit(X, X[:, 0] > 3)
    assert model.export("text", width=60) == model.to_text(60) + "\n"
    assert type(model.rules_).parse(model.export("rules")) == model.rules_
    with pytest.raises(
        ValueError, match=r"takes models of kind tree, but this is a rule list\. It can be .*rules, sql or"
    ):
        model.export("dot")


def test_errors_name_what_is_known(tree: Any) -> None:
    with pytest.raises(ValueError, match=r"export='dott' is unknown\. Known: .*dot.*Did you mean 'dot'\?"):
        tree.export("dott")
    with pytest.raises(ValueError, match=r"export='dot' has no option 'depth'\. Options: max_depth\."):
        tree.export("dot", depth=3)
    with pytest.raises(ValueError, match="It has no options"):
        tree.export("rules", depth=3)
    with pytest.raises(NotFittedError):
        hedgerow.DecisionTreeClassifier().export("dot")


def test_a_new_exporter_is_one_new_file(new_exporter: str, tree: Any) -> None:
    assert new_exporter in load_exporters()
    assert tree.export(new_exporter, factor=2) == f"{tree.schema_.names[0]} {2 * tree.hedgerow_tree_.n_nodes}"
    X = np.arange(21.0).reshape(7, 3)
    assert hedgerow.LinearSVC().fit(X, X[:, 0] > 9).export(new_exporter) == "x0 3"
    assert new_exporter in exporters_for("linear svm classifier")
    with pytest.raises(ValueError, match="It can be exported as c, json, onnx, python or sql"):
        hedgerow.SVC().fit(X, X[:, 0] > 9).export(new_exporter)


def test_a_file_that_lacks_something_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "half.py").write_text("TITLE, SUFFIX = 'half', '.half'", encoding="utf-8")
    monkeypatch.setattr(hedgerow.export.formats, "__path__", [str(tmp_path)])
    assert plugins.plugin_names("hedgerow.export.formats") == ("half",)
    with pytest.raises(TypeError, match="it lacks TAKES, export"):
        load_exporter("half")
    sys.modules.pop("hedgerow.export.formats.half", None)
