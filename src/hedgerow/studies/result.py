"""StudyResult: everything a study found, as plain data. The terminal's page, report.html and result.json are its views.

`to_dict` and `from_dict` are JSON and back; schema.py describes the form for other programs.
"""

from dataclasses import MISSING, asdict, dataclass, field, fields, is_dataclass
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from hedgerow.studies.records import (
    CandidateRecord,
    DataProfile,
    Explanation,
    HoldoutResult,
    Note,
    Question,
    Verdict,
)

VERSION = 3  # of this form


@dataclass(frozen=True, repr=False)
class StudyResult:
    version: int
    question: Question
    profile: DataProfile
    candidates: tuple[CandidateRecord, ...]  # the best first; failures last
    verdict: Verdict
    holdout: HoldoutResult
    explanation: Explanation
    notes: tuple[Note, ...]
    extra: dict[str, Any] = field(default_factory=dict)  # by report section, what its `summarize` found

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, given: dict[str, Any]) -> "StudyResult":
        """What to_dict gave, or what JSON made of it."""
        result: StudyResult = _rebuild(cls, given)
        return result

    def __str__(self) -> str:
        from hedgerow.studies.text import text_lines

        return "\n".join(text_lines(self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from hedgerow.studies.text import notebook_html

        return notebook_html(self)

    @property
    def model(self) -> Any:
        """The chosen model, fitted on all training rows, with its calibrated probabilities or intervals."""
        found = self.__dict__.get("_model")
        if found is None:
            raise ValueError(
                "This result was read from JSON, which holds no model. The model is in the study's folder: "
                "hedgerow.load(folder)."
            )
        return found

    def with_model(self, model: Any) -> "StudyResult":
        """The same result, which knows its model; no part of to_dict."""
        object.__setattr__(self, "_model", model)
        return self

    def to_html(self) -> str:
        """The report: one page that needs nothing else."""
        from hedgerow.report import render_report

        return render_report(self)


def _rebuild(kind: Any, given: Any) -> Any:
    if given is None:
        return None
    if get_origin(kind) in (Union, UnionType):
        return _rebuild(next(one for one in get_args(kind) if one is not type(None)), given)
    if get_origin(kind) is tuple:
        inner = get_args(kind)
        if len(inner) == 2 and inner[1] is Ellipsis:
            return tuple(_rebuild(inner[0], one) for one in given)
        return tuple(_rebuild(one, value) for one, value in zip(inner, given, strict=True))
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        # a result from before a field was new has the default
        names = [one.name for one in fields(kind) if one.name in given or one.default is MISSING]
        return kind(**{name: _rebuild(hints[name], given[name]) for name in names})  # type: ignore[operator]
    if kind is float and type(given) is int:
        return float(given)
    if kind in (str, int, float, bool) and type(given) is not kind:
        raise TypeError(f"{str(given)[:20]!r} is no {kind.__name__}")
    return given
