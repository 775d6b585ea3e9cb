"""Words for the page and the terminal: numbers as people read them, sentences made of what was found."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from hedgerow.evaluation.words import many
from hedgerow.studies.result import Entrant, ScoreTold, StudyResult
from hedgerow.tree.plain import number

BASELINE = "baseline"
FEW = 4  # classes that are told one by one
KINDS = {"number": "numbers", "category": "categories", "boolean": "yes-or-no columns"}
PERCENT = {"accuracy", "balanced_accuracy", "error"}


def figure(value: float | None, name: str = "") -> str:
    if value is None:
        return "–"
    if name in PERCENT:
        return f"{round(value, 3) + 0.0:.1%}"  # never -0.0%
    if 0 < abs(value) < 0.01:
        return f"{value:.2g}"
    decimals = next((k for k, most in ((3, 10), (2, 100), (1, 1000)) if abs(value) < most), None)
    return number(value) if decimals is None else f"{value:.{decimals}f}"


def gap(value: float, name: str) -> str:
    """Between two scores: 4.2 points are 4.2 % of the rows."""
    return f"{100 * value:.1f} points" if name in PERCENT else figure(value)


def told(score: ScoreTold) -> str:
    return figure(score.value, score.name)


def span(score: ScoreTold) -> str:
    """0.77 to 0.85"""
    if score.low is None or score.high is None:
        return "not known"
    return f"{figure(score.low, score.name)} to {figure(score.high, score.name)}"


def sentence(words: str) -> str:
    """With a capital letter at its start, the rest as it is."""
    return words[:1].upper() + words[1:]


def score_named(scores: tuple[ScoreTold, ...], name: str) -> float | None:
    return next((score.value for score in scores if score.name == name), None)


def count(value: float) -> str:
    return f"{value:,.0f}"


def entrant(result: StudyResult, name: str) -> Entrant:
    return next(one for one in result.entrants if one.name == name)


def main_score(scores: tuple[ScoreTold, ...]) -> ScoreTold:
    return scores[0]


def answer(result: StudyResult) -> str:
    """The sentence at the top."""
    chosen, score = entrant(result, result.verdict.chosen), main_score(result.holdout.scores)
    target, rows = result.question.target, many(result.holdout.n_rows, "row")
    if chosen.name == BASELINE:
        usual = "most frequent class" if result.question.classes else "mean"
        return (
            f"Nothing here predicts {target} better than always guessing the {usual}: {score.title} {told(score)} on "
            f"{rows} that nothing had seen before."
        )
    start = f"{chosen.words[0].upper()}{chosen.words[1:]}"
    verb = "predict" if chosen.words[0].isdigit() else "predicts"
    return f"{start} {verb} {target} with {score.title} {told(score)} on {rows} that nothing had seen before."


def baseline(result: StudyResult) -> str:
    score = main_score(result.holdout.scores)
    if result.verdict.chosen == BASELINE or score.baseline is None:
        return "More rows or other columns may help."
    usual = (
        "Always guessing the most frequent class" if result.question.classes else "Always guessing the mean"
    )
    known = f"{usual} gives {figure(score.baseline, score.name)}"
    if score.low is not None and score.high is not None and score.low <= score.baseline <= score.high:
        return f"{known}, which lies in that interval: on these rows it is not shown to be better."
    return f"{known}."


def because(result: StudyResult) -> str:
    why = result.verdict.because
    return f"It {'has' if why.startswith('the highest') else 'is'} {why}."


def kinds(result: StudyResult) -> str:
    """3 numbers, 2 categories; cells are missing in 1 of them"""
    used = [column for column in result.profile.columns if column.used]
    counts = Counter(column.kind for column in used)
    words = ", ".join(many(counts[kind], kind, KINDS[kind]) for kind in KINDS if counts[kind])
    gaps = sum(column.n_missing > 0 for column in used)
    return f"{words}; cells are missing in {'all' if gaps == len(used) else gaps} of them" if gaps else words


def target(result: StudyResult) -> str:
    """2 classes (died 62 %, survived 38 %); classification, because survived is text"""
    shares, total = result.profile.balance, sum(share.count for share in result.profile.balance)
    few = (
        ", ".join(f"{share.label} {share.count / total:.0%}" for share in shares)
        if len(shares) <= FEW
        else ""
    )
    question = result.question
    told = f"{result.profile.target}{f' ({few})' if few else ''}"
    return f"{told}; {question.task}, because {question.task_because}"


FILTERS: dict[str, Callable[..., Any]] = {
    "figure": figure,
    "told": told,
    "span": span,
    "count": count,
    "many": many,
    "sentence": sentence,
}
