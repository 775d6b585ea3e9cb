"""`hedgerow report`.   In: a study's folder or its result.json.   Out: report.html, made again."""

import json
from pathlib import Path

from hedgerow.report import render_report
from hedgerow.studies.result import VERSION, StudyResult
from hedgerow.words import quote


def report(what: str, output: str | None) -> None:
    given = Path(what).expanduser()
    source = given / "result.json" if given.is_dir() else given
    if not source.is_file():
        raise ValueError(
            f"{quote(str(source))} is not there. First: hedgerow study DATA, then hedgerow report FOLDER."
        )
    file = Path(output).expanduser() if output else source.with_name("report.html")
    file.write_text(render_report(_result(source)), encoding="utf-8")
    print(file)


def _result(source: Path) -> StudyResult:
    try:
        told = json.loads(source.read_text(encoding="utf-8"))
        found = told["version"]
        if found != VERSION:
            raise ValueError(
                f"{quote(str(source))} has form {found!r}; this hedgerow reads form {VERSION}. Study again."
            )
        return StudyResult.from_dict(told)
    except (KeyError, TypeError, AttributeError, json.JSONDecodeError, UnicodeDecodeError) as reason:
        raise ValueError(
            f"{quote(str(source))} is no result of a study ({str(reason)[:60]}). Name the folder that `hedgerow study` "
            "wrote, or the result.json in it."
        ) from None
