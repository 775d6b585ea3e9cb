"""A result is JSON and back; its form is published."""

import json
from pathlib import Path

import pytest
from tests.report.example import example

from hedgerow.studies.result import StudyResult
from hedgerow.studies.schema import schema

PUBLISHED = Path(__file__).resolve().parents[2] / "docs" / "study-result.schema.json"


def test_json_and_back():
    result = example()
    assert StudyResult.from_dict(json.loads(json.dumps(result.to_dict()))) == result


def test_the_form_is_the_published_one():
    assert json.loads(PUBLISHED.read_text(encoding="utf-8")) == schema()


def test_a_result_has_the_form():
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(json.loads(json.dumps(example().to_dict())), schema())
    wrong = json.loads(json.dumps(example().to_dict()))
    wrong["holdout"]["n_rows"] = "many"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, schema())


def test_it_prints_itself():
    told = str(example())
    assert "80.2%" in told
    assert "> tree" in told
    assert "failed" in told
