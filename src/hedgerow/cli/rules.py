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
from hedgerow.encode import matrix
from hedgerow.errors import ParameterError
from hedgerow.fitting.params import ESTIMATES, validate_rules
from hedgerow.fitting.rules import fit_rules
from hedgerow.grow import Classes
from hedgerow.intake import PreparedData, TargetData, prepare_data
from hedgerow.intake.split import hold_out
from hedgerow.rules import RuleList
from hedgerow.types import Count
from hedgerow.words import quote


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


@dataclass(frozen=True, eq=False)
class RulesResult:
    asked: Asked
    wish: Wish
    rows: PreparedData
    goal: TargetData
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
    rows = prepare_data(opened(asked), asked.columns())
    goal = rows.target
    if goal.classes is None:
        raise ParameterError(
            "Rules predict classes, but {}. Name another {target}, or use hedgerow fit for numbers.",
            goal.reason,
        )
    train, test = hold_out(goal.strata, asked.test_share, asked.seed)
    step("learning rules")
    params = validate_rules(
        {
            "criterion": asked.criterion or "gini",
            "max_depth": asked.max_depth,
            "min_samples_leaf": asked.min_leaf or 1,
            "confidence": wish.confidence,
            "estimate": wish.estimate,
            "max_rules": wish.max_rules,
            "random_state": asked.seed,
            "n_jobs": asked.threads,
        }
    )
    target = Classes(np.ascontiguousarray(goal.values[train]), len(goal.classes))
    fitted = fit_rules(
        rows.features.take(train),
        target,
        params,
        classes=goal.classes.tolist(),
        target_name=rows.target.name,
    )
    found = fitted.rules
    guess = found.predict(matrix(fitted.schema, rows.features.take(test))).astype(np.int64)
    usual = int(np.bincount(goal.values[train]).argmax())
    score = class_scores(goal.values[test], guess, usual, str(goal.classes[usual]))[0]
    again = command("rules", rows.target.name, asked, wish)
    return RulesResult(asked, wish, rows, goal, train, test, found, score, again, perf_counter() - started)
