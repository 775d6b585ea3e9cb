"""Exports prove themselves: every kind of model, in every language that is here, answers as the model does."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.store.models import Models, every_model, numbers, target

from hedgerow import AdaBoostClassifier, DecisionTreeClassifier, HistGradientBoostingClassifier
from hedgerow.decision import Decision, OperatingPoint, ProbabilityCalibrator, fit_intervals
from hedgerow.estimators.saving import extract_state
from hedgerow.export import ExportError, InvalidProgram, export_model, load_program
from hedgerow.export.formats import c, sql
from hedgerow.export.program.prove import compare, make_program
from hedgerow.export.program.runtime import predict
from hedgerow.export.program.scoring import CHECKS, parse_program
from hedgerow.export.program.steps import TAKES, is_exact
from hedgerow.store.kind import model_tags

MODELS = Models(every_model())
SOME = (
    "categories and gaps",
    "gradient boosting of numbers",
    "rules, mixed",
    "dates and rates",
)  # the others in the slow tier
FORMS: dict[str, dict[str, Any]] = {
    "json": {},
    "python": {},
    "c": {},
    "sqlite": {"dialect": "sqlite"},
    "duckdb": {"dialect": "duckdb"},
    "postgres": {"dialect": "postgres"},
    **({"onnx": {}} if find_spec("onnx") else {}),
}
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def export(name: str, form: str) -> str | bytes:
    state = extract_state(MODELS[name][0])
    return export_model(state, "sql" if "dialect" in FORMS[form] else form, **FORMS[form])


@pytest.mark.parametrize("name", list(MODELS))
def test_every_kind_as_a_program(name: str) -> None:
    """Compared with the model when it is made; and again, read from JSON."""
    program = make_program(extract_state(MODELS[name][0]))
    read = parse_program(json.dumps(program, allow_nan=False))
    compare(program, [predict(read, test["cells"]) for test in program["tests"]], "JSON")


def test_every_kind_of_model_file_is_exported() -> None:
    covered = {extract_state(MODELS[name][0]).model for name in MODELS}
    assert set(model_tags()) == covered
    assert all(any(tag.startswith(kind) for kind in TAKES) for tag in covered)


def test_what_has_no_counterpart_is_refused_in_words() -> None:
    boosted = AdaBoostClassifier("neuron", n_estimators=2, predictions="confident").fit(
        numbers(), target("bool")
    )
    with pytest.raises(ValueError, match=r"other than stumps and trees .* Expected: AdaBoost"):
        boosted.export("json")


def test_a_score_of_zero_is_answered_by_the_class_shares() -> None:
    """Every stump abstains where all cells are missing."""
    colours = pl.DataFrame({"colour": ["red", "green", "blue", None] * 20})
    y = np.array([1, 0, 1, 1] * 20)
    model = AdaBoostClassifier(n_estimators=2, predictions="abstaining").fit(colours, y)
    for form in ("json", "c", "onnx" if find_spec("onnx") else "python"):
        assert model.export(form)
    found = predict(make_program(extract_state(model)), ["a level nobody has seen"])
    assert found["value"] == 1
    assert found["probabilities"] == pytest.approx([0.25, 0.75])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", SOME)
def test_some_in_every_language(name: str, form: str) -> None:
    assert len(export(name, form)) > 100


@pytest.mark.slow
@pytest.mark.parametrize(
    "form", [form for form in FORMS if form != "postgres"]
)  # test_postgres.py has the real one
@pytest.mark.parametrize("name", [name for name in MODELS if name not in SOME])
def test_all_in_every_language(name: str, form: str) -> None:
    if "words" in name and form not in ("json", "python"):
        with pytest.raises(ValueError, match="counts words of free text"):
            export(name, form)
    else:
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
    monkeypatch.setattr("hedgerow.export.program.to_c.steps.write_number", lambda x: right(x * (1 + 2e-16)))
    if shutil.which("cc") is None:
        pytest.skip("no compiler")
    with pytest.raises(ExportError, match="does not answer as the model does"):
        export_model(state, "c")
    assert export_model(state, "c", check=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["categories and gaps", "forest that forks", "forest with surrogates", "rules, mixed", "gradient boosting of two",
     "machine, pairs", "neurons, mixed", "stumps, votes", "boosted numbers",
     "dates and rates"],
)  # fmt: skip
def test_c_under_sanitizers(name: str, tmp_path: Path) -> None:
    compiler = shutil.which("gcc")
    found = compiler and subprocess.run(
        [compiler, "-print-file-name=libasan.so"], capture_output=True, text=True
    )
    if not found or "/" not in found.stdout:
        pytest.skip("no gcc with its sanitizers")
    (tmp_path / "model.c").write_text(str(export_model(extract_state(MODELS[name][0]), "c", check=False)))
    flags = [*c.FLAGS, "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-DMODEL_TEST"]
    subprocess.run([compiler, *flags, "model.c", "-o", "model", "-lm"], cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "model"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


KNOTS = ((-1000.0, -3.0), (-1.0, -2.0), (0.25, 0.5), (2.0, 0.5), (1000.0, 1.5))
COSTS = ((0.0, 1.0), (5.0, 0.5))
DECISIONS = {
    "calibrated": Decision(ProbabilityCalibrator((0.7, 0.7), (0.1, -0.2), 1e-3)),
    "isotonic": Decision(ProbabilityCalibrator((1.0, 1.0), (0.0, 0.0), 1e-3, knots=KNOTS)),
    "threshold": Decision(point=OperatingPoint("f1", 1, 0.31, ())),
    "threshold of the first": Decision(
        ProbabilityCalibrator((1.3, 0.9), (0.0, 0.4), 1e-2), OperatingPoint("f1", 0, 0.6, ())
    ),
    "costs": Decision(point=OperatingPoint("the least expected cost", 1, None, COSTS)),
}


@pytest.mark.parametrize("decision", DECISIONS)
@pytest.mark.parametrize("form", [form for form in FORMS if form not in ("json", "postgres")])
def test_what_a_study_decided_is_exported_too(decision: str, form: str) -> None:
    state = replace(extract_state(MODELS["titanic"][0]), decision=DECISIONS[decision])
    plain = make_program(replace(state, decision=None))
    program = make_program(state)
    assert [test["value"] for test in program["tests"]] != [test["value"] for test in plain["tests"]][
        : len(program["tests"])
    ]
    assert export_model(state, "sql" if "dialect" in FORMS[form] else form, **FORMS[form])


@pytest.mark.parametrize("form", FORMS)
def test_probabilities_calibrated_from_decision_values(form: str) -> None:
    for name, intercept in (("machine", (0.1, -0.3)), ("machine, pairs", (0.1, -0.2, 0.4))):
        knots = KNOTS if name == "machine" else ()
        decision = Decision(ProbabilityCalibrator((0.8,) * len(intercept), intercept, 0.0, 0.5, knots))
        state = replace(extract_state(MODELS[name][0]), decision=decision)
        assert make_program(state)["tests"][0]["probabilities"] is not None
        assert export_model(state, "sql" if "dialect" in FORMS[form] else form, **FORMS[form])


@pytest.mark.parametrize("form", FORMS)
def test_intervals_of_numbers(form: str) -> None:
    values = np.random.default_rng(0).normal(size=900)
    intervals = fit_intervals(values, values + np.random.default_rng(1).normal(size=900) * (2 + values))
    state = replace(extract_state(MODELS["regression, mixed"][0]), decision=Decision(intervals=intervals))
    program = make_program(state)
    assert is_exact(program)
    assert len({test["interval"][1] - test["interval"][0] for test in program["tests"]}) > 2
    assert export_model(state, "sql" if "dialect" in FORMS[form] else form, **FORMS[form])


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
    if find_spec("onnx"):
        assert model.export("onnx")


def test_onnx_without_its_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ValueError, match=r"needs the package onnx.*pip install \"hedgerow\[onnx\]\""):
        MODELS["classes text"][0].export("onnx")


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


def test_the_schema_describes_every_program() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((Path(__file__).parents[2] / "docs" / "scoring-program.schema.json").read_text())
    check = jsonschema.Draft202012Validator(schema)
    for name in ("categories and gaps", "rules, mixed", "vote, hard", "machine, prepared", "stumps, votes"):
        check.validate(make_program(extract_state(MODELS[name][0])))
    assert schema["properties"]["steps"]["items"]["properties"]["do"]["enum"] == list(CHECKS)
