"""Where the table begins in a sheet or a text file.   In: its first records, as text.   Out: Layout: titles above the
column names, the names (each once), a row of units below them.

    # from the office                        a comment
    Sales of the north, 2023                 a title
                                             blank
    date        price   weight   price       names; the second price becomes price_2
                EUR     kg                   units
    2023-01-05  12.50   3.1      9.00

A record is a title where most of its cells are empty, a comment where it begins with #, and units where words stand in
columns that are numbers below. Names over several columns (merged cells) are a title of the line of names below them.
Rows may have a cell more than there are names: an empty one at the end, or a name of the row at the start (as R does).
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from hedgerow.words import listing, quote

LOOKED_AT = 60  # records
MOST_TITLES = 20
LONGEST_UNIT = 14  # characters
MISSING = (
    *("", "NA", "N/A", "n/a", "NaN", "nan", "-NaN", "-nan", "null", "NULL", "<NA>", "?", ".", "\\N"),
    *(
        "#N/A",
        "#NA",
        "#N/A N/A",
        "#DIV/0!",
        "#VALUE!",
        "#REF!",
        "#NAME?",
        "#NUM!",
        "#NULL!",
    ),  # of spreadsheets
)
MISSING_WORDS = (  # among numbers and dates, in lower case; elsewhere they may be levels
    *(
        "-",
        "--",
        "---",
        "–",
        "—",
        ".",
        "..",
        "...",
        "*",
        "none",
        "nil",
        "na",
        "n/a",
        "n.a.",
        "n.a",
        "n.d.",
        "k.a.",
    ),
    *("missing", "unknown", "not known", "not available", "not applicable", "null", "nan", "<na>", "#n/a"),
)
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
    unnamed: str = ""  # the column of the cell that rows have and names have not
    is_row: bool = False  # the names look like the first row of a table without names

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
        if self.unnamed:
            where = "first" if self.names[0] == self.unnamed else "last"
            out.append(
                f"Rows have one cell more than there are names: the {where} is called {quote(self.unnamed)}."
            )
        for new, old in self.renamed.items():
            out.append(f"Another column is named {quote(old)} already: this one is called {quote(new)}.")
        return out


def find_layout(records: Sequence[Sequence[str]], header: int | None = None) -> Layout:
    """`records`: the first of a file, blank ones included. `header`: the record of the names, where it is known."""
    some = [[cell.strip() for cell in record] for record in records[:LOOKED_AT]]
    place = _find_header(some) if header is None else header
    below = [k for k in range(place + 1, len(some)) if any(some[k])]
    rows = [some[k] for k in below]
    before, after = _find_unnamed(len(some[place]), rows)
    cells = _join_groups(some[place], some[place - 1] if place else [])
    names, renamed = name_columns([*before, *cells, *after])
    units = _find_units(names, rows)
    first_row = below[0] + 1 if units else place + 1
    unnamed = names[0] if before else names[-1] if after else ""
    return Layout(place, names, first_row, units, renamed, unnamed, _looks_like_row(names, rows))


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
        if _is_comment(records[k], records[k + 1]):
            first = k + 1
            continue
        n_filled = sum(map(bool, records[k]))
        if n_filled > max(1, width // 3) or width < 2:
            is_header = width - 1 <= len(records[k]) <= width and not any(map(_is_value, records[k]))
            return k + _are_groups(records[k : k + 4]) if is_header else first
    return first


def _is_comment(record: list[str], below: list[str]) -> bool:
    """# measured by hand; but #,price,weight above a row are names."""
    return bool(record and record[0].startswith("#")) and not any(map(_is_value, below))


def _are_groups(records: list[list[str]]) -> bool:
    """Size, (empty), Price, (empty) above a line with a name for each column, above rows."""
    if len(records) < 4 or any(len(record) != len(records[0]) for record in records):
        return False
    upper, lower, *rows = records
    if 3 * upper.count("") < len(upper) or not all(lower) or any(map(_is_value, lower)):
        return False
    has_numbers = any(all(is_number(row[j]) for row in rows) for j in range(len(upper)))
    return has_numbers and not _find_units(upper, [lower, *rows])


def _join_groups(names: list[str], above: list[str]) -> list[str]:
    """Where names repeat below the names of groups: 2022 sales, 2023 sales."""
    if len(set(names)) == len(names) or len(above) != len(names) or sum(map(bool, above)) < 2:
        return names
    group, joined = "", []
    for name, found in zip(names, above, strict=True):
        group = found or group
        joined.append(f"{group} {name}".strip())
    return joined


def _find_unnamed(n_names: int, rows: list[list[str]]) -> tuple[list[str], list[str]]:
    """Names to put before and after the others, where every row has a cell more than there are names."""
    if len(rows) < 2 or any(len(row) != n_names + 1 for row in rows):
        return [], []
    if not any(row[-1] for row in rows):
        return [], [f"column_{n_names + 1}"]
    return (["row"] if len({row[0] for row in rows}) == len(rows) else []), []


def _looks_like_row(names: Sequence[str], rows: list[list[str]]) -> bool:
    """A name that is a number above numbers, and most words stand below themselves again."""
    rows = [row for row in rows if len(row) == len(names)]
    numbers = [
        j for j, name in enumerate(names) if _is_value(name) and all(is_number(row[j]) for row in rows)
    ]
    words = [j for j, name in enumerate(names) if not is_number(name)]
    again = [j for j in words if any(row[j] == names[j] for row in rows)]
    return bool(rows and numbers) and 2 * len(again) >= max(1, len(words))


def _find_units(names: Sequence[str], rows: list[list[str]]) -> dict[str, str]:
    if len(rows) < 3 or any(len(row) != len(names) for row in rows[:3]):
        return {}
    top, rest = rows[0], [row for row in rows[1:] if len(row) == len(names)]
    units = {}
    for j, name in enumerate(names):
        below = [row[j] for row in rest if row[j] not in MISSING]
        if not below or not all(map(is_number, below)):
            continue
        if is_number(top[j]) or top[j].casefold() in MISSING_WORDS or len(top[j]) > LONGEST_UNIT:
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
