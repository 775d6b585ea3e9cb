"""Checkpoints: fold results that survive.   In: a fold result, as soon as it is found.   Out: the same, after a kill.

One SQLite file. Each fold result is written at once and for good (a transaction of its own), so that a study that was
killed goes on where it was. Numbers are kept as their bytes: what is read back is equal to the last bit. A row whose
digest is not that of its content is computed again; a file that SQLite cannot read is put aside.
"""

import hashlib
import json
import sqlite3
import warnings
import zlib
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import asdict
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol
from zipfile import BadZipFile

import numpy as np

from hedgerow.evaluation.fold import FoldResult
from hedgerow.evaluation.predictions import Predictions
from hedgerow.evaluation.size import Size
from hedgerow.words import quote_path

FORM = 3
FINGERPRINT, REQUEST = "study", "request"  # names in the file
COLUMNS = ("model", "split", "failure", "fit_seconds", "test_seconds", "size", "guess", "others", "digest")
INTO_TABLE = "INTO answer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
TABLES = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS answer (
    model TEXT NOT NULL, split INTEGER NOT NULL, failure TEXT NOT NULL, fit_seconds REAL NOT NULL,
    test_seconds REAL NOT NULL, size TEXT, guess BLOB, others BLOB, digest TEXT NOT NULL,
    PRIMARY KEY (model, split)
);
"""


class Checkpoint(Protocol):
    """Where fold results are kept."""

    def save(self, model: str, split: int, result: FoldResult) -> None: ...

    def load(self, model: str | None = None) -> dict[tuple[int, str], FoldResult]:
        """Everything that was found so far, or all of one model, by split and model."""


class NullCheckpoint:
    """For a study without a folder: nothing is kept."""

    def __init__(self, fingerprint: str = "") -> None:
        pass

    def __enter__(self) -> "NullCheckpoint":
        return self

    def __exit__(self, *raised: object) -> None:
        pass

    def save(self, model: str, split: int, result: FoldResult) -> None:
        pass

    def load(self, model: str | None = None) -> dict[tuple[int, str], FoldResult]:
        return {}


class CheckpointStore:
    """with CheckpointStore(path, fingerprint) as checkpoint: ...

    `fingerprint` says what fold results depend on: rows, folds, random state. `request`: the options of the
    study. `earlier`: the stores of other studies; of those with the same fingerprint the fold results are taken over.
    """

    def __init__(self, path: Path, fingerprint: str, request: str = "", earlier: Sequence[Path] = ()) -> None:
        self.path = path
        self._database = _open(path)
        self._warned = False
        wanted = json.dumps([FORM, fingerprint])
        found = _read_about(self._database, FINGERPRINT)
        self.was_other = found is not None and found != wanted
        with self._database:
            if (
                self.was_other or _column_names(self._database, "answer") != COLUMNS
            ):  # perhaps of an older form
                self._database.executescript(f"DROP TABLE answer; {TABLES}")
            for other in earlier:
                self._database.executemany(f"INSERT OR IGNORE {INTO_TABLE}", _read_results(other, wanted))
            self._database.executemany(
                "INSERT OR REPLACE INTO about VALUES (?, ?)", [(FINGERPRINT, wanted), (REQUEST, request)]
            )

    def __enter__(self) -> "CheckpointStore":
        return self

    def __exit__(self, *raised: object) -> None:
        self._database.close()

    def save(self, model: str, split: int, result: FoldResult) -> None:
        size = None if result.size is None else json.dumps(asdict(result.size))
        predictions, others = _pack(result.predictions), _pack(result.overlap_predictions)
        seconds = (result.fit_seconds, result.test_seconds)
        row = (model, split, result.failure, *seconds, size, predictions, others)
        try:
            with self._database:
                self._database.execute(f"INSERT OR REPLACE {INTO_TABLE}", (*row, _digest(row)))
        except sqlite3.Error as reason:
            raise OSError(
                f"{quote_path(self.path)} cannot be written: {reason}. What was found so far is safe: make room, or "
                "allow writing, and begin the same study again; it goes on where it was."
            ) from None

    def load(self, model: str | None = None) -> dict[tuple[int, str], FoldResult]:
        found: dict[tuple[int, str], FoldResult] = {}
        n_damaged = 0
        wanted, names = ("", ()) if model is None else (" WHERE model = ?", (model,))
        for *row, digest in self._database.execute(f"SELECT * FROM answer{wanted}", names):
            result = _make_result(*row[2:]) if digest == _digest(tuple(row)) else None
            if result is None:
                n_damaged += 1
            else:
                found[row[1], row[0]] = result
        if n_damaged and not self._warned:
            self._warned = True
            what = "1 fold result" if n_damaged == 1 else f"{n_damaged:,} fold results"
            warnings.warn(
                f"{what} in {quote_path(self.path)} cannot be read, and will be computed again.", stacklevel=2
            )
        return found


def read_request(path: Path) -> str | None:
    """The options of the study of that store; None if there is no such store, or nothing in it."""
    with suppress(sqlite3.Error), _open_to_read(path) as database:
        return _read_about(database, REQUEST) if database.execute("SELECT 1 FROM answer").fetchone() else None
    return None


def _read_results(path: Path, wanted: str) -> list[Any]:
    with suppress(sqlite3.Error), _open_to_read(path) as database:
        if _read_about(database, FINGERPRINT) == wanted:
            return database.execute("SELECT * FROM answer").fetchall()
    return []


def _open_to_read(path: Path) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=30))


def _read_about(database: sqlite3.Connection, name: str) -> str | None:
    found = database.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
    return None if found is None else str(found[0])


def _column_names(database: sqlite3.Connection, table: str) -> tuple[str, ...]:
    return tuple(str(row[1]) for row in database.execute(f"PRAGMA table_info({table})"))


def _open(path: Path) -> sqlite3.Connection:
    """A file that is no store, or is damaged, is moved aside, not overwritten."""
    try:
        return _connect(path)
    except (
        sqlite3.OperationalError
    ) as reason:  # locked, no rights, a full disk: nothing is wrong with the file
        raise OSError(
            f"{quote_path(path)} cannot be opened: {reason}. Allow writing to its folder, or name another folder."
        ) from None
    except sqlite3.DatabaseError:
        aside = path.with_name(f"{path.name}.damaged")
        path.replace(aside)
        warnings.warn(
            f"{quote_path(path)} is damaged: it is kept as {quote_path(aside.name)}, and its fold results will be "
            "computed again.",
            stacklevel=2,
        )
        return _connect(path)


def _connect(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=30)
    database.text_factory = lambda text: text.decode(errors="replace")  # a digest tells what was changed
    try:
        database.execute(
            "PRAGMA synchronous = OFF"
        )  # a killed process loses nothing; after a power cut, checks do
        database.executescript(TABLES)
        if database.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
            raise sqlite3.DatabaseError("damaged")
        if _column_names(database, "about") != ("name", "value"):
            raise sqlite3.DatabaseError("damaged")
        for table in ("about", "answer"):
            for _ in database.execute(f"SELECT * FROM {table}"):  # what cannot be read shows now, not later
                pass
    except (sqlite3.DatabaseError, UnicodeDecodeError) as reason:  # SQLite's own words may be damaged, too
        database.close()
        raise reason if isinstance(reason, sqlite3.Error) else sqlite3.DatabaseError("damaged") from None
    return database


def _make_result(
    failure: str,
    fit_seconds: float,
    test_seconds: float,
    size: str | None,
    predictions: bytes | None,
    others: bytes | None,
) -> FoldResult | None:
    """None, if it cannot be read."""
    try:
        return FoldResult(
            predictions=_unpack(predictions),
            failure=str(failure),
            fit_seconds=float(fit_seconds),
            test_seconds=float(test_seconds),
            size=None if size is None else Size(**json.loads(size)),
            overlap_predictions=_unpack(others),
        )
    except (ValueError, TypeError, KeyError, OSError, EOFError, RecursionError, zlib.error, BadZipFile):
        return None


def _digest(row: tuple[Any, ...]) -> str:
    return hashlib.sha256(repr(row).encode(errors="replace")).hexdigest()


def _pack(predictions: Predictions | None) -> bytes | None:
    if predictions is None:
        return None
    arrays: dict[str, Any] = {"values": predictions.values}
    if predictions.proba is not None:
        arrays["proba"] = predictions.proba
    if predictions.decision is not None and predictions.decision is not predictions.proba:
        arrays["order"] = predictions.decision
    out = BytesIO()
    np.savez_compressed(out, allow_pickle=False, **arrays)
    return out.getvalue()


def _unpack(data: bytes | None) -> Predictions | None:
    if data is None:
        return None
    with np.load(BytesIO(data), allow_pickle=False) as arrays:
        proba = arrays.get("proba")
        order = arrays.get("order", proba)
        return Predictions(arrays["values"], proba, order)
