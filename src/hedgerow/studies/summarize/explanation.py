"""The chosen model, explained.   In: Trained, the profiles of its columns.   Out: Explanation, each part on its own:
one that fails is a note.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from hedgerow.estimators.delegating import unwrap
from hedgerow.evaluation.curves.learning import LearningCurve
from hedgerow.evaluation.metric import metrics
from hedgerow.intake import Samples, TargetData
from hedgerow.report.words import format_score
from hedgerow.studies.attempts import Attempts
from hedgerow.studies.records import BoostingRounds, ColumnProfile, Curve, Explanation, RuleRecord, TreeRecord
from hedgerow.studies.summarize.data import profile_columns
from hedgerow.studies.summarize.stability import summarize_stability
from hedgerow.studies.summarize.svm import summarize_svm
from hedgerow.studies.summarize.tree import summarize_tree
from hedgerow.studies.train import Trained

MOST_RULES = 100
MOST_ROUNDS = 12  # described in words
MARGIN_POINTS = 101


def summarize_explanation(
    trained: Trained, columns: tuple[ColumnProfile, ...], attempts: Attempts
) -> Explanation:
    """All but the importance of columns, which is measured on the hold-out."""
    attempt, model, curve = attempts.attempt, trained.estimator, trained.learning_curve
    rows, loaded = trained.inner_rows, trained.loaded
    classes = trained.benchmark.data.classes
    used = tuple(column for column in columns if column.used)
    return Explanation(
        importance=(),
        importance_title="",
        facts=(("model", trained.description), ("size", trained.size or "not known")),
        tree=_summarize_tree(trained, used, attempts),
        tree_is_chosen=trained.name == "tree",
        rules=attempt("the rules", lambda: _summarize_rules(model), ()),
        rounds=attempt("the rounds of boosting", lambda: _summarize_rounds(model, rows, loaded.goal), None),
        learning_curve=attempt("the learning curve", lambda: _draw_curve(curve), None),
        learning_curve_summary=attempt("the forecast of the learning curve", lambda: _forecast(curve), ""),
        svm=attempt(
            "the support vectors",
            lambda: summarize_svm(unwrap(trained.model), trained.rows, loaded.goal, classes),
            None,
        ),
    )


def _summarize_tree(
    trained: Trained, columns: tuple[ColumnProfile, ...], attempts: Attempts
) -> TreeRecord | None:
    full, goal, target = trained.tree, trained.loaded.goal, trained.loaded.target
    classes = trained.benchmark.data.classes
    if trained.features is not None:
        columns = profile_columns(trained.features.table, {})
    found = attempts.attempt(
        "the tree to read", lambda: summarize_tree(full, goal, columns, target, classes), None
    )
    if found is None or trained.is_brief:
        return found
    stability = attempts.attempt_in_time(
        "the stability of the tree", lambda: summarize_stability(full, trained.tree_rows, goal), None
    )
    return replace(found, stability=stability)


def _summarize_rules(model: Any) -> tuple[RuleRecord, ...]:
    rules = getattr(model, "rules_", None)
    if rules is None:
        return ()
    return tuple(
        RuleRecord(
            row["condition"],
            str(row["class"]),
            float(row["rows"]),
            float(row["confidence"]),
            float(row["lift"]),
        )
        for row in list(rules.to_table())[:MOST_RULES]
    )


def _summarize_rounds(model: Any, train: Samples, goal: TargetData) -> BoostingRounds | None:
    if not hasattr(model, "diagnose") or goal.classes is None or len(getattr(model, "rounds_", ())) == 0:
        return None
    found = model.diagnose(train.table, goal.classes[train.target], train.weight)
    margin, below = found.margins.curve(len(found.margins.after) - 1)
    few = np.unique(np.linspace(0, len(margin) - 1, MARGIN_POINTS).round().astype(int))
    table = found.rounds
    return BoostingRounds(
        alpha=_floats(table.alpha),
        error=_floats(table.epsilon),
        train_error=_floats(table.error),
        bound=_floats(np.minimum(table.bound, 1.0)),
        margins=Curve(_floats(margin[few]), _floats(below[few])),
        descriptions=()
        if len(set(table.rules)) == 1
        else tuple(table.rules[:MOST_ROUNDS]),  # all trees of one size
    )


def _draw_curve(curve: LearningCurve | None) -> Curve | None:
    if curve is None:
        return None
    known = [k for k, score in enumerate(curve.scores) if np.isfinite(score.value)]
    scores = [curve.scores[k] for k in known]
    return Curve(
        tuple(float(curve.train_sizes[k]) for k in known),
        tuple(float(score.value) for score in scores),
        tuple(float(score.low) for score in scores),
        tuple(float(score.high) for score in scores),
    )


def _forecast(curve: LearningCurve | None) -> str:
    """What twice the rows would bring."""
    if curve is None:
        return ""
    if curve.law is None:
        return "The curve is too uneven to say."
    more = int(2 * curve.train_sizes[-1])
    value, low, high = curve.at(more)
    now = curve.scores[-1].value
    is_percentage = metrics()[curve.scoring].is_percentage
    there, near, far, today = (format_score(one, is_percentage) for one in (value, low, high, now))
    return (
        f"With {more:,} training rows the score would be about {there} ({near} to {far}); with "
        f"{int(curve.train_sizes[-1]):,} it is {today}."
    )


def _floats(values: Any) -> tuple[float, ...]:
    return tuple(float(value) if np.isfinite(value) else 0.0 for value in values)
