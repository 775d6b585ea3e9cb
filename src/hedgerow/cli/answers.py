"""Answers as they come.   In: frames, one after the other.   Out: CSV on standard output, or a CSV or Parquet file that
is there whole or not at all. No more than one frame is in memory.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from hedgerow.files import to_csv, write_in_parts
from hedgerow.words import escape

if TYPE_CHECKING:
    import polars as pl

PARQUET = ".parquet"


class AnswerWriter:
    """Counts what it writes; `file` None is standard output."""

    def __init__(self, file: Path | None, *, keep_formulas: bool = False) -> None:
        self.file = file
        self.keep_formulas = keep_formulas
        self.n_rows = self.n_frames = 0

    def write(self, frame: "pl.DataFrame") -> None:
        if self.file is not None and self.file.name.lower().endswith(PARQUET):
            frame.write_parquet(self.file.with_name(f"{self.n_frames:08}.part"))
        else:
            text = to_csv(frame, keep_formulas=self.keep_formulas)
            self._append(text if self.n_frames == 0 else text.partition("\n")[2])
        self.n_rows, self.n_frames = self.n_rows + frame.height, self.n_frames + 1

    def _append(self, text: str) -> None:
        if self.file is None:
            is_read_here = sys.stdout.isatty()  # a file gets what there is
            sys.stdout.write(escape(text, keep="\n") if is_read_here else text)
            return
        with self.file.open("ab") as out:
            out.write(text.encode())

    def join_parts(self) -> None:
        """The frames of a Parquet file, one after the other, as that file."""
        import polars as pl

        parts = [] if self.file is None else sorted(self.file.parent.glob("*.part"))
        if self.file is not None and parts:
            pl.scan_parquet(parts).sink_parquet(self.file)


@contextmanager
def write_answers(path: str | None, *, keep_formulas: bool = False) -> Iterator[AnswerWriter]:
    """with write_answers(path) as writer: writer.write(frame)"""
    if path is None:
        yield AnswerWriter(None, keep_formulas=keep_formulas)
        return
    file = Path(path).expanduser()
    if file.is_dir() or not file.parent.is_dir():
        raise OSError(f"{path!r} cannot be written: give the name of a file in a folder that exists.")
    with write_in_parts(file) as folder:
        writer = AnswerWriter(folder / file.name, keep_formulas=keep_formulas)
        yield writer
        writer.join_parts()
