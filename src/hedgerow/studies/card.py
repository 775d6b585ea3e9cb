"""The model card.   In: a StudyResult.   Out: Markdown: what the model is, what it learned from, how good it is, where
it is weak and how to use it. A study writes it into its folder.
"""

from hedgerow.report.words import (
    answer_sentence,
    baseline_sentence,
    cost_sentence,
    describe_columns,
    describe_target,
    format_interval,
    format_score,
    format_value,
    interval_sentence,
    operating_point_sentence,
    seal_sentence,
)
from hedgerow.studies.result import StudyResult
from hedgerow.words import show

MOST = 8  # lines of a kind


def write_card(result: StudyResult) -> str:
    q, holdout = result.question, result.holdout
    scores = [f"| {one.title} | {format_value(one)} | {format_interval(one)} |" for one in holdout.scores]
    decisions = (operating_point_sentence(result), cost_sentence(result), interval_sentence(result))
    return "\n".join(
        [
            f"# Model card: {_plain(q.target)}",
            "",
            f"{answer_sentence(result)} {baseline_sentence(result)}",
            "",
            "## Model",
            "",
            *(f"- {word}: {_plain(words)}" for word, words in result.explanation.facts),
            f"- task: {q.task}" + (f", classes {', '.join(map(_plain, q.classes))}" if q.classes else ""),
            f"- written by hedgerow {q.hedgerow_version}; again: `{q.command}`",
            "",
            "## Data",
            "",
            f"- {_plain(q.data)}: {q.n_rows:,} rows, {q.n_train:,} to learn from, {q.n_holdout:,} held out",
            f"- {_plain(seal_sentence(q), 200)}",
            f"- target: {_plain(describe_target(result), 300)}",
            f"- columns: {describe_columns(result)}",
            "",
            "## How good it is",
            "",
            f"On {holdout.n_rows:,} rows that nothing was learned from:",
            "",
            "| score | value | 95 % interval |",
            "|---|---|---|",
            *scores,
            "",
            *(f"{words}\n" for words in decisions if words),
            *_weak(result),
            *_importance(result),
            "## Limits",
            "",
            "The scores hold for rows drawn like these: the same source, time and way of measuring.",
            *(f"- {_plain(note.text, 300)}" for note in result.notes if note.severe),
            "",
            "## Use",
            "",
            "```sh",
            "hedgerow predict FOLDER rows.csv --reasons 3",
            "```",
            "",
        ]
    )


def _weak(result: StudyResult) -> list[str]:
    found = result.extra.get("slices")
    if not found:
        return []
    lines = [
        f"- {_plain(one['words'])}: {found['title']} {format_score(one['loss'])} in {one['n_rows']:,} rows, "
        f"{format_score(one['others'])} in the others"
        for one in found["slices"][:MOST]
    ]
    return [
        "## Where it is weak",
        "",
        *(lines or ["No slice of the rows is surely worse than the others."]),
        "",
    ]


def _importance(result: StudyResult) -> list[str]:
    is_share = result.question.is_percentage
    lines = [
        f"- {_plain(one.name)}: {format_score(one.value, is_share)}"
        for one in result.explanation.importance[:MOST]
    ]
    return (
        ["## Columns that matter", "", f"{result.explanation.importance_title}:", "", *lines, ""]
        if lines
        else []
    )


def _plain(text: str, most: int = 120) -> str:
    """Safe in Markdown: no mark-up of the data's own."""
    kept = show(text, most).replace("\\", "\\\\")
    for mark in "`*_[]<>|#":
        kept = kept.replace(mark, f"\\{mark}")
    return kept
