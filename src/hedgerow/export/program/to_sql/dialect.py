"""Dialects.   In: numbers, text, names of the data.   Out: literals and names of SQL.

Names of the data stand in quotes, doubled where they hold quotes; a table's columns are always named as its own, for
SQLite takes an unknown name in double quotes for text.
"""

from dataclasses import dataclass
from math import frexp
from typing import Any


@dataclass(frozen=True)
class Dialect:
    name: str
    double: str
    text: str

    def number(self, x: float) -> str:
        """A literal that is this float and no other."""
        if self.name != "sqlite":
            return f"CAST('{x!r}' AS {self.double})"
        digits = f"{abs(x):.15g}"
        if (float(digits) == abs(x) and 1e-22 < abs(x) < 1e15) or x == 0:
            return f"({x!r})"
        return _fraction(x)

    def string(self, text: str) -> str:
        if "\0" in text:
            if self.name != "sqlite":
                return "NULL"  # no text of these databases can hold it
            return f"CAST(x'{text.encode().hex()}' AS TEXT)"
        return "'" + text.replace("'", "''") + "'"

    def identifier(self, name: str) -> str:
        if "\0" in name:
            raise ValueError(
                f"The name {name!r:.60} holds a NUL character, which no SQL name can. Rename the column."
            )
        return '"' + name.replace('"', '""') + '"'

    def cell(self, column: dict[str, Any]) -> str:
        raw = f"t.{self.identifier(column['name'])}"
        if column["levels"] is not None:
            return self._level(raw, column["levels"])
        if self.name == "sqlite":
            return f"CAST({raw} AS REAL)"
        if column["kind"] == "boolean":
            return f"CAST(CAST({raw} AS INTEGER) AS {self.double})"
        return f"NULLIF(CAST({raw} AS {self.double}), CAST('NaN' AS {self.double}))"

    def _level(self, raw: str, levels: list[str]) -> str:
        text = f"CAST({raw} AS {self.text})" + (" COLLATE BINARY" if self.name == "sqlite" else "")
        whens = " ".join(f"WHEN {text} = {self.string(level)} THEN {k}" for k, level in enumerate(levels))
        return f"CASE WHEN {raw} IS NULL THEN NULL {whens} ELSE {len(levels)} END"

    def least(self, a: str, b: str) -> str:
        return f"{'MIN' if self.name == 'sqlite' else 'LEAST'}({a}, {b})"

    def greatest(self, a: str, b: str) -> str:
        return f"{'MAX' if self.name == 'sqlite' else 'GREATEST'}({a}, {b})"

    def value(self, x: Any) -> str:
        """A class."""
        if isinstance(x, bool):
            return "TRUE" if x else "FALSE"
        return self.string(x) if isinstance(x, str) else str(x) if isinstance(x, int) else self.number(x)


DIALECTS = {
    "sqlite": Dialect("sqlite", "REAL", "TEXT"),
    "duckdb": Dialect("duckdb", "DOUBLE", "VARCHAR"),
    "postgres": Dialect("postgres", "DOUBLE PRECISION", "TEXT"),
}


def _fraction(x: float) -> str:
    """SQLite may round a long decimal wrongly; whole numbers and quotients of powers of two it does not."""
    mantissa, exponent = frexp(x)
    whole, power = int(mantissa * 2**53), exponent - 53
    text = f"{whole}.0"
    while power:
        step = max(-60, min(60, power))
        text += f" * {2**step}.0" if step > 0 else f" / {2**-step}.0"
        power -= step
    return f"({text})"
