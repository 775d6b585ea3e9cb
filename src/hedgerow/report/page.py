"""The page.   In: a StudyResult.   Out: HTML in one piece: style, script, pictures and data inside."""

import json
from pathlib import Path
from typing import Any

from hedgerow.report import charts
from hedgerow.studies import words
from hedgerow.studies.result import StudyResult

HERE = Path(__file__).parent
MOST_BYTES = 3_000_000
SECTIONS = {  # sections/<name>.html in this order, and what the list of contents calls it
    "answer": "Answer",
    "leaderboard": "Models",
    "holdout": "Hold-out",
    "importance": "Columns",
    "tree": "Tree",
    "rules": "Rules",
    "rounds": "Rounds",
    "support_vectors": "Support vectors",
    "learning_curve": "More rows",
    "data": "Data",
    "repeat": "Repeat it",
}


def page(result: StudyResult) -> str:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    env = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters.update(words.FILTERS)
    env.globals.update(charts=charts, words=words)
    return env.get_template("page.html").render(
        r=result,
        sections=sections_of(result),
        style=_asset("page.css"),
        script=_asset("explorer.js"),
        tree=None if result.explained.tree is None else embedded(_tree(result)),
    )


def sections_of(result: StudyResult) -> dict[str, str]:
    """As the model requires: those that have something to show."""
    e = result.explained
    parts = {
        "importance": e.importance,
        "tree": e.tree,
        "rules": e.rules,
        "rounds": e.rounds,
        "support_vectors": e.support,
        "learning_curve": e.learning_curve,
    }
    return {name: title for name, title in SECTIONS.items() if parts.get(name, True)}


def embedded(content: Any) -> str:
    """JSON that no text in it can break out of: it stands in a script element."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for mark in "<>&\u2028\u2029":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text


def _tree(result: StudyResult) -> dict[str, Any]:
    tree = result.explained.tree
    assert tree is not None
    told: dict[str, Any] = result.to_dict()["explained"]["tree"]
    return told | {"classes": result.question.classes, "target": result.question.target}


def _asset(name: str) -> Any:
    from markupsafe import Markup

    return Markup((HERE / "assets" / name).read_text(encoding="utf-8"))
