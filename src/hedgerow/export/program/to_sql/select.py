"""A program as one SELECT.   In: the Program, a dialect, the table, columns to keep.   Out: text."""

from hedgerow.export.program.steps import CELLS, Program
from hedgerow.export.program.to_sql.dialect import Dialect
from hedgerow.export.program.to_sql.query import Query, decide
from hedgerow.export.program.to_sql.steps import WRITE
from hedgerow.words import probability_column


def write_sql(program: Program, dialect: Dialect, table: str, keep: list[str]) -> str:
    carried = {f"k{j}": f"t.{dialect.identifier(name)}" for j, name in enumerate(keep)}
    query = Query(dialect, [], last=f"{dialect.identifier(table)} AS t")
    query.add(carried | {f"c{j}": dialect.cell(column) for j, column in enumerate(program["columns"])})
    widths: list[int] = []
    for k, step in enumerate(program["steps"]):
        names = [f"c{j}" for j in range(len(program["columns"]))]
        if step["of"] != CELLS:
            names = [f"s{step['of']}_{i}" for i in range(widths[step["of"]])]
        widths.append(WRITE[step["do"]](query, step, k, names))
    return _write_select(program, query, keep, widths)


def _write_select(program: Program, query: Query, keep: list[str], widths: list[int]) -> str:
    dialect, answer, classes = query.dialect, program["answer"], program["classes"]
    scores = [f"s{answer['value']}_{i}" for i in range(widths[answer["value"]])]
    columns = [f"k{j} AS {dialect.identifier(name)}" for j, name in enumerate(keep)]
    if classes is None:
        columns.append(f"{scores[0]} AS prediction")
        if answer["interval"] is not None:
            ends = (f"s{answer['interval']}_{i}" for i in range(2))
            columns += [
                f"{end} AS prediction_{name}" for end, name in zip(ends, ("low", "high"), strict=True)
            ]
    else:
        labels = [dialect.value(label) for label in classes]
        columns.append(f"{decide(scores, labels)} AS prediction")
        if answer["probabilities"] is not None:
            columns += [
                f"s{answer['probabilities']}_{i} AS {dialect.identifier(probability_column(label))}"
                for i, label in enumerate(classes)
            ]
    listed = ",\n  ".join(columns)
    return "WITH\n" + ",\n".join(query.stages) + f"\nSELECT\n  {listed}\nFROM {query.last}"
