"""Where the table begins in a sheet or a text file.   In: its first records, as text.   Out: Layout: titles above the
column names, the names (each once), a row of units below them.

    Sales of the north, 2023                 a title
                                             blank
    date        price   weight   price       names; the second price becomes price_2
                EUR     kg                   units
    2023-01-05  12.50   3.1      9.00

A record is a title where most of its cells are empty, and units where words stand in columns that are numbers below.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from hedgerow.words import listing, quote

LOOKED_AT = 60  # records
MOST_TITLES = 20
LONGEST_UNIT = 14  # characters
MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "?")
NO_UNITS = ("unknown", "missing", "none", "-", "--", "n.a.", "na", "nil", "not known")
UNIT = re.compile(
    r"^[(\[].*[)\]]$|^(%|°[CFK]?|[$€£¥]|[kmcµn]?(g|m|s|l|W|V|A|Hz|B|mol|J|Pa)|min|h|hours?|days?|weeks?|months?|"
    r"years?|yrs?|EUR|USD|GBP|CHF|JPY|m[²³23]|km[²/]?h?|mm?Hg|m/s|count|number|mi|ft|in|lbs?|oz|ppm|mg/.*)$"
)


@dataclass(frozen=True)
class Layout:
    header: int  # the record that names the columns, from 0
    names: tuple[str, ...]
    first_row: int  # the record below names and units
    units: dict[str, str] = field(default_factory=dict)  # by column; empty: no row of units
    renamed: dict[str, str] = field(default_factory=dict)  # new name -> the name that stood there

    def notes(self) -> tuple[str, ...]:
        """How it was read, in sentences."""
        return tuple(self._sentences())

    def _sentences(self) -> list[str]:
        out = []
        if self.header:
            lines = "line is a title" if self.header == 1 else f"{self.header} lines are titles"
            out.append(f"The first {lines}, not part of the table.")
        if self.units:
            shown = listing([f"{name} ({unit})" for name, unit in list(self.units.items())[:4]])
            out.append(f"The row below the column names holds units: {shown}.")
        for new, old in self.renamed.items():
            out.append(f"Another column is named {quote(old)} already: this one is called {quote(new)}.")
        return out


def find_layout(records: Sequence[Sequence[str]], header: int | None = None) -> Layout:
    """`records`: the first of a file, blank ones included. `header`: the record of the names, where it is known."""
    some = [[cell.strip() for cell in record] for record in records[:LOOKED_AT]]
    place = _find_header(some) if header is None else header
    names, renamed = name_columns(some[place])
    below = [k for k in range(place + 1, len(some)) if any(some[k])]
    units = _find_units(names, [some[k] for k in below])
    return Layout(place, names, below[0] + 1 if units else place + 1, units, renamed)


def name_columns(cells: Sequence[str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """A name for each, none twice; and the names that were changed."""
    wanted = [cell.strip() or f"column_{k}" for k, cell in enumerate(cells, start=1)]
    taken, names, renamed = set(wanted), [], {}
    seen: Counter[str] = Counter()
    for name in wanted:
        seen[name] += 1
        new, number = name, seen[name]
        while number > 1 and new in taken:
            new, number = f"{name}_{number}", number + 1
        if new != name:
            renamed[new] = name
            taken.add(new)
        names.append(new)
    return tuple(names), renamed


def _find_header(records: list[list[str]]) -> int:
    first = next((k for k, record in enumerate(records) if any(record)), 0)
    widths = Counter(len(record) for record in records if any(record))
    if not widths:
        return first
    width = max(widths, key=lambda wide: (widths[wide], wide))
    for k in range(first, min(len(records) - 1, first + MOST_TITLES)):
        n_filled = sum(map(bool, records[k]))
        if n_filled > max(1, width // 3) or width < 2:
            is_header = len(records[k]) == width and not any(map(_is_value, records[k]))
            return k if is_header else first
    return first


def _find_units(names: Sequence[str], rows: list[list[str]]) -> dict[str, str]:
    if len(rows) < 3 or any(len(row) != len(names) for row in rows[:3]):
        return {}
    top, rest = rows[0], [row for row in rows[1:] if len(row) == len(names)]
    units = {}
    for j, name in enumerate(names):
        below = [row[j] for row in rest if row[j] not in MISSING]
        if not below or not all(map(is_number, below)):
            continue
        if is_number(top[j]) or top[j].casefold() in NO_UNITS or len(top[j]) > LONGEST_UNIT:
            return {}  # a row like the others
        if top[j] not in MISSING:
            units[name] = top[j]
    sure = [unit for unit in units.values() if UNIT.match(unit)]
    return units if sure and 2 * len(sure) >= len(units) else {}


def is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


def _is_value(text: str) -> bool:
    """A number that is no year: years name columns too."""
    return is_number(text) and not re.fullmatch(r"(19|20)\d\d", text)
