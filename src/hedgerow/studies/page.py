"""A result for people who read text.   In: a StudyResult.   Out: lines: the answer, the models, the hold-out, notes."""

from hedgerow.studies.result import Entrant, ScoreTold, StudyResult
from hedgerow.studies.words import answer, baseline, main_score, span, told
from hedgerow.table.words import show as safe

WIDEST, NARROWEST = 32, 8  # cells of a bar


def lines(result: StudyResult) -> list[str]:
    out = [answer(result), f"95 % interval {span(main_score(result.holdout.scores))}. {baseline(result)}", ""]
    out += [f"{result.question.metric_title}, cross-validated", *board(result), ""]
    out += list(result.verdict.words)
    notes = [note for note in result.notes if note.severe]
    return out + ([""] if notes else []) + [f"! {note.words}" for note in notes]


def board(result: StudyResult, width: int = 100) -> list[str]:
    """The models, best first, each with its interval as a bar where there is room for one."""
    scored = [one for one in result.entrants if not one.failure]
    rows = [("", "score", "95 % interval", "size")]
    rows += [_row(one, one.name == result.verdict.chosen) for one in scored]
    wide = [max(len(row[k]) for row in rows) for k in range(4)]
    room = min(WIDEST, width - sum(wide) - 8)
    bar = room if room >= NARROWEST else 0
    bars = [" " * bar, *(_bar(one.scores[0], _ends(result), bar) if bar else "" for one in scored)]
    cells = [[*row[:3], line, row[3]] for row, line in zip(rows, bars, strict=True)]
    widths = [*wide[:3], bar, 0]
    out = [
        "  ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True) if cell or w).rstrip()
        for line in cells
    ]
    failed = [one for one in result.entrants if one.failure]
    return out + [safe(f"  {one.name} failed: {one.failure}", width) for one in failed]


def _row(one: Entrant, chosen: bool) -> tuple[str, str, str, str]:
    score = one.scores[0]
    return f"{'>' if chosen else ' '} {one.name}", told(score), span(score), one.size


def _bar(score: ScoreTold, ends: tuple[float, float], room: int) -> str:
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
    scores = [one.scores[0] for one in result.entrants if one.scores]
    known = [v for s in scores for v in (s.low, s.value, s.high) if v is not None] or [0.0, 1.0]
    low, high = min(known), max(known)
    return (low, high) if high > low else (low - 0.5, high + 0.5)
