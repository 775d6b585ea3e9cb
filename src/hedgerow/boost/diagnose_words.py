"""A diagnosis to read.   In: a RoundTable, Margins, an Additive, a NumberDiagnosis.   Out: DisplayTables."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from hedgerow.display import DisplayTable
from hedgerow.display.numbers import decimals
from hedgerow.display.sentences import many
from hedgerow.words import show

if TYPE_CHECKING:  # they print themselves
    from hedgerow.boost.additive import Additive, Shape
    from hedgerow.boost.diagnose import Heaviest
    from hedgerow.boost.diagnose_numbers import NumberDiagnosis
    from hedgerow.boost.margins import Margins
    from hedgerow.boost.round_table import RoundTable

MOST_ROUNDS = 20  # of more rounds the first, the last and round numbers between are shown
MOST_SHAPES = 12
LONGEST_RULE = 72
WORDS = {"rule", "column", "where", "is", "taken for"}  # columns of words; the others are numbers


def _table(heading: str, titles: Sequence[str], rows: Sequence[Sequence[str]]) -> DisplayTable:
    return DisplayTable(titles, rows, [k for k, title in enumerate(titles) if title in WORDS], [heading])


def rounds_shown(n_rounds: int) -> list[int]:
    """Places of the rounds to print: all, or the first ten, 1-2-5 steps, and the last."""
    if n_rounds <= MOST_ROUNDS:
        return list(range(n_rounds))
    steps = {step * 10**k for k in range(1, 8) for step in (1, 2, 5)}
    return [n - 1 for n in sorted({*range(1, 11), *steps, n_rounds}) if n <= n_rounds]


def rounds_table(table: "RoundTable") -> DisplayTable:
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
    heading = f"{many(len(table), 'round')}, {table.loss_name} loss; {table.stopped}"
    return _table(heading, [*titles, "rule"], lines)


def margins_table(margins: "Margins") -> DisplayTable:
    shares = (0.05, 0.25, 0.5)
    columns = [margins.quantile(share) for share in shares]
    least = margins.values.min(axis=1, initial=1.0, where=margins.weight > 0)
    below = margins.at_or_below(0.0)
    lines = [
        [f"{after}", decimals(least[k]), *(decimals(column[k]) for column in columns), f"{below[k]:.4f}"]
        for k, after in enumerate(margins.after)
    ]
    titles = ["after round", "least", "5 %", "25 %", "median", "share <= 0"]
    return _table("Margins of the training rows", titles, lines)


def heaviest_table(heavy: "Heaviest") -> DisplayTable:
    each = zip(heavy.row, heavy.weight, heavy.margin, heavy.label, heavy.taken_for, strict=True)
    lines = [
        [
            f"{row}",
            f"{weight:.4f}",
            f"{weight * heavy.n_rows:.1f}x",
            decimals(margin),
            show(label),
            show(taken),
        ]
        for row, weight, margin, label, taken in each
    ]
    heading = (
        f"Who carries the weight: the heaviest tenth of the rows {heavy.tenth:.1%} of it; all {heavy.n_rows:,} rows "
        f"count as much as {heavy.equal_rows:,.0f} of equal weight"
    )
    return _table(heading, ["row", "weight", "of equal", "margin", "is", "taken for"], lines)


def additive_table(additive: "Additive") -> DisplayTable:
    lines = []
    for shape in additive.shapes[:MOST_SHAPES]:
        k = int(np.argmax(np.ptp(shape.scores, axis=0)))
        pieces = [(words, float(score[k])) for words, score in shape.pieces()]
        low, high = min(pieces, key=lambda pair: pair[1]), max(pieces, key=lambda pair: pair[1])
        name = show(shape.name) + (f" (for {show(additive.classes[k])})" if shape.scores.shape[1] > 1 else "")
        lines.append([name, f"{shape.n_rounds}", *_end(low), *_end(high)])
    titles = ["column", "rounds", "least", "where", "most", "where"]
    return _table(_additive_heading(additive), titles, lines)


def _end(piece: tuple[str, float]) -> list[str]:
    return [f"{piece[1]:+.3f}", show(piece[0], 28)]


def _additive_heading(additive: "Additive") -> str:
    more = len(additive.shapes) - MOST_SHAPES
    towards = f", towards {show(additive.classes[1])}" if _one_score(additive.shapes) else ""
    return f"What each column adds to the score{towards}" + (f" ({more} more not shown)" if more > 0 else "")


def _one_score(shapes: "Sequence[Shape]") -> bool:
    return bool(shapes) and shapes[0].scores.shape[1] == 1


def numbers_tables(found: "NumberDiagnosis") -> list[DisplayTable]:
    tested = found.test_error is not None
    titles = ["round", "mean loss", "alpha", "error", *(["test error"] * tested)]
    lines = []
    for t in rounds_shown(len(found.alpha)):
        line = [f"{t + 1}", f"{found.mean_loss[t]:.4f}", f"{found.alpha[t]:.4f}", f"{found.error[t]:.4g}"]
        lines.append(line + ([f"{found.test_error[t]:.4g}"] if found.test_error is not None else []))
    heavy = [
        [f"{row}", f"{weight:.4f}", f"{weight * found.n_rows:.1f}x", f"{value:.6g}", f"{predicted:.6g}"]
        for row, weight, value, predicted in zip(
            found.row, found.weight, found.value, found.predicted, strict=True
        )
    ]
    heaviest = f"Who carries the weight: the heaviest tenth of the rows {found.tenth:.1%} of it"
    return [
        _table(f"{many(len(found.alpha), 'round')}; {found.stopped}", titles, lines),
        _table(heaviest, ["row", "weight", "of equal", "value", "predicted"], heavy),
    ]
