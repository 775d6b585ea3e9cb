"""Why this row: reasons add up to the score, whatever the model; those of trees are Shapley values."""

from dataclasses import replace
from datetime import date, timedelta
from itertools import permutations
from math import factorial

import numpy as np
import polars as pl
import pytest
from sklearn.pipeline import make_pipeline

from hedgerow import datasets
from hedgerow.candidate import TaskSpec, candidate_names, load_candidate, make_model
from hedgerow.decision import Decision, OperatingPoint
from hedgerow.estimators import (
    SVC,
    AdaBoostClassifier,
    DecisionTreeClassifier,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    LinearSVC,
    RandomForestClassifier,
    RuleListClassifier,
    ToNumbers,
)
from hedgerow.estimators.saving import extract_state
from hedgerow.intake import ColumnOptions, prepare_data, read_source
from hedgerow.intake.types_file import read_types
from hedgerow.store import predict_state
from hedgerow.store.reasons import explain_state
from hedgerow.table import Table, to_table

ROWS = 120


def titanic() -> tuple[Table, np.ndarray]:
    found = datasets.titanic()
    kept = np.arange(0, 1200, 10)
    return to_table(found.frame()).take(kept), np.asarray(found.target)[kept]


MODELS = {
    "tree": DecisionTreeClassifier(max_depth=3),
    "forest": RandomForestClassifier(n_estimators=5, random_state=0),
    "gradient": HistGradientBoostingClassifier(max_iter=5, random_state=0),
    "stumps": AdaBoostClassifier(n_estimators=8, estimator="stump"),
    "linear": make_pipeline(ToNumbers(), LinearSVC(random_state=0)),
    "rules": RuleListClassifier(),
    "kernel": make_pipeline(ToNumbers(), SVC(probability=True, random_state=0)),
}


@pytest.mark.parametrize(("name", "what"), {"linear": "decision value", "gradient": "log odds"}.items())
def test_the_score_of_the_first_class_is_called_by_its_name(name: str, what: str) -> None:
    """Of died and survived, where died is the class of interest: not "minus the log odds of survived"."""
    table, y = titanic()
    state = extract_state(MODELS[name].fit(table, y))
    some = table.take(np.arange(9))
    point = OperatingPoint("as many correct rows as possible", 0, 0.5)
    turned, usual = (
        explain_state(replace(state, decision=Decision(point=point)), some),
        explain_state(state, some),
    )
    assert (turned.title, usual.title) == (f"{what} of died", f"{what} of survived")
    np.testing.assert_allclose(turned.score, -usual.score)


@pytest.mark.parametrize("name", MODELS)
def test_reasons_add_up_to_the_score(name: str) -> None:
    table, y = titanic()
    state = extract_state(MODELS[name].fit(table, y))
    some = table.take(np.arange(9))
    found = explain_state(state, some)
    assert found.values.shape == (9, len(table.columns))
    model = MODELS[name]
    if name in ("gradient", "linear"):
        wanted = model.decision_function(some)
    elif name == "stumps":
        wanted = found.score  # a score of its own: signs agree with the classes
        assert ((found.score > 0) == (model.predict(some) == model.classes_[1])).all()
    else:
        probabilities = predict_state(state, some).probabilities
        wanted = (
            probabilities[:, 1]
            if probabilities is not None
            else predict_state(state, some).values.astype(float)
        )
    np.testing.assert_allclose(found.score, wanted, atol=1e-9)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e6])
def test_reasons_are_written_so_that_they_can_be_added(scale: float) -> None:
    """The same number of places throughout, and no exponent."""
    random = np.random.default_rng(3)
    table = to_table(pl.DataFrame(random.normal(size=(80, 3)), schema=["a", "b", "c"]))
    y = scale * (table.columns[0].values + 0.01 * table.columns[1].values)
    found = explain_state(extract_state(HistGradientBoostingRegressor(max_iter=9).fit(table, y)), table)
    for row in range(5):
        words = [one for one in found.words(row, table, 3) if one]
        written = [*(one.rpartition(": ")[2] for one in words), found.write(row, found.base[row])]
        assert len({len(one.partition(".")[2]) for one in written}) == 1
        assert "e" not in "".join(written)
        last = float(found.write(row, found.score[row]).replace(",", ""))
        assert sum(float(one.replace(",", "")) for one in written) == pytest.approx(last, rel=0.01)


def test_of_more_classes_the_one_predicted_is_explained() -> None:
    table, _ = titanic()
    y = np.digitize(np.nan_to_num(table.column("sibsp").numbers), [1, 2])
    state = extract_state(RandomForestClassifier(n_estimators=3, random_state=0).fit(table, y))
    found, predicted = explain_state(state, table), predict_state(state, table)
    np.testing.assert_allclose(found.score, predicted.probabilities.max(axis=1), atol=1e-9)


def test_orders_give_shapley_values_of_a_linear_model() -> None:
    """Of an additive model every order gives the same: coefficient times distance from the mean."""
    table, y = titanic()
    numbers = table.select(["age", "sibsp"])
    model = HistGradientBoostingRegressor(max_iter=3, max_depth=1).fit(numbers, (y == y[0]).astype(float))
    state = extract_state(model)
    from hedgerow.store.reasons import _by_orders

    found = _by_orders(state, numbers, None, None)
    for row in range(5):
        _check_shapley(state, numbers.take([row]), found.values[row])


def _check_shapley(state, row: Table, found) -> None:
    """Slow twin: all orders of the columns."""
    from dataclasses import replace

    def score(known: tuple[int, ...]) -> float:
        columns = tuple(
            c if j in known else replace(c, values=np.full(1, np.nan)) for j, c in enumerate(row.columns)
        )
        return float(predict_state(state, replace(row, columns=columns)).values[0])

    n = len(row.columns)
    total = np.zeros(n)
    for order in permutations(range(n)):
        for k, j in enumerate(order):
            total[j] += score(order[: k + 1]) - score(order[:k])
    np.testing.assert_allclose(found, total / factorial(n), atol=1e-9)


def mixed(n_rows: int = 70) -> pl.DataFrame:
    """Text, a date, a category of many levels and a number, with what they say."""
    random = np.random.default_rng(0)
    words = np.array(["good", "bad", "slow", "fast", "tree", "door", "very", "blue"])
    texts = [" ".join(words[random.integers(0, 8, 6)]) for _ in range(n_rows)]
    days = [date(2020, 1, 1) + timedelta(days=int(k)) for k in random.integers(0, 900, n_rows)]
    x = random.normal(size=n_rows)
    score = np.array([text.count("good") - text.count("bad") for text in texts]) + x
    return pl.DataFrame(
        {"text": texts, "day": days, "x": x, "shop": [f"s{k % 60}" for k in range(n_rows)], "y": score}
    )


@pytest.mark.slow
@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("name", candidate_names())
def test_reasons_of_every_candidate_add_up_over_text_dates_and_rates(name: str, task: str) -> None:
    candidate = load_candidate(name)
    if task not in candidate.TASKS:
        pytest.skip("not for this task")
    frame = mixed()
    if task == "classification":
        frame = frame.with_columns(y=pl.when(pl.col("y") > 0).then(pl.lit("yes")).otherwise(pl.lit("no")))
    types = read_types("text=text,shop=category")
    data = prepare_data(read_source(frame), ColumnOptions("y", task, types=types))
    table = data.features
    spec = TaskSpec(task, table.n_rows, len(table.columns), 2 if task == "classification" else 0, 0, 1)
    model = make_model(candidate, spec, {}, table).fit(table, data.target.labels)
    state, some = extract_state(model), table.take(np.arange(7))
    found, predicted = explain_state(state, some), predict_state(state, some)
    assert found.values.shape == (7, 4)
    np.testing.assert_allclose(found.base + found.values.sum(axis=1), found.score)
    if task == "regression":
        np.testing.assert_allclose(found.score, predicted.values, atol=1e-9)
    elif found.title.startswith("probability"):
        np.testing.assert_allclose(found.score, predicted.probabilities[:, 1], atol=1e-9)
    else:  # log odds, a decision value: above 0 is the second class
        np.testing.assert_array_equal(found.score > 0, model.predict(some) == "yes")
