"""What columns are, where the caller knows better.   In: `types`: a path to a TOML file, "zip=category,opened=date", or
a mapping.   Out: TypeOptions. And back: the inferred column types of a table, as the text of such a file.

    sheet = "2023"          of a workbook
    header = 3              the line of column names

    [columns]
    zip = "category"        one of KINDS

Of dates, date_dmy has the day first and date_mdy the month; of number_comma 12,5 is twelve and a half. Numbers are
dates where one says so: days of a spreadsheet, seconds since 1970.

A study writes such a file into its folder (types.toml): change it and give it back with `--types`.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hedgerow.errors import ParameterError, render, spell_as_parameter
from hedgerow.intake.dates import find_order
from hedgerow.intake.numbers import parse_numbers
from hedgerow.table.read import FileOptions
from hedgerow.words import did_you_mean, listing, quote

if TYPE_CHECKING:
    from hedgerow.intake.prepare import PreparedData

NUMBERS = ("number", "number_comma")
DATES = ("date", "date_dmy", "date_mdy")
KINDS = (*NUMBERS, "boolean", "category", "text", *DATES, "drop")


@dataclass(frozen=True)
class TypeOptions:
    columns: Mapping[str, str] = field(default_factory=dict)  # by name, one of KINDS
    file: FileOptions = field(default_factory=FileOptions)

    def named(self, *kinds: str) -> tuple[str, ...]:
        """The columns of these kinds."""
        return tuple(name for name, kind in self.columns.items() if kind in kinds)

    @property
    def orders(self) -> dict[str, str]:
        """How dates and numbers are written, of the columns that the caller calls such."""
        return {name: self.columns[name] for name in self.named(*NUMBERS, *DATES)}

    def check_columns(self, names: list[str]) -> None:
        for name in self.columns:
            if name not in names:
                raise ParameterError(
                    "{types} names {}, which is no column. Columns: {}.{}",
                    quote(name),
                    listing(names, 30),
                    did_you_mean(name, names),
                )


def read_types(given: Any, sheet: str | None = None, header: int | None = None) -> TypeOptions:
    """`sheet` and `header` go before those of a file."""
    if header is not None and (isinstance(header, bool) or not isinstance(header, int) or header < 1):
        raise ParameterError("{header} is out of range. Give a line number, from 1.", header=header)
    found = _parse(given)
    return TypeOptions(
        _check_kinds(found.get("columns", {}), given),
        FileOptions(sheet or found.get("sheet"), header or found.get("header")),
    )


def _parse(given: Any) -> dict[str, Any]:
    if not given:
        return {}
    if isinstance(given, Mapping):
        return {"columns": dict(given)}
    text = os.fspath(given)
    if "=" in text and not Path(text).is_file():
        pairs = [pair.rpartition("=") for pair in text.split(",") if pair.strip()]
        return {"columns": {name.strip(): kind.strip() for name, _, kind in pairs}}
    import tomllib

    try:
        return tomllib.loads(Path(text).expanduser().read_text(encoding="utf-8"))
    except (OSError, UnicodeError, tomllib.TOMLDecodeError) as reason:
        raise ParameterError(
            "{types} cannot be read: {}. Expected: a TOML file as a study writes it (types.toml), or pairs such as "
            "zip=category,opened=date.",
            str(reason),
            types=text,
        ) from None


def _check_kinds(columns: Any, given: Any) -> dict[str, str]:
    if not isinstance(columns, dict):
        raise ParameterError(
            '{types} has no table of columns. Expected: [columns], then name = "kind".', types=given
        )
    for name, kind in columns.items():
        if kind not in KINDS:
            raise ParameterError(
                "{types} says {} of {}. Known: {}.{}",
                quote(kind),
                quote(name),
                ", ".join(KINDS),
                did_you_mean(str(kind), KINDS),
            )
    return dict(columns)


def write_types(data: "PreparedData") -> str:
    """The inferred column types, as a file to change and give back."""
    kinds = {column.name: _kind(data, column.name, column.kind) for column in data.features.columns}
    left_out = {name: why for name, why in data.left_out if name in data.source.frame.columns}
    file = data.source.file
    lines = [
        "# The column types as they were inferred. Change what is wrong, and give it back: --types types.toml",
        f"# Kinds: {', '.join(KINDS)}.",
        *([f"sheet = {_quote(file.sheet)}"] if file.sheet else []),
        *([f"header = {file.header}"] if file.header else []),
        "",
        "[columns]",
        *(f"{_quote(name)} = {_quote(kind)}" for name, kind in kinds.items()),
        *(f'{_quote(name)} = "drop"{_comment(why)}' for name, why in left_out.items()),
    ]
    return "\n".join(lines) + "\n"


def _comment(why: object) -> str:
    """Why a column is left out, and what to write to keep it."""
    words = " ".join(render(why, _spell_as_kind).split())
    return f"  # {words}" if words else ""


def _spell_as_kind(name: str, value: Any) -> str:
    if name == "drop":
        return ""
    kinds = {"categories": "category", "types": str(value).rpartition("=")[2]}
    return _quote(kinds[name]) if name in kinds else spell_as_parameter(name, value)


def _kind(data: "PreparedData", name: str, kind: str) -> str:
    """Of dates and numbers also how they were read, so that one cell alone is read the same."""
    if kind not in ("number", "date", "datetime"):
        return kind
    import polars as pl

    column = data.source.frame.get_column(name)
    given = data.orders.get(name, "number" if kind == "number" else "date")
    if given not in ("number", "date") or column.dtype != pl.String:
        return given
    if given == "date":
        return find_order(column)
    return "number_comma" if parse_numbers(column).is_comma else "number"


def _quote(text: str) -> str:
    """A TOML string."""
    import json

    return json.dumps(text)
