"""The same optimum as pystreed 1.4.0 and gosdt 1.0.4 on the same binary columns of real sets.

fixtures/optimal/answers.json has, for each set, the questions (column, threshold or levels, the answer of a missing
cell) and, for depths 2, 3 and 4, the errors of pystreed's and of gosdt's tree (gosdt with a regularization too small to
matter, where it proves the depth in five seconds). benchmarks/optimal.py writes it.
"""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from hedgerow.encode import matrix, schema_of
from hedgerow.grow import Classes
from hedgerow.optimal import Costs, Questions, Size, solve
from hedgerow.table import to_table

ANSWERS = json.loads((Path(__file__).parents[1] / "fixtures" / "optimal" / "answers.json").read_text())
QUICK = ("titanic_1309", "car_evaluation", "vote")


def ask(questions, table):
    """Recorded questions, answered by the rows of a table."""
    schema, cells = schema_of(table), matrix(schema_of(table), table)
    column = np.array([schema.names.index(name) for name, _, _ in questions], np.int32)
    answers = []
    for j, (_, test, missing_yes) in zip(column, questions, strict=True):
        cell, known = cells[:, j], ~np.isnan(cells[:, j])
        levels = [schema.levels[j].index(name) for name in test] if isinstance(test, list) else []
        yes = np.isin(cell, levels) if levels else cell <= test
        answers.append(np.where(known, yes, missing_yes))
    n = len(column)
    return Questions(column, np.zeros(n), ((),) * n, np.zeros(n, bool), np.array(answers))


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in ANSWERS]
)
def test_the_optimum_is_that_of_others(name, shared_data):
    known = ANSWERS[name]
    frame = pl.read_parquet(shared_data / f"{name}.parquet")
    codes = np.unique(frame[known["target"]].cast(pl.String).to_numpy(), return_inverse=True)[1]
    target = Classes(codes.astype(np.int32), int(codes.max()) + 1)
    questions_given = ask(known["questions"], to_table(frame.drop(known["target"])))
    for depth, errors in known["errors"].items():
        found = solve(questions_given, target, Costs(), Size(int(depth), 2 ** int(depth)), threads=2)
        assert found.proved
        assert found.cost == errors["pystreed"]
        assert errors.get("gosdt", found.cost) == found.cost
