"""RuleListClassifier: scikit-learn's checks, its parameters, what it tells, how good it is beside a pruned tree."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import StratifiedKFold
from tests.estimators.checks import parametrize_checks
from tests.rules.examples import mixed

from hedgerow import DecisionTreeClassifier, datasets
from hedgerow.estimators.rules import RuleListClassifier
from hedgerow.rules import parse

ESTIMATORS = [
    RuleListClassifier(),
    RuleListClassifier(max_rules=3, criterion="entropy"),
    RuleListClassifier(confidence=0.75, class_weight="balanced", n_jobs=2),
]


@parametrize_checks(ESTIMATORS)
def test_scikit_learn_asks(estimator, check):
    check(estimator)


# A weight of two is a row twice only where no row is held out: which rows are is left to chance.
RANDOM = {
    "check_sample_weight_equivalence_on_dense_data": "rows held out are drawn row by row",
    "check_sample_weight_equivalence_on_sparse_data": "rows held out are drawn row by row",
}


@parametrize_checks([RuleListClassifier(estimate="held_out")], expected_differences=lambda estimator: RANDOM)
def test_scikit_learn_asks_with_rows_held_out(estimator, check):
    check(estimator)


def test_everything_at_once():
    """Categories, gaps, a boolean, five classes, weights; new rows with levels never seen and gaps."""
    table, y = mixed(0, n=311, n_classes=5)
    names = np.array(["ant", "bee", "cat", "dog", "elk"])[y]
    weight = np.random.default_rng(0).uniform(0, 2, len(y))
    model = RuleListClassifier().fit(table, names, weight)
    new = {**{name: [None, 0.3] for name in ("x", "z", "gaps")}}
    new |= {"few": ["few 9", None], "many": ["level 1", "never"], "flag": [True, None]}
    proba = model.predict_proba(new)
    assert proba.shape == (2, 5)
    assert np.array_equal(model.classes_[proba.argmax(axis=1)], model.predict(new))
    assert model.score(table, names, weight) > 0.6


def test_which_rule_and_why():
    titanic = datasets.titanic()
    model = RuleListClassifier().fit(titanic.table, titanic.target)
    which, output = model.which_rule(titanic.table), model.explain(titanic.table)
    guess, proba = model.predict(titanic.table), model.predict_proba(titanic.table)
    assert which.min() == -1
    assert which.max() == len(model.rules_) - 1
    for k in range(-1, len(model.rules_)):
        row = int(np.flatnonzero(which == k)[0])
        assert output[row].startswith(f"{guess[row]}: " + (f"rule {k}, " if k >= 0 else "no rule holds"))
        if k >= 0:
            assert proba[row].max() == pytest.approx(model.rules_[k].confidence)
            assert model.classes_[model.rules_[k].decision] == guess[row]


def test_rules_read_back_predict_the_same():
    titanic = datasets.titanic()
    model = RuleListClassifier(max_depth=6).fit(titanic.table, titanic.target)
    again = clone(model).fit(titanic.table.take(np.arange(50)), titanic.target[:50])
    again.rules_, again.schema_, again.classes_ = parse(model.rules_.to_text()), model.schema_, model.classes_
    assert np.array_equal(again.predict(titanic.table), model.predict(titanic.table))


def test_it_shows_itself():
    titanic = datasets.titanic()
    model = RuleListClassifier(max_rules=5)
    assert str(model) == repr(model) == "RuleListClassifier(max_rules=5)"
    assert "RuleListClassifier" in model._repr_html_()
    with pytest.raises(NotFittedError):
        model.to_text()
    model.fit(titanic.table, titanic.target)
    assert "sex = female" in str(model)
    assert "sex = female" in model._repr_html_()
    assert max(map(len, model.to_text(width=60).splitlines())) <= 60


def test_numbers_that_are_categories():
    X = np.column_stack([np.arange(120) % 4, np.random.default_rng(0).normal(size=120)])
    y = np.isin(X[:, 0], (0, 2))
    model = RuleListClassifier(categorical_features=[0]).fit(X, y)
    assert len(model.rules_) == 1
    assert model.score(X, y) == 1


def test_held_out_rows_follow_the_seed():
    titanic = datasets.titanic()
    texts = [
        str(RuleListClassifier(estimate="held_out", random_state=seed).fit(titanic.table, titanic.target))
        for seed in (0, 0, 1)
    ]
    assert texts[0] == texts[1] != texts[2]


def test_threads_change_nothing(monkeypatch):
    monkeypatch.setattr("hedgerow.core.threads.WORTH_A_THREAD", 0)
    table, y = mixed(7, n=500)
    found = [RuleListClassifier(n_jobs=jobs).fit(table, y).rules_ for jobs in (1, 2, 3)]
    assert found[0] == found[1] == found[2]


WRONG = {
    "confidence": (0, 1.0, "high", None, True),
    "validation_fraction": (0, 1, None),
    "max_rules": (0, -1, 2.5, "all"),
    "estimate": ("pesimistic", None),
    "criterion": ("ginny", "squared_error"),
    "max_depth": (0,),
    "min_samples_leaf": (0,),
}


@pytest.mark.parametrize(("name", "given"), [(name, given) for name, all_ in WRONG.items() for given in all_])
def test_a_wrong_parameter_is_named(name, given):
    with pytest.raises(ValueError, match=f"{name}={given!r} is (out of range|unknown)"):
        RuleListClassifier(**{name: given}).fit(*mixed(0))


def tuned_tree(table, y):
    """A cost-complexity pruned tree, its alpha chosen by cross-validation on these rows alone."""
    alphas, scores = (0.001, 0.002, 0.004, 0.006, 0.01, 0.015, 0.02), []
    for alpha in alphas:
        folds = StratifiedKFold(5, shuffle=True, random_state=0).split(y, y)
        model = DecisionTreeClassifier(ccp_alpha=alpha)
        scores.append(np.mean([model.fit(table.take(a), y[a]).score(table.take(b), y[b]) for a, b in folds]))
    return DecisionTreeClassifier(ccp_alpha=alphas[int(np.argmax(scores))]).fit(table, y)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["titanic", "heart"])
def test_as_good_as_the_pruned_tree(name):
    """Ten folds, twice: not worse than a tree with a tuned alpha by more than noise."""
    found = datasets.load(name)
    better = []
    for seed in range(2):
        folds = StratifiedKFold(10, shuffle=True, random_state=seed)
        for train, test in folds.split(found.target, found.target):
            rows, y = found.table.take(train), found.target[train]
            new, truth = found.table.take(test), found.target[test]
            better.append(
                RuleListClassifier().fit(rows, y).score(new, truth) - tuned_tree(rows, y).score(new, truth)
            )
    assert np.mean(better) > -2 * np.std(better, ddof=1) / np.sqrt(len(better))


@pytest.mark.parametrize("options", [{}, {"max_rules": 8}, {"estimate": "held_out", "random_state": 0}])
@pytest.mark.parametrize("name", ["titanic", "heart"])
def test_better_than_the_full_tree(name, options):
    found = datasets.load(name)
    better = []
    for train, test in StratifiedKFold(10, shuffle=True, random_state=0).split(found.target, found.target):
        models = (RuleListClassifier(**options), DecisionTreeClassifier())
        for model in models:
            model.fit(found.table.take(train), found.target[train])
        rules, tree = (model.score(found.table.take(test), found.target[test]) for model in models)
        better.append(rules - tree)
    assert np.mean(better) > 0
