"""Numbers that came as text.   In: a frame.   Out: the same, such columns as numbers; and a remark for each.

"$1,234.50", "45 %"                          the number in it
12, 7, unknown, 31 (nearly all are numbers)  what is no number is missing
007, 0815                                    codes: they stay text
"""

from typing import TYPE_CHECKING

from hedgerow.table.words import listing

if TYPE_CHECKING:
    import polars as pl

SIGNS = "$€£¥"
WRITTEN = rf"^[-+]?[{SIGNS}]?\s?(\d{{1,3}}(,\d{{3}})+|\d+)?(\.\d+)?\s?[%{SIGNS}]?$"
NEARLY = 0.95  # of the cells are numbers
TELLING = 20  # different ones among them


def without_text_numbers(
    frame: "pl.DataFrame", kept: tuple[str, ...] = (), texts: frozenset[str] | None = None
) -> tuple["pl.DataFrame", dict[str, str]]:
    """`kept`: columns to leave as they are. `texts`: those known to be numbers; if not given, those that look so."""
    import polars as pl

    found, remarks = [], {}
    for name, dtype in frame.schema.items():
        if dtype != pl.String or name in kept or (texts is not None and name not in texts):
            continue
        text = frame.get_column(name)
        numbers = _numbers(text)
        if _mostly(text, numbers) if texts is not None else _looks(text, numbers):
            found.append(numbers)
            remarks[name] = _remark(text, numbers)
    return frame.with_columns(found), remarks


def _numbers(text: "pl.Series") -> "pl.Series":
    import polars as pl

    plain = text.str.replace_all(rf"[,%\s{SIGNS}]", "").cast(pl.Float64, strict=False)
    return plain.set(~(text.str.contains(WRITTEN) & text.str.contains(r"\d")).fill_null(False), None)


def _mostly(text: "pl.Series", numbers: "pl.Series") -> bool:
    return 2 * (len(numbers) - numbers.null_count()) >= len(text) - text.null_count()


def _looks(text: "pl.Series", numbers: "pl.Series") -> bool:
    known, read = len(text) - text.null_count(), len(numbers) - numbers.null_count()
    if read == 0 or text.str.contains(r"^0\d").any():
        return False
    if read == known:
        return bool(text.str.contains(rf"[,%{SIGNS}]").any())  # bare digits as text are meant as names
    return read >= NEARLY * known and numbers.n_unique() > TELLING


def _remark(text: "pl.Series", numbers: "pl.Series") -> str:
    lost = text.filter(text.is_not_null() & numbers.is_null())
    if not len(lost):
        return "numbers as text, read as numbers"
    cells = "cell" if len(lost) == 1 else "cells"
    return f"numbers; {len(lost):,} {cells} such as {listing(lost.unique().sort().to_list()[:1])} taken as missing"
