"""The folder of a study.   In: Done.   Out: report.html, result.json, model.hedgerow, holdout.csv, command.txt."""

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from importlib import import_module
from os import PathLike
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from hedgerow.store import save_parts
from hedgerow.store.parts import parts_of
from hedgerow.store.whole import write_whole
from hedgerow.studies.asked import Asked
from hedgerow.studies.ledger import words_in
from hedgerow.studies.run import Done
from hedgerow.table.words import quote

LEDGER = "answers.sqlite"
RESULT = "result.json"
COMMAND = "command.txt"
MODEL = "model.hedgerow"
SAME_STUDY = ("n_jobs", "budget")  # options that do not make it another: with more time it goes on


def words_of(data: Any, asked: Asked) -> str:
    """What a study is asked for. Rows that have changed since make it no other: it is made anew."""
    name = str(data) if isinstance(data, (str, PathLike)) else "a table"
    options = {key: value for key, value in asdict(asked).items() if key not in SAME_STUDY}
    return json.dumps([name, options], default=str)


def held(place: Path) -> str | None:
    """What the study in that folder was asked for; None if none is in it, "" if it does not say."""
    found = words_in(place / LEDGER)
    return "" if found is None and (place / RESULT).exists() else found


def refuse_other(place: Path, words: str) -> None:
    if held(place) in (None, words):
        return
    file = place / COMMAND
    told = f" ({file.read_text(encoding='utf-8', errors='replace').strip()})" if file.is_file() else ""
    raise ValueError(
        f"The folder {quote(str(place))} holds another study{told}, and nothing in it is overwritten. Name another "
        "folder, or take that one away."
    )


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
        RESULT: json.dumps(result.to_dict(), indent=1, ensure_ascii=False, allow_nan=False) + "\n",
        "holdout.csv": pl.DataFrame(done.predictions).write_csv(),
        COMMAND: question.command + "\n",
    }
    for name in (*texts, MODEL):
        for begun in folder.glob(f".{name}*.part"):
            begun.unlink(missing_ok=True)
    for name, text in texts.items():
        write_whole(folder / name, text.encode())
    save_parts(replace(parts_of(done.model), target=question.target), folder / MODEL)
