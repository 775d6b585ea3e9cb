"""A result for people who read text.   In: a StudyResult.   Out: lines: the answer, the models, the hold-out, notes."""

from hedgerow.report.words import answer, baseline, main_score, span, told
from hedgerow.study.result import Entrant, StudyResult

BAR = 28  # cells


def lines(result: StudyResult) -> list[str]:
    out = [answer(result), f"95 % interval {span(main_score(result.holdout.scores))}. {baseline(result)}", ""]
    out += [*board(result), ""]
    out += list(result.verdict.words)
    notes = [note for note in result.notes if note.severe]
    return out + ([""] if notes else []) + [f"! {note.words}" for note in notes]


def board(result: StudyResult) -> list[str]:
    """The models, best first, each with its interval as a bar."""
    ends = _ends(result)
    rows = [("", result.question.metric_title, "95 % interval", "", "size")]
    rows += [_row(one, ends, one.name == result.verdict.chosen) for one in result.entrants]
    wide = [max(len(row[k]) for row in rows) for k in range(5)]
    return ["  ".join(cell.ljust(w) for cell, w in zip(row, wide, strict=True)).rstrip() for row in rows]


def _row(one: Entrant, ends: tuple[float, float], chosen: bool) -> tuple[str, str, str, str, str]:
    name = f"{'>' if chosen else ' '} {one.name.replace('_', ' ')}"
    if one.failure:
        return name, "failed", one.failure[:60], "", ""
    score = one.scores[0]
    return name, told(score), span(score), _bar(score.low, score.value, score.high, ends), one.size


def _bar(low: float | None, value: float | None, high: float | None, ends: tuple[float, float]) -> str:
    if low is None or high is None or value is None:
        return ""

    def cell(v: float) -> int:
        return min(BAR - 1, max(0, round((v - ends[0]) / (ends[1] - ends[0]) * (BAR - 1))))

    line = [" "] * BAR
    for k in range(cell(low), cell(high) + 1):
        line[k] = "─"
    line[cell(value)] = "●"
    return "".join(line)


def _ends(result: StudyResult) -> tuple[float, float]:
    scores = [one.scores[0] for one in result.entrants if one.scores]
    known = [v for s in scores for v in (s.low, s.value, s.high) if v is not None] or [0.0, 1.0]
    low, high = min(known), max(known)
    return (low, high) if high > low else (low - 0.5, high + 0.5)
