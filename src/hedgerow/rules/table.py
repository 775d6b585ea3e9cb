"""Rules as a table.   In: a RuleList.   Out: a RuleTable: a dict for each rule; prints as text and as HTML.

         if                                  then       rows  support  confidence  lift
     0   sex = female and pclass <= 2.5      survived    233      18%        0.93  2.44
    ...
     -   otherwise                           died        682      52%        0.82  1.33

Names come from the data and are made safe.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from hedgerow.display import DisplayTable, Result
from hedgerow.rules.rule import Rule, RuleList
from hedgerow.rules.wording import class_in_words, conditions_in_words, make_words
from hedgerow.tree.formatting import cells, elide, number, percent, share

HEADER = ("", "if", "then", "rows", "support", "confidence", "lift")
NARROWEST = 40
FIGURES = ((72, (3, 4, 5, 6)), (52, (3, 5)), (0, (5,)))  # shown from so many terminal cells on
MOST_TEXT, MOST_HTML = 60, 200  # rules shown
WORDS = (1, 2)  # columns of words
OTHERWISE = "otherwise"


@dataclass(frozen=True, repr=False)
class RuleTable(Result):
    """Rules as a table.

    Attributes
    ----------
    rows :
        Rule, condition, class, rows, support, confidence, lift; the last: the default.

    See Also
    --------
    hedgerow.RuleListClassifier : The table of its ``rules_``.

    Examples
    --------
    >>> from hedgerow import RuleListClassifier, datasets
    >>> heart = datasets.heart()
    >>> rules = RuleListClassifier(max_rules=2).fit(heart.table, heart.target).rules_
    >>> len(rules.to_table().rows)
    3
    """

    rows: tuple[dict[str, Any], ...]

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
        return _fit(_display_table(self.rows, most), width).to_text()

    def tables(self) -> list[DisplayTable]:
        return [_display_table(self.rows, MOST_HTML)]


def _display_table(rows: tuple[dict[str, Any], ...], most: int) -> DisplayTable:
    n_rules = len(rows) - 1
    shown = rows if n_rules <= most else (*rows[:most], rows[-1])
    ending = f"{n_rules - most:,} of {n_rules:,} rules are not shown." if n_rules > most else ""
    return DisplayTable(HEADER, [_cells(row) for row in shown], WORDS, ending=ending)


def _fit(table: DisplayTable, width: int) -> DisplayTable:
    """As many figures as there is room for; classes are shortened, conditions wrapped."""
    table = table.select((0, 1, 2, *next(shown for least, shown in FIGURES if width >= least)))
    table = table.shorten(2, max(8, width // 6))
    room = max(12, width - (table.width - table.widths[1]))
    rows = [[row[0], "\n".join(_wrap(row[1], room)), *row[2:]] for row in table.rows]
    return replace(table, rows=rows)


def make_table(rules: RuleList) -> RuleTable:
    words = make_words(rules)
    rows = [
        _row(rules, k, " and ".join(conditions_in_words(words, rule.conditions)) or "always", rule)
        for k, rule in enumerate(rules.rules)
    ]
    rest = Rule((), rules.default, rules.rest, rules.everything, 0.0)
    return RuleTable((*rows, _row(rules, -1, OTHERWISE, rest)))


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


def _wrap(text: str, room: int) -> list[str]:
    """Lines of whole conditions; one that is too long for a line is folded."""
    lines: list[str] = []
    for part in text.replace(" and ", " and\0").split("\0"):
        if lines and cells(f"{lines[-1]} {part}") <= room:
            lines[-1] += f" {part}"
        else:
            lines += _fold(part, room, "  " if lines else "")
    return lines


def _fold(text: str, room: int, start: str) -> list[str]:
    """Lines of whole words; one that is too long for a line is cut."""
    first, *others = text.split(" ")
    lines = [start + first]
    for word in others:
        if cells(f"{lines[-1]} {word}") <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(f"  {word}")
    return [elide(line, room) for line in lines]
