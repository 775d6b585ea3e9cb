"""Words and tables for results.   In: cells.   Out: text for a terminal, HTML for a notebook."""

from collections.abc import Sequence
from html import escape

import numpy as np

from hedgerow.table.words import show


def figure(value: float) -> str:
    """Three decimals where they say something; a few digits otherwise."""
    if not np.isfinite(value):
        return "-"
    if value == 0 or 0.01 <= abs(value) < 100:
        return f"{value:.3f}"
    if abs(value) < 1 or abs(value) >= 1e12:
        return f"{value:.2g}" if abs(value) < 1 else f"{value:.4g}"
    return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"


def percent(level: float) -> str:
    return f"{100 * level:g} %"


def chance(p: float) -> str:
    return "-" if not np.isfinite(p) else "< 0.001" if p < 0.001 else f"{p:.3f}"


def span(low: float, high: float) -> str:
    return "not known" if not np.isfinite(low + high) else f"{figure(low)} to {figure(high)}"


def seconds(value: float) -> str:
    return f"{value * 1000:.1f} ms" if value < 1 else f"{value:.1f} s"


def text_table(header: Sequence[str], lines: Sequence[Sequence[str]]) -> list[str]:
    """Columns under each other, the first and the last to the left, numbers between to the right."""
    every = [header, *lines]
    wide = [max(len(line[k]) for line in every) for k in range(len(header))]
    last = len(header) - 1

    def cell(k: int, words: str) -> str:
        if k == last:
            return words
        return words.ljust(wide[k]) if k == 0 else words.rjust(wide[k])

    return ["   ".join(cell(k, words) for k, words in enumerate(line)).rstrip() for line in every]


def html_table(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th style='text-align:left'>{escape(words)}</th>" for words in header)
    body = "".join(
        "<tr>" + "".join(f"<td style='text-align:left'>{escape(cell)}</td>" for cell in line) + "</tr>"
        for line in lines
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def html_lines(lines: Sequence[str]) -> str:
    return "".join(f"<div>{escape(line)}</div>" for line in lines)


def many(count: float, word: str, plural: str = "") -> str:
    return f"{count:,.0f} {word if count == 1 else plural or word + 's'}"


def model_words(model: object, longest: int = 70) -> str:
    return show(" ".join(str(model).split()), longest)
