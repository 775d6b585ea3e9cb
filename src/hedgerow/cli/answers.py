"""Answers as they come.   In: frames, one after the other.   Out: CSV on standard output, or a CSV or Parquet file that
is there whole or not at all. No more than one frame is in memory.
"""

import os
import sys
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

from hedgerow.files import PART, to_csv
from hedgerow.words import escape

if TYPE_CHECKING:
    import polars as pl

PARQUET = ".parquet"


class AnswerWriter:
    """with AnswerWriter(path) as writer: writer.write(frame)"""

    def __init__(self, path: str | None, *, keep_formulas: bool = False) -> None:
        self.path = None if path is None else Path(path).expanduser()
        self.keep_formulas = keep_formulas
        self.n_rows = self.n_frames = 0
        self._folder: Path | None = None

    def __enter__(self) -> "AnswerWriter":
        if self.path is not None:
            if self.path.is_dir() or not self.path.parent.is_dir():
                raise OSError(
                    f"{str(self.path)!r} cannot be written: give the name of a file in a folder that exists."
                )
            self._folder = Path(mkdtemp(prefix=".hedgerow-", suffix=PART, dir=self.path.parent))
        return self

    def write(self, frame: "pl.DataFrame") -> None:
        if self._folder is not None and self.path is not None and self.path.name.lower().endswith(PARQUET):
            frame.write_parquet(self._folder / f"{self.n_frames:08}.parquet")
        else:
            text = to_csv(frame, keep_formulas=self.keep_formulas)
            self._append(text if self.n_frames == 0 else text.partition("\n")[2])
        self.n_rows, self.n_frames = self.n_rows + frame.height, self.n_frames + 1

    def _append(self, text: str) -> None:
        if self._folder is None:
            is_read_here = sys.stdout.isatty()  # a file gets what there is
            sys.stdout.write(escape(text, keep="\n") if is_read_here else text)
            return
        with (self._folder / "answers.csv").open("ab") as out:
            out.write(text.encode())

    def __exit__(self, kind: Any, *raised: Any) -> None:
        if self._folder is None or self.path is None:
            return
        try:
            if kind is None and self.n_frames:
                os.replace(self._whole(self._folder), self.path)
        finally:
            rmtree(self._folder, ignore_errors=True)

    def _whole(self, folder: Path) -> Path:
        if not (folder / "00000000.parquet").is_file():
            return folder / "answers.csv"
        import polars as pl

        whole = folder / "whole"
        pl.scan_parquet(folder / "*.parquet").sink_parquet(whole)
        return whole
