"""Which model to take: one rule, for `compare` and for `study`.   In: models from best to worst, each tested against
the baseline and against the best.   Out: a Choice: the most accurate, the simplest that cannot be distinguished from
it, and which of the two is recommended; none where no model is shown to beat the baseline.

`simplest_within_1se` is a `refit=` of scikit-learn's GridSearchCV and RandomizedSearchCV.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.docstrings import document
from hedgerow.errors import check_choice, out_of_range
from hedgerow.types import Float

if TYPE_CHECKING:
    from hedgerow.evaluation.comparison import Entry, PairResult

PREFER = ("accurate", "simple")

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


@dataclass(frozen=True)
class Preference:
    """What is wanted of two models that cannot be distinguished."""

    prefer: str = "accurate"
    # Scores this near are as good, in the units of the metric; None: as the test says
    margin: float | None = None

    def __post_init__(self) -> None:
        check_choice("prefer", self.prefer, PREFER)
        given = self.margin
        if given is not None and not (isinstance(given, Real) and np.isfinite(given) and given >= 0):
            raise out_of_range("margin", given, "a difference of 0 or more, in the units of the metric")


@dataclass(frozen=True)
class Choice:
    most_accurate: str  # "" if no model has a score
    simplest: str  # that cannot be distinguished from it, or within the margin
    recommended: str  # one of the two; "" where no model is shown to be better than the baseline


def find_best(ranked: "Sequence[Entry]", baseline_pairs: "Sequence[PairResult]") -> "Entry | None":
    """The highest score of those that are shown to beat the baseline; of all, where none is. One that failed in a
    split is taken only if all did."""
    sound = _sound(ranked)
    useful = better_than_baseline(baseline_pairs)
    return next((entry for entry in sound if entry.name in useful), sound[0] if sound else None)


def is_preferred(
    blend: "Entry",
    ranked: "Sequence[Entry]",
    pairs: "Sequence[PairResult]",
    baseline_pairs: "Sequence[PairResult]",
) -> bool:
    """Is the blend taken? Unless another model is shown to be better: the best score of many is partly luck
    (docs/study.md). `pairs`: of the blend with each other model."""
    if blend.n_failed or blend.name not in better_than_baseline(baseline_pairs):
        return False
    sound = {entry.name for entry in _sound(ranked)}
    better = {pair.second for pair in pairs if pair.is_decided and pair.outcome.difference < 0}
    return sound.isdisjoint(better)


def choose_model(
    ranked: "Sequence[Entry]",
    best: "Entry | None",
    pairs: "Sequence[PairResult]",
    baseline_pairs: "Sequence[PairResult]",
    preference: Preference,
) -> Choice:
    """`pairs`: at least those of the best with each other model."""
    if best is None:
        return Choice("", "", "")
    useful = better_than_baseline(baseline_pairs)
    if best.name not in useful:
        return Choice(best.name, best.name, "")
    # Without the baseline, as best was found
    sound = _sound([entry for entry in ranked if entry.name in useful])
    near = [entry for entry in sound if _is_near(entry, best, pairs, preference)]
    simplest = min(near, key=lambda entry: np.inf if entry.size is None else entry.size.numbers).name
    return Choice(best.name, simplest, best.name if preference.prefer == "accurate" else simplest)


def _sound(ranked: "Sequence[Entry]") -> "list[Entry]":
    scored = [entry for entry in ranked if np.isfinite(entry.score.value) and not entry.is_given_up]
    return [entry for entry in scored if not entry.n_failed] or scored


def better_than_baseline(baseline_pairs: "Sequence[PairResult]") -> set[str]:
    return {pair.first for pair in baseline_pairs if pair.is_decided and pair.outcome.difference > 0}


def _is_near(entry: "Entry", best: "Entry", pairs: "Sequence[PairResult]", preference: Preference) -> bool:
    if entry.name == best.name:
        return True
    if preference.margin is not None:
        return abs(entry.score.value - best.score.value) <= preference.margin
    both = {entry.name, best.name}
    return any({pair.first, pair.second} == both and not pair.is_decided for pair in pairs)


@document()
def simplest_within_1se(
    by: str | Mapping[str, str] | None = None, *, scoring: str = "score"
) -> Callable[[Any], int]:
    """Choose the simplest candidate whose mean score is within one standard error of the best. For GridSearchCV(model,
    grid, refit=simplest_within_1se()).

    Parameters
    ----------
    by : str, dict or None
        Which parameter says what is simple: a name whose direction is known (max_depth, ccp_alpha, C, ...), or a
        dict such as {"width": "smaller", "penalty": "larger"}. None for all parameters of the grid.
    scoring : str
        With several scorers, the name of the one that counts.

    Returns
    -------
    callable
        A function for `refit`.

    See Also
    --------
    validation_curve : The score at each value.

    Examples
    --------
    >>> from sklearn.model_selection import GridSearchCV
    >>> from hedgerow import DecisionTreeClassifier, datasets, simplest_within_1se
    >>> titanic = datasets.titanic()
    >>> grid = {"max_depth": [1, 2, 3, 5, 8]}
    >>> search = GridSearchCV(DecisionTreeClassifier(), grid, refit=simplest_within_1se())
    >>> search.fit(titanic.frame(), titanic.target).best_params_["max_depth"] < 8
    True
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
