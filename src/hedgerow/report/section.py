"""What a section of the report is: one file of sections/.   In: a StudyResult.   Out: what its template shows.

    TITLE = "Columns"                  in the list of contents
    HEADING = "Columns that matter"    over the section; optional, TITLE if not given
    ORDER = 40                         where it stands: small numbers first
    TEMPLATE = "<p>{{ n }} columns</p>"

    def context(result):
        return {"n": result.question.n_columns}

The template (Jinja) is TEMPLATE, or a file of the same name beside it: <name>.html. It sees what `context` returns,
the result as `r`, `charts`, `words` and the filters of words.py; texts are escaped. "heading" in the context replaces
HEADING; "data" is put into the page as JSON, for scripts (the element <name>-data).

A section that shows more than the result has may compute it: `summarize(trained)` is called once, before the hold-out
is opened, with what the study learned (studies/train.py: Trained); what it returns must be plain data (JSON), and
`context` finds it as `result.extra["<name>"]`.

A section that fails is replaced by a line that says so; it never takes down the page or the study.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from hedgerow.plugins import load_plugins

if TYPE_CHECKING:
    from hedgerow.studies.result import StudyResult

SECTIONS = "hedgerow.report.sections"


class Section(Protocol):
    TITLE: str
    ORDER: int

    def context(self, result: "StudyResult") -> dict[str, Any] | None:
        """What the template shows; None: there is nothing to show, and no section."""


def load_sections() -> dict[str, Section]:
    """All of them, in their order."""
    return load_plugins(SECTIONS, Section)  # type: ignore[type-abstract]


def read_template(section: Any) -> str:
    """TEMPLATE, or the file beside it."""
    given = getattr(section, "TEMPLATE", None)
    return str(given) if given is not None else Path(section.__file__).with_suffix(".html").read_text("utf-8")
