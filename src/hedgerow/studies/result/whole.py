"""StudyResult: all of it, and how it becomes JSON and comes back."""

from dataclasses import asdict, dataclass, fields, is_dataclass
from importlib import import_module
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from hedgerow.studies.result.contest import Entrant, Verdict
from hedgerow.studies.result.explained import Explained
from hedgerow.studies.result.holdout import Holdout
from hedgerow.studies.result.question import Note, Profile, Question

VERSION = 1  # of this form


@dataclass(frozen=True, repr=False)
class StudyResult:
    version: int
    question: Question
    profile: Profile
    entrants: tuple[Entrant, ...]  # the best first; failures last
    verdict: Verdict
    holdout: Holdout
    explained: Explained
    notes: tuple[Note, ...]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        from hedgerow.studies.page import lines

        return "\n".join(lines(self))

    __repr__ = __str__

    def to_html(self) -> str:
        """The report: one page that needs nothing else."""
        return str(import_module("hedgerow.report").page(self))

    @classmethod
    def from_dict(cls, given: dict[str, Any]) -> "StudyResult":
        """What to_dict gave, or what JSON made of it."""
        result: StudyResult = _built(cls, given)
        return result


def _built(kind: Any, given: Any) -> Any:
    if given is None:
        return None
    if get_origin(kind) in (Union, UnionType):
        return _built(next(one for one in get_args(kind) if one is not type(None)), given)
    if get_origin(kind) is tuple:
        inner = get_args(kind)
        if len(inner) == 2 and inner[1] is Ellipsis:
            return tuple(_built(inner[0], one) for one in given)
        return tuple(_built(one, value) for one, value in zip(inner, given, strict=True))
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{f.name: _built(hints[f.name], given[f.name]) for f in fields(kind)})  # type: ignore[operator]
    return float(given) if kind is float else given
