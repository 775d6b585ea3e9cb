"""Predictions of a table larger than memory.   In: a model, the path of a table, the path of a Parquet file.   Out: the
file, a row for each row of the table, written block by block."""

import os
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hedgerow.cli.inputs import match_columns
from hedgerow.stream import TableStream

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl

    from hedgerow.encode import Schema
    from hedgerow.table import Table


def write_predictions(
    schema: "Schema", rows: str, output: str, tabulate: "Callable[[Table], pl.DataFrame]"
) -> int:
    """How many rows there were."""
    from polars.io.plugins import register_io_source

    stream = TableStream(rows)
    known = [name for name in stream.names if name in schema.names]  # others are not read
    columns = known if len(known) == len(schema.names) else list(stream.names)
    blocks = (tabulate(match_columns(schema, block, rows)) for block in stream.blocks(columns))
    first = next(blocks)
    written = 0

    def read(*_: Any) -> "Iterator[pl.DataFrame]":
        nonlocal written
        for block in chain([first], blocks):
            written += block.height
            yield block

    file = Path(output).expanduser()
    part = file.with_name(file.name + ".part")
    try:
        register_io_source(read, schema=first.schema).sink_parquet(part)
        os.replace(part, file)
    finally:
        part.unlink(missing_ok=True)
    return written
