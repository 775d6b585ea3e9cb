"""Exports prove themselves: every kind of model, in every language that is here, answers as the model does."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.store.models import Models, every_model

import hedgerow
from hedgerow import DecisionTreeClassifier, HistGradientBoostingClassifier
from hedgerow.estimators.saving import extract_state
from hedgerow.export import ExportError, InvalidProgram, export_model, load_program
from hedgerow.export.formats import c, sql
from hedgerow.export.program.prove import compare, make_program
from hedgerow.export.program.runtime import predict
from hedgerow.export.program.scoring import parse_program
from hedgerow.export.program.steps import TAKES, is_exact
from hedgerow.store.kind import model_tags

MODELS = Models(every_model())
REFUSED = {  # models without a counterpart, and why
    "forest that forks": "down every branch",
    "forest with surrogates": "with surrogates",
    "neurons": "takes models of kind",
    "neurons, mixed": "takes models of kind",
    "neurons, prepared": "takes models of kind",
}
SOME = ("categories and gaps", "gradient boosting of numbers", "rules, mixed")  # the others in the slow tier
FORMS: dict[str, dict[str, Any]] = {
    "json": {},
    "python": {},
    "c": {},
    "sqlite": {"dialect": "sqlite"},
    "duckdb": {"dialect": "duckdb"},
    "postgres": {"dialect": "postgres"},
}
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def export(name: str, form: str) -> str:
    state = extract_state(MODELS[name][0])
    return str(export_model(state, "sql" if "dialect" in FORMS[form] else form, **FORMS[form]))


@pytest.mark.parametrize("name", [name for name in MODELS if name not in REFUSED])
def test_every_kind_as_a_program(name: str) -> None:
    """Compared with the model when it is made; and again, read from JSON."""
    program = make_program(extract_state(MODELS[name][0]))
    read = parse_program(json.dumps(program, allow_nan=False))
    compare(program, [predict(read, test["cells"]) for test in program["tests"]], "JSON")


def test_every_kind_of_model_file_is_exported_or_refused_in_words() -> None:
    covered = {extract_state(MODELS[name][0]).model for name in MODELS if name not in REFUSED}
    assert set(model_tags()) - covered == {"boosted neurons"}
    assert all(any(tag.startswith(kind) for kind in TAKES) for tag in covered)


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_counterpart_is_refused_in_words(name: str) -> None:
    with pytest.raises(ValueError, match=REFUSED[name]):
        export(name, "json")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", SOME)
def test_some_in_every_language(name: str, form: str) -> None:
    assert len(export(name, form)) > 100


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", [name for name in MODELS if name not in (*REFUSED, *SOME)])
def test_all_in_every_language(name: str, form: str) -> None:
    assert len(export(name, form)) > 100


def test_trees_are_exact_and_try_every_leaf() -> None:
    model, _ = MODELS["titanic"]
    program = make_program(extract_state(MODELS["classes text"][0]))
    assert is_exact(program)
    tree = program["steps"][0]["trees"][0]
    values = {tuple(value) for value in tree["value"] if value is not None}
    assert values == {tuple(test["probabilities"]) for test in program["tests"]}
    thresholds = {t for t in tree["threshold"] if t is not None}
    tried = {cell for test in program["tests"] for cell in test["cells"] if cell is not None}
    assert thresholds <= tried
    assert {np.nextafter(t, np.inf) for t in thresholds} & tried
    assert model.export("json")


def test_a_difference_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    state = extract_state(MODELS["classes text"][0])
    right = c.write_number
    monkeypatch.setattr("hedgerow.export.program.to_c.write_number", lambda x: right(x * (1 + 2e-16)))
    if shutil.which("cc") is None:
        pytest.skip("no compiler")
    with pytest.raises(ExportError, match="does not answer as the model does"):
        export_model(state, "c")
    assert export_model(state, "c", check=False)


# ------------------------------------------------------------------------------------------------- hostile names

NAMES = [
    "a'b", 'q"uote', "new\nline", "*/ end", "/* begin", "<script>alert(1)</script>", "emoji \U0001f332", "select",
    "\x1b[31m", "back\\slash", "a;--", "%s %n {x}", "??/trigraph", "\u202eright", "\'\'\'", '"""', "$$", "",
]  # fmt: skip


def hostile() -> tuple[pl.DataFrame, list[str]]:
    random = np.random.default_rng(2)
    frame = {f"{name} {k}": random.normal(size=90) for k, name in enumerate(NAMES)}
    frame["words */ ' \" \n"] = [NAMES[k] for k in random.integers(0, len(NAMES), 90)]
    return pl.DataFrame(frame), [NAMES[k] for k in random.integers(0, 4, 90)]


@pytest.mark.parametrize("form", FORMS)
def test_hostile_names_are_harmless(form: str) -> None:
    X, y = hostile()
    model = HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=3).fit(X, y)
    name = "sql" if "dialect" in FORMS[form] else form
    options = FORMS[form] | ({"table": "a\"b'; drop table x --\n"} if name == "sql" else {})
    assert export_model(extract_state(model), name, **options)


def test_a_prefix_is_a_name_and_a_nul_is_refused() -> None:
    model = DecisionTreeClassifier().fit(pl.DataFrame({"a\0b": [1.0, 2.0, 3.0]}), [0, 1, 1])
    with pytest.raises(ValueError, match="is no name in C"):
        model.export("c", prefix="x; int main")
    with pytest.raises(ValueError, match="NUL character"):
        model.export("sql")
    assert model.export("python")
    assert model.export("c")


# ------------------------------------------------------------------------------------------------- files


def test_a_file_is_written_and_python_runs_alone(tmp_path: Path) -> None:
    model, _rows = MODELS["titanic"]
    model.export("python", tmp_path / "m.py")
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(tmp_path / "m.py")], capture_output=True, text=True, check=True
    )
    assert "test rows answered as the model answers them" in done.stdout
    assert done.stdout.split()[0] == done.stdout.split()[2]


def test_json_is_read_back_and_predicts(tmp_path: Path) -> None:
    model, people = MODELS["titanic"]
    model.export("json", tmp_path / "m.json")
    read = load_program(tmp_path / "m.json")
    wanted = model.predict_proba(people)
    for i in (0, 17, 700):
        found = read.predict(people.row(i, named=True))
        assert found["value"] == model.classes_[wanted[i].argmax()]
        assert found["probabilities"] == wanted[i].tolist()


@pytest.mark.parametrize(
    "text", ["", "[" * 100_000, "[]", "{}", '{"format": "hedgerow scoring program", "version": 1}', "NaN"]
)
def test_what_is_no_program(text: str, tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text(text)
    with pytest.raises(InvalidProgram, match=r"no JSON|no scoring program"):
        load_program(tmp_path / "m.json")


def test_a_tree_that_leads_back_is_refused() -> None:
    """It would never end."""
    program = json.loads(export("categories and gaps", "json"))
    tree = program["steps"][0]["trees"][0]
    for name, value in (("child", 0), ("missing", 0), ("missing", 10**6), ("column", 99), ("child", 1.0)):
        broken = json.loads(json.dumps(program))
        at = next(k for k, child in enumerate(tree["child"]) if child > 0)
        broken["steps"][0]["trees"][0][name][at] = value
        with pytest.raises(InvalidProgram):
            parse_program(json.dumps(broken))


def test_long_decimals_are_exact_in_sqlite() -> None:
    import sqlite3

    random = np.random.default_rng(0)
    numbers = [
        *random.normal(size=300),
        *10 ** random.uniform(-300, 300, 300),
        5e-324,
        -0.1,
        0.0,
        1e22,
        2.0**-1074,
    ]
    with sqlite3.connect(":memory:") as database:
        for x in map(float, numbers):
            assert database.execute(f"SELECT {sql.DIALECTS['sqlite'].number(x)}").fetchone()[0] == x


def test_hedgerow_export_names() -> None:
    assert hedgerow.export.load_program is load_program
