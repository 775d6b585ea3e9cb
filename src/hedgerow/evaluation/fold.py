"""One fit and its test.   In: a model, rows, a split.   Out: an Answer: what it guessed, how long it took, how large
it is; or why it failed.
"""

from dataclasses import dataclass
from time import perf_counter
from typing import Any

from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from hedgerow.evaluation.guess import Guess, guess_of
from hedgerow.evaluation.size import Size, size_of
from hedgerow.table.words import show
from hedgerow.types import Float


@dataclass(frozen=True, eq=False)
class Answer:
    guess: Guess | None  # None: it failed
    failure: str  # "" or the reason
    fit_seconds: float
    test_seconds: float
    size: Size | None
    others: Guess | None = None  # of the rows that the models of all folds judge (overlap.py)


@dataclass(frozen=True, eq=False)
class Job:
    """All that one fit needs: small enough to be sent to another process."""

    model: Any
    training: Any
    target: NDArray[Any]
    weight: Float | None
    test: Any
    classes: NDArray[Any] | None
    others: Any = None  # rows that the models of all folds judge
    fit: bool = True
    single: bool = False  # one thread inside: others are at work beside it


def done(job: Job) -> Answer:
    begin = perf_counter()
    try:
        model = job.model
        if job.fit:
            model = clone(model)
            if job.single:
                model.set_params(**with_threads(model, 1))
            model.fit(job.training, job.target, **weights(model, job.weight))
        fitted = perf_counter()
        guess = guess_of(model, job.test, job.classes)
        tested = perf_counter()
        others = None if job.others is None else guess_of(model, job.others, job.classes)
        return Answer(guess, "", fitted - begin, tested - fitted, size_of(model), others)
    except Exception as error:  # whatever a model raises is an answer about the model
        return Answer(
            None, f"{type(error).__name__}: {show(str(error), 200)}", perf_counter() - begin, 0.0, None
        )


def with_threads(model: Any, n: int) -> dict[str, int]:
    """Parameters for so many threads wherever it says nothing else, also in what it is made of. What is of
    scikit-learn takes one anyway, and some of it complains when told so."""
    given = model.get_params(deep=True)
    silent = [name for name, value in given.items() if name.rpartition("__")[2] == "n_jobs" and value is None]
    owners = {name: given.get(name.rpartition("__")[0], model) for name in silent}
    return {name: n for name, owner in owners.items() if not type(owner).__module__.startswith("sklearn.")}


def weights(model: Any, weight: Float | None) -> dict[str, Any]:
    """How this model takes weights in `fit`; nothing where it does not."""
    if weight is None:
        return {}
    if has_fit_parameter(model, "sample_weight"):
        return {"sample_weight": weight}
    if hasattr(model, "steps") and has_fit_parameter(model.steps[-1][1], "sample_weight"):
        return {f"{model.steps[-1][0]}__sample_weight": weight}
    return {}


def takes_weights(model: Any) -> bool:
    import numpy as np

    return bool(weights(model, np.ones(1)))
