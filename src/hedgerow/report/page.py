"""The page.   In: a StudyResult.   Out: HTML in one piece: style, script, pictures and data inside."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hedgerow.report import charts, words
from hedgerow.report.section import Section, load_sections, read_template

if TYPE_CHECKING:
    from hedgerow.studies.result import StudyResult

HERE = Path(__file__).parent
MOST_BYTES = 3_000_000


@dataclass(frozen=True)
class RenderedSection:
    name: str
    title: str  # in the list of contents
    heading: str
    body: Any  # markup
    data: str = ""  # JSON for a script, as it may stand in a page


def render_report(result: "StudyResult") -> str:
    env = _environment()
    return str(
        env.from_string((HERE / "page.html").read_text("utf-8")).render(
            r=result,
            sections=render_sections(result, env),
            style=_read_asset("page.css"),
            script=_read_asset("explorer.js"),
        )
    )


def render_sections(result: "StudyResult", env: Any = None) -> list[RenderedSection]:
    """Those that have something to show."""
    env = env or _environment()
    found = (_render(name, section, result, env) for name, section in load_sections().items())
    return [section for section in found if section is not None]


def _render(name: str, section: Section, result: "StudyResult", env: Any) -> RenderedSection | None:
    from markupsafe import Markup

    heading = str(getattr(section, "HEADING", section.TITLE))
    try:
        context = section.context(result)
        if context is None:
            return None
        heading = str(context.get("heading", heading))
        body = Markup(env.from_string(read_template(section)).render(r=result, **context))
        data = embed_json(context["data"]) if "data" in context else ""
        return RenderedSection(name, section.TITLE, heading, body, data)
    except Exception as error:  # a section may be anybody's: the others are shown
        body = Markup('<p class="warn" role="note">This section failed: {}</p>').format(
            f"{type(error).__name__}: {error}"
        )
        return RenderedSection(name, section.TITLE, heading, body)


def embed_json(content: Any) -> str:
    """JSON that no text in it can break out of: it stands in a script element."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for mark in "<>&\u2028\u2029":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text


def _environment() -> Any:
    from jinja2 import Environment, StrictUndefined

    env = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    env.filters.update(words.FILTERS)
    env.globals.update(charts=charts, words=words)
    return env


def _read_asset(name: str) -> Any:
    from markupsafe import Markup

    return Markup((HERE / "assets" / name).read_text(encoding="utf-8"))
