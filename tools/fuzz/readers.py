"""What reads the files.   In: bytes.   Out: "refused" or "loaded"; anything else must not happen."""

import tempfile
import warnings
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from hedgerow.cli.commands.report import render_result
from hedgerow.estimators.saving import restore_model
from hedgerow.export.program.runtime import predict
from hedgerow.export.program.scoring import InvalidProgram, parse_program
from hedgerow.rules import RuleList
from hedgerow.store import InvalidModelFile
from hedgerow.store.file import from_stream, name_file
from hedgerow.studies.checkpoint import CheckpointStore

LONGEST = 1500  # characters of a message


class Fault(Exception):
    """What must not happen."""


ROWS: dict[tuple[str, ...], Any] = {}  # rows to predict, by columns


def read_model(data: bytes) -> str:
    try:
        with name_file("a file"):
            state = from_stream(BytesIO(data), len(data))
            model = restore_model(state)
    except InvalidModelFile as refused:
        if len(str(refused)) > LONGEST:
            raise Fault(f"a message of {len(str(refused)):,} characters") from None
        return "refused"
    repr(model)
    rows = ROWS.get((*state.schema.names, *state.schema.kinds))
    if rows is None:
        return "loaded"
    try:
        values = np.asarray(model.predict(rows))
        shares = model.predict_proba(rows) if hasattr(model, "predict_proba") else None
    except (ValueError, TypeError) as reason:
        if any(word in str(reason) for word in ("column", "Column", "level", "missing", "feature")):
            return "loaded"  # the rows do not fit what the file says of its columns
        raise
    if values.dtype.kind == "f" and not np.isfinite(values).all() and not hasattr(model, "classes_"):
        raise Fault("predicts numbers that are not finite")
    for part in shares if isinstance(shares, list) else [] if shares is None else [shares]:
        if not (np.isfinite(part).all() and np.abs(part.sum(axis=1) - 1).max() < 1e-6):
            raise Fault("predicts probabilities that do not sum to one")
    return "loaded"


def read_program(data: bytes) -> str:
    try:
        program = parse_program(data)
    except InvalidProgram:
        return "refused"
    for row in PROGRAM_ROWS:
        if len(row) == len(program["columns"]):
            predict(program, row)
    return "loaded"


PROGRAM_ROWS = [[x] * n for n in range(1, 9) for x in (None, 0.0, -1.5, 1e300)]


def read_rules(data: bytes) -> str:
    try:
        RuleList.parse(data.decode(errors="replace"))
    except ValueError:
        return "refused"
    return "loaded"


def read_study(data: bytes) -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "result.json"
        file.write_bytes(data)
        try:
            render_result(file)
        except ValueError:
            return "refused"
    return "loaded"


def read_ledger(data: bytes) -> str:
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        file = Path(folder) / "answers.sqlite"
        file.write_bytes(data)
        with CheckpointStore(file, "one") as store:
            store.load()
        if len(said) > 1:
            raise Fault(f"says {len(said)} things of one file")
        return "refused" if said else "loaded"
