"""Planted leaks and copies: how many of them are found, and how often is an honest table accused?

    leak of a class   a column that has the class right for 97 % of the rows
    leak of a number  a column that explains four fifths of the number, beside columns that explain far less
    leak of a pair    what was lent, and what was paid back: their ratio says who defaulted, neither of them alone
    copies            a tenth of the rows stand in the table twice: every pair must be on one side of every split
    honest            the same tables with nothing planted

Expected: 19 of 20 found, an honest table accused in at most 1 of 20.
"""

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor
from hedgerow.evaluation.check import run_checks
from hedgerow.evaluation.data import Data, make_data
from hedgerow.evaluation.splits import make_splits
from simulations.population import share

DRAWS = 200
ROWS = (200, 1500)
LEAKS = ("leaking_column", "leaking_pair")
CLASS_SHARES = (0.5, 0.1)  # of the class of interest
Table = tuple[pd.DataFrame, np.ndarray]


def honest(random: np.random.Generator, positive: float | None) -> Table:
    """Three useful columns, one of noise, a category; `positive`: share of the class, None for numbers."""
    n = int(random.integers(*ROWS))
    X = pd.DataFrame({f"x{j}": random.normal(size=n) for j in range(4)})
    X["town"] = random.choice(["ash", "elm", "oak"], n)
    f = X["x0"] + 0.7 * X["x1"] - 0.5 * X["x2"] + (X["town"] == "oak") + random.logistic(size=n)
    return X, f.to_numpy() if positive is None else np.where(f > np.quantile(f, 1 - positive), "yes", "no")


def leak_of_a_class(random: np.random.Generator, positive: float) -> Table:
    X, y = honest(random, positive)
    is_wrong = random.random(len(y)) < 0.03
    return X.assign(planted=np.where(is_wrong, y != "yes", y == "yes").astype(float)), y


def leak_of_a_number(random: np.random.Generator) -> Table:
    X, y = honest(random, None)
    return X.assign(planted=y + random.normal(0, y.std() / 2, len(y))), y


def leak_of_a_pair(random: np.random.Generator, positive: float) -> Table:
    X, y = honest(random, positive)
    lent = random.gamma(4, 3000, len(y)).round()
    share = np.where(y == "yes", random.uniform(0.1, 0.9, len(y)), 1.0)
    return X.assign(lent=lent, paid_back=(lent * share).round(2)), y


def copies(random: np.random.Generator) -> Table:
    X, y = honest(random, 0.3)
    again = random.choice(len(y), len(y) // 10, replace=False)
    return pd.concat([X, X.iloc[again]], ignore_index=True), np.append(y, y[again])


def _data(X: pd.DataFrame, y: np.ndarray) -> Data:
    model = DecisionTreeRegressor() if y.dtype.kind == "f" else DecisionTreeClassifier()
    return make_data([model], X, y)


def accused(X: pd.DataFrame, y: np.ndarray) -> list[str]:
    data = _data(X, y)
    found = run_checks(data, make_splits(5, data))
    return [column for one in found if one.check in LEAKS for column in one.columns]


def is_kept_apart(X: pd.DataFrame, y: np.ndarray) -> bool:
    """Copies are found, and no split has one of a pair to learn from and the other to judge by."""
    data = _data(X, y)
    splits = make_splits(5, data)
    pair = X.assign(y=y).groupby([*X.columns, "y"]).ngroup().to_numpy()
    one_side = not any(np.isin(pair[part.test], pair[part.train]).any() for part in splits.parts)
    return one_side and any(one.check == "duplicated_rows" for one in run_checks(data, splits))


def table(part: float) -> Iterator[str]:
    each = max(2, int(DRAWS * part))
    yield "| planted | tables | found, % |"
    yield "|---|---|---|"
    for positive in CLASS_SHARES:
        title = f"a leak of a class of {positive:.0%} of the rows"
        yield _line(title, each, lambda r, p=positive: accused(*leak_of_a_class(r, p)) == ["planted"])
        title = f"a leak of a pair, of a class of {positive:.0%}"
        yield _line(
            title, each, lambda r, p=positive: accused(*leak_of_a_pair(r, p)) == ["lent", "paid_back"]
        )
    yield _line("a leak of a number", each, lambda r: accused(*leak_of_a_number(r)) == ["planted"])
    yield _line("copies of a tenth of the rows", each, lambda r: is_kept_apart(*copies(r)))
    for positive, title in ((0.5, "two classes"), (0.1, "a rare class"), (None, "numbers")):
        yield _line(f"nothing: {title}, accused", each, lambda r, p=positive: bool(accused(*honest(r, p))))


def _line(title: str, each: int, is_found: Callable[[np.random.Generator], bool]) -> str:
    hits = sum(is_found(np.random.default_rng([len(title), seed])) for seed in range(each))
    return f"| {title} | {each} | {share(hits, each)} |"
