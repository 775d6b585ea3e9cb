"""The lectures' numbers on ensembles, as the library's forests give them; out of bag against cross-validation."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hedgerow import (
    BaggingClassifier,
    DecisionTreeClassifier,
    RandomForestClassifier,
    TopFeatures,
    WeightedVotingClassifier,
    datasets,
)
from hedgerow.ensemble.diversity import majority_vote_error, never_drawn
from hedgerow.table import to_table


def test_majority_of_25_classifiers_with_error_035():
    assert majority_vote_error(25, 0.35) == pytest.approx(0.06, abs=0.0005)


def test_a_row_is_not_in_a_bootstrap_with_chance_0368():
    assert never_drawn(10) == pytest.approx(0.9**10)
    assert never_drawn(100_000) == pytest.approx(np.exp(-1), abs=1e-5)
    model = RandomForestClassifier(200, max_depth=1, random_state=0).fit(
        np.arange(500.0)[:, None], np.arange(500) % 2
    )
    shares = [np.mean(model.forest_.draws.counts(t) > 0) for t in range(200)]
    assert np.mean(shares) == pytest.approx(0.632, abs=0.003)
    assert model.oob_.n_out.mean() / 200 == pytest.approx(0.368, abs=0.003)


def test_m_is_the_root_of_d_at_each_node_and_m_equal_d_is_bagging():
    spam = datasets.spam()
    X, y = spam.table.take(range(0, 4601, 10)), np.asarray(spam.target)[::10]
    model = RandomForestClassifier(5, random_state=0).fit(X, y)
    assert model.max_features_ == 7  # of 57
    used = {int(j) for tree in model.forest_.trees for j in tree.feature if j >= 0}
    assert len(used) > 20  # drawn anew at each node, not once a tree
    forest = RandomForestClassifier(4, max_features=None, random_state=1).fit(X, y)
    bagging = BaggingClassifier(n_estimators=4, random_state=1).fit(X, y)
    assert np.array_equal(forest.predict_proba(X), bagging.predict_proba(X))
    one = DecisionTreeClassifier().fit(X, y)
    same = RandomForestClassifier(3, max_features=None, bootstrap=False).fit(X, y)
    for tree in same.forest_.trees:
        assert np.array_equal(tree.feature, one.hedgerow_tree_.feature)
        assert np.array_equal(tree.threshold, one.hedgerow_tree_.threshold, equal_nan=True)


def test_importance_is_relative_to_the_largest_and_the_top_train_another_model():
    heart = datasets.heart()
    model = RandomForestClassifier(300, random_state=0).fit(heart.table, heart.target)
    found = model.importance("impurity")
    assert found.relative.max() == 100
    assert set(found.top(4)) & {"thal", "major vessels colored", "chest pain"} == {
        "thal",
        "major vessels colored",
        "chest pain",
    }
    spam = datasets.spam()
    X = np.column_stack([column.values for column in spam.table.columns])[::5]
    y = np.asarray(spam.target)[::5]
    few = make_pipeline(
        TopFeatures(15, estimator=RandomForestClassifier(50, random_state=0), kind="impurity"),
        StandardScaler(),
        LogisticRegression(),
    )
    said = cross_val_predict(few, X, y, cv=5)
    assert np.mean(said == y) > 0.87  # 15 of 57 words are enough for another model


def test_a_hundred_bagged_trees_are_smoother_than_one():
    rng = np.random.default_rng(0)
    X = rng.uniform(-3, 3, (400, 2))
    y = (np.sin(1.5 * X[:, 0]) + 0.35 * X[:, 0] + rng.normal(0, 0.45, 400) > 0.8 * X[:, 1]).astype(int)
    new = rng.uniform(-3, 3, (4000, 2))
    truth = (np.sin(1.5 * new[:, 0]) + 0.35 * new[:, 0] > 0.8 * new[:, 1]).astype(int)
    tree = DecisionTreeClassifier().fit(X, y)
    bag = BaggingClassifier(n_estimators=100, random_state=0).fit(X, y)
    assert bag.score(new, truth) > tree.score(new, truth) + 0.02
    assert len(np.unique(tree.predict_proba(new)[:, 0])) == 2
    assert len(np.unique(bag.predict_proba(new)[:, 0])) > 50  # shades: the strength of the vote


def test_coefficients_trained_on_a_validation_set():
    heart = datasets.heart()
    X = np.column_stack([c.values for c in heart.table.columns if c.kind != "category"])
    X, y = np.nan_to_num(X), np.asarray(heart.target)
    members = [
        ("stump", DecisionTreeClassifier(max_depth=1).fit(X[:150], y[:150])),
        ("tree", DecisionTreeClassifier(max_depth=4).fit(X[:150], y[:150])),
        ("line", make_pipeline(StandardScaler(), LogisticRegression()).fit(X[:150], y[:150])),
    ]
    vote = WeightedVotingClassifier(members, prefit=True).fit(X[150:], y[150:])
    assert vote.weights_.min() >= 0
    assert vote.weights_.sum() == pytest.approx(1)
    assert vote.coefficients_.loss <= vote.coefficients_.equal_loss


SETS = ("spambase", "titanic_1309", "heart_cleveland", "credit_g", "vote")


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_out_of_bag_is_within_noise_of_ten_fold_cross_validation(name, shared_data: Path):
    import polars

    frame = polars.read_parquet(shared_data / f"{name}.parquet")
    index = (shared_data / "INDEX.md").read_text().splitlines()
    label = next(line for line in index if f"| {name}.parquet" in line).split("|")[6].strip()
    table = to_table(frame.drop(label))
    y = frame[label].cast(polars.String).to_numpy()
    if table.n_rows > 1500:
        some = np.random.default_rng(0).permutation(table.n_rows)[:1500]
        table, y = table.take(some), y[some]
    forest = RandomForestClassifier(100, random_state=0).fit(table, y)
    wrong = np.empty(len(y))
    for train, test in StratifiedKFold(10, shuffle=True, random_state=0).split(y, y):
        fold = RandomForestClassifier(100, random_state=0).fit(table.take(train), y[train])
        wrong[test] = fold.predict(table.take(test)) != y[test]
    out = forest.oob_.prediction != y
    # Paired: the same rows, judged twice. Three standard errors of the difference, and a row or two of luck.
    differ = out.astype(float) - wrong
    assert abs(differ.mean()) <= 3 * differ.std() / np.sqrt(len(y)) + 2 / len(y)
