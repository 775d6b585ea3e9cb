"""The rows that curves are made of.   In: an Evaluation.   Out: the judged rows of each split that has an answer."""

from typing import TYPE_CHECKING

import numpy as np

from hedgerow.evaluation.judged import judged_rows_of
from hedgerow.evaluation.measure import joined
from hedgerow.evaluation.metrics import Judged
from hedgerow.evaluation.overlap import UNKNOWN
from hedgerow.table.words import quote
from hedgerow.types import Count, Float

if TYPE_CHECKING:
    from hedgerow.evaluation.evaluation import Evaluation


def judged_splits(evaluation: "Evaluation") -> list[tuple[Count, Judged]]:
    return [
        (part.test, judged_rows_of(evaluation.data, part.test, answer.guess))
        for part, answer in zip(evaluation.splits.parts, evaluation.answers, strict=True)
        if answer.guess is not None
    ]


def judged_rows(evaluation: "Evaluation") -> tuple[Count, Judged]:
    """All together; a row tested in several repeats stands there several times."""
    parts = judged_splits(evaluation)
    return np.concatenate([rows for rows, _ in parts]), joined([one for _, one in parts])


def need_two_classes(evaluation: "Evaluation", what: str, needs: str) -> None:
    if evaluation.data.classes is None:
        raise ValueError(f"{what} is for two classes, and this is a regression. See .residuals().")
    if not evaluation.data.is_binary:
        first = quote(evaluation.data.classes.tolist()[0])
        raise ValueError(f"{what} is for two classes. For one against the others: .against_rest({first}).")
    if any(a.guess is not None and getattr(a.guess, needs) is None for a in evaluation.answers):
        wanted = "predict_proba" if needs == "chances" else "predict_proba or decision_function"
        raise ValueError(f"{what} needs a model with {wanted}; {type(evaluation.model).__name__} has none.")


def need_classes(evaluation: "Evaluation", what: str) -> None:
    if evaluation.data.classes is None:
        raise ValueError(f"{what} is for classes, and this is a regression. See .residuals().")


def widening(evaluation: "Evaluation") -> float:
    """By how much a standard error is larger than rows alone say (overlap.py), whatever the metric."""
    return 1.0 if evaluation.splits.is_hold_out else float(np.sqrt(1 + UNKNOWN))


def unit_weights(evaluation: "Evaluation", draws: int, seed: int = 0) -> tuple[Float, Count]:
    """Random weights of rows (or groups), as the Bayesian bootstrap draws them, and the unit of each row."""
    data = evaluation.data
    units: Count = np.arange(data.n_rows) if data.groups is None else data.groups
    random = np.random.default_rng(seed)
    return random.standard_exponential((draws, int(units.max()) + 1)), units
