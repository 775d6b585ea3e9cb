"""Planted leaks are found in 19 of 20 draws; strong honest columns are not accused."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

import hedgerow
from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor
from hedgerow.evaluation import column_skill
from hedgerow.evaluation.checks import computed_target, leaking_column, leaking_pair
from hedgerow.evaluation.checks.leaking_column import AFTERWARDS, find
from hedgerow.evaluation.data import make_data
from hedgerow.evaluation.splits import make_splits
from hedgerow.table import Table, to_table


def accused(X, y) -> list[str]:
    model = DecisionTreeClassifier() if np.asarray(y).dtype.kind in "USOi" else DecisionTreeRegressor()
    data = make_data([model], X, y)
    return [found.columns[0] for found in find(data, make_splits(3, data))]


def prisoners(seed: int, n: int = 700) -> tuple[pd.DataFrame, np.ndarray]:
    """Honest columns predict somewhat; 45 % are of the second class."""
    random = np.random.default_rng(seed)
    age, priors = random.integers(18, 70, n), random.poisson(2, n)
    score = 0.5 * (priors - 2) - 0.04 * (age - 40) + random.logistic(size=n) - 0.2
    X = pd.DataFrame({"age": age, "priors": priors, "charge": random.choice(["F", "M"], n)})
    return X, np.where(score > 0, "again", "never")


def test_a_column_that_is_right_for_97_percent():
    found = 0
    for seed in range(20):
        X, y = prisoners(seed)
        flip = np.random.default_rng(seed + 100).random(len(y)) < 0.03
        found += accused(X.assign(is_back=np.where(flip, y != "again", y == "again").astype(float)), y) == [
            "is_back"
        ]
    assert found >= 19


def test_a_column_that_explains_70_percent_of_a_number():
    found = 0
    for seed in range(20):
        X, _ = prisoners(seed)
        random = np.random.default_rng(seed)
        y = 2.0 * X["priors"] - 0.05 * X["age"] + random.normal(0, 6, len(X))
        late = y + random.normal(0, 0.5 * y.std(), len(y))
        found += accused(X.assign(late=late), y.to_numpy()) == ["late"]
    assert found >= 19


def test_a_grade_does_not_hide_the_finer_grade_it_follows_from():
    """Interest is set by the finer one; either alone nearly says it."""
    random = np.random.default_rng(7)
    fine = random.integers(0, 30, 1500)
    X, _ = prisoners(0, 1500)
    X = X.assign(grade=[f"g{k // 5}" for k in fine], sub_grade=[f"s{k:02d}" for k in fine])
    y = 5 + 0.02 * fine**2 + random.normal(0, 1.2, 1500)
    assert accused(X, y) == ["grade", "sub_grade"]


def test_a_column_that_says_where_a_number_is_zero():
    random = np.random.default_rng(0)
    X, _ = prisoners(0, 1500)
    claims = random.poisson(0.05 * (1 + X["priors"]))
    y = np.where(claims > 0, 900 * claims * random.lognormal(0, 1, 1500), 0)
    assert accused(X.assign(claims=claims), y) == ["claims"]
    assert accused(X, y) == []
    assert accused(X.assign(claims=claims), y + 5) == []  # no zeros, no claim


def test_what_names_a_group_is_no_leak_where_groups_are_kept_together():
    """Fifteen shops by week: the area of a shop is told apart to the metre, and says which shop it is."""
    random = np.random.default_rng(0)
    shop, week = np.repeat(np.arange(15), 80), np.tile(np.arange(80), 15)
    sales = (1000 * random.lognormal(0, 0.5, 15))[shop] + 40 * random.normal(size=1200)
    X = pd.DataFrame({"area": (100 + random.permutation(400)[:15])[shop], "week": week})
    for groups, wanted in ((None, ["area"]), (shop, [])):
        data = make_data([DecisionTreeRegressor()], X, sales, groups=groups)
        assert [one.columns[0] for one in find(data, make_splits(3, data))] == wanted


def test_a_name_of_something_known_afterwards_lowers_the_bar():
    named = other = 0
    for seed in range(20):
        X, y = prisoners(seed)
        flip = np.random.default_rng(seed + 100).random(len(y)) < 0.18
        late = np.where(flip, y != "again", y == "again").astype(float)
        X = X.drop(columns=["priors", "age"]).assign(height=np.random.default_rng(seed).normal(size=len(y)))
        named += accused(X.assign(case_closed=late), y) == ["case_closed"]
        other += accused(X.assign(employed=late), y) == ["employed"]
    assert named >= 19
    assert other < named


def test_names():
    assert all(
        AFTERWARDS.search(name) for name in ("outcome", "case_closed", "refund", "final result", "post_score")
    )
    assert not any(AFTERWARDS.search(name) for name in ("age", "postcode", "finale", "enclosed", "afternoon"))


def test_honest_columns_are_not_accused():
    wrong = [seed for seed in range(20) if accused(*prisoners(seed))]
    assert wrong == []


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_strong_honest_predictors_are_not_accused(load):
    known = load()
    assert accused(known.data, known.target) == []


def test_two_leaks_do_not_hide_each_other():
    X, y = prisoners(0)
    late = (y == "again").astype(float)
    assert accused(X.assign(first=late, second=1 - late), y) == ["first", "second"]


def test_a_leak_does_not_hide_a_weaker_one():
    """A day of closing, which only closed accounts have, and a reason, which most of them have."""
    X, y = prisoners(0)
    is_back = y == "again"
    day = np.where(is_back, np.arange(len(y)) % 97, np.nan)
    reason = np.where(is_back & (np.random.default_rng(1).random(len(y)) < 0.9), "fight", None)
    assert accused(X.assign(day=day, reason=reason), y) == ["day", "reason"]


def test_of_many_columns_that_say_the_same_one_is_compared_with_all_others(monkeypatch):
    """Seven hundred wavelengths of a spectrum took minutes."""
    forests = []

    def forest_losses(table, data, rows):
        forests.append(table)
        return column_skill.forest_losses(table, data, rows)

    monkeypatch.setattr(leaking_column, "forest_losses", forest_losses)
    random = np.random.default_rng(0)
    y = random.normal(size=300)
    X = {f"w{k}": y + 0.4 * random.normal(size=300) for k in range(10)}
    assert accused(X, y) == []
    assert len(forests) == 1


@pytest.mark.slow
def test_the_answer_of_a_study_names_the_column():
    X, y = prisoners(0)
    flip = np.random.default_rng(1).random(len(y)) < 0.03
    frame = X.assign(is_back=np.where(flip, y != "again", y == "again").astype(float), y=y)
    result = hedgerow.study(frame, "y", models=("stump",), folds=3, repeats=1)
    first = str(result).splitlines()[0]
    assert "One column decides this: is_back. Is it known before y is?" in first
    clean = hedgerow.study(frame.drop(columns="is_back"), "y", models=("stump",), folds=3, repeats=1)
    assert "decides" not in str(clean).splitlines()[0]


def test_a_strong_column_that_needs_another_is_not_accused():
    """Prices of a few stocks by day: the name alone explains most, but only both together decide."""
    random = np.random.default_rng(0)
    days, level = np.tile(np.arange(120.0), 5), np.repeat([30.0, 60.0, 90.0, 120.0, 400.0], 120)
    price = level * (1 + days / 120) + random.normal(0, 2, 600)
    rows = pd.DataFrame({"symbol": np.repeat(list("ABCDE"), 120), "day": days})
    assert accused(rows, price) == []


def closed_cases(seed: int, n: int = 600) -> tuple[Table, np.ndarray]:
    """What ends badly ends soon: no date says so alone, the days between them do. The case is not closed when its end
    is to be predicted."""
    random = np.random.default_rng(seed)
    is_bad = random.random(n) < 0.3
    opened = 17_000.0 + random.integers(0, 1500, n)
    days = np.where(is_bad, random.integers(20, 160, n), random.integers(150, 900, n))
    table = to_table(
        {"opened": opened, "closed": opened + days, "amount": random.lognormal(8, 1, n) + 1000 * is_bad}
    )
    dates = [replace(one, kind="date") if one.name != "amount" else one for one in table.columns]
    return replace(table, columns=tuple(dates)), np.where(is_bad, "default", "paid")


def test_dates_after_the_fact():
    found = sum(accused(*closed_cases(seed)) == ["closed"] for seed in range(20))
    assert found >= 19
    table, _ = closed_cases(0)
    days = table.column("closed").values - table.column("opened").values
    assert accused(table, days) == ["closed"]
    third = replace(table.columns[0], name="asked", values=table.columns[0].values - 30)
    assert accused(replace(table, columns=(third, *table.columns)), days + 30) == [
        "closed"
    ]  # once, not for each
    honest = [seed for seed in range(10) if accused(closed_cases(seed)[0], closed_cases(seed + 50)[1])]
    assert honest == []


def sums(seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """A total of two parts, with columns that go along with them."""
    random = np.random.default_rng(seed)
    parts = random.gamma(2.0, [10.0, 30.0], size=(300, 2))
    rows = pd.DataFrame(
        {"hour": random.integers(0, 24, 300), "casual": parts[:, 0], "registered": parts[:, 1]}
    )
    return rows.assign(heat=parts[:, 0] + random.normal(0, 5, 300)), parts.sum(axis=1)


def test_a_target_that_is_computed_from_columns():
    def computed(X, y) -> list[tuple[str, ...]]:
        data = make_data([DecisionTreeRegressor()], X, y)
        return [found.columns for found in computed_target.find(data, make_splits(3, data))]

    for seed in range(20):
        rows, total = sums(seed)
        assert sorted(*computed(rows, total)) == ["casual", "registered"]
        noisy = total + np.random.default_rng(seed).normal(0, 0.1 * total.std(), 300)
        assert computed(rows, noisy) == []


@pytest.mark.filterwarnings("error")
def test_products_beyond_a_float_are_missing():
    random = np.random.default_rng(0)
    rows = pd.DataFrame({"a": random.normal(size=200) * 1e150, "b": random.normal(size=200) * 1e150})
    data = make_data([DecisionTreeRegressor()], rows, random.normal(size=200))
    assert computed_target.find(data, make_splits(3, data)) == []


def test_a_target_that_is_a_product_of_columns():
    """Quantity times price, and the tax on it. A smooth curve of one column is none."""

    def words(X, y) -> list[str]:
        data = make_data([DecisionTreeRegressor()], X, y)
        return [found.message for found in computed_target.find(data, make_splits(3, data))]

    for seed in range(10):
        random = np.random.default_rng(seed)
        net = (quantity := random.integers(1, 20, 400)) * (price := np.exp(random.normal(3, 1, 400)).round(2))
        tax = net * random.choice([0.07, 0.19], 400)
        rows = pd.DataFrame({"weight": random.gamma(2, 3, 400), "quantity": quantity, "unit_price": price})
        assert words(rows, net)[0].startswith(
            "The product of quantity and unit_price explains 100.00% of the target."
        )
        total = words(rows.assign(tax=tax), net + tax)
        assert total[0].startswith("A weighted sum of ")
        assert "the product of quantity and unit_price" in total[0]
        assert "tax" in total[0]
        assert words(rows, net / rows["weight"] * np.exp(random.normal(0, 0.1, 400))) == []
        assert words(rows, np.sqrt(rows["weight"]) + 0.02 * random.normal(size=400)) == []
        assert (
            words(rows.assign(year=random.integers(2000, 2020, 400)), price + random.normal(0, 1, 400)) == []
        )


def loans(seed: int, n: int = 700) -> tuple[pd.DataFrame, np.ndarray]:
    """What was paid back says which loans defaulted, but only beside what was lent; interest and total too."""
    random = np.random.default_rng(seed)
    amount, rate = random.gamma(4, 3000, n).round(-2) + 500, random.uniform(4, 22, n).round(2)
    is_bad = random.random(n) < 1 / (1 + np.exp(2.6 - 0.09 * rate))
    share = np.where(is_bad, random.uniform(0.1, 0.9, n), 1.0)
    principal = (amount * share).round(2)
    interest = (amount * rate / 50 * share * random.uniform(0.8, 1.2, n)).round(2)
    columns = {
        "amount": amount,
        "rate": rate,
        "interest_received": interest,
        "total_paid": principal + interest,
    }
    return pd.DataFrame(columns | {"principal_received": principal}), np.where(is_bad, "default", "paid")


def accused_pair(X, y) -> tuple[str, ...]:
    model = DecisionTreeClassifier() if np.asarray(y).dtype.kind in "USOi" else DecisionTreeRegressor()
    data = make_data([model], X, y)
    found = leaking_pair.find(data, make_splits(3, data))
    return found[0].columns if found else ()


def test_a_leak_that_is_spread_over_two_columns():
    found = [accused_pair(*loans(seed)) for seed in range(20)]
    assert sum(pair == ("amount", "principal_received") for pair in found) >= 19
    assert not any(accused(*loans(seed)) for seed in range(3))  # none of them alone
    honest = [
        accused_pair(X.drop(columns=["principal_received", "total_paid"]), y)
        for X, y in map(loans, range(20))
    ]
    assert not any(honest)


def test_who_has_more_votes_wins():
    random = np.random.default_rng(3)
    left, right = random.gamma(6, 900, (2, 400)).round()
    X = pd.DataFrame({"left": left, "right": right, "income": random.normal(size=400)})
    assert accused_pair(X, np.where(left > right, "left", "right")) == ("left", "right")


def test_a_share_of_two_prices():
    random = np.random.default_rng(3)
    listed, share = random.gamma(6, 40_000, 400).round(), random.uniform(0.7, 1.2, 400)
    X = pd.DataFrame(
        {"listed": listed, "sold": (listed * share).round(), "rooms": random.integers(1, 9, 400)}
    )
    assert accused_pair(X, (100 * share).round(1)) == ("listed", "sold")


def test_pairs_are_not_accused_where_one_or_the_others_do():
    random = np.random.default_rng(4)
    a, b, noise = random.normal(size=(3, 400))
    X = pd.DataFrame({"a": a, "b": b})
    assert accused_pair(X.assign(b=0.01 * b), np.where(a > 0, "yes", "no")) == ()  # a alone
    assert (
        accused_pair(X.assign(c=a - b + 0.01 * noise), np.where(a > b, "yes", "no")) == ()
    )  # c does as well


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_pairs_of_strong_honest_predictors_are_not_accused(load):
    X, y = load(return_X_y=True, as_frame=True)
    assert accused_pair(X, y.to_numpy()) == ()
