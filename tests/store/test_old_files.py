"""Model files of earlier versions still load, and predict what they did: tests/store/fixtures/format_<version>."""

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris

import hedgerow
from hedgerow import datasets

FIXTURES = Path(__file__).parent / "fixtures"
FILES = sorted(FIXTURES.glob("format_*/*.hedgerow"))
ROWS = {
    30: lambda: load_breast_cancer(return_X_y=True)[0],
    10: lambda: load_diabetes(return_X_y=True)[0],
    4: lambda: load_iris(return_X_y=True)[0],
}


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name} {path.stem}")
def test_a_file_of_an_earlier_version(path):
    expected = json.loads((path.parent / "predictions.json").read_text())[path.stem]  # of every 29th row
    model = hedgerow.load(path)
    rows = ROWS.get(model.n_features_in_, lambda: datasets.titanic().table)()
    found = model.predict(rows)[::29]
    if isinstance(expected[0], float):
        np.testing.assert_allclose(found, expected, rtol=1e-9)
    else:
        assert found.tolist() == expected
