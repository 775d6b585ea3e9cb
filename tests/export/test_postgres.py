"""PostgreSQL itself, where it is installed: exported queries answer as the model does."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.export.test_program import MODELS, hostile

from hedgerow import HistGradientBoostingClassifier
from hedgerow.estimators.saving import extract_state
from hedgerow.export import export_model
from hedgerow.export.formats import sql
from hedgerow.export.program.prove import compare, make_program
from hedgerow.store import ModelState

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::UserWarning")]
NAMES = [
    "categories and gaps", "forest", "gradient boosting", "stumps, mixed", "rules", "machine, prepared", "vote, hard",
    "boosted numbers", "linear machine, chances", "machine, pairs",
    "forest that forks", "forest with surrogates", "neurons, mixed", "dates and rates", "dates for a machine",
]  # fmt: skip


def server_tools() -> Path | None:
    """Debian keeps them out of PATH."""
    known = shutil.which("postgres")
    folders = [Path(known).resolve().parent] if known else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "initdb").exists()), None)


@pytest.fixture(scope="module")
def server() -> Iterator[list[str]]:
    """A server of its own, by its socket alone; the words that begin a call of psql."""
    psql, tools = shutil.which("psql"), server_tools()
    if psql is None or tools is None:
        pytest.skip("PostgreSQL is not installed")
    user = "nobody" if os.geteuid() == 0 else None  # it refuses to run as root

    def run(*words: object) -> None:
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, user=user, cwd=folder)

    with TemporaryDirectory() as folder:
        if user is not None:
            shutil.chown(folder, user)
        data, log = f"{folder}/data", f"{folder}/log"
        run(tools / "initdb", "-D", data, "-U", "tests", "-A", "trust", "-E", "UTF8", "--no-sync")
        run(tools / "pg_ctl", "-D", data, "-w", "-l", log, "-o", f"-k {folder} -h ''", "start")
        try:
            yield [psql, "-h", folder, "-U", "tests", "-d", "postgres", "-v", "ON_ERROR_STOP=1", *UNALIGNED]
        finally:
            run(tools / "pg_ctl", "-D", data, "-m", "immediate", "stop")


UNALIGNED = ("-X", "-q", "-A", "-t", "-F", "\x1f", "-R", "\x1e")


def ask(server: list[str], state: ModelState, table: str) -> None:
    program = make_program(state)
    dialect = sql.DIALECTS["postgres"]
    query = str(export_model(state, "sql", dialect="postgres", table=table, keep=["hedgerow row"]))
    columns = [
        f"{dialect.identifier(c['name'])} {dialect.text if c['levels'] is not None else dialect.double}"
        for c in program["columns"]
    ]
    lines = [f'CREATE TEMP TABLE {dialect.identifier(table)} ({", ".join(columns)}, "hedgerow row" INTEGER);']
    for k, test in enumerate(program["tests"]):
        cells = [_literal(dialect, cell) for cell in test["cells"]]
        lines.append(f"INSERT INTO {dialect.identifier(table)} VALUES ({', '.join([*cells, str(k)])});")
    select = query.partition(sql.END)[0].rstrip().removesuffix(";")
    script = "\n".join(["SET extra_float_digits = 3;", *lines, f"SELECT * FROM ({select}) AS a ORDER BY 1;"])
    done = subprocess.run(server, input=script, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-600:]
    rows = [line.split("\x1f") for line in done.stdout.removesuffix("\n").split("\x1e") if line]
    kind = type(program["tests"][0]["value"])
    read = {bool: lambda text: text == "t"}.get(kind, kind)
    answers = [{"value": read(row[1]), "probabilities": [float(x) for x in row[2:]] or None} for row in rows]
    compare(program, answers, "PostgreSQL")


def _literal(dialect: sql.Dialect, cell: object) -> str:
    if cell is None:
        return "NULL"
    return dialect.string(cell) if isinstance(cell, str) else dialect.number(float(str(cell)))


@pytest.mark.parametrize("name", NAMES)
def test_a_query_in_postgresql(server: list[str], name: str) -> None:
    ask(server, extract_state(MODELS[name][0]), "rows")


def test_hostile_names_in_postgresql(server: list[str]) -> None:
    X, y = hostile()
    model = HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=3).fit(X, y)
    ask(server, extract_state(model), "a\"b'; drop table x --\n")
