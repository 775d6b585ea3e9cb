"""Where a study goes.   In: what is asked for.   Out: a folder of its own; and those it had to pass by.

titanic-study             nothing is there yet, or this very study
titanic-age-study         the first is the study of another target
titanic-study-2, -3, ...  other options: nothing that is there is lost, and fits that still apply are taken over
"""

import json
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from hedgerow.studies.folder import describe_request, request_in
from hedgerow.studies.options import StudyOptions


def place_of(data: str, folder: str | None, asked: StudyOptions) -> tuple[Path, tuple[Path, ...]]:
    if folder:
        return Path(folder).expanduser(), ()
    words, passed = describe_request(data, asked), []
    for place in _names(data, asked.target):
        if request_in(place) in (None, words):
            break
        passed.append(place)
    return place, tuple(passed)


def _names(data: str, target: str | None) -> Iterator[Path]:
    stem = Path(data).name.removesuffix(".gz").partition(".")[0] or "study"
    first = name = f"{stem}-study"
    yield Path(first)
    if target is not None and _target_in(Path(first)) != target:
        name = f"{stem}-{re.sub(r'[^A-Za-z0-9_-]+', '-', target)[:40]}-study"
        yield Path(name)
    yield from (Path(f"{name}-{number}") for number in count(2))


def _target_in(place: Path) -> str | None:
    words = request_in(place)
    found: str | None = json.loads(words)[1]["target"] if words else None
    return found
