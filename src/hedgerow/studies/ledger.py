"""What is done already.   In: an Answer as soon as it is found.   Out: the same, after any interruption.

One SQLite file. Each answer is written at once and for good (a transaction of its own), so that a study that was
killed goes on where it was. Numbers are kept as their bytes: an answer that was read back is the answer.
"""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import asdict
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from hedgerow.evaluation.fold import Answer
from hedgerow.evaluation.guess import Guess
from hedgerow.evaluation.size import Size

FORM = 2
STUDY, ASKED = "study", "asked"
INTO_ANSWER = "INTO answer VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
TABLES = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS answer (
    model TEXT NOT NULL, split INTEGER NOT NULL, failure TEXT NOT NULL, fit_seconds REAL NOT NULL,
    test_seconds REAL NOT NULL, size TEXT, guess BLOB, others BLOB, PRIMARY KEY (model, split)
);
"""


class Notes(Protocol):
    """Where answers are kept."""

    def write(self, model: str, split: int, answer: Answer) -> None: ...

    def known(self) -> dict[tuple[int, str], Answer]: ...


class Nowhere:
    """For a study without a folder."""

    def write(self, model: str, split: int, answer: Answer) -> None:
        pass

    def known(self) -> dict[tuple[int, str], Answer]:
        return {}


class Ledger:
    """with Ledger(path, fingerprint) as ledger: ... `fingerprint` says what answers depend on: rows, folds, seed.

    `words` say what the study was asked for. `earlier`: ledgers of other studies; of those with the same fingerprint
    the answers are taken over.
    """

    def __init__(self, path: Path, fingerprint: str, words: str = "", earlier: Sequence[Path] = ()) -> None:
        self.path = path
        self._base = _opened(path)
        wanted = json.dumps([FORM, fingerprint])
        found = _about(self._base, STUDY)
        self.was_other = found is not None and found != wanted
        with self._base:
            if self.was_other:  # perhaps of an older form
                self._base.executescript(f"DROP TABLE answer; {TABLES}")
            for other in earlier:
                self._base.executemany(f"INSERT OR IGNORE {INTO_ANSWER}", _answers_in(other, wanted))
            self._base.executemany(
                "INSERT OR REPLACE INTO about VALUES (?, ?)", [(STUDY, wanted), (ASKED, words)]
            )

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, *raised: object) -> None:
        self._base.close()

    def write(self, model: str, split: int, answer: Answer) -> None:
        size = None if answer.size is None else json.dumps(asdict(answer.size))
        guess, others = _packed(answer.guess), _packed(answer.others)
        row = (model, split, answer.failure, answer.fit_seconds, answer.test_seconds, size, guess, others)
        with self._base:
            self._base.execute(f"INSERT OR REPLACE {INTO_ANSWER}", row)

    def known(self) -> dict[tuple[int, str], Answer]:
        """Everything that was found so far, by split and model."""
        rows = self._base.execute(
            "SELECT model, split, failure, fit_seconds, test_seconds, size, guess, others FROM answer"
        )
        return {(split, model): _answer(*rest) for model, split, *rest in rows}


def words_in(path: Path) -> str | None:
    """What the study of that ledger was asked for; None if there is no such ledger, or nothing in it."""
    with suppress(sqlite3.Error), _to_read(path) as base:
        return _about(base, ASKED) if base.execute("SELECT 1 FROM answer").fetchone() else None
    return None


def _answers_in(path: Path, wanted: str) -> list[Any]:
    with suppress(sqlite3.Error), _to_read(path) as base:
        if _about(base, STUDY) == wanted:
            return base.execute("SELECT * FROM answer").fetchall()
    return []


def _to_read(path: Path) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=30))


def _about(base: sqlite3.Connection, name: str) -> str | None:
    found = base.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
    return None if found is None else str(found[0])


def _opened(path: Path) -> sqlite3.Connection:
    """A file that is no ledger is moved aside, not overwritten."""
    try:
        return _connected(path)
    except sqlite3.DatabaseError:
        path.replace(path.with_name(f"{path.name}.damaged"))
        return _connected(path)


def _connected(path: Path) -> sqlite3.Connection:
    base = sqlite3.connect(path, timeout=30)
    try:
        base.execute("PRAGMA synchronous = FULL")
        base.executescript(TABLES)
    except sqlite3.DatabaseError:
        base.close()
        raise
    return base


def _answer(
    failure: str,
    fit_seconds: float,
    test_seconds: float,
    size: str | None,
    guess: bytes | None,
    others: bytes | None,
) -> Answer:
    return Answer(
        guess=_unpacked(guess),
        failure=failure,
        fit_seconds=fit_seconds,
        test_seconds=test_seconds,
        size=None if size is None else Size(**json.loads(size)),
        others=_unpacked(others),
    )


def _packed(guess: Guess | None) -> bytes | None:
    if guess is None:
        return None
    arrays: dict[str, Any] = {"values": guess.values}
    if guess.chances is not None:
        arrays["chances"] = guess.chances
    if guess.order is not None and guess.order is not guess.chances:
        arrays["order"] = guess.order
    out = BytesIO()
    np.savez_compressed(out, allow_pickle=False, **arrays)
    return out.getvalue()


def _unpacked(data: bytes | None) -> Guess | None:
    if data is None:
        return None
    with np.load(BytesIO(data), allow_pickle=False) as arrays:
        chances = arrays.get("chances")
        order = arrays.get("order", chances)
        return Guess(arrays["values"], chances, order)
