"""The folder of a study.   In: Done.   Out: report.html, result.json, model.hedgerow, holdout.csv, command.txt."""

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile

from hedgerow.store import save_parts
from hedgerow.store.parts import parts_of
from hedgerow.store.whole import write_whole
from hedgerow.study.run import Done
from hedgerow.table.words import quote

LEDGER = "answers.sqlite"
MODEL = "model.hedgerow"


@contextmanager
def made(place: Path) -> Iterator[Path]:
    """The folder, there and writable; taken away again if it was made for nothing."""
    is_new = not place.exists()
    try:
        place.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=place):
            pass
    except OSError as reason:
        why = "it is a file" if place.is_file() else reason.strerror or str(reason)
        raise ValueError(
            f"Nothing can be written to the folder {quote(str(place))}: {why}. Name another (--folder PATH)."
        ) from None
    try:
        yield place
    except BaseException:
        if is_new:
            with suppress(OSError):  # it has something in it: that is kept
                place.rmdir()
        raise


def write_folder(done: Done, folder: Path) -> None:
    """Each file is put in place whole; what an earlier process had begun, and was killed over, is cleared away."""
    import polars as pl

    page = import_module("hedgerow.report").page  # a later stage, asked for only here
    result, question = done.result, done.result.question
    texts = {
        "report.html": page(result),
        "result.json": json.dumps(result.to_dict(), indent=1, ensure_ascii=False, allow_nan=False) + "\n",
        "holdout.csv": pl.DataFrame(done.predictions).write_csv(),
        "command.txt": question.command + "\n",
    }
    for name in (*texts, MODEL):
        for begun in folder.glob(f".{name}*.part"):
            begun.unlink(missing_ok=True)
    for name, text in texts.items():
        write_whole(folder / name, text.encode())
    save_parts(replace(parts_of(done.model), target=question.target), folder / MODEL)
