"""`hedgerow predict`.   In: a model file and a table.   Out: CSV, a line per row: prediction, probabilities.

scikit-learn is not loaded: what the file keeps of a model is enough.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hedgerow.encode import Schema
from hedgerow.intake.clean import coerce_to_numbers
from hedgerow.store import ModelState, load_state, predict_state
from hedgerow.table import Table, read_frame, to_table
from hedgerow.words import did_you_mean, listing, quote

if TYPE_CHECKING:
    import polars as pl

MODEL = "model.hedgerow"  # in the folder of a study


def predict(model: str, rows: str, output: str | None, threads: int | None) -> None:
    if rows.endswith(".hedgerow") and not model.endswith(".hedgerow"):
        raise ValueError(
            f"{quote(model)} is no model. The model comes first: hedgerow predict {rows} {model}"
        )
    parts = load_state(model_at(model))
    answers = predicted(parts, fitting(parts.schema, read_frame(rows), rows), threads)
    if output is None:
        sys.stdout.write(answers.write_csv())
        return
    answers.write_csv(Path(output).expanduser())
    print(f"{answers.height:,} predictions written to {output}", file=sys.stderr)


def model_file(given: str) -> str:
    """Of a study's folder, its model."""
    inside = Path(given).expanduser() / MODEL
    return str(inside) if inside.is_file() else given


def model_at(given: str) -> str:
    """The same, where it must be there."""
    found = model_file(given)
    if not Path(found).expanduser().is_file():
        raise ValueError(
            f"No model at {quote(given)}. Wanted: a .hedgerow file, or the folder of a study that ended. First: "
            "hedgerow study DATA, or hedgerow fit DATA."
        )
    return found


def fitting(schema: Schema, frame: "pl.DataFrame", rows: str) -> Table:
    """The columns the model knows, by name, in any order; others are left aside with a note."""
    kinds = dict(zip(schema.names, schema.kinds, strict=True))
    frame = coerce_to_numbers(frame, frozenset(name for name, kind in kinds.items() if kind == "number"))
    missing = [name for name in schema.names if name not in frame.columns]
    extra = [name for name in frame.columns if name not in schema.names]
    if missing:
        hint = did_you_mean(missing[0], extra)
        raise ValueError(
            f"{quote(rows)} lacks {listing(missing)}, which the model needs. "
            f"It has: {listing(frame.columns)}.{hint}"
        )
    if extra:
        print(f"Not used, the model does not know them: {listing(extra)}", file=sys.stderr)
    names = [name for name, kind in kinds.items() if kind == "category"]
    return to_table(frame.select(schema.names), categories=names or None)


def predicted(parts: ModelState, table: Table, threads: int | None) -> "pl.DataFrame":
    import polars as pl

    values, shares = predict_state(parts, table, threads)
    if parts.classes is None:
        return pl.DataFrame({"prediction": values})
    guessed = pl.Series("prediction", parts.classes[values])
    if shares is None:
        return pl.DataFrame([guessed])
    chances = {f"probability_{label}": shares[:, k] for k, label in enumerate(parts.classes.tolist())}
    return pl.DataFrame([guessed, *(pl.Series(name, column) for name, column in chances.items())])
