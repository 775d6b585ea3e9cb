"""--model forest: a random forest."""

from pathlib import Path
from typing import Any

import numpy as np

from hedgerow.cli.asked import Asked, one_of
from hedgerow.cli.models.model import SHARED, Wanted

WORDS = "a random forest"
OPTIONS = (*SHARED, "trees", "columns", "stop")
MOST_TREES = 100_000


def estimator(asked: Asked, wanted: Wanted, classes: bool) -> Any:
    from hedgerow.estimators import RandomForestClassifier, RandomForestRegressor

    return made(RandomForestClassifier if classes else RandomForestRegressor, asked, wanted)


def made(kind: Any, asked: Asked, wanted: Wanted) -> Any:
    """The estimator of this kind; what was not typed stays as the estimator has it."""
    if wanted.trees is not None and not 1 <= wanted.trees <= MOST_TREES:
        raise ValueError(f"--trees {wanted.trees} is out of range. Give 1 to {MOST_TREES:,}.")
    if wanted.stop is not None:
        one_of("--stop", wanted.stop, ("oob",))
    given = {
        "n_estimators": wanted.trees,
        "criterion": asked.criterion,
        "max_depth": asked.max_depth,
        "min_samples_leaf": asked.min_leaf,
        "max_leaf_nodes": asked.max_leaves,
        "stop": wanted.stop,
        "n_jobs": asked.threads,
    }
    model = kind(
        random_state=asked.seed, **{name: value for name, value in given.items() if value is not None}
    )
    if wanted.columns is not None:
        model.set_params(max_features=_columns(wanted.columns))
    return model


def _columns(typed: str) -> int | float | str | None:
    if typed in ("sqrt", "log2"):
        return typed
    if typed == "all":
        return None
    try:
        return float(typed) if "." in typed else int(typed)
    except ValueError:
        raise ValueError(
            f"--columns {typed!r} is unknown. Give a number of columns, a share such as 0.3, sqrt, log2 or all."
        ) from None


def facts(fitted: Any) -> list[tuple[str, str]]:
    trees = fitted.forest_.trees
    leaves = int(np.mean([tree.n_leaves for tree in trees]))
    said = [
        ("trees", f"{len(trees):,}, {leaves:,} leaves each on average"),
        ("columns a node", f"{fitted.max_features_} of {fitted.n_features_in_}"),
    ]
    if fitted.forest_.draws.how != "all":
        said.append(("out of bag", str(fitted.oob_).splitlines()[0].removeprefix("Out of bag: ")))
    if hasattr(fitted, "stopped_"):
        said.append(("stopped", str(fitted.stopped_)))
    return said


def importances(fitted: Any) -> list[tuple[str, float]]:
    """By permutation out of bag, as a share of the largest; without rows out of bag, the decrease of impurity."""
    found = _importance(fitted)
    return [(found.names[j], max(0.0, float(found.relative[j]) / 100)) for j in found.order]


def picture(fitted: Any, file: Path, table: Any, labels: Any) -> bool:
    _importance(fitted).draw().figure.savefig(file, dpi=192)
    return True


def _importance(fitted: Any) -> Any:
    return fitted.importance("impurity" if fitted.forest_.draws.how == "all" else "permutation")
