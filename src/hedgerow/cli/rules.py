"""`hedgerow rules`.   In: Asked, Wish.   Out: a RulesResult, printed; the rules, written where asked for.

Reads as `hedgerow fit` does: source, columns, task, hold out, encode, learn, score. scikit-learn is not loaded: the
rules are the ones RuleListClassifier would learn, and a test says so.
"""

from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np

from hedgerow.cli.asked import Asked, check_folder, command, one_of
from hedgerow.cli.progress import Step, progress
from hedgerow.cli.reading import opened
from hedgerow.cli.score import Score, class_scores
from hedgerow.core import threads_for
from hedgerow.encode import Encoded, encode, matrix
from hedgerow.grow import CLASS_CRITERIA, Classes, Limits
from hedgerow.intake.columns import Rows, rows_of
from hedgerow.intake.split import hold_out
from hedgerow.intake.task import Goal, goal_of
from hedgerow.rules import ESTIMATES, Plan, RuleList, learn_rules
from hedgerow.table.words import quote
from hedgerow.tree.labels import Labels, labels_of
from hedgerow.types import Count

HELD_OUT = 0.2  # of the training rows, with --estimate held_out


@dataclass(frozen=True)
class Wish:
    """What is asked about the rules alone."""

    confidence: float = 0.25
    estimate: str = "pessimistic"
    max_rules: int | None = None
    output: str | None = None

    def __post_init__(self) -> None:
        one_of("--estimate", self.estimate, ESTIMATES)
        if not 0 < self.confidence < 1:
            raise ValueError(
                f"--confidence {self.confidence:g} is out of range. Give a number between 0 and 1, such as 0.25."
            )
        if self.max_rules is not None and self.max_rules < 1:
            raise ValueError(f"--max-rules {self.max_rules} is out of range. Give at least 1.")
        if self.output is not None and not self.output.lower().endswith((".txt", ".json")):
            raise ValueError(f"--output {quote(self.output)}: the name must end in .txt or .json.")
        check_folder("--output", self.output)

    def plan(self, seed: int) -> Plan:
        return Plan(self.confidence, HELD_OUT if self.estimate == "held_out" else 0.0, self.max_rules, seed)


@dataclass(frozen=True, eq=False)
class RulesResult:
    asked: Asked
    wish: Wish
    rows: Rows
    goal: Goal
    train: Count
    test: Count
    rules: RuleList
    score: Score
    command: str
    seconds: float


def rules(asked: Asked, wish: Wish, as_json: bool) -> None:
    from hedgerow.cli.rules_report import print_json, print_report

    with progress() as step:
        result = learned(asked, wish, step)
    if wish.output is not None:
        as_text = not wish.output.lower().endswith(".json")
        told = result.rules.to_text() if as_text else result.rules.to_json()
        Path(wish.output).expanduser().write_text(told, encoding="utf-8")
    (print_json if as_json else print_report)(result)


def learned(asked: Asked, wish: Wish, step: Step) -> RulesResult:
    started = perf_counter()
    step("reading")
    rows = rows_of(opened(asked), asked.wants())
    goal = goal_of(rows.target, asked.task)
    if goal.classes is None:
        raise ValueError(
            f"Rules tell classes, but {goal.why}. Name another --target, or use hedgerow fit for numbers."
        )
    train, test = hold_out(goal.strata, asked.test_share, asked.seed)
    step("learning rules")
    target = Classes(np.ascontiguousarray(goal.values[train]), len(goal.classes))
    encoded, threads = _encoded(rows, train, asked)
    labels = _labels(encoded, goal.classes.tolist(), rows.target.name)
    limits, plan = _limits(encoded, asked), wish.plan(asked.seed)
    found = learn_rules(encoded, target, _criterion(asked), limits, labels, plan, threads)
    guess = found.decisions(matrix(encoded.schema, rows.features.take(test))).astype(np.int64)
    usual = int(np.bincount(goal.values[train]).argmax())
    score = class_scores(goal.values[test], guess, usual, str(goal.classes[usual]))[0]
    again = command("rules", rows.target.name, asked, wish)
    return RulesResult(asked, wish, rows, goal, train, test, found, score, again, perf_counter() - started)


def _encoded(rows: Rows, train: Count, asked: Asked) -> tuple[Encoded, int]:
    table = rows.features.take(train)
    threads = threads_for(asked.threads, table.n_rows * len(table.columns))
    return encode(table, threads=threads), threads


def _labels(encoded: Encoded, classes: list[object], target: str) -> Labels:
    schema, missing = encoded.schema, frozenset(np.flatnonzero(encoded.n_missing).tolist())
    return labels_of(schema.names, schema.kinds, schema.levels, classes, target=target, missing=missing)


def _criterion(asked: Asked) -> str:
    known = (*CLASS_CRITERIA, "log_loss")
    given = asked.criterion or "gini"
    one_of("--criterion for rules:", given, known)
    return "entropy" if given == "log_loss" else given


def _limits(encoded: Encoded, asked: Asked) -> Limits:
    return Limits(
        max_features=len(encoded.codes),
        max_depth=asked.max_depth or 2**31 - 1,
        min_rows_split=max(2, 2 * (asked.min_leaf or 1)),
        min_rows_leaf=asked.min_leaf or 1,
    )
