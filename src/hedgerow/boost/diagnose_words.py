"""A diagnosis in words.   In: a RoundTable, an Additive, a whole Diagnosis.   Out: text, or HTML with names escaped."""

from collections.abc import Iterator, Sequence
from html import escape

import numpy as np

from hedgerow.boost.additive import Additive, Shape
from hedgerow.boost.diagnose import Diagnosis, Heaviest
from hedgerow.boost.diagnose_numbers import NumberDiagnosis
from hedgerow.boost.margins import Margins
from hedgerow.boost.round_table import RoundTable
from hedgerow.table.words import show

MOST_ROUNDS = 20  # of more rounds the first, the last and round numbers between are shown
MOST_SHAPES = 12
LONGEST_RULE = 72

Table = tuple[list[str], list[list[str]]]  # titles, lines; a first or last column of words stands to the left


def rounds_shown(many: int) -> list[int]:
    """Places of the rounds to print: all, or the first ten, 1-2-5 steps, and the last."""
    if many <= MOST_ROUNDS:
        return list(range(many))
    steps = {step * 10**k for k in range(1, 8) for step in (1, 2, 5)}
    return [n - 1 for n in sorted({*range(1, 11), *steps, many}) if n <= many]


def rounds_table(table: RoundTable) -> Table:
    two = bool((table.alpha != table.alpha_no).any())
    abstains = bool((table.coverage < 1).any())
    titles = [
        "round",
        "epsilon",
        "alpha",
        *(["alpha no"] * two),
        *(["coverage"] * abstains),
        "loss",
        "bound",
        "error",
    ]
    titles += ["checked"] * (table.checked is not None) + ["test error"] * (table.test_error is not None)
    lines = []
    for t in rounds_shown(len(table)):
        line = [f"{t + 1}", f"{table.epsilon[t]:.4f}", "reset" if table.reset[t] else f"{table.alpha[t]:.4f}"]
        line += [f"{table.alpha_no[t]:.4f}"] * two + [f"{table.coverage[t]:.4f}"] * abstains
        line += [f"{table.loss[t]:.4g}", f"{table.bound[t]:.4g}", f"{table.error[t]:.4f}"]
        line += [f"{table.checked[t]:.4f}"] if table.checked is not None else []
        line += [f"{table.test_error[t]:.4f}"] if table.test_error is not None else []
        lines.append([*line, show(table.rules[t], LONGEST_RULE)])
    return [*titles, "rule"], lines


def rounds_heading(table: RoundTable) -> str:
    many = len(table)
    return f"{many:,} round{'' if many == 1 else 's'}, {table.loss_name} loss; {table.stopped}"


def margins_table(margins: Margins) -> Table:
    shares = (0.05, 0.25, 0.5)
    columns = [margins.quantile(share) for share in shares]
    least = margins.values.min(axis=1, initial=1.0, where=margins.weight > 0)
    below = margins.at_or_below(0.0)
    lines = [
        [f"{after}", _three(least[k]), *(_three(column[k]) for column in columns), f"{below[k]:.4f}"]
        for k, after in enumerate(margins.after)
    ]
    return ["after round", "least", "5 %", "25 %", "median", "share <= 0"], lines


def _three(number: float) -> str:
    """Three decimals, and no minus before a zero."""
    return f"{round(float(number), 3) + 0.0:.3f}"


def heaviest_table(heavy: Heaviest) -> Table:
    each = zip(heavy.row, heavy.weight, heavy.margin, heavy.label, heavy.taken_for, strict=True)
    lines = [
        [
            f"{row}",
            f"{weight:.4f}",
            f"{weight * heavy.n_rows:.1f}x",
            _three(margin),
            show(label),
            show(taken),
        ]
        for row, weight, margin, label, taken in each
    ]
    return ["row", "weight", "of equal", "margin", "is", "taken for"], lines


def heaviest_heading(heavy: Heaviest) -> str:
    return (
        f"Who carries the weight: the heaviest tenth of the rows {heavy.tenth:.1%} of it; all {heavy.n_rows:,} rows "
        f"count as much as {heavy.equal_rows:,.0f} of equal weight"
    )


def additive_table(additive: Additive) -> Table:
    lines = []
    for shape in additive.shapes[:MOST_SHAPES]:
        k = int(np.argmax(np.ptp(shape.scores, axis=0)))
        pieces = [(words, float(score[k])) for words, score in shape.pieces()]
        low, high = min(pieces, key=lambda pair: pair[1]), max(pieces, key=lambda pair: pair[1])
        name = show(shape.name) + (f" (for {show(additive.classes[k])})" if shape.scores.shape[1] > 1 else "")
        lines.append([name, f"{shape.n_rounds}", *_end(low), *_end(high)])
    return ["column", "rounds", "least", "where", "most", "where"], lines


def _end(piece: tuple[str, float]) -> list[str]:
    return [f"{piece[1]:+.3f}", show(piece[0], 28)]


def additive_heading(additive: Additive) -> str:
    more = len(additive.shapes) - MOST_SHAPES
    towards = f", towards {show(additive.classes[1])}" if _one_score(additive.shapes) else ""
    return f"What each column adds to the score{towards}" + (f" ({more} more not shown)" if more > 0 else "")


def _one_score(shapes: Sequence[Shape]) -> bool:
    return bool(shapes) and shapes[0].scores.shape[1] == 1


def parts_of(diagnosis: Diagnosis) -> Iterator[tuple[str, Table]]:
    yield rounds_heading(diagnosis.rounds), rounds_table(diagnosis.rounds)
    yield "Margins of the training rows", margins_table(diagnosis.margins)
    yield heaviest_heading(diagnosis.heaviest), heaviest_table(diagnosis.heaviest)
    if diagnosis.additive is not None and diagnosis.additive.shapes:
        yield additive_heading(diagnosis.additive), additive_table(diagnosis.additive)


def rounds_text(table: RoundTable) -> str:
    return _text(rounds_heading(table), rounds_table(table))


def rounds_html(table: RoundTable) -> str:
    return _html(rounds_heading(table), rounds_table(table))


def additive_text(additive: Additive) -> str:
    return _text(additive_heading(additive), additive_table(additive))


def additive_html(additive: Additive) -> str:
    return _html(additive_heading(additive), additive_table(additive))


def diagnosis_text(diagnosis: Diagnosis) -> str:
    return "\n\n".join(_text(heading, table) for heading, table in parts_of(diagnosis))


def diagnosis_html(diagnosis: Diagnosis) -> str:
    return "".join(_html(heading, table) for heading, table in parts_of(diagnosis))


def numbers_tables(found: NumberDiagnosis) -> list[tuple[str, Table]]:
    tested = found.test_error is not None
    titles = ["round", "mean loss", "alpha", "error", *(["test error"] * tested)]
    lines = []
    for t in rounds_shown(len(found.alpha)):
        line = [f"{t + 1}", f"{found.mean_loss[t]:.4f}", f"{found.alpha[t]:.4f}", f"{found.error[t]:.4g}"]
        lines.append(line + ([f"{found.test_error[t]:.4g}"] if found.test_error is not None else []))
    heavy = [
        [f"{row}", f"{weight:.4f}", f"{weight * found.n_rows:.1f}x", f"{value:.6g}", f"{told:.6g}"]
        for row, weight, value, told in zip(found.row, found.weight, found.value, found.told, strict=True)
    ]
    many = len(found.alpha)
    return [
        (f"{many:,} round{'' if many == 1 else 's'}; {found.stopped}", (titles, lines)),
        (
            f"Who carries the weight: the heaviest tenth of the rows {found.tenth:.1%} of it",
            (["row", "weight", "of equal", "value", "told"], heavy),
        ),
    ]


def numbers_text(found: NumberDiagnosis) -> str:
    return "\n\n".join(_text(heading, table) for heading, table in numbers_tables(found))


def numbers_html(found: NumberDiagnosis) -> str:
    return "".join(_html(heading, table) for heading, table in numbers_tables(found))


WORDS = {"rule", "column", "where", "is", "taken for"}  # columns of words; the others are numbers


def _text(heading: str, table: Table) -> str:
    titles, lines = table
    width = [max(len(line[k]) for line in [titles, *lines]) for k in range(len(titles))]
    body = [
        "  ".join(
            cell.ljust(w) if title in WORDS else cell.rjust(w)
            for cell, w, title in zip(line, width, titles, strict=True)
        ).rstrip()
        for line in [titles, *lines]
    ]
    return "\n".join([heading, "", *body])


def _html(heading: str, table: Table) -> str:
    titles, lines = table
    head = "".join(f"<th>{escape(title)}</th>" for title in titles)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>" for line in lines)
    return f"<p>{escape(heading)}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
