"""`hedgerow export`: a model in another form, and nothing else on standard output."""

import sqlite3
import sys
from pathlib import Path

import polars as pl
import pytest
from tests.cli.run import Runner

from hedgerow import datasets


def test_a_model_in_another_form(hedgerow: Runner, tmp_path: Path) -> None:
    hedgerow("fit", "titanic", "--max-depth", 3)
    code, out, err = hedgerow("export", "titanic.hedgerow", "--to", "dot")
    assert (code, err) == (0, "")
    assert out.startswith("digraph tree {")
    assert len(hedgerow("export", "titanic.hedgerow", "--to", "dot", "--depth", 1).out) < len(out)
    assert hedgerow("export", "titanic.hedgerow", "--to", "rules", "-o", "rules.txt").out == ""
    assert (tmp_path / "rules.txt").read_text(encoding="utf-8").startswith("if sex = ")


def test_a_query_predicts_as_the_command_does(hedgerow: Runner, tmp_path: Path) -> None:
    people = datasets.titanic().frame().with_row_index("id")
    hedgerow("fit", "titanic", "--max-depth", 4)
    options = ("--dialect", "sqlite", "--table", "people", "--keep", "id", "-o", "model.sql")
    assert hedgerow("export", "titanic.hedgerow", "--to", "sql", *options).code == 0
    people.write_csv("rows.csv")
    hedgerow("predict", "titanic.hedgerow", "rows.csv", "--output", "answers.csv")
    with sqlite3.connect(":memory:") as database:
        columns = ", ".join(f'"{name}"' for name in people.columns)
        database.execute(f"CREATE TABLE people ({columns})")
        marks = ", ".join("?" for _ in people.columns)
        database.executemany(f"INSERT INTO people VALUES ({marks})", people.rows())
        found = database.execute(f"{Path('model.sql').read_text().partition(';')[0]} ORDER BY id").fetchall()
    wanted = pl.read_csv("answers.csv")
    assert [row[1:] for row in found] == wanted.rows()


def test_forms_that_are_not_there(hedgerow: Runner) -> None:
    hedgerow("fit", "titanic", "--max-depth", 3)
    assert (
        "--to dott is unknown. Known: c, dot, " in hedgerow("export", "titanic.hedgerow", "--to", "dott").err
    )
    assert "No model at 'none'" in hedgerow("export", "none", "--to", "dot").err
    shallow = hedgerow("export", "titanic.hedgerow", "--to", "rules", "--depth", 1)
    assert "has no option 'max_depth'" in shallow.err
    wrong = hedgerow("export", "titanic.hedgerow", "--to", "sql", "--dialect", "oracle")
    assert "--dialect oracle is unknown. Known: sqlite, duckdb, postgres" in wrong.err


def test_a_form_of_a_new_file(hedgerow: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hedgerow.export import formats

    (tmp_path / "leaf_count.py").write_text(
        "TITLE, SUFFIX, TAKES = 'leaves', '.txt', ('tree',)\ndef export(state): return str(state.body.n_leaves)\n"
    )
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(tmp_path)])
    hedgerow("fit", "titanic", "--max-depth", 1, "--prune", "none")
    assert hedgerow("export", "titanic.hedgerow", "--to", "leaf_count").out == "2"
    sys.modules.pop("hedgerow.export.formats.leaf_count", None)
