"""Dates in SQL: the step `dates`, in plain arithmetic, since a date comes as days since 1970-01-01.

By eras of 400 years from 1 March on, so that leap days come last; the databases' own calendars differ before 1582.
"""

from hedgerow.export.program.steps import Step
from hedgerow.export.program.to_sql.query import Query
from hedgerow.features.dates import FARTHEST, PARTS

FAR = 1e300  # of days between two dates; beyond, PostgreSQL gives an error instead of infinity


def add_dates(query: Query, step: Step, k: int, names: list[str]) -> int:
    number = query.dialect.number
    columns = {f"s{k}_{i}": f"p{k}_{one['column']}_{one['part']}" for i, one in enumerate(step["parts"])}
    made = [
        name
        for j in sorted({one["column"] for one in step["parts"]})
        for name in _add_parts(query, k, j, names[j])
    ]
    for first, second in step["spans"]:
        near = " AND ".join(f"ABS({names[j]}) < {number(FAR)}" for j in (first, second))
        columns[f"s{k}_{len(columns)}"] = f"CASE WHEN {near} THEN {names[second]} - {names[first]} END"
    query.add(columns, drop=tuple(made))
    return len(columns)


def _add_parts(query: Query, k: int, j: int, x: str) -> list[str]:
    """All parts of one date. Whole numbers, each stage of those before it."""
    n, at = query.dialect.number, f"p{k}_{j}"
    query.add({f"{at}_whole": f"CASE WHEN ABS({x}) < {n(FARTHEST)} THEN FLOOR({x}) END"})
    query.add({f"{at}_era": f"FLOOR(({at}_whole + {n(719468.0)}) / {n(146097.0)})"})
    query.add({f"{at}_day": f"{at}_whole + {n(719468.0)} - {n(146097.0)} * {at}_era"})
    leaps = " ".join(
        f"{sign} FLOOR({at}_day / {n(days)})"
        for sign, days in (("-", 1460.0), ("+", 36524.0), ("-", 146096.0))
    )
    query.add({f"{at}_y": f"FLOOR(({at}_day {leaps}) / {n(365.0)})"})
    query.add(
        {
            f"{at}_day": f"{at}_day - ({n(365.0)} * {at}_y + FLOOR({at}_y / {n(4.0)}) - FLOOR({at}_y / {n(100.0)}))"
        }
    )
    query.add({f"{at}_m": f"FLOOR(({n(5.0)} * {at}_day + {n(2.0)}) / {n(153.0)})"})
    late = f"CASE WHEN {at}_m < 10 THEN"
    monday = f"{at}_whole + {n(3.0)}"
    parts = {
        "year": f"{at}_y + {n(400.0)} * {at}_era + {late} {n(0.0)} ELSE {n(1.0)} END",
        "month": f"{late} {at}_m + {n(2.0)} ELSE {at}_m - {n(10.0)} END",
        "weekday": f"{monday} - {n(7.0)} * FLOOR(({monday}) / {n(7.0)})",
        "hour": f"FLOOR(({x} - {at}_whole) * {n(24.0)} + {n(1e-6)})",
    }
    query.add(
        {f"{at}_{part}": parts[part] for part in PARTS},
        drop=tuple(f"{at}_{name}" for name in ("whole", "era", "day", "y", "m")),
    )
    return [f"{at}_{part}" for part in PARTS]
