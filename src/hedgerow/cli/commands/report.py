"""`hedgerow report`.   In: a study's folder or its result.json.   Out: report.html, made again."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hedgerow.cli.options import argument, make_command, option
from hedgerow.files import write_atomically
from hedgerow.words import escape, quote

if TYPE_CHECKING:
    from hedgerow.studies.result import StudyResult

DOC = "Make report.html again from the result.json of a study."


@dataclass(frozen=True, kw_only=True)
class ReportOptions:
    study: str = argument("The folder of a study, or its result.json.", "STUDY")
    output: str | None = option(
        None, "Where to write the page.  [default: report.html]", "PATH", "--output", "-o"
    )


def make() -> Callable[..., None]:
    return make_command(ReportOptions, run, DOC)


def run(options: ReportOptions) -> None:
    given, output = Path(options.study).expanduser(), options.output
    source = given / "result.json" if given.is_dir() else given
    if not source.is_file():
        raise ValueError(
            f"{quote(str(source))} is not there. First: hedgerow study DATA, then hedgerow report FOLDER."
        )
    file = Path(output).expanduser() if output else source.with_name("report.html")
    write_atomically(file, render_result(source).encode())
    print(escape(str(file)))


def render_result(source: Path) -> str:
    """The page. What a file lacks may show only when it is written out."""
    from jinja2 import TemplateError

    from hedgerow.report import render_report

    result = read_result(source)
    try:
        return render_report(result)
    except (
        LookupError,
        TypeError,
        AttributeError,
        StopIteration,
        ArithmeticError,
        ValueError,
        TemplateError,
    ) as reason:
        raise _no_result(source, reason) from None


def read_result(source: Path) -> "StudyResult":
    from hedgerow.studies.result import VERSION, StudyResult

    try:
        content = json.loads(source.read_text(encoding="utf-8"))
        found = content["version"]
        if found == VERSION:
            return StudyResult.from_dict(content)
    except (LookupError, TypeError, AttributeError, RecursionError, ArithmeticError, ValueError) as reason:
        raise _no_result(source, reason) from None
    raise ValueError(
        f"{quote(str(source))} has form {str(found)[:20]!r}; this hedgerow reads form {VERSION}. Study again."
    )


def _no_result(source: Path, reason: BaseException) -> ValueError:
    return ValueError(
        f"{quote(str(source))} is no result of a study ({str(reason)[:60]}). Name the folder that `hedgerow study` "
        "wrote, or the result.json in it."
    )
