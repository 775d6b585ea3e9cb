"""A fitted tree shows itself; an unfitted one says it cannot."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor

X = np.random.default_rng(0).normal(size=(37, 3))
Y = (X[:, 1] > 0).astype(int)


@pytest.mark.parametrize("kind", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_words_and_pictures_name_the_column(kind):
    pandas = pytest.importorskip("pandas")
    model = kind(max_depth=1).fit(pandas.DataFrame(X, columns=["a", "girth", "c"]), Y)
    for shown in (model.to_text(), model.to_svg(), model._repr_html_()):
        assert "girth" in shown


@pytest.mark.parametrize("how", ["to_text", "to_svg", "draw"])
def test_there_is_nothing_to_show_before_fit(how):
    with pytest.raises(NotFittedError):
        getattr(DecisionTreeClassifier(), how)()


def test_an_unfitted_estimator_still_shows_its_diagram():
    assert "DecisionTreeClassifier" in DecisionTreeClassifier()._repr_html_()
