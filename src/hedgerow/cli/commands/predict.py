"""`hedgerow predict`.   In: a model file or a study's folder, and rows.   Out: CSV, a line per row: prediction,
probabilities or interval, on request the reasons; an id or all columns that came in beside them.

scikit-learn is not loaded: what the file keeps of a model is enough.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hedgerow.cli.options import argument, check_range, make_command, option

if TYPE_CHECKING:
    import polars as pl

    from hedgerow.cli.inputs import NewRowNotes
    from hedgerow.store import ModelState
    from hedgerow.table import Table

DOC = """Predict each row of a table: the class and its probabilities, or the number and its interval, as CSV.

\b
  hedgerow predict titanic-study rows.csv                  a study's folder, or a model file
  hedgerow predict titanic-study rows.csv --id name --reasons 3 -o answers.csv
  cat rows.csv | hedgerow predict titanic-study -          from standard input
  hedgerow predict titanic-study big.parquet -o scores.parquet   block by block, however large
A model of `hedgerow study` has calibrated probabilities and predicts by its operating point."""
COVERAGE = 0.9


@dataclass(frozen=True, kw_only=True)
class PredictOptions:
    model: str = argument("A .hedgerow file, or the folder of a study.", "MODEL")
    rows: str = argument(
        "A table with the model's columns, in any order; - reads CSV or JSON lines from standard input.",
        "ROWS",
    )
    output: str | None = option(None, "A CSV or Parquet file to write.", "PATH", "--output", "--out", "-o")
    id: str | None = option(None, "A column to keep beside the predictions.", "NAME")
    keep: bool = option(False, "All columns that came in stay beside the predictions.", None, "--keep")
    reasons: int = option(0, "So many reasons a row: what its cells add to the score.", "N")
    keep_formulas: bool = option(
        False,
        "Classes that a spreadsheet would run as formulas stay as they are, without an apostrophe.",
        None,
        "--keep-formulas",
    )
    coverage: float = option(COVERAGE, "Of the intervals of numbers: 0.5, 0.8, 0.9, 0.95 or 0.99.", "SHARE")
    n_jobs: int | None = option(None, "Threads; the answer is the same for any number.", "N")

    def __post_init__(self) -> None:
        check_range("reasons", self.reasons, 0)


def make() -> Callable[..., None]:
    return make_command(PredictOptions, run, DOC)


def run(options: PredictOptions) -> None:
    from hedgerow.cli.answers import write_answers
    from hedgerow.cli.inputs import NewRowNotes, find_model, find_types, read_blocks, require_model
    from hedgerow.store import load_state
    from hedgerow.words import escape, quote, quote_shell

    model, rows = options.model, options.rows
    if find_model(rows).endswith(".hedgerow") and not find_model(model).endswith(".hedgerow"):
        raise ValueError(
            f"{quote(model)} is no model. The model comes first: hedgerow predict "
            f"{quote_shell(rows)} {quote_shell(model)}"
        )
    file = require_model(model)
    state = load_state(file)
    orders, notes = find_types(file), NewRowNotes()
    with write_answers(options.output, keep_formulas=options.keep_formulas) as writer:
        for block in read_blocks(rows, state.schema):
            writer.write(predict_frame(state, block, options, orders, notes))
    notes.tell_counts()
    if options.output is not None:
        print(f"{writer.n_rows:,} predictions written to {escape(options.output)}", file=sys.stderr)


def predict_frame(
    state: "ModelState",
    frame: "pl.DataFrame",
    options: PredictOptions,
    orders: dict[str, str],
    notes: "NewRowNotes",
) -> "pl.DataFrame":
    """A block of rows -> what is written of them. `orders`: of dates as text, which of day and month comes first."""
    import polars as pl

    from hedgerow.cli.inputs import find_column, match_columns

    kept = (
        frame if options.keep else frame.select([] if options.id is None else find_column(frame, options.id))
    )
    one = (
        frame if frame.height else pl.DataFrame({name: [None] for name in frame.columns}, schema=frame.schema)
    )
    table = match_columns(state.schema, one, options.rows, orders, notes)
    answers = tabulate(state, table, options.n_jobs, options.coverage)
    if options.reasons:
        answers = answers.hstack(tabulate_reasons(state, table, options.reasons, options.n_jobs, notes))
    if frame.height and state.training_rows is not None:
        seen, can_know = state.training_rows.find_seen(table)
        notes.count_seen(state.training_rows, int(seen.sum()), int(can_know.sum()))
    renamed = {name: f"input_{name}" for name in kept.columns if name in answers.columns}
    return pl.DataFrame([*kept.rename(renamed), *answers.head(frame.height)])


def _intervals(state: "ModelState", values: Any, coverage: float) -> dict[str, Any]:
    """The ends of the prediction interval, if the model keeps intervals."""
    if state.decision is None or state.decision.intervals is None:
        return {}
    low, high = state.decision.intervals.interval(values, coverage)
    return {"low": low, "high": high}


def tabulate(
    state: "ModelState", table: "Table", n_jobs: int | None, coverage: float = COVERAGE
) -> "pl.DataFrame":
    import polars as pl

    from hedgerow.store import predict_state
    from hedgerow.words import probability_column

    values, probabilities, _ = predict_state(state, table, n_jobs)
    if state.classes is None:
        return pl.DataFrame({"prediction": values, **_intervals(state, values, coverage)})
    columns = [pl.Series("prediction", state.classes[values])]
    if probabilities is not None:
        columns += [
            pl.Series(probability_column(label), probabilities[:, k])
            for k, label in enumerate(state.classes.tolist())
        ]
    return pl.DataFrame(columns)


def tabulate_reasons(
    state: "ModelState", table: "Table", most: int, n_jobs: int | None, notes: "NewRowNotes"
) -> "pl.DataFrame":
    """base + the reasons + other_reasons = score."""
    import numpy as np
    import polars as pl

    from hedgerow.store.reasons import explain_state

    found = explain_state(state, table, n_jobs)
    most = min(most, len(found.names))
    words = [found.words(row, table, most) for row in range(table.n_rows)]
    order = np.argsort(-np.abs(found.values), axis=1, kind="stable")[:, :most]
    shown = np.take_along_axis(found.values, order, axis=1).sum(axis=1)
    notes.tell(f"Reasons add up to the score, which is the {found.title}.")
    return pl.DataFrame(
        {
            "score": found.score,
            "base": found.base,
            **{f"reason_{k + 1}": [row[k] for row in words] for k in range(most)},
            "other_reasons": found.values.sum(axis=1) - shown,
        }
    )
