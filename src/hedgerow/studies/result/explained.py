"""The chosen model, explained."""

from dataclasses import dataclass

from hedgerow.studies.result.holdout import Curve
from hedgerow.studies.result.machines import Support
from hedgerow.studies.result.trees import TreeTold


@dataclass(frozen=True)
class Importance:
    name: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class RuleTold:
    condition: str
    answer: str
    support: float
    confidence: float
    lift: float


@dataclass(frozen=True)
class Rounds:
    """Boosting, round by round."""

    alpha: tuple[float, ...]
    error: tuple[float, ...]  # of the weak learner, weighted
    train_error: tuple[float, ...]
    bound: tuple[float, ...]
    margins: Curve | None
    words: tuple[str, ...]  # the first rounds; none where all are told alike


@dataclass(frozen=True)
class Explained:
    """The chosen model, and a tree to read where the model is none."""

    importance: tuple[Importance, ...]
    importance_title: str
    facts: tuple[tuple[str, str], ...]
    tree: TreeTold | None
    tree_is_chosen: bool
    rules: tuple[RuleTold, ...]
    rounds: Rounds | None
    learning_curve: Curve | None
    learning_curve_words: str
    support: Support | None = None
