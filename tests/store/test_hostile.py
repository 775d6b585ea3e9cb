"""Files that once crashed `load`, loaded and answered nonsense, took seconds, or repeated themselves in an error: each
is refused by name, with what is wrong, in a short sentence. They were valid files, changed and signed again."""

from pathlib import Path

import numpy as np
import pytest

import hedgerow
from hedgerow.store import InvalidModelFile, load_state, predict_state
from hedgerow.table import to_table

FILES = sorted((Path(__file__).parent / "fixtures" / "hostile").glob("*.hedgerow"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_is_refused_at_once_and_by_name(path):
    with pytest.raises(InvalidModelFile) as refused:
        hedgerow.load(path)
    assert path.name in str(refused.value)
    assert len(str(refused.value)) < 700


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_without_scikit_learn_it_is_refused_or_predicts(path):
    """Parameters of the estimator are not looked at there: nothing but the numbers is used."""
    try:
        state = load_state(path)
    except InvalidModelFile:
        return
    cells = {"number": [0.5, 2.0], "boolean": [True, False], "category": ["a", "b"]}
    kinds = zip(state.schema.names, state.schema.kinds, strict=True)
    table = to_table({name: cells[kind] for name, kind in kinds})
    values, probabilities, _ = predict_state(state, table, 1)
    assert np.isfinite(values if probabilities is None else probabilities).all()


def test_they_are_all_there():
    assert len(FILES) == 21
