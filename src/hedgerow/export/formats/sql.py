"""SQL.   In: a fitted model.   Out: one SELECT for SQLite, DuckDB or PostgreSQL: for each row of a table the prediction
and the probabilities.

    model.export("sql", dialect="postgres", table="people", keep=["id"])

A missing cell is NULL (or NaN). Test rows and the model's answers stand behind it, in comments.
"""

import json
import sqlite3
from collections.abc import Sequence
from typing import Any

from hedgerow.errors import check_choice
from hedgerow.export.program.prove import make_program
from hedgerow.export.program.steps import TAKES as TAKES
from hedgerow.export.program.steps import Program
from hedgerow.export.program.to_sql.dialect import DIALECTS, Dialect
from hedgerow.export.program.to_sql.select import write_sql
from hedgerow.store import ModelState

TITLE, SUFFIX = "SQL: one SELECT", ".sql"
END = "\n-- Test rows, and what the model answers:\n"


def export(
    state: ModelState, *, dialect: str = "duckdb", table: str = "rows", keep: Sequence[str] | None = None
) -> str:
    """`keep`: columns to carry along, such as a key; the model's own, if not given."""
    check_choice("dialect", dialect, tuple(DIALECTS))
    program = make_program(state)
    names = [column["name"] for column in program["columns"]] if keep is None else list(keep)
    select = write_sql(program, DIALECTS[dialect], table, names)
    # ASCII: no line of it can end early
    tests = "".join(f"-- {json.dumps(test)}\n" for test in program["tests"])
    settings = json.dumps({"dialect": dialect, "table": table, "keep": names})
    return f"-- A model, exported by hedgerow. {settings}\n{select};\n{END}{tests}"


def run(text: str, program: Program) -> list[dict[str, Any]] | None:
    """In SQLite, or in DuckDB, which understands what is written for PostgreSQL too, where that is installed."""
    head, _, rest = text.partition("\n")
    settings = json.loads(head[head.index("{") :])
    select = rest.partition(END)[0].rstrip().removesuffix(";")
    dialect = DIALECTS[settings["dialect"]]
    n_kept = len(settings["keep"])
    rows = (
        _run_sqlite(select, dialect, settings, program)
        if dialect.name == "sqlite"
        else _run_duckdb(select, dialect, settings, program)
    )
    if rows is None:
        return None
    return [read_answer(program, row[n_kept], list(row[n_kept + 1 :])) for row in rows]


def read_answer(program: Program, value: Any, rest: list[Any]) -> dict[str, Any]:
    if program["answer"]["interval"] is not None:
        return {"value": value, "probabilities": None, "interval": rest}
    return {"value": value, "probabilities": rest or None}


def _run_sqlite(select: str, dialect: Dialect, settings: dict[str, Any], program: Program) -> list[Any]:
    with sqlite3.connect(":memory:") as database:
        return _fill(database, dialect, settings, program, {}).execute(select).fetchall()  # type: ignore[no-any-return]


def _run_duckdb(
    select: str, dialect: Dialect, settings: dict[str, Any], program: Program
) -> list[Any] | None:
    try:
        import duckdb
    except ImportError:
        return None
    with duckdb.connect(":memory:") as database:
        database.execute("SET threads = 1")
        return _fill(database, dialect, settings, program, {}).execute(select).fetchall()  # type: ignore[no-any-return]


def _fill(
    database: Any, dialect: Dialect, settings: dict[str, Any], program: Program, kinds: dict[str, str]
) -> Any:
    """A table with the test rows."""
    own = [column["name"] for column in program["columns"]]
    extra = [name for name in settings["keep"] if name not in own]
    columns = [
        f"{dialect.identifier(column['name'])} {dialect.text if column['levels'] is not None else dialect.double}"
        for column in program["columns"]
    ] + [f"{dialect.identifier(name)} {dialect.text}" for name in extra]
    table = dialect.identifier(settings["table"])
    database.execute(f"CREATE TABLE {table} ({', '.join(columns)})")
    marks = ", ".join("?" for _ in columns)
    rows = [[*test["cells"], *[None] * len(extra)] for test in program["tests"]]
    if rows:
        database.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
    return database
