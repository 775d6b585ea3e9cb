"""Fitted models of every kind a file has to hold."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

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
    OptimalTreeClassifier,
    OptimalTreeRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    RuleListClassifier,
    ToNumbers,
    WeightedVotingClassifier,
    WeightedVotingRegressor,
    WithFeatures,
    datasets,
)
from hedgerow.features.words import as_text
from hedgerow.table import Table, to_table

NEURONS = {"n_estimators": 3, "n_steps": 20, "random_state": 0}


class Fit(NamedTuple):
    """What is to be fitted, and to which rows."""

    model: Any
    X: Any
    y: Any
    rows: Any = None  # to predict, where they are not X


class Models(Mapping[str, tuple[Any, Any]]):
    """Name -> (model, rows to predict). A model is fitted when it is asked for, once: listing them costs nothing."""

    def __init__(self, fits: dict[str, Fit]) -> None:
        self._fits, self._fitted = fits, {}

    def __getitem__(self, name: str) -> tuple[Any, Any]:
        if name not in self._fitted:
            model, X, y, rows = self._fits[name]
            self._fitted[name] = model.fit(X, y), X if rows is None else rows
        return self._fitted[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fits)

    def __len__(self) -> int:
        return len(self._fits)


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


def with_text(n_rows: int = 70) -> Table:
    """Text, two dates, a category of many levels, a number with gaps."""
    random = np.random.default_rng(6)
    words = np.array(["good", "bad", "fun", "dull", "long", "film", "plot"])
    frame = to_table(
        {
            "said": [" ".join(random.choice(words, 5)) for _ in range(n_rows)],
            "place": [f"p{k}" for k in range(n_rows - 4)] + ["p1", "p2", "p3", None],
            "born": 9000.0 + random.integers(0, 800, n_rows),
            "seen": 19000 + random.random(n_rows) * 90,
            "width": np.where(random.random(n_rows) < 0.2, np.nan, random.normal(size=n_rows)),
        }
    )
    kinds = {"said": "text", "born": "date", "seen": "datetime"}
    columns = [
        as_text(one) if one.name == "said" else replace(one, kind=kinds.get(one.name, one.kind))
        for one in frame.columns
    ]
    return Table(tuple(columns), n_rows, True)


def featured(y: np.ndarray) -> dict[str, Fit]:
    """Models behind features."""
    rows, two, three = with_text(), target("bool"), target("text")
    text, others = rows.select(["said"]), rows.select(["place", "born", "seen", "width"])
    return {
        "dates and rates": Fit(
            WithFeatures(HistGradientBoostingClassifier(max_iter=8, min_samples_leaf=3)), others, three
        ),
        "dates for a machine": Fit(WithFeatures(LinearSVC(), form="tfidf"), others, two),
        "words for a tree": Fit(WithFeatures(DecisionTreeClassifier(max_depth=3)), rows, three),
        "words for a machine": Fit(WithFeatures(LinearSVC(), form="tfidf"), rows, three),
        "words alone": Fit(WithFeatures(LinearSVC(), form="tfidf"), text, two),
        "words for stumps": Fit(WithFeatures(AdaBoostClassifier(n_estimators=4), form="presence"), rows, two),
        "words, prepared": Fit(WithFeatures(make_pipeline(ToNumbers(), SVC())), rows, two),
        "words for numbers": Fit(
            WithFeatures(HistGradientBoostingRegressor(max_iter=3, min_samples_leaf=5)), rows, y
        ),
        "vote with words": Fit(
            WeightedVotingRegressor(
                [
                    ("tree", WithFeatures(DecisionTreeRegressor(max_depth=3))),
                    ("line", WithFeatures(LinearSVR(), form="tfidf")),
                ],
                weights=[0.5, 0.5],
            ),
            rows,
            y,
        ),
    }


def machines(X: np.ndarray, mixed_X: pl.DataFrame, y: np.ndarray) -> dict[str, Fit]:
    two, three = target("bool"), target("text")
    names = pl.DataFrame(X, schema=["width", "height", "depth"])
    thin = csr_matrix(np.where(X > 0.3, X, 0.0))
    return {
        "machine": Fit(SVC(), X, two),
        "machine, hard": Fit(SVC(C=np.inf, kernel="rbf", gamma=20.0), X, two),
        "machine, pairs": Fit(SVC(kernel="poly", coef0=1.0, standardize=True), names, three),
        "machine, rest": Fit(SVC(kernel="sigmoid", gamma=0.05, multi_class="ovr", C=0.3), X, three),
        "machine, chances": Fit(SVC(probability=True, break_ties=True), X, target("int")),
        "machine, two chances": Fit(SVC(probability=True, kernel="linear", class_weight="balanced"), X, two),
        "machine, sparse": Fit(SVC(standardize=True), thin, three, thin.toarray()),
        "machine, prepared": Fit(make_pipeline(ToNumbers(), SVC(probability=True)), mixed_X, three),
        "machine of numbers": Fit(SVR(standardize=True), names, y),
        "machine without support": Fit(SVR(epsilon=100.0), X, y),
        "machine of numbers, prepared": Fit(make_pipeline(ToNumbers(), SVR(C=5)), mixed_X, y),
        "linear machine": Fit(LinearSVC(), X, two),
        "linear machine, three": Fit(LinearSVC(loss="hinge", standardize=True), names, three),
        "linear machine, origin": Fit(LinearSVC(fit_intercept=False), thin, three, thin.toarray()),
        "linear machine, chances": Fit(LinearSVC(probability=True), X, three),
        "linear machine, prepared": Fit(
            make_pipeline(ToNumbers(), LinearSVC(probability=True)), mixed_X, two
        ),
        "linear machine of numbers": Fit(LinearSVR(random_state=0), X, y),
        "linear machine of numbers, prepared": Fit(make_pipeline(ToNumbers(), LinearSVR()), mixed_X, y),
    }


def bags_and_votes(X: np.ndarray, mixed_X: pl.DataFrame, y: np.ndarray) -> dict[str, Fit]:
    """Models made of models."""
    text, two = target("text"), target("bool")
    kinds = {"categorical_features": ["house"]}
    names = pl.DataFrame(X, schema=["width", "height", "depth"])
    tree, machine = DecisionTreeClassifier(max_depth=3, **kinds), make_pipeline(ToNumbers(), SVC())
    probabilities = make_pipeline(ToNumbers(), LinearSVC(probability=True))
    forest = RandomForestClassifier(4, random_state=0)
    bag = {"n_estimators": 4, "random_state": 0}
    return {
        "bag": Fit(BaggingClassifier(**bag), mixed_X, text),
        "bag of some columns": Fit(BaggingClassifier(tree, max_features=0.6, **bag), mixed_X, two),
        "bag of pruned trees": Fit(
            BaggingClassifier(DecisionTreeClassifier(prune="pessimistic"), **bag), X, text
        ),
        "bag of numbers": Fit(
            BaggingRegressor(DecisionTreeRegressor(criterion="absolute_error"), **bag), mixed_X, y
        ),
        "bag of machines": Fit(BaggingClassifier(machine, **bag), mixed_X, text),
        "bag of machines, some columns": Fit(
            BaggingRegressor(SVR(), max_features=2, bootstrap_features=True, **bag), X, y
        ),
        "bag of named columns": Fit(BaggingClassifier(SVC(), max_features=2, **bag), names, text),
        "bag, prepared": Fit(make_pipeline(ToNumbers(), BaggingClassifier(SVC(), **bag)), mixed_X, two),
        "bag of stumps": Fit(BaggingClassifier(AdaBoostClassifier(n_estimators=3), **bag), X, two),
        "vote": Fit(
            WeightedVotingClassifier([("one", tree), ("many", forest), ("line", probabilities)]),
            mixed_X,
            text,
        ),
        "vote, hard": Fit(
            WeightedVotingClassifier([("one", tree), ("far", machine)], voting="hard"), mixed_X, two
        ),
        "vote, given weights": Fit(
            WeightedVotingClassifier([("one", tree), ("far", machine)], weights=[1, 3]), mixed_X, text
        ),
        "vote of fitted members": Fit(
            WeightedVotingClassifier(
                [("a", DecisionTreeClassifier().fit(X[:40], text[:40])), ("b", SVC().fit(X, text))],
                prefit=True,
            ),
            X,
            text,
        ),
        "vote of numbers": Fit(
            WeightedVotingRegressor([("bag", BaggingRegressor(**bag)), ("line", SVR())]), names, y
        ),
        "vote, prepared": Fit(
            make_pipeline(
                ToNumbers(),
                WeightedVotingRegressor([("a", LinearSVR()), ("b", SVR())], learn_on="validation"),
            ),
            mixed_X,
            y,
        ),
    }


def every_model() -> dict[str, Fit]:
    X, mixed_X, y = numbers(), mixed(), np.random.default_rng(6).normal(size=70)
    titanic = datasets.titanic()
    people = titanic.frame().drop(titanic.target_name)
    models = {
        f"classes {k}": Fit(DecisionTreeClassifier(), X, target(k))
        for k in ("text", "object", "int", "small", "float", "bool")
    }
    kinds = {"categorical_features": ["house"]}
    return models | {
        "categories and gaps": Fit(DecisionTreeClassifier(**kinds), mixed_X, target("text")),
        "regression": Fit(DecisionTreeRegressor(max_depth=4, ccp_alpha=0.01), X, y),
        "regression, mixed": Fit(DecisionTreeRegressor(**kinds), mixed_X, y),
        "one leaf": Fit(DecisionTreeRegressor(min_samples_leaf=60), X, y),
        "optimal": Fit(OptimalTreeClassifier(max_depth=2, **kinds), mixed_X, target("text")),
        "optimal, numbers": Fit(OptimalTreeRegressor(max_leaf_nodes=3), mixed_X, y),
        "prepared": Fit(make_pipeline(ToNumbers(), DecisionTreeClassifier()), mixed_X, target("text")),
        "stumps": Fit(AdaBoostClassifier(n_estimators=4), X, target("bool")),
        "stumps, mixed": Fit(
            AdaBoostClassifier(n_estimators=5, predictions="confident", **kinds), mixed_X, target("text")
        ),
        "stumps, votes": Fit(AdaBoostClassifier(n_estimators=5), mixed_X, target("text")),
        "boosted trees": Fit(AdaBoostClassifier("tree", n_estimators=3), mixed_X, target("text")),
        "boosted trees, confident": Fit(
            AdaBoostClassifier("tree", n_estimators=3, predictions="confident"), X, target("int")
        ),
        "boosted numbers": Fit(AdaBoostRegressor(n_estimators=4), mixed_X, y),
        "gradient boosting": Fit(
            HistGradientBoostingClassifier(max_iter=4, min_samples_leaf=5, **kinds), mixed_X, target("text")
        ),
        "gradient boosting of two": Fit(
            HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=5), people, titanic.target
        ),
        "gradient boosting of numbers": Fit(
            HistGradientBoostingRegressor("huber", max_iter=3, min_samples_leaf=5), mixed_X, y
        ),
        "neurons": Fit(BoostedNeuronsClassifier(**NEURONS), X, target("bool")),
        "neurons, mixed": Fit(
            BoostedNeuronsClassifier(**NEURONS, **kinds, fine_tune=2), mixed_X, target("text")
        ),
        "neurons, prepared": Fit(
            make_pipeline(ToNumbers(), BoostedNeuronsClassifier(**NEURONS)), mixed_X, target("int")
        ),
        **machines(X, mixed_X, y),
        **bags_and_votes(X, mixed_X, y),
        **featured(y),
        "titanic": Fit(DecisionTreeClassifier(), people, titanic.target),
        "forest": Fit(RandomForestClassifier(7, random_state=0), people, titanic.target),
        "forest of numbers": Fit(RandomForestRegressor(5, random_state=0, **kinds), mixed_X, y),
        "forest of medians": Fit(RandomForestRegressor(3, criterion="absolute_error", random_state=0), X, y),
        "forest that forks": Fit(
            RandomForestClassifier(
                4, splits="multiway", missing="fractional", criterion="entropy", random_state=0
            ),
            mixed_X,
            target("text"),
        ),
        "forest with surrogates": Fit(
            RandomForestClassifier(4, missing="surrogate", random_state=0), mixed_X, target("int")
        ),
        "stops": Fit(DecisionTreeClassifier(missing="stop", **kinds), mixed_X, target("text")),
        "forest with stops": Fit(
            RandomForestRegressor(3, missing="stop", random_state=0, max_depth=4), mixed_X, y
        ),
        "extra trees": Fit(ExtraTreesClassifier(6, random_state=0), mixed_X, target("bool")),
        "extra trees of numbers": Fit(ExtraTreesRegressor(6, random_state=0), X, y),
        "rules": Fit(RuleListClassifier(), people, titanic.target),
        "rules, mixed": Fit(RuleListClassifier(**kinds, max_rules=4), mixed_X, target("text")),
        "no rule": Fit(RuleListClassifier(min_samples_leaf=60), X, target("int")),
    }


def several_targets() -> dict[str, Fit]:
    """Whose predictions have a column a target, and probabilities a list."""
    X, mixed_X = numbers(), mixed()
    classes = np.column_stack([target("int"), target("bool")])
    few = {"n_estimators": 3, "max_depth": 3, "random_state": 0}
    return {
        "tree of classes": Fit(DecisionTreeClassifier(max_depth=3), mixed_X, classes),
        "tree of numbers": Fit(
            DecisionTreeRegressor(criterion="absolute_error", max_depth=3), X, X[:, :2] ** 2
        ),
        "forest of classes": Fit(RandomForestClassifier(**few), X, classes),
        "extra trees of numbers": Fit(ExtraTreesRegressor(**few), mixed_X, X[:, :2]),
        "bag of classes": Fit(BaggingClassifier(n_estimators=2, random_state=0), X, classes),
    }
