"""A study's folder.   In: FinishedStudy.   Out: report.html, result.json, model.hedgerow, holdout.csv, types.toml,
model_card.md, command.txt.

A folder is one study's: its options stand in its checkpoint, and another study is refused.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from os import PathLike
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from hedgerow.estimators.saving import extract_state
from hedgerow.files import to_csv, write_atomically
from hedgerow.report import render_report
from hedgerow.store import save_state
from hedgerow.studies.card import write_card
from hedgerow.studies.checkpoint import read_request
from hedgerow.studies.options import StudyOptions
from hedgerow.studies.run import FinishedStudy
from hedgerow.words import quote

CHECKPOINT = "answers.sqlite"
REPORT = "report.html"
RESULT = "result.json"
HOLDOUT = "holdout.csv"
COMMAND = "command.txt"
TYPES = "types.toml"
CARD = "model_card.md"
MODEL = "model.hedgerow"
SAME_STUDY = ("n_jobs", "budget")  # options that do not make it another: with more time it goes on


def describe_request(data: Any, options: StudyOptions) -> str:
    """The options of a study. Rows that have changed since make it no other: it is made anew."""
    name = str(data) if isinstance(data, (str, PathLike)) else "a table"
    kept = {key: value for key, value in asdict(options).items() if key not in SAME_STUDY}
    return json.dumps([name, kept], default=str)


def request_in(folder: Path) -> str | None:
    """The options of the study in that folder; None if none is in it, "" if it does not say."""
    found = read_request(folder / CHECKPOINT)
    return "" if found is None and (folder / RESULT).exists() else found


def refuse_other_study(folder: Path, request: str) -> None:
    if request_in(folder) in (None, request):
        return
    file = folder / COMMAND
    command = f" ({file.read_text(encoding='utf-8', errors='replace').strip()})" if file.is_file() else ""
    raise ValueError(
        f"The folder {quote(str(folder))} holds another study{command}, and nothing in it is overwritten. Name another "
        "folder, or take that one away."
    )


@contextmanager
def prepare_folder(folder: Path) -> Iterator[Path]:
    """The folder, there and writable; taken away again if it was made for nothing."""
    is_new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as reason:
        why = "it is a file" if folder.is_file() else reason.strerror or str(reason)
        raise ValueError(
            f"Nothing can be written to the folder {quote(str(folder))}: {why}. Name another folder."
        ) from None
    try:
        yield folder
    except BaseException:
        if is_new:
            with suppress(OSError):  # it has something in it: that is kept
                folder.rmdir()
        raise


def write_folder(finished: FinishedStudy, folder: Path) -> None:
    """Each file is put in place whole, the report before the model; what an earlier process had begun, and was killed
    over, is cleared away."""
    import polars as pl

    result, question = finished.result, finished.result.question
    texts = {
        RESULT: json.dumps(result.to_dict(), indent=1, ensure_ascii=False, allow_nan=False) + "\n",
        HOLDOUT: to_csv(pl.DataFrame(finished.predictions)),
        COMMAND: question.command + "\n",
        TYPES: finished.types,
        CARD: write_card(result),
    }
    for name in (*texts, MODEL, REPORT):
        for begun in folder.glob(f".{name}*.part"):
            begun.unlink(missing_ok=True)
    for name, text in texts.items():
        write_atomically(folder / name, text.encode())
    write_atomically(folder / REPORT, render_report(result).encode())
    state = replace(
        extract_state(finished.model), training_rows=finished.training_rows, target=question.target
    )
    save_state(state, folder / MODEL)
