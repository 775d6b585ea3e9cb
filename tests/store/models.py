"""Fitted models of every kind a file has to hold."""

from typing import Any

import numpy as np
import polars as pl
from scipy.sparse import csr_matrix
from sklearn.pipeline import make_pipeline

from hedgerow import (
    SVC,
    SVR,
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    BoostedNeuronsClassifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    LinearSVC,
    LinearSVR,
    RandomForestClassifier,
    RandomForestRegressor,
    RuleListClassifier,
    ToNumbers,
    WeightedVotingClassifier,
    WeightedVotingRegressor,
    datasets,
)

NEURONS = {"n_estimators": 3, "n_steps": 20, "random_state": 0}


def numbers(n_rows: int = 70) -> np.ndarray:
    return np.random.default_rng(3).normal(size=(n_rows, 3))


def mixed(n_rows: int = 70) -> pl.DataFrame:
    """A number with gaps, a category with gaps, a boolean, a number that is a name."""
    random = np.random.default_rng(4)
    gaps = random.random(n_rows) < 0.2
    return pl.DataFrame(
        {
            "height": pl.Series(np.where(gaps, np.nan, random.normal(size=n_rows))).fill_nan(None),
            "colour": [("red", "green", "blue", None)[k] for k in random.integers(0, 4, n_rows)],
            "owns it": random.random(n_rows) < 0.5,
            "house": random.integers(1, 6, n_rows),
        }
    )


def target(kind: str, n_rows: int = 70) -> Any:
    three = np.random.default_rng(5).integers(0, 3, n_rows)
    return {
        "text": np.array(["ash", "birch", "élan\n"])[three],
        "object": np.array(["ash", "birch", "élan\n"], dtype=object)[three],
        "int": three * 10 - 10,
        "small": three.astype(np.int8),
        "float": three - 1.0,
        "bool": three > 0,
    }[kind]


def machines(X: np.ndarray, mixed_X: pl.DataFrame, y: np.ndarray) -> dict[str, tuple[Any, Any]]:
    two, three = target("bool"), target("text")
    names = pl.DataFrame(X, schema=["width", "height", "depth"])
    thin = csr_matrix(np.where(X > 0.3, X, 0.0))
    return {
        "machine": (SVC().fit(X, two), X),
        "machine, hard": (SVC(C=np.inf, kernel="rbf", gamma=20.0).fit(X, two), X),
        "machine, pairs": (SVC(kernel="poly", coef0=1.0, standardize=True).fit(names, three), names),
        "machine, rest": (SVC(kernel="sigmoid", gamma=0.05, multi_class="ovr", C=0.3).fit(X, three), X),
        "machine, chances": (SVC(probability=True, break_ties=True).fit(X, target("int")), X),
        "machine, two chances": (
            SVC(probability=True, kernel="linear", class_weight="balanced").fit(X, two),
            X,
        ),
        "machine, sparse": (SVC(standardize=True).fit(thin, three), thin.toarray()),
        "machine, prepared": (make_pipeline(ToNumbers(), SVC(probability=True)).fit(mixed_X, three), mixed_X),
        "machine of numbers": (SVR(standardize=True).fit(names, y), names),
        "machine without support": (SVR(epsilon=100.0).fit(X, y), X),
        "machine of numbers, prepared": (make_pipeline(ToNumbers(), SVR(C=5)).fit(mixed_X, y), mixed_X),
        "linear machine": (LinearSVC().fit(X, two), X),
        "linear machine, three": (LinearSVC(loss="hinge", standardize=True).fit(names, three), names),
        "linear machine, origin": (LinearSVC(fit_intercept=False).fit(thin, three), thin.toarray()),
        "linear machine, chances": (LinearSVC(probability=True).fit(X, three), X),
        "linear machine, prepared": (
            make_pipeline(ToNumbers(), LinearSVC(probability=True)).fit(mixed_X, two),
            mixed_X,
        ),
        "linear machine of numbers": (LinearSVR(random_state=0).fit(X, y), X),
        "linear machine of numbers, prepared": (
            make_pipeline(ToNumbers(), LinearSVR()).fit(mixed_X, y),
            mixed_X,
        ),
    }


def bags_and_votes(X: np.ndarray, mixed_X: pl.DataFrame, y: np.ndarray) -> dict[str, tuple[Any, Any]]:
    """Models made of models."""
    text, two = target("text"), target("bool")
    kinds = {"categorical_features": ["house"]}
    names = pl.DataFrame(X, schema=["width", "height", "depth"])
    tree, machine = DecisionTreeClassifier(max_depth=3, **kinds), make_pipeline(ToNumbers(), SVC())
    chances = make_pipeline(ToNumbers(), LinearSVC(probability=True))
    forest = RandomForestClassifier(4, random_state=0)
    bag = {"n_estimators": 4, "random_state": 0}
    return {
        "bag": (BaggingClassifier(**bag).fit(mixed_X, text), mixed_X),
        "bag of some columns": (BaggingClassifier(tree, max_features=0.6, **bag).fit(mixed_X, two), mixed_X),
        "bag of pruned trees": (
            BaggingClassifier(DecisionTreeClassifier(prune="pessimistic"), **bag).fit(X, text),
            X,
        ),
        "bag of numbers": (
            BaggingRegressor(DecisionTreeRegressor(criterion="absolute_error"), **bag).fit(mixed_X, y),
            mixed_X,
        ),
        "bag of machines": (BaggingClassifier(machine, **bag).fit(mixed_X, text), mixed_X),
        "bag of machines, some columns": (
            BaggingRegressor(SVR(), max_features=2, bootstrap_features=True, **bag).fit(X, y),
            X,
        ),
        "bag of named columns": (BaggingClassifier(SVC(), max_features=2, **bag).fit(names, text), names),
        "bag, prepared": (
            make_pipeline(ToNumbers(), BaggingClassifier(SVC(), **bag)).fit(mixed_X, two),
            mixed_X,
        ),
        "bag of stumps": (BaggingClassifier(AdaBoostClassifier(n_estimators=3), **bag).fit(X, two), X),
        "vote": (
            WeightedVotingClassifier([("one", tree), ("many", forest), ("line", chances)]).fit(mixed_X, text),
            mixed_X,
        ),
        "vote, hard": (
            WeightedVotingClassifier([("one", tree), ("far", machine)], voting="hard").fit(mixed_X, two),
            mixed_X,
        ),
        "vote, given weights": (
            WeightedVotingClassifier([("one", tree), ("far", machine)], weights=[1, 3]).fit(mixed_X, text),
            mixed_X,
        ),
        "vote of fitted members": (
            WeightedVotingClassifier(
                [("a", DecisionTreeClassifier().fit(X[:40], text[:40])), ("b", SVC().fit(X, text))],
                prefit=True,
            ).fit(X, text),
            X,
        ),
        "vote of numbers": (
            WeightedVotingRegressor([("bag", BaggingRegressor(**bag)), ("line", SVR())]).fit(names, y),
            names,
        ),
        "vote, prepared": (
            make_pipeline(
                ToNumbers(),
                WeightedVotingRegressor([("a", LinearSVR()), ("b", SVR())], learn_on="validation"),
            ).fit(mixed_X, y),
            mixed_X,
        ),
    }


def every_model() -> dict[str, tuple[Any, Any]]:
    """Name -> (model, rows to predict)."""
    X, mixed_X, y = numbers(), mixed(), np.random.default_rng(6).normal(size=70)
    titanic = datasets.titanic()
    people = titanic.frame().drop(titanic.target_name)
    models = {
        f"classes {k}": (DecisionTreeClassifier().fit(X, target(k)), X)
        for k in ("text", "object", "int", "small", "float", "bool")
    }
    kinds = {"categorical_features": ["house"]}
    return models | {
        "categories and gaps": (DecisionTreeClassifier(**kinds).fit(mixed_X, target("text")), mixed_X),
        "regression": (DecisionTreeRegressor(max_depth=4, ccp_alpha=0.01).fit(X, y), X),
        "regression, mixed": (DecisionTreeRegressor(**kinds).fit(mixed_X, y), mixed_X),
        "one leaf": (DecisionTreeRegressor(min_samples_leaf=60).fit(X, y), X),
        "prepared": (
            make_pipeline(ToNumbers(), DecisionTreeClassifier()).fit(mixed_X, target("text")),
            mixed_X,
        ),
        "stumps": (AdaBoostClassifier(n_estimators=4).fit(X, target("bool")), X),
        "stumps, mixed": (
            AdaBoostClassifier(n_estimators=5, predictions="confident", **kinds).fit(mixed_X, target("text")),
            mixed_X,
        ),
        "stumps, votes": (AdaBoostClassifier(n_estimators=5).fit(mixed_X, target("text")), mixed_X),
        "boosted trees": (AdaBoostClassifier("tree", n_estimators=3).fit(mixed_X, target("text")), mixed_X),
        "boosted trees, confident": (
            AdaBoostClassifier("tree", n_estimators=3, predictions="confident").fit(X, target("int")),
            X,
        ),
        "boosted numbers": (AdaBoostRegressor(n_estimators=4).fit(mixed_X, y), mixed_X),
        "gradient boosting": (
            HistGradientBoostingClassifier(max_iter=4, min_samples_leaf=5, **kinds).fit(
                mixed_X, target("text")
            ),
            mixed_X,
        ),
        "gradient boosting of two": (
            HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=5).fit(people, titanic.target),
            people,
        ),
        "gradient boosting of numbers": (
            HistGradientBoostingRegressor("huber", max_iter=3, min_samples_leaf=5).fit(mixed_X, y),
            mixed_X,
        ),
        "neurons": (BoostedNeuronsClassifier(**NEURONS).fit(X, target("bool")), X),
        "neurons, mixed": (
            BoostedNeuronsClassifier(**NEURONS, **kinds, fine_tune=2).fit(mixed_X, target("text")),
            mixed_X,
        ),
        "neurons, prepared": (
            make_pipeline(ToNumbers(), BoostedNeuronsClassifier(**NEURONS)).fit(mixed_X, target("int")),
            mixed_X,
        ),
        **machines(X, mixed_X, y),
        **bags_and_votes(X, mixed_X, y),
        "titanic": (DecisionTreeClassifier().fit(people, titanic.target), people),
        "forest": (RandomForestClassifier(7, random_state=0).fit(people, titanic.target), people),
        "forest of numbers": (RandomForestRegressor(5, random_state=0, **kinds).fit(mixed_X, y), mixed_X),
        "forest of medians": (
            RandomForestRegressor(3, criterion="absolute_error", random_state=0).fit(X, y),
            X,
        ),
        "forest that forks": (
            RandomForestClassifier(
                4, splits="multiway", missing="fractional", criterion="entropy", random_state=0
            ).fit(mixed_X, target("text")),
            mixed_X,
        ),
        "forest with surrogates": (
            RandomForestClassifier(4, missing="surrogate", random_state=0).fit(mixed_X, target("int")),
            mixed_X,
        ),
        "extra trees": (ExtraTreesClassifier(6, random_state=0).fit(mixed_X, target("bool")), mixed_X),
        "extra trees of numbers": (ExtraTreesRegressor(6, random_state=0).fit(X, y), X),
        "rules": (RuleListClassifier().fit(people, titanic.target), people),
        "rules, mixed": (RuleListClassifier(**kinds, max_rules=4).fit(mixed_X, target("text")), mixed_X),
        "no rule": (RuleListClassifier(min_samples_leaf=60).fit(X, target("int")), X),
    }
