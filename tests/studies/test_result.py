"""A result is JSON and back; its form is published."""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.report.example import example

import hedgerow
from hedgerow import datasets
from hedgerow.studies.result import StudyResult
from hedgerow.studies.schema import make_schema

PUBLISHED = Path(__file__).resolve().parents[2] / "docs" / "study-result.schema.json"


def test_json_and_back():
    result = example()
    assert StudyResult.from_dict(json.loads(json.dumps(result.to_dict()))) == result


def test_a_result_from_before_a_field_was_new_is_read():
    given = json.loads(json.dumps(example().to_dict()))
    del given["question"]["time"]
    assert StudyResult.from_dict(given) == example()


def test_the_form_is_the_published_one():
    assert json.loads(PUBLISHED.read_text(encoding="utf-8")) == make_schema()


def test_a_result_has_the_form():
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(json.loads(json.dumps(example().to_dict())), make_schema())
    wrong = json.loads(json.dumps(example().to_dict()))
    wrong["holdout"]["n_rows"] = "many"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, make_schema())


def test_it_prints_itself():
    text = str(example())
    assert "80.2%" in text
    assert "> tree" in text
    assert "failed" in text


def test_a_result_shows_itself_and_knows_its_model(tmp_path: Path) -> None:
    found = hedgerow.study("titanic", models=["stump"], folds=2, repeats=1, folder=tmp_path / "s", quick=True)
    assert "<table" in found._repr_html_()
    table = datasets.titanic().frame().drop("survived").head(9)
    np.testing.assert_array_equal(found.model.predict(table), hedgerow.load(tmp_path / "s").predict(table))
    with pytest.raises(ValueError, match=r"hedgerow\.load\(folder\)"):
        _ = StudyResult.from_dict(found.to_dict()).model
