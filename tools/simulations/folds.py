"""95 % intervals of cross-validation: do they hold what models trained on so many rows score, on average?"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

from hedgerow import DecisionTreeClassifier, evaluate
from simulations.population import classes, share

MODELS: dict[str, Any] = {
    "linear": LinearDiscriminantAnalysis(),
    "naive Bayes": GaussianNB(),
    "tree, 4 leaves": DecisionTreeClassifier(max_leaf_nodes=4, n_jobs=1),
    "tree, 8 leaves": DecisionTreeClassifier(max_leaf_nodes=8, n_jobs=1),
    "tree, at least 10 a leaf": DecisionTreeClassifier(min_samples_leaf=10, n_jobs=1),
    "full tree": DecisionTreeClassifier(n_jobs=1),
}
SCORES = ("accuracy", "roc_auc")


def coverage(
    model: Any, n: int, cv: int, repetitions: int, repeats: int = 1
) -> tuple[dict[str, float], float]:
    """Score -> how often the interval held the truth; and how much wider the estimates spread than rows alone say."""
    from sklearn.base import clone

    random = np.random.default_rng(1000 * n + cv)
    truth = dict.fromkeys(SCORES, 0.0)
    trials = max(100, repetitions // 2)
    for _ in range(trials):
        X, y = classes(n - n // cv, random)
        fresh = classes(4000, random)
        scored = evaluate(clone(model).fit(X, y), *fresh, cv="fitted", scores=SCORES, progress=False)
        for name in SCORES:
            truth[name] += scored[name].value / trials
    hits, values, errors = dict.fromkeys(SCORES, 0), [], []
    for k in range(repetitions):
        X, y = classes(n, random)
        found = evaluate(
            model, X, y, cv=cv, repeats=repeats, scores=SCORES, random_state=k, n_jobs=1, progress=False
        )
        for name in SCORES:
            hits[name] += found[name].low <= truth[name] <= found[name].high
        values.append(found["accuracy"].value)
        errors.append(found["accuracy"].value * (1 - found["accuracy"].value) / n)
    return hits, float(np.std(values) / np.sqrt(np.mean(errors)))


def table(part: float) -> Iterator[str]:
    repetitions = max(10, int(400 * part))
    yield f"{repetitions} repetitions. Spread: of the estimates, in standard errors that the rows alone would give.\n"
    yield "| model | rows | folds | accuracy | area under ROC | spread |"
    yield "|---|---|---|---|---|---|"
    designs = ((200, 10, 1), (1000, 10, 1), (200, 5, 5))
    for n, cv, repeats in designs:
        for name, model in MODELS.items():
            if (n == 1000 or repeats > 1) and name not in ("linear", "tree, 8 leaves"):
                continue
            hits, spread = coverage(model, n, cv, repetitions, repeats)
            told = [share(hits[score], repetitions) for score in SCORES]
            folds = f"{cv}" + (f", {repeats} times" if repeats > 1 else "")
            yield f"| {name} | {n} | {folds} | {told[0]} | {told[1]} | {spread:.2f} |"
