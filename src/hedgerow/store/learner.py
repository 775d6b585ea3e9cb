"""Models inside a model's parameters: the estimator of a bagging, the estimators of a vote.

In: an estimator of hedgerow, or a pipeline of ToNumbers and one.   Out: a Learner, which knows nothing of scikit-learn;
and back, unfitted.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from hedgerow.store.kinds import KIND_OF, kind_of


@dataclass(frozen=True, eq=False)
class Learner:
    model: str  # a tag of kinds.KIND_OF
    parameters: Mapping[str, Any]
    numbers: Mapping[str, Any] | None = None  # the parameters of ToNumbers, where that stands before it

    @property
    def name(self) -> str:
        return kind_of(self.model).ESTIMATORS[self.model]

    def __repr__(self) -> str:
        usual = kind_of(self.model).DEFAULTS[self.model]
        told = ", ".join(f"{k}={v!r}" for k, v in self.parameters.items() if v != usual[k])
        return f"{'' if self.numbers is None else 'ToNumbers + '}{self.name}({told})"


def tag_of(model: Any) -> str | None:
    """The tag of an estimator that is hedgerow's and may stand in a file."""
    if not type(model).__module__.startswith("hedgerow."):
        return None
    names = {kind_of(tag).ESTIMATORS[tag]: tag for tag in KIND_OF}
    return names.get(type(model).__name__)


def without_estimators(name: str, value: Any) -> Any:
    """The value of the parameter `name`, with a Learner for each estimator in it."""
    if isinstance(value, (list, tuple)):
        return [without_estimators(name, entry) for entry in value]
    return learner_of(name, value) if _is_estimator(value) else value


def with_estimators(value: Any) -> Any:
    """The same backwards; pairs of a name and a learner become tuples again."""
    if isinstance(value, Learner):
        return estimator_of(value)
    if isinstance(value, list) and any(_is_pair(entry) for entry in value):
        return [tuple(map(with_estimators, entry)) if _is_pair(entry) else entry for entry in value]
    return value


def learner_of(name: str, given: Any) -> Learner:
    numbers, last = None, given
    steps = getattr(given, "steps", None)
    if steps and len(steps) == 2 and type(steps[0][1]).__name__ == "ToNumbers":
        numbers, last = steps[0][1].get_params(deep=False), steps[1][1]
    tag = tag_of(last)
    if tag is None:
        raise TypeError(
            f"{name} holds a {type(last).__name__}, which cannot be kept in a model file. Wanted: models of "
            "hedgerow, or pipelines of ToNumbers and one of these. Way out for others: pickle."
        )
    parameters = last.get_params(deep=False)
    return Learner(tag, {key: without_estimators(key, value) for key, value in parameters.items()}, numbers)


def estimator_of(learner: Learner) -> Any:
    estimators = import_module("hedgerow.estimators")  # here: scikit-learn takes a second to load
    parameters = {name: with_estimators(value) for name, value in learner.parameters.items()}
    model = getattr(estimators, learner.name)(**parameters)
    if learner.numbers is None:
        return model
    from sklearn.pipeline import make_pipeline

    return make_pipeline(estimators.ToNumbers(**learner.numbers), model)


def _is_estimator(value: Any) -> bool:
    return hasattr(value, "get_params") and not isinstance(value, type)


def _is_pair(entry: Any) -> bool:
    return isinstance(entry, list) and len(entry) == 2 and isinstance(entry[1], Learner)
