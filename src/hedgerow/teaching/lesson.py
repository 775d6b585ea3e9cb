"""Step-through pages.   In: rows of the reader's own, or an example.   Out: one HTML page that needs nothing else.

A lesson is a file of lessons/: TITLE, LEAD and KEYS (its words), EXAMPLE (what it shows without rows) and
`prepare(rows)`, the numbers its script in assets/ shows. Everything a page shows is computed here, by the library; only
the margin is solved in the page, since points move there, and a test compares that solver with ours.
"""

from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from hedgerow import datasets
from hedgerow.docstrings import document
from hedgerow.errors import ParameterError, check_choice
from hedgerow.estimators.targets import check_classes
from hedgerow.report.page import embed_json
from hedgerow.table import Table, to_table
from hedgerow.teaching.lesson_rows import LessonRows
from hedgerow.teaching.lessons import boosting, margin, pruning, tree
from hedgerow.words import show

ASSETS = Path(__file__).parent / "assets"
LESSONS: dict[str, Any] = {"boosting": boosting, "margin": margin, "pruning": pruning, "tree": tree}


@document()
def make_lesson(name: str, X: Any = None, y: Any = None, *, columns: tuple[str, ...] | None = None) -> str:
    """A step-through page as HTML, of your own rows or of the lectures' example.

    Parameters
    ----------
    name : {"boosting", "margin", "pruning", "tree"}
        The lesson.
    X : array-like, frame or None
        Rows. None for the lesson's example.
    y : array-like or None
        Their classes.
    columns : tuple of str or None
        Columns of X to look at. "boosting" and "margin" show two columns of numbers; None takes the two that a single
        question tells most by.

    Returns
    -------
    str
        HTML in one piece: write it to a file and open it, no network is needed.

    See Also
    --------
    trace_weights : The weights that the lesson on boosting shows, as a table.

    Examples
    --------
    >>> from hedgerow import teaching
    >>> page = teaching.make_lesson("boosting")
    >>> page[:15].lower()
    '<!doctype html>'
    """
    lesson = LESSONS[check_choice("name", name, tuple(LESSONS))]
    if (X is None) != (y is None):
        raise ParameterError(
            "X and y go together; one of them is missing. Give both, or none for the example."
        )
    rows = _example(lesson.EXAMPLE) if X is None else _rows(X, y, columns)
    parts = {
        "title": escape(lesson.TITLE),
        "lead": escape(lesson.LEAD),
        "keys": escape(lesson.KEYS),
        "style": _asset("page.css"),
        "script": _asset("common.js") + _asset(f"{name}.js"),
        "data": embed_json(lesson.prepare(rows)),
    }
    page = _asset("page.html")
    for key, value in parts.items():
        page = page.replace("{{" + key + "}}", value)
    return page


def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


def _example(name: str) -> LessonRows:
    if name == "two_clouds":
        rng = np.random.default_rng(4)
        points = np.concatenate([rng.normal(size=(16, 2)), rng.normal(size=(16, 2)) + np.array([2.0, 1.6])])
        table = to_table({"x1": points[:, 0].round(2), "x2": points[:, 1].round(2)})
        return _coded(table, np.repeat(["left", "right"], 16), example=True)
    data = datasets.load(name)
    return _coded(data.table, data.target, example=True)


def _rows(X: Any, y: Any, columns: tuple[str, ...] | None) -> LessonRows:
    table = to_table(X)
    for column in columns or ():
        if column not in table.names:
            raise ParameterError(
                "{columns}: there is no column {}. Columns: {}.",
                repr(column),
                ", ".join(show(one) for one in table.names),
                columns=columns,
            )
    return _coded(table.select(columns) if columns else table, y)


def _coded(table: Table, y: Any, *, example: bool = False) -> LessonRows:
    target, classes = check_classes("make_lesson", y, table.n_rows, None, None)
    if len(classes) < 2:
        raise ValueError("y has one class only, so that there is nothing to tell apart.")
    return LessonRows(
        table, np.asarray(y).reshape(-1), target.codes, tuple(str(one) for one in classes), example
    )
