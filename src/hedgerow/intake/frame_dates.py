"""Dates in a frame.   In: a frame of pandas, polars or Arrow with columns of dates.   Out: a Table in which they are
dates: days since 1970-01-01. Anything else is the Table it always was.
"""

from dataclasses import replace
from typing import Any

from hedgerow.table import Kind, Table, to_table
from hedgerow.table.frames import is_frame, is_lazy

DAY = 86_400_000_000.0  # microseconds


def to_dated_table(data: Any) -> Table:
    import narwhals as nw

    if isinstance(data, Table) or not is_frame(data) or is_lazy(data):
        return to_table(data)
    frame = nw.from_native(data, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame) or len(set(frame.columns)) < len(frame.columns):
        return to_table(data)
    kinds: dict[str, Kind] = {
        name: "date" if dtype == nw.Date else "datetime"
        for name, dtype in frame.schema.items()
        if dtype in (nw.Date, nw.Datetime)
    }
    if not kinds:
        return to_table(data)
    days = nw.col(*kinds).dt.timestamp("us").cast(nw.Float64) / DAY
    table = to_table(frame.with_columns(days).to_native())
    columns = (replace(one, kind=kinds.get(one.name, one.kind)) for one in table.columns)
    return replace(table, columns=tuple(columns))
