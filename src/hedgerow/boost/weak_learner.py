"""What a weak learner is.   In: rows, what to learn, how much each row matters.   Out: a weak predictor.

One file each in boost/weak; the file's name is what `AdaBoostClassifier(estimator=...)` takes, and it has what
WeakLearnerFile asks for. A learner is its parameters, frozen; `output_kind` is what its predictors return for a row:

    "signs"       -1 or +1
    "abstaining"  -1, 0 or +1; 0 abstains
    "confident"   a number; its sign is the predicted side, its size the confidence
    "calibrated"  a number that is already 1/2 log(mu+/mu-): it needs no alpha
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

import numpy as np

from hedgerow.boost.boost_input import BoostInput
from hedgerow.errors import InPython, ParameterError
from hedgerow.plugins import load_plugin, load_plugins, plugin_names
from hedgerow.types import Float, Index
from hedgerow.words import did_you_mean

PACKAGE = "hedgerow.boost.weak"
OutputKind = Literal["signs", "abstaining", "confident", "calibrated"]
Predictions = Literal["discrete", "abstaining", "confident"]
PREDICTIONS: tuple[Predictions, ...] = ("discrete", "abstaining", "confident")


class Weak(Protocol):
    """A weak predictor of two sides. It may also have `describe()`, one line of text for tables of rounds, and
    `importance(n_columns)`, what it owes to each column."""

    def outputs(self, rows: BoostInput) -> Float:
        """One number a row: its sign is the side, zero abstains."""


@runtime_checkable
class WeakLearner(Protocol):
    @property
    def output_kind(self) -> OutputKind: ...

    def fit(self, rows: BoostInput, signs: Float, weight: Float, rng: np.random.Generator) -> Weak:
        """`signs` are -1 and +1; `weight` sums to one, and a row of weight zero is not there."""


class ClassWeak(Protocol):
    """A weak predictor of classes."""

    def choices(self, rows: BoostInput) -> Index:
        """One class number a row; -1 abstains."""


@runtime_checkable
class ClassLearner(Protocol):
    """A learner that can choose among any number of classes at once. Others take part one class against the rest."""

    def fit_classes(
        self, rows: BoostInput, codes: Index, n_classes: int, weight: Float, rng: np.random.Generator
    ) -> ClassWeak: ...


# ---------------------------------------------------------------------------------- files of boost/weak


@dataclass(frozen=True)
class WeakParams:
    """The parameters of AdaBoostClassifier that reach its weak learner."""

    predictions: Predictions = "discrete"
    smoothing: float | None = None
    max_depth: int | None = 3


class Stored(NamedTuple):
    """What a model file knows of the predictors it reads."""

    n_levels: Index  # of each column; 0 for numbers
    form: str  # "signs" or "votes"
    n_classes: int


class Storage(NamedTuple):
    """How predictors are kept in a model file."""

    title: str  # in the plural: "stumps"
    predictor: type  # what is stored
    layout: Mapping[str, tuple[str, int]]  # each array's type in the file ("I32", "F64", "U8") and rank
    write: Callable[[list[Any]], dict[str, Any]]  # predictors -> arrays
    read: Callable[
        [Mapping[str, Any], Stored], list[Any]
    ]  # back; a ValueError for what no fit could have made


class WeakLearnerFile(Protocol):
    PREDICTIONS: tuple[Predictions, ...]  # what it can give
    READS_SPARSE: bool  # rows.sparse, rather than the table
    STORAGE: Storage | None  # None: models of it cannot be saved in a model file

    def build(self, params: WeakParams) -> WeakLearner:
        """The learner; its predictions are one of PREDICTIONS."""


def weak_learner_names() -> tuple[str, ...]:
    return tuple(load_weak_learners())


def load_weak_learners() -> dict[str, WeakLearnerFile]:
    return load_plugins(PACKAGE, WeakLearnerFile)  # type: ignore[type-abstract]


def load_weak_learner(name: str) -> WeakLearnerFile:
    if name not in plugin_names(PACKAGE):
        known = weak_learner_names()
        hint = did_you_mean(name, known)
        own = InPython("; or give a classifier")
        raise ParameterError(
            "{estimator} is unknown. Known: {}{}.{}", ", ".join(known), own, hint, estimator=name
        )
    return load_plugin(PACKAGE, WeakLearnerFile, name)  # type: ignore[type-abstract]


def build_weak_learner(name: str, params: WeakParams) -> WeakLearner:
    file = load_weak_learner(name)
    if params.predictions not in file.PREDICTIONS:
        others = [
            other for other, one in load_weak_learners().items() if params.predictions in one.PREDICTIONS
        ]
        raise ValueError(
            f"estimator={name!r} gives {' or '.join(file.PREDICTIONS)} predictions, not {params.predictions}. Use "
            f"predictions={' or '.join(map(repr, file.PREDICTIONS))}, or estimator="
            f"{' or '.join(map(repr, others))}."
        )
    return file.build(params)


def stored_names() -> tuple[str, ...]:
    """Weak learners whose models can be saved in a model file."""
    return tuple(name for name, file in load_weak_learners().items() if file.STORAGE is not None)


def storage_of(name: str) -> Storage:
    storage = load_weak_learner(name).STORAGE
    if storage is None:
        raise TypeError(f"Weak learners {name!r} cannot be kept in a model file.")
    return storage


def find_storage(predictors: list[Any]) -> tuple[str, Storage] | None:
    """The first file that stores predictors of their type, and its name."""
    for name, file in load_weak_learners().items():
        storage = file.STORAGE
        if storage is not None and all(isinstance(one, storage.predictor) for one in predictors):
            return name, storage
    return None
