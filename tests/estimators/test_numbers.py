"""ToNumbers, as scikit-learn and a user ask for it."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from tests.estimators.checks import parametrize_checks

from hedgerow import ToNumbers, datasets


@parametrize_checks([ToNumbers(), ToNumbers(standardize=False)])
def test_scikit_learn_asks(estimator, check):
    check(estimator)


def test_a_linear_model_on_titanic():
    titanic = datasets.titanic()
    frame = titanic.frame().drop(titanic.target_name)
    model = make_pipeline(ToNumbers(), LogisticRegression()).fit(frame, titanic.target)
    assert model.score(frame, titanic.target) > 0.75
    assert list(model[0].get_feature_names_out())[:4] == [
        "pclass=1st",
        "pclass=2nd",
        "pclass=3rd",
        "sex=female",
    ]


def test_columns_of_numbers_that_are_names():
    X = np.array([[1.0, 5.0], [2.0, 5.0], [1.0, 6.0]])
    out = ToNumbers(categorical_features=[0]).fit_transform(X)
    assert out[:, :2].tolist() == [[1, 0], [0, 1], [1, 0]]


@pytest.mark.parametrize("most", [0, -1, 2.5, "many"])
def test_max_levels_out_of_range(most):
    with pytest.raises(ValueError, match="max_levels"):
        ToNumbers(max_levels=most).fit([[1.0], [2.0]])
