"""Which model to take.   In: models from best to worst with their pairs, or scikit-learn's cv_results_.   Out: one.

`simplest_within_1se` is also a `refit=` of scikit-learn's GridSearchCV and RandomizedSearchCV.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.types import Float

if TYPE_CHECKING:
    from hedgerow.evaluation.comparison import Entry, PairResult

SMALLER_IS_SIMPLER = {
    "max_depth": True,
    "max_leaf_nodes": True,
    "max_leaves": True,
    "max_iter": True,
    "n_estimators": True,
    "n_rounds": True,
    "max_rules": True,
    "max_features": True,
    "degree": True,
    "gamma": True,
    "C": True,
    "ccp_alpha": False,
    "alpha": False,
    "min_samples_leaf": False,
    "min_samples_split": False,
    "min_weight_fraction_leaf": False,
    "min_impurity_decrease": False,
    "l2_regularization": False,
    "n_neighbors": False,
}


def choose_model(ranked: "tuple[Entry, ...]", pairs: "tuple[PairResult, ...]", select: str) -> str:
    """The name of the model to take; "" if none has a score. One that failed is taken only if all did."""
    scored = [entry for entry in ranked if np.isfinite(entry.score.value)]
    sound = [entry for entry in scored if entry.n_failed == 0] or scored
    if not sound:
        return ""
    best = sound[0]
    if select == "best":
        return best.name
    if select == "1se":
        near = [entry for entry in sound if abs(entry.score.value - best.score.value) <= best.score.std_error]
    else:
        worse = {pair.second for pair in pairs if pair.first == best.name and pair.is_decided}
        near = [entry for entry in sound if entry.name not in worse]
    return min(near, key=lambda entry: np.inf if entry.size is None else entry.size.numbers).name


def simplest_within_1se(
    by: str | Mapping[str, str] | None = None, *, scoring: str = "score"
) -> Callable[[Any], int]:
    """GridSearchCV(model, grid, refit=simplest_within_1se()): the simplest candidate whose mean score is within one
    standard error of the best.

    by : which parameter says what is simple: a name whose direction is known (max_depth, ccp_alpha, C, ...), or a dict
        such as {"width": "smaller", "penalty": "larger"}; if not given, all parameters of the grid
    scoring : with several scorers, the name of the one that counts
    """
    directions = {by: None} if isinstance(by, str) else None if by is None else dict(by)

    def choose(cv_results: Mapping[str, Any]) -> int:
        mean, spread, n_splits = _mean_scores(cv_results, scoring)
        best = int(np.nanargmax(mean))
        bound = mean[best] - spread[best] / np.sqrt(n_splits)
        near = np.flatnonzero(mean >= bound)
        rank = _simplicity(list(cv_results["params"]), directions)
        order = sorted(near.tolist(), key=lambda k: (rank[k], -mean[k]))
        return int(order[0])

    return choose


def _mean_scores(cv_results: Mapping[str, Any], scoring: str) -> tuple[Float, Float, int]:
    if f"mean_test_{scoring}" not in cv_results:
        known = [name.removeprefix("mean_test_") for name in cv_results if name.startswith("mean_test_")]
        raise ValueError(f"scoring={scoring!r} is not in cv_results_. There are: {', '.join(known)}.")
    n_splits = sum(name.startswith("split") and name.endswith(f"_test_{scoring}") for name in cv_results)
    return cv_results[f"mean_test_{scoring}"], cv_results[f"std_test_{scoring}"], n_splits


def _simplicity(candidates: list[Mapping[str, Any]], directions: Mapping[str, str | None] | None) -> Float:
    """The mean rank over the parameters that say what is simple; small = simple."""
    names = (
        list(directions) if directions is not None else sorted({name for one in candidates for name in one})
    )
    total = np.zeros(len(candidates))
    for name in names:
        given = [one.get(name) for one in candidates]
        if len({repr(value) for value in given}) < 2:
            continue
        word = None if directions is None else directions[name]
        smaller = _smaller_is_simpler(name, word)
        size = np.array([np.inf if value is None else float(value) for value in given])  # None: no limit
        total += np.unique(size if smaller else -size, return_inverse=True)[1]
    return total


def _smaller_is_simpler(name: str, word: str | None) -> bool:
    if word is not None:
        if word not in ("smaller", "larger"):
            raise ValueError(f"{name!r}: {word!r} is unknown. Say whether 'smaller' or 'larger' is simpler.")
        return word == "smaller"
    short = name.rpartition("__")[2]
    if short not in SMALLER_IS_SIMPLER:
        raise ValueError(
            f"Is a small or a large {name!r} simpler? Say so: simplest_within_1se({{{name!r}: 'smaller'}}), or name "
            "the parameters that count."
        )
    return SMALLER_IS_SIMPLER[short]
