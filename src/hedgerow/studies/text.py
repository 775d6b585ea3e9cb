"""A result for people who read text.   In: a StudyResult.   Out: lines: the answer, the models, notes."""

from hedgerow.display import DisplayTable
from hedgerow.display.tables import html_of
from hedgerow.report.words import (
    answer_sentence,
    baseline_sentence,
    cost_sentence,
    failure_words,
    format_interval,
    format_value,
    interval_sentence,
    operating_point_sentence,
    partial_words,
)
from hedgerow.studies.records import CandidateRecord, ScoreRecord
from hedgerow.studies.result import StudyResult
from hedgerow.words import escape
from hedgerow.words import show as safe

WIDEST, NARROWEST = 32, 8  # cells of a bar


def text_lines(result: StudyResult) -> list[str]:
    interval = format_interval(result.holdout.scores[0])
    out = [answer_sentence(result), f"95 % interval {interval}. {baseline_sentence(result)}"]
    more = (operating_point_sentence(result), cost_sentence(result), interval_sentence(result))
    out += [*(words for words in more if words), ""]
    out += [f"{result.question.scoring_title}, cross-validated", *leaderboard_lines(result), ""]
    out += list(result.verdict.statements)
    notes = [note for note in result.notes if note.severe]
    lines = out + ([""] if notes else []) + [f"! {note.text}" for note in notes]
    return [escape(line) for line in lines]


def notebook_html(result: StudyResult) -> str:
    """The answer, the models and the notes, for a notebook."""
    scored = [one for one in result.candidates if not one.failure]
    rows = [_row(one, False, result) for one in scored]
    marks = [">" if one.name == result.verdict.chosen else "" for one in scored]
    caption = f"{result.question.scoring_title}, cross-validated"
    table = DisplayTable(
        ("", "score", "95 % interval", "size"), rows, words=range(4), marks=marks, caption=caption
    )
    lines = text_lines(result)
    notes = [line for line in lines if line.startswith("! ")]
    return html_of(" ".join(lines[: lines.index("")]), table, *result.verdict.statements, *notes)


def leaderboard_lines(result: StudyResult, width: int = 100) -> list[str]:
    """The models, best first, each with its interval as a bar where there is room for one."""
    scored = [one for one in result.candidates if not one.failure]
    rows = [_row(one, one.name == result.verdict.chosen, result) for one in scored]
    table = DisplayTable(("", "score", "95 % interval", "size in a fold"), rows, words=range(4))
    room = min(WIDEST, width - sum(table.widths) - 8)
    if room >= NARROWEST:
        ends = _ends(result)
        bars = [_bar(one.scores[0], ends, room) for one in scored]
        rows = [(*row[:3], bar, row[3]) for row, bar in zip(rows, bars, strict=True)]
        table = DisplayTable(("", "score", "95 % interval", "", "size in a fold"), rows, words=range(5))
    out = table.lines()
    failed = [one for one in result.candidates if one.failure]
    return out + [safe(f"  {one.name} {failure_words(one)}", width) for one in failed]


def _row(one: CandidateRecord, chosen: bool, result: StudyResult) -> tuple[str, ...]:
    score = one.scores[0]
    size = partial_words(one, result) or one.size
    return f"{'>' if chosen else ' '} {one.name}", format_value(score), format_interval(score), size


def _bar(score: ScoreRecord, ends: tuple[float, float], room: int) -> str:
    low, value, high = score.low, score.value, score.high
    if low is None or high is None or value is None:
        return " " * room

    def cell(v: float) -> int:
        return min(room - 1, max(0, round((v - ends[0]) / (ends[1] - ends[0]) * (room - 1))))

    line = [" "] * room
    for k in range(cell(low), cell(high) + 1):
        line[k] = "─"
    line[cell(value)] = "●"
    return "".join(line)


def _ends(result: StudyResult) -> tuple[float, float]:
    scores = [one.scores[0] for one in result.candidates if one.scores]
    known = [v for s in scores for v in (s.low, s.value, s.high) if v is not None] or [0.0, 1.0]
    low, high = min(known), max(known)
    return (low, high) if high > low else (low - 0.5, high + 0.5)
