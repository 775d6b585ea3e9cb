"""`hedgerow predict`.   In: a model file and a table.   Out: CSV, a line per row: prediction, probabilities.

scikit-learn is not loaded: what the file keeps of a model is enough.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hedgerow.cli.options import argument, make_command, option

if TYPE_CHECKING:
    import polars as pl

    from hedgerow.store import ModelState
    from hedgerow.table import Table

DOC = """Predict each row of a table: the class and its probabilities, or the number and its interval, as CSV.

A model of `hedgerow study` has calibrated probabilities and predicts by its operating point."""
COVERAGE = 0.9


@dataclass(frozen=True, kw_only=True)
class PredictOptions:
    model: str = argument("A .hedgerow file, as `hedgerow fit` writes it.", "MODEL")
    rows: str = argument("A table with the model's columns, in any order.", "ROWS")
    output: str | None = option(
        None,
        "A file to write: .csv; or .parquet, which is written block by block, so that neither it nor ROWS need fit "
        "into memory.",
        "PATH",
        "--output",
        "--out",
        "-o",
    )
    keep_formulas: bool = option(
        False,
        "Classes that a spreadsheet would run as formulas stay as they are, without an apostrophe.",
        None,
        "--keep-formulas",
    )
    coverage: float = option(COVERAGE, "Of the intervals of numbers: 0.5, 0.8, 0.9, 0.95 or 0.99.", "SHARE")
    n_jobs: int | None = option(None, "Threads; the answer is the same for any number.", "N")


def make() -> Callable[..., None]:
    return make_command(PredictOptions, run, DOC)


def run(options: PredictOptions) -> None:
    from hedgerow.cli.inputs import match_columns, require_model
    from hedgerow.files import to_csv, write_atomically
    from hedgerow.store import load_state
    from hedgerow.table import read_frame
    from hedgerow.words import escape, quote, quote_shell

    model, rows = options.model, options.rows
    if rows.endswith(".hedgerow") and not model.endswith(".hedgerow"):
        raise ValueError(
            f"{quote(model)} is no model. The model comes first: hedgerow predict "
            f"{quote_shell(rows)} {quote_shell(model)}"
        )
    state = load_state(require_model(model))
    if options.output is not None and options.output.endswith(".parquet"):
        from hedgerow.cli.predict_stream import write_predictions

        done = write_predictions(
            state.schema,
            rows,
            options.output,
            lambda part: tabulate(state, part, options.n_jobs, options.coverage),
        )
        print(f"{done:,} predictions written to {escape(options.output)}", file=sys.stderr)
        return
    table = match_columns(state.schema, read_frame(rows), rows)
    answers = tabulate(state, table, options.n_jobs, options.coverage)
    _tell_seen_rows(state, table)
    text = to_csv(answers, keep_formulas=options.keep_formulas)
    if options.output is None:
        sys.stdout.write(text)
        return
    write_atomically(Path(options.output).expanduser(), text.encode())
    print(f"{answers.height:,} predictions written to {escape(options.output)}", file=sys.stderr)


def _tell_seen_rows(state: "ModelState", table: "Table") -> None:
    """Of rows that the model was trained on, predictions say how well it remembers."""
    if state.training_rows is None:
        return
    seen, can_know = state.training_rows.find_seen(table)
    if seen.any():
        words = state.training_rows.describe_seen(int(seen.sum()), int(can_know.sum()))
        print(words[0].upper() + words[1:], file=sys.stderr)


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

    values, probabilities, _ = predict_state(state, table, n_jobs)
    if state.classes is None:
        return pl.DataFrame({"prediction": values, **_intervals(state, values, coverage)})
    columns = [pl.Series("prediction", state.classes[values])]
    if probabilities is not None:
        columns += [
            pl.Series(f"probability_{label}", probabilities[:, k])
            for k, label in enumerate(state.classes.tolist())
        ]
    return pl.DataFrame(columns)
