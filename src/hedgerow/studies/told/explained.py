"""The chosen model, told.   In: the fitted model, training rows, a tree to read.   Out: Explained."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.evaluation.curves.learning import LearningCurve
from hedgerow.intake.task import Goal
from hedgerow.studies.result import Curve, Explained, Rounds, RuleTold, TreeTold
from hedgerow.studies.seal import Rows
from hedgerow.studies.told.support import support_told
from hedgerow.studies.words import figure

MOST_RULES = 100
MOST_ROUNDS = 12  # in words
MARGIN_POINTS = 101


@dataclass(frozen=True, eq=False)
class Chosen:
    """What there is to explain."""

    name: str
    model: Any  # out of its wrappings
    facts: tuple[tuple[str, str], ...]


def explained(
    chosen: Chosen,
    train: Rows,
    goal: Goal,
    tree: TreeTold | None,
    curve: LearningCurve | None,
) -> Explained:
    """All but the importance of columns, which is measured on the hold-out."""
    return Explained(
        importance=(),
        importance_title="",
        facts=chosen.facts,
        tree=tree,
        tree_is_chosen=chosen.name == "tree",
        rules=_rules(chosen.model),
        rounds=_rounds(chosen.model, train, goal),
        learning_curve=None if curve is None else _curve(curve),
        learning_curve_words="" if curve is None else _curve_words(curve),
        support=support_told(chosen.model, train, goal),
    )


def _rules(model: Any) -> tuple[RuleTold, ...]:
    rules = getattr(model, "rules_", None)
    if rules is None:
        return ()
    told = list(rules.to_table())[:MOST_RULES]
    return tuple(
        RuleTold(
            row["condition"],
            str(row["class"]),
            float(row["rows"]),
            float(row["confidence"]),
            float(row["lift"]),
        )
        for row in told
    )


def _rounds(model: Any, train: Rows, goal: Goal) -> Rounds | None:
    if not hasattr(model, "diagnose") or goal.classes is None or len(getattr(model, "rounds_", ())) == 0:
        return None
    found = model.diagnose(train.table, goal.classes[train.target], train.weight)
    margin, below = found.margins.curve(len(found.margins.after) - 1)
    few = np.unique(np.linspace(0, len(margin) - 1, MARGIN_POINTS).round().astype(int))
    table = found.rounds
    return Rounds(
        alpha=_plain(table.alpha),
        error=_plain(table.epsilon),
        train_error=_plain(table.error),
        bound=_plain(np.minimum(table.bound, 1.0)),
        margins=Curve(_plain(margin[few]), _plain(below[few])),
        words=() if len(set(table.rules)) == 1 else tuple(table.rules[:MOST_ROUNDS]),  # all trees of one size
    )


def _curve(curve: LearningCurve) -> Curve:
    known = [k for k, score in enumerate(curve.scores) if np.isfinite(score.value)]
    scores = [curve.scores[k] for k in known]
    return Curve(
        tuple(float(curve.sizes[k]) for k in known),
        tuple(float(score.value) for score in scores),
        tuple(float(score.low) for score in scores),
        tuple(float(score.high) for score in scores),
    )


def _curve_words(curve: LearningCurve) -> str:
    if curve.law is None:
        return "The curve is too uneven to say."
    more = int(2 * curve.sizes[-1])
    value, low, high = curve.at(more)
    now = curve.scores[-1].value
    told, near, far, today = (figure(one, curve.score) for one in (value, low, high, now))
    return (
        f"With {more:,} training rows the score would be about {told} ({near} to {far}); with "
        f"{int(curve.sizes[-1]):,} it is {today}."
    )


def _plain(values: Any) -> tuple[float, ...]:
    return tuple(float(value) if np.isfinite(value) else 0.0 for value in values)
