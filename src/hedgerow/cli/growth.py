"""How a tree grows.   In: Asked, the TargetData.   Out: the parameters a tree estimator would have, and a Grower.

defaults  <-  the recipe's  <-  what was typed
"""

from dataclasses import replace
from typing import Any

import numpy as np

from hedgerow.cli.asked import Asked, one_of
from hedgerow.cli.grown import Grower
from hedgerow.core import threads_for
from hedgerow.core.criteria import CRITERIA, RATIO_CRITERIA
from hedgerow.encode import encode
from hedgerow.errors import render, spell_as_option
from hedgerow.grow import CLASS_CRITERIA, MOST_SURROGATES, NUMBER_CRITERIA, Classes, Limits, Numbers, Target
from hedgerow.intake import TargetData
from hedgerow.recipe_book import named
from hedgerow.table import Table
from hedgerow.types import Count, Mask

FOR_NUMBERS = ("cart",)  # recipes that also say how to predict a number
DEPTH_FIRST = ("multiway", "fractional", "surrogate", *RATIO_CRITERIA)  # what cannot grow the best leaf first


def parameters_of(asked: Asked, goal: TargetData) -> dict[str, Any]:
    """Those of growing, by their names in Python."""
    recipe = _recipe(asked, goal)
    typed = {
        "criterion": asked.criterion,
        "max_depth": asked.max_depth,
        "min_samples_leaf": asked.min_leaf,
        "max_leaf_nodes": asked.max_leaves,
    }
    known = NUMBER_CRITERIA if goal.classes is None else (*CLASS_CRITERIA, "log_loss")
    plain = {"criterion": known[0], "min_samples_leaf": 1, "splits": "binary", "missing": "learned"}
    found = {**dict.fromkeys(typed), **plain, **recipe, **{k: v for k, v in typed.items() if v is not None}}
    one_of(f"--criterion for {goal.task}:", found["criterion"], known)
    _refuse_negative(found["criterion"], goal)
    _refuse_best_first(found, asked)
    return found


def _recipe(asked: Asked, goal: TargetData) -> dict[str, Any]:
    if asked.recipe is None:
        return {}
    given = {k: v for k, v in named(asked.recipe).parameters.items() if k != "prune"}
    if goal.classes is not None:
        return given
    if asked.recipe not in FOR_NUMBERS:
        way_out = "" if asked.task == "regression" else ", or --task classification"
        raise ValueError(
            f"--recipe {asked.recipe} tells classes, but {render(goal.reason, spell_as_option)}. For numbers: --recipe "
            f"{' or '.join(FOR_NUMBERS)}{way_out}."
        )
    return {k: v for k, v in given.items() if k != "criterion"}


def _refuse_negative(criterion: str, goal: TargetData) -> None:
    if CRITERIA[criterion].non_negative and (goal.values.min() < 0 or goal.values.sum() <= 0):
        raise ValueError(
            f"--criterion {criterion} is for counts, but the smallest target is {goal.values.min():g}. "
            "Use squared_error."
        )


def _refuse_best_first(found: dict[str, Any], asked: Asked) -> None:
    depth_first = {found[name] for name in ("splits", "missing", "criterion")} & set(DEPTH_FIRST)
    if depth_first and asked.max_leaves is not None:
        who = f"--recipe {asked.recipe}" if asked.recipe else f"--criterion {found['criterion']}"
        raise ValueError(
            f"{who} and --max-leaves do not go together: such trees grow depth-first. Ways out: --max-depth, or "
            f"--prune leaf_limit --leaves {asked.max_leaves}."
        )


def grower_of(
    table: Table, goal: TargetData, rows: Count, found: dict[str, Any], asked: Asked, used: Mask | None = None
) -> Grower:
    """What grows trees on these rows of the table. `used`: which of them the tree is of, if not all."""
    part = table.take(rows)
    threads = threads_for(asked.threads, part.n_rows * len(part.columns))
    weight = None if used is None else used.astype(np.float64)
    criterion = "entropy" if found["criterion"] == "log_loss" else found["criterion"]
    encoded = encode(part, weight=weight, threads=threads)
    return Grower(encoded, target_of(goal, rows), criterion, _limits(found, len(part.columns)), threads)


def target_of(goal: TargetData, rows: Count) -> Target:
    values = np.ascontiguousarray(goal.values[rows])
    return Numbers(values) if goal.classes is None else Classes(values, len(goal.classes))


def _limits(found: dict[str, Any], n_columns: int) -> Limits:
    limits = Limits(
        max_features=n_columns,
        max_depth=found["max_depth"] or 2**31 - 1,
        min_rows_split=max(2, 2 * found["min_samples_leaf"]),
        min_rows_leaf=found["min_samples_leaf"],
        max_leaves=found["max_leaf_nodes"] or 0,
        multiway=found["splits"] == "multiway",
        fractional=found["missing"] == "fractional",
    )
    return replace(limits, surrogates=MOST_SURROGATES) if found["missing"] == "surrogate" else limits
