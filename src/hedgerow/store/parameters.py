"""Parameters.   In: an estimator's parameters.   Out: values JSON can hold; and back, of known names only.

    a NumPy number -> number     an array, a tuple -> list     a dict -> {"pairs": [[key, value], ...]}
    infinity -> {"number": "inf"}
    a pruning method -> a dict of its name and settings, which `prune=` takes as well
    a RandomState  -> None       its future draws are no part of a fitted model
    a Learner      -> {"learner": its tag, "parameters": {...}, "numbers": null or those of ToNumbers}

A dict is kept as pairs because JSON would turn the class 1 into the text "1".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.store.errors import InvalidModelFile
from hedgerow.store.kind import find_kind, load_kind

MOST_THREADS = 1024  # a file may not ask for more
INFINITE = {"number": "inf"}  # C of a hard margin
DEEPEST = 18  # lists in lists, learners in learners; no parameter needs more
LEARNER = 3  # what a learner counts in it
HOLD_LEARNERS = ("estimator", "estimators")
TO_NUMBERS = {"standardize": True, "max_levels": 100, "categorical_features": None}


@dataclass(frozen=True, eq=False)
class Learner:
    """A model inside a model's parameters, not fitted: the estimator of a bagging, the estimators of a vote."""

    model: str  # a tag, as in ModelState
    parameters: Mapping[str, Any]
    numbers: Mapping[str, Any] | None = None  # the parameters of ToNumbers, where that stands before it

    @property
    def name(self) -> str:
        return load_kind(self.model).ESTIMATORS[self.model]

    def __repr__(self) -> str:
        usual = load_kind(self.model).DEFAULTS[self.model]
        changed = ", ".join(f"{k}={v!r}" for k, v in self.parameters.items() if v != usual[k])
        return f"{'' if self.numbers is None else 'ToNumbers + '}{self.name}({changed})"


def to_plain(name: str, value: Any) -> Any:
    """The value of the parameter `name`, as JSON holds it."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return value if -(2**63) <= value < 2**64 else to_plain(name, float(value))
    if isinstance(value, float):
        return INFINITE if value == np.inf else _finite(name, value)
    if isinstance(value, np.generic):
        return to_plain(name, value.item())
    if isinstance(value, np.ndarray):
        return to_plain(name, value.tolist())
    if isinstance(value, (list, tuple)):
        return [to_plain(name, entry) for entry in value]
    if isinstance(value, Mapping):
        return {"pairs": [[to_plain(name, key), to_plain(name, entry)] for key, entry in value.items()]}
    if isinstance(value, (np.random.RandomState, np.random.Generator)):
        return None
    if isinstance(value, Learner):
        return {
            "learner": value.model,
            "parameters": {key: to_plain(key, entry) for key, entry in value.parameters.items()},
            "numbers": None
            if value.numbers is None
            else {key: to_plain(key, entry) for key, entry in value.numbers.items()},
        }
    from hedgerow.prune.method import Method, method_settings  # here: a model is read without it

    if isinstance(value, Method):
        return to_plain(name, method_settings(value))
    raise TypeError(
        f"{name}={value!r} cannot be kept in a model file. Expected: None, a number, text, a list or a dict "
        f"of these. Way out: model.set_params({name}=None) before saving; a fitted tree does not need it."
    )


def _finite(name: str, value: float) -> float:
    if not np.isfinite(value):
        raise ValueError(f"{name}={value!r} cannot be kept in a model file. Expected: a finite number.")
    return value


def from_plain(
    name_of_model: str, defaults: Mapping[str, Any], given: Any, deepest: int = DEEPEST
) -> dict[str, Any]:
    """The parameters of a model with these; a InvalidModelFile for a name or a value no such model has."""
    if not isinstance(given, dict):
        raise InvalidModelFile(f"has parameters that are {_named(given)}, not an object")
    for name in given:
        if name not in defaults:
            raise InvalidModelFile(f"has the parameter {name[:40]!r}, which a {name_of_model} does not have")
    values = {name: _value(name, value, deepest) for name, value in given.items()}
    prune = values.get("prune")
    if isinstance(prune, dict) and "seed" in prune:  # its former name, in older files
        values["prune"] = {("random_state" if key == "seed" else key): entry for key, entry in prune.items()}
    jobs = values.get("n_jobs")
    if not (jobs is None or (type(jobs) is int and 0 < abs(jobs) <= MOST_THREADS)):
        raise InvalidModelFile(f"has n_jobs={jobs!r:.40}; wanted null or a number from 1 to {MOST_THREADS}")
    return {**defaults, **values}


def _value(name: str, value: Any, deepest: int) -> Any:
    if deepest == 0:
        raise InvalidModelFile(f"has the parameter {name!r} nested too deeply")
    if isinstance(value, list):
        return [_value(name, entry, deepest - 1) for entry in value]
    if value == INFINITE:
        return float("inf")
    if isinstance(value, dict) and "learner" in value:
        if name not in HOLD_LEARNERS or deepest < LEARNER:
            raise InvalidModelFile(
                f"has the parameter {name!r} with a model in it, or with models nested too deeply"
            )
        return _learner(name, value, deepest - LEARNER)
    if isinstance(value, dict):
        return dict(_pair(name, pair, deepest) for pair in _pairs(name, value))
    return value


def _learner(name: str, value: dict[str, Any], deepest: int) -> Learner:
    tag, numbers = value["learner"], value.get("numbers")
    kind = find_kind(tag) if isinstance(tag, str) else None
    if kind is None or set(value) != {"learner", "parameters", "numbers"}:
        raise InvalidModelFile(f"has the parameter {name!r} with a model of the unknown type {tag!r:.60}")
    return Learner(
        tag,
        from_plain(kind.ESTIMATORS[tag], kind.DEFAULTS[tag], value["parameters"], deepest),
        None if numbers is None else from_plain("ToNumbers", TO_NUMBERS, numbers, deepest),
    )


def _pairs(name: str, value: dict[str, Any]) -> list[Any]:
    if list(value) != ["pairs"] or not isinstance(value["pairs"], list):
        raise InvalidModelFile(f"has the parameter {name!r} as an object without 'pairs'")
    return value["pairs"]


def _pair(name: str, pair: Any, deepest: int) -> tuple[Any, Any]:
    if not (isinstance(pair, list) and len(pair) == 2) or isinstance(pair[0], (list, dict)):
        raise InvalidModelFile(f"has a pair in {name!r} that is no key with its value")
    return pair[0], _value(name, pair[1], deepest - 1)


def _named(value: Any) -> str:
    return "null" if value is None else type(value).__name__
