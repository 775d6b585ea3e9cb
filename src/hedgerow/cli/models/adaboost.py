"""--model adaboost: weak predictors, each fitted to what those before it have wrong."""

from pathlib import Path
from typing import Any

import numpy as np

from hedgerow.cli.asked import Asked, one_of
from hedgerow.cli.models.model import Wanted

WORDS = "boosted predictors"
OPTIONS = ("rounds", "base", "predictions", "loss", "max_depth")
BASES = ("stump", "tree", "c45")


def estimator(asked: Asked, wanted: Wanted, classes: bool) -> Any:
    from hedgerow.estimators import AdaBoostClassifier, AdaBoostRegressor

    base = wanted.base or ("stump" if classes else "tree")
    one_of("--base", base, BASES)
    if asked.max_depth is not None and base != "tree":
        raise ValueError(f"--max-depth is an option of --base tree, not of --base {base}.")
    common: dict[str, Any] = {
        "n_estimators": wanted.rounds or 50,
        "max_depth": asked.max_depth or 3,
        "random_state": asked.seed,
        "n_jobs": asked.threads,
    }
    if classes:
        predictions, loss = wanted.predictions or "discrete", wanted.loss or "exponential"
        return AdaBoostClassifier(base, predictions=predictions, loss=loss, **common)
    typed = [name for name in ("predictions", "loss") if getattr(wanted, name) is not None]
    if typed or base != "tree":
        given = f"--{typed[0]}" if typed else f"--base {base}"
        raise ValueError(f"{given} is for classes, but the target holds numbers. Leave it out.")
    return AdaBoostRegressor(**common)


def facts(fitted: Any) -> list[tuple[str, str]]:
    rounds = fitted.rounds_
    base = fitted.estimator if isinstance(fitted.estimator, str) else "tree"
    found = [("rounds", f"{len(rounds):,} of {base}; {rounds.stopped}")]
    if hasattr(fitted, "classes_"):
        last = rounds.rounds[-1]
        found.append(("training error", f"{last.error:.2%}; loss {last.loss:.4g}"))
    return found


def importances(fitted: Any) -> list[tuple[str, float]]:
    if not hasattr(fitted, "classes_"):
        return []
    shares = fitted.feature_importances_
    names = fitted.schema_.names
    return [
        (names[j], float(shares[j] / shares.max()))
        for j in np.argsort(-shares, kind="stable")
        if shares[j] > 0
    ]


def picture(fitted: Any, file: Path, table: Any, labels: Any) -> bool:
    """Training error and its bound over the rounds."""
    if not hasattr(fitted, "classes_"):
        return False
    fitted.diagnostics_.draw().figure.savefig(file)
    return True
