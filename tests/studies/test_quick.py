"""A first answer; and one set of names: every candidate of a study can be fitted alone by its name."""

import pytest

import hedgerow
from hedgerow.candidate import TaskSpec, load_candidate, panel_names
from hedgerow.studies.benchmark import QUICK_FOLDS, QUICK_MODELS


def test_a_quick_study():
    result = hedgerow.study("heart", quick=True, models=["stump", "tree"])
    assert (result.question.folds, result.question.repeats) == (QUICK_FOLDS, 1)
    assert result.explanation.learning_curve is None
    assert any(note.text.startswith("A quick study") for note in result.notes)
    assert set(QUICK_MODELS) <= set(panel_names())


@pytest.mark.slow
@pytest.mark.parametrize("name", panel_names())
def test_every_candidate_is_fitted_alone_by_its_name(name):
    heart = hedgerow.datasets.heart()
    spec = TaskSpec("classification", heart.table.n_rows, len(heart.table.columns), 2)
    model = load_candidate(name).make_estimator(spec, {})
    assert len(model.fit(heart.table, heart.target).predict(heart.table)) == heart.table.n_rows
