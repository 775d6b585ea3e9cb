"""Stages of a query as they are written, and expressions that several steps use."""

from dataclasses import dataclass, field
from typing import Any

from hedgerow.export.program.to_sql.dialect import Dialect

TERMS = 100  # of a sum in one pair of brackets
LEAST, MOST = -700.0, 700.0  # exponents: beyond, PostgreSQL gives an error instead of 0 or infinity


@dataclass
class Query:
    """Stages as they are written."""

    dialect: Dialect
    kept: list[str]  # columns that every stage carries on
    stages: list[str] = field(default_factory=list)
    last: str = ""

    def add(self, columns: dict[str, str], drop: tuple[str, ...] = ()) -> None:
        """A stage with these columns; the others go on, without those to drop."""
        self.kept = [name for name in self.kept if name not in drop and name not in columns]
        listed = [*self.kept, *(f"{text} AS {name}" for name, text in columns.items())]
        name = f"stage{len(self.stages)}"
        body = ",\n    ".join(listed)
        self.stages.append(f"{name} AS MATERIALIZED (\n  SELECT\n    {body}\n  FROM {self.last}\n)")
        self.last = name
        self.kept += list(columns)


def add_up(terms: list[str]) -> str:
    """In brackets of some terms each: a long chain is a deep expression."""
    if len(terms) <= TERMS:
        return " + ".join(terms)
    return add_up([f"({' + '.join(terms[k : k + TERMS])})" for k in range(0, len(terms), TERMS)])


def exponential(dialect: Dialect, place: str) -> str:
    low, high = dialect.number(LEAST), dialect.number(MOST)
    return f"CASE WHEN {place} < {low} THEN {dialect.number(0.0)} ELSE EXP({dialect.least(place, high)}) END"


def decide(scores: list[str], results: list[str]) -> str:
    """The result of the largest score, the first of equals; of one score, the second where it is above 0."""
    if len(scores) == 1:
        return f"CASE WHEN {scores[0]} > 0 THEN {results[-1]} ELSE {results[0]} END"
    whens = []
    for k, score in enumerate(scores[:-1]):
        others = " AND ".join(f"{score} >= {other}" for other in scores if other != score)
        whens.append(f"WHEN {others} THEN {results[k]}")
    return f"CASE {' '.join(whens)} ELSE {results[len(scores) - 1]} END"


def is_in(x: str, levels: Any) -> str:
    return f"{x} IN ({', '.join(str(int(level)) for level in levels)})" if levels else "1 = 0"
