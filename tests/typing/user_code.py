"""What a user writes, as type checkers see it: mypy and pyright must have nothing to say (tests/test_typing.py)."""

import numpy as np

import hedgerow
from hedgerow import (
    SVC,
    AdaBoostClassifier,
    DecisionTreeClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    compare,
    datasets,
    evaluate,
    formulas,
)
from hedgerow.prune import CpTable
from hedgerow.prune import compare as compare_prunings

titanic = datasets.titanic()
tree: DecisionTreeClassifier = DecisionTreeClassifier(max_depth=3, prune="pessimistic").fit(
    titanic.table, titanic.target
)
text: str = tree.to_text()
forest = RandomForestClassifier(50, random_state=0).fit(titanic.table, titanic.target)
print(forest.importance(), forest.predict(titanic.table)[0], text)

found = evaluate(forest, titanic.table, titanic.target, cv=3)
share: dict[str, object] = found.to_dict()
verdict = compare({"tree": tree, "forest": forest}, titanic.table, titanic.target)
print(verdict, share)

X = np.zeros((4, 2))
booster = AdaBoostClassifier(n_estimators=3).fit(X, [0, 1, 0, 1])
machine = SVC(kernel="rbf", C=2.0).fit(X, [0, 1, 0, 1])
prices = HistGradientBoostingRegressor(max_iter=5).fit(X, [1.0, 2.0, 3.0, 4.0])
bits: float = formulas.entropy([9, 5])
hedgerow.save(prices, "prices.hedgerow")
again = hedgerow.load("prices.hedgerow")
result = hedgerow.study("titanic", quick=True)
name: str = result.verdict.chosen
print(booster, machine, bits, again, name, CpTable, compare_prunings, hedgerow.__version__)
