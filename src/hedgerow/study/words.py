"""Words for the page and the terminal: numbers as people read them, sentences made of what was found."""

from collections.abc import Callable
from typing import Any

from hedgerow.evaluate.words import many
from hedgerow.study.result import Entrant, ScoreTold, StudyResult
from hedgerow.tree.plain import number

PERCENT = {"accuracy", "balanced_accuracy", "error"}


def figure(value: float | None, name: str = "") -> str:
    if value is None:
        return "–"
    if name in PERCENT:
        return f"{value:.1%}"
    return f"{value:.3f}" if abs(value) < 10 else number(value)


def told(score: ScoreTold) -> str:
    return figure(score.value, score.name)


def span(score: ScoreTold) -> str:
    """0.77 to 0.85"""
    if score.low is None or score.high is None:
        return "not known"
    return f"{figure(score.low, score.name)} to {figure(score.high, score.name)}"


def count(value: float) -> str:
    return f"{value:,.0f}"


def entrant(result: StudyResult, name: str) -> Entrant:
    return next(one for one in result.entrants if one.name == name)


def main_score(scores: tuple[ScoreTold, ...]) -> ScoreTold:
    return scores[0]


def answer(result: StudyResult) -> str:
    """The sentence at the top."""
    chosen, score = entrant(result, result.verdict.chosen), main_score(result.holdout.scores)
    q = result.question
    start = f"{chosen.words[0].upper()}{chosen.words[1:]}"
    return (
        f"{start} predicts {q.target} with {score.title} {told(score)} on {many(result.holdout.n_rows, 'row')} that "
        "nothing had seen before."
    )


def baseline(result: StudyResult) -> str:
    score = main_score(result.holdout.scores)
    usual = (
        "Always guessing the most frequent class" if result.question.classes else "Always guessing the mean"
    )
    return f"{usual} gives {figure(score.baseline, score.name)}."


FILTERS: dict[str, Callable[..., Any]] = {
    "figure": figure,
    "told": told,
    "span": span,
    "count": count,
    "many": many,
}
