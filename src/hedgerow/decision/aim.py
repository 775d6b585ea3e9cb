"""Aim: what the operating point is for.   In: "f1", "recall=0.9", "top=5%"; a cost of each mistake.   Out: Aim.

accuracy            as many rows right as possible
balanced_accuracy   every class counts the same
f1                  the harmonic mean of precision and recall
recall=0.9          nine of ten positive rows are found, with the highest precision that allows
precision=0.8       four of five alarms are right, with the highest recall that allows
top=5%              the likeliest 5 % of the rows
cost                the least expected cost, of the mistakes in `cost`
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from hedgerow.errors import ParameterError
from hedgerow.words import did_you_mean

PLAIN = ("accuracy", "balanced_accuracy", "f1", "cost")
WITH_A_SHARE = ("recall", "precision", "top")
ANY_CLASSES = ("accuracy", "balanced_accuracy", "cost")  # also for more than two
TITLES = {
    "accuracy": "as many correct rows as possible",
    "balanced_accuracy": "balanced accuracy: every class counts the same",
    "f1": "the best balance of precision and recall (F1)",
    "cost": "the least expected cost",
}
Costs = tuple[tuple[str, str, float], ...]  # truth, prediction, cost


@dataclass(frozen=True)
class Aim:
    name: str
    share: float | None = None  # of recall, precision and top
    costs: Costs = ()

    @property
    def title(self) -> str:
        if self.share is None:
            return TITLES[self.name]
        if self.name == "top":
            return f"the likeliest {100 * self.share:.3g} % of the rows"
        return f"{self.name} of at least {self.share:g}"


def parse_aim(aim: str | None, cost: Any) -> Aim | None:
    """None where no aim is given."""
    costs = parse_costs(cost)
    if costs and aim not in (None, "cost"):
        raise ParameterError("{cost} goes with {aim}, not with {}.", aim, cost=write_costs(costs), aim="cost")
    if aim is None:
        return Aim("cost", None, costs) if costs else None
    name, _, value = str(aim).partition("=")
    name = name.strip()
    if name not in PLAIN + WITH_A_SHARE:
        known = ", ".join([*PLAIN, "recall=0.9", "precision=0.8", "top=0.05"])
        raise ParameterError(
            "{aim} is unknown. Known: {}.{}", known, did_you_mean(name, PLAIN + WITH_A_SHARE), aim=aim
        )
    if name == "cost" and not costs:
        raise ParameterError("{aim} needs {cost}.", aim=aim, cost="good:bad=1,bad:good=20")
    if (name in WITH_A_SHARE) != bool(value):
        example = f"{name}=0.9" if name in WITH_A_SHARE else name
        raise ParameterError("{aim} cannot be parsed. Give something like {}.", example, aim=aim)
    return Aim(name, _share(value, aim) if value else None, costs)


def _share(value: str, aim: str) -> float:
    text = value.strip()
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = float("nan")
    if not 0 < share <= 1:
        raise ParameterError(
            "{aim} is out of range. Give a share above 0, up to 1, such as 0.1 or 10%.", aim=aim
        )
    return share


def parse_costs(cost: Any) -> Costs:
    """ "good:bad=1,bad:good=20" or {("good", "bad"): 1, ("bad", "good"): 20}: truth, then prediction."""
    if cost is None or cost == "" or cost == ():
        return ()
    found: list[tuple[str, str, float]] = []
    for truth, prediction, value in _entries(cost):
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = float("nan")
        if not (isfinite(number) and number >= 0):
            raise ParameterError("{cost} has a cost that is no number of 0 or more: {}.", value, cost=cost)
        found.append((str(truth), str(prediction), number))
    if not any(number > 0 for *_, number in found):
        raise ParameterError("{cost} costs nothing at all. Give a cost above 0.", cost=cost)
    return tuple(found)


def write_costs(costs: Costs) -> str:
    """As they are typed."""
    return ",".join(f"{truth}:{prediction}={value:g}" for truth, prediction, value in costs)


def _entries(cost: Any) -> list[tuple[Any, Any, Any]]:
    wrong = ParameterError(
        "{cost} cannot be parsed. Give truth:prediction=cost for each mistake, such as good:bad=1,bad:good=20.",
        cost=cost,
    )
    if isinstance(cost, Mapping):
        if not all(isinstance(pair, tuple) and len(pair) == 2 for pair in cost):
            raise wrong
        return [(truth, prediction, value) for (truth, prediction), value in cost.items()]
    if isinstance(cost, Sequence) and not isinstance(cost, str):  # parsed already
        return list(cost)
    out = []
    for entry in str(cost).split(","):
        pair, equals, value = entry.rpartition("=")
        truth, colon, prediction = pair.partition(":")
        if not equals or not colon:
            raise wrong
        out.append((truth.strip(), prediction.strip(), value.strip()))
    return out
