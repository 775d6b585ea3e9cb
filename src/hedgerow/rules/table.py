"""Rules as a table.   In: a RuleList.   Out: a RuleTable: a dict for each rule; prints as text and as HTML.

         if                                  then       rows  support  confidence  lift
     0   sex = female and pclass <= 2.5      survived    233      18%        0.93  2.44
    ...
     -   otherwise                           died        682      52%        0.82  1.33

Names come from the data: they are made safe, and HTML is escaped.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

from hedgerow.rules.rule import Rule, RuleList
from hedgerow.rules.wording import class_in_words, conditions_in_words, words_for
from hedgerow.tree.page import styled
from hedgerow.tree.plain import cells, elide, number, percent, share

HEADER = ("", "if", "then", "rows", "support", "confidence", "lift")
NARROWEST = 40
FIGURES = ((72, (3, 4, 5, 6)), (52, (3, 5)), (0, (5,)))  # shown from so many terminal cells on
MOST_TEXT, MOST_HTML = 60, 200  # rules shown
OTHERWISE = "otherwise"


@dataclass(frozen=True)
class RuleTable:
    rows: tuple[
        dict[str, Any], ...
    ]  # rule, condition, class, rows, support, confidence, lift; the last: the default

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, width: int = 100, most: int = MOST_TEXT) -> str:
        """At most `width` cells of a terminal wide; long conditions go on in the next line."""
        if width < NARROWEST:
            raise ValueError(f"width={width} leaves no room for the words; wanted at least {NARROWEST}.")
        lines = [HEADER, *(_cells(row) for row in _shown(self.rows, most))]
        told = _laid_out(lines, width) + _left_out(self.rows, most)
        return "\n".join(line.rstrip() for line in told)

    def _repr_html_(self) -> str:
        head = "".join(f"<th{_side(k)}>{word}</th>" for k, word in enumerate(HEADER))
        body = "".join(_html_row(_cells(row)) for row in _shown(self.rows, MOST_HTML))
        more = "".join(f"<p>{line}</p>" for line in _left_out(self.rows, MOST_HTML))
        return styled(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}")


def table_of(rules: RuleList) -> RuleTable:
    words = words_for(rules)
    told = [
        _row(rules, k, " and ".join(conditions_in_words(words, rule.conditions)) or "always", rule)
        for k, rule in enumerate(rules.rules)
    ]
    rest = Rule((), rules.default, rules.rest, rules.everything, 0.0)
    return RuleTable((*told, _row(rules, -1, OTHERWISE, rest)))


def _row(rules: RuleList, k: int, condition: str, rule: Rule) -> dict[str, Any]:
    return {
        "rule": k,
        "condition": condition,
        "class": class_in_words(rules, rule.decision),
        "rows": rule.rows,
        "support": rule.support,
        "confidence": rule.confidence,
        "lift": rule.lift,
    }


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    name = "-" if row["rule"] < 0 else str(row["rule"])
    if not row["rows"]:
        return name, row["condition"], row["class"], "0", "", "", ""
    figures = f"{row['rows']:,}", percent(row["support"]), share(row["confidence"]), _lift(row["lift"])
    return name, row["condition"], row["class"], *figures


def _lift(lift: float) -> str:
    return f"{lift:.2f}" if lift < 100 else number(lift, 3)


def _shown(rows: tuple[dict[str, Any], ...], most: int) -> tuple[dict[str, Any], ...]:
    return rows if len(rows) - 1 <= most else (*rows[:most], rows[-1])


def _left_out(rows: tuple[dict[str, Any], ...], most: int) -> list[str]:
    many = len(rows) - 1 - most
    return [f"{many:,} of {len(rows) - 1:,} rules are not shown."] if many > 0 else []


def _html_row(line: tuple[str, ...]) -> str:
    return "<tr>" + "".join(f"<td{_side(k)}>{escape(cell)}</td>" for k, cell in enumerate(line)) + "</tr>"


def _side(column: int) -> str:
    """Conditions and classes stand left."""
    return ' class="words"' if column in (1, 2) else ""


def _laid_out(lines: list[tuple[str, ...]], width: int) -> list[str]:
    """Under each other: the rule's number, its condition, its class, its figures."""
    wide = [max(cells(line[k]) for line in lines) for k in range(len(HEADER))]
    wide[2] = min(wide[2], max(8, width // 6))
    figures = next(shown for least, shown in FIGURES if width >= least)
    room = width - wide[0] - 2 - wide[2] - 2 - sum(wide[k] + 2 for k in figures)
    room = min(max(12, room), wide[1])
    out: list[str] = []
    for line in lines:
        first, *more = _wrapped(line[1], room)
        start = f"{line[0]:>{wide[0]}}  {_pad(first, room)}  {_pad(elide(line[2], wide[2]), wide[2])}"
        out.append(start + "".join(f"  {line[k]:>{wide[k]}}" for k in figures))
        out += [" " * (wide[0] + 2) + part for part in more]
    return out


def _wrapped(text: str, room: int) -> list[str]:
    """Lines of whole conditions; one that is too long for a line is folded."""
    lines: list[str] = []
    for part in text.replace(" and ", " and\0").split("\0"):
        if lines and cells(f"{lines[-1]} {part}") <= room:
            lines[-1] += f" {part}"
        else:
            lines += _folded(part, room, "  " if lines else "")
    return lines


def _folded(text: str, room: int, start: str) -> list[str]:
    """Lines of whole words; one that is too long for a line is cut."""
    first, *others = text.split(" ")
    lines = [start + first]
    for word in others:
        if cells(f"{lines[-1]} {word}") <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(f"  {word}")
    return [elide(line, room) for line in lines]


def _pad(text: str, wide: int) -> str:
    return text + " " * (wide - cells(text))
