"""What scikit-learn's bagging offers besides: decision functions, infinities a pipeline handles, several targets."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from hedgerow import SVC, BaggingClassifier, BaggingRegressor, DecisionTreeClassifier, DecisionTreeRegressor


def table(n=97):
    X = np.random.default_rng(5).normal(size=(n, 3))
    return X, (X[:, 0] + X[:, 1] > 0).astype(int)


def test_decision_functions_are_averaged():
    X, y = table()
    model = BaggingClassifier(SVC(), 5, random_state=0).fit(X, y)
    wanted = np.mean([member.decision_function(X) for member in model.estimators_], axis=0)
    np.testing.assert_allclose(model.decision_function(X), wanted)
    assert not hasattr(BaggingClassifier(), "decision_function")


@pytest.mark.parametrize("learner", [KNeighborsClassifier(3), DecisionTreeClassifier()])
def test_learners_without_weights_on_parts_of_the_rows(learner):
    X, y = table()
    model = BaggingClassifier(learner, 5, bootstrap=False, max_samples=0.5, random_state=0).fit(X, y)
    assert [len(rows) for rows in model.estimators_samples_] == [48] * 5
    assert model.score(X, y) > 0.8


def test_infinities_are_the_members_own_affair():
    X, y = table()
    X[3, 1] = np.inf
    clean = FunctionTransformer(lambda cells: np.nan_to_num(cells, posinf=9.0))
    model = BaggingClassifier(make_pipeline(clean, DecisionTreeClassifier()), 5).fit(X, y)
    assert model.predict(X).shape == y.shape
    with pytest.raises(ValueError, match="infinity"):
        BaggingClassifier(DecisionTreeClassifier(), 5).fit(X, y)


@pytest.mark.parametrize("learner", [None, DecisionTreeRegressor(max_depth=3), KNeighborsRegressor()])
def test_several_numbers(learner):
    X, _ = table()
    y = X[:, :2] ** 2
    model = BaggingRegressor(learner, 8, random_state=0).fit(X, y)
    assert model.predict(X).shape == y.shape
    assert model.score(X, y) > 0.4


@pytest.mark.parametrize("learner", [None, KNeighborsClassifier()])
def test_several_targets_of_classes(learner):
    X, y = table()
    y = np.column_stack([y, np.where(X[:, 2] > 0, 7, 3)])
    model = BaggingClassifier(learner, 8, random_state=0).fit(X, y)
    assert [part.shape for part in model.predict_proba(X)] == [(97, 2), (97, 2)]
    assert (model.predict(X) == y).mean() > 0.85
    assert [classes.tolist() for classes in model.classes_] == [[0, 1], [3, 7]]
    with pytest.raises(ValueError, match="one target"):
        BaggingClassifier(learner, oob_score=True).fit(X, y)


def test_a_bag_of_one_member_warns_of_rows_never_out():
    X, y = table()
    with pytest.warns(UserWarning, match="rows are in every bag"):
        BaggingClassifier(n_estimators=1, oob_score=True, random_state=0).fit(X, y)


def test_metadata_goes_to_the_members_fit():
    class Marked(KNeighborsClassifier):
        def fit(self, X, y, mark=None, note=None):
            self.mark_, self.note_ = mark, note
            return super().fit(X, y)

    X, y = table()
    mark = np.arange(len(y))
    with pytest.raises(ValueError, match="enable_metadata_routing"):
        BaggingClassifier(Marked(3), 3).fit(X, y, mark=mark)
    with config_context(enable_metadata_routing=True):
        learner = Marked(3).set_fit_request(mark=True, note=True)
        model = BaggingClassifier(learner, 3, random_state=0).fit(X, y, mark=mark, note="as it is")
    for member, rows in zip(model.estimators_, model.estimators_samples_, strict=True):
        np.testing.assert_array_equal(member.mark_, rows)
        assert member.note_ == "as it is"
