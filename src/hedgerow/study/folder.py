"""The folder of a study.   In: Done.   Out: report.html, result.json, model.hedgerow, holdout.csv, command.txt."""

import json
import os
from importlib import import_module
from pathlib import Path

from hedgerow.study.run import Done

LEDGER = "answers.sqlite"


def write_folder(done: Done, folder: Path) -> dict[str, Path]:
    """The files, by what they are. Each is put in place whole."""
    page = import_module("hedgerow.report").page  # a later stage, asked for only here
    result = json.dumps(done.result.to_dict(), indent=1, ensure_ascii=False, allow_nan=False)
    files = {
        "report": _written(folder / "report.html", page(done.result)),
        "result": _written(folder / "result.json", result + "\n"),
        "predictions": _predictions(done, folder / "holdout.csv"),
        "command": _written(folder / "command.txt", done.result.question.command + "\n"),
    }
    model = _model(done, folder / "model.hedgerow")
    return files if model is None else {**files, "model": model}


def _written(file: Path, text: str) -> Path:
    beside = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        beside.write_text(text, encoding="utf-8")
        os.replace(beside, file)
    finally:
        beside.unlink(missing_ok=True)
    return file


def _predictions(done: Done, file: Path) -> Path:
    import polars as pl

    return _written(file, pl.DataFrame(done.predictions).write_csv())


def _model(done: Done, file: Path) -> Path | None:
    from dataclasses import replace

    from hedgerow.store import save_parts
    from hedgerow.store.parts import parts_of

    save_parts(replace(parts_of(done.model), target=done.result.question.target), file)
    return file
