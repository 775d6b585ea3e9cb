"""Step-through pages.   In: rows of the reader's own, or an example.   Out: one HTML page that needs nothing else.

A lesson is a file of lessons/: TITLE, LEAD and KEYS (its words), EXAMPLE (what it shows without rows) and
`prepare(rows)`, the numbers its script in assets/ shows. Everything a page shows is computed here, by the library; only
the margin is solved in the page, since points move there, and a test compares that solver with ours.
"""

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from hedgerow import datasets
from hedgerow.errors import ParameterError
from hedgerow.estimators.targets import check_classes
from hedgerow.plugins import load_plugin
from hedgerow.prune.data import class_weights
from hedgerow.report.page import embed_json
from hedgerow.table import Table, to_table
from hedgerow.teaching.thresholds import score_thresholds
from hedgerow.tree.labels import Labels, label_tree
from hedgerow.tree.tree import LEAF, Tree
from hedgerow.tree.wording import decision, describe_node, question_in_words, way_in_words
from hedgerow.types import Count, Float, Index
from hedgerow.words import show

PACKAGE = "hedgerow.teaching.lessons"
ASSETS = Path(__file__).parent / "assets"


class LessonFile(Protocol):
    TITLE: str
    LEAD: str
    KEYS: str
    EXAMPLE: str

    def prepare(self, rows: "LessonRows") -> dict[str, Any]: ...


@dataclass(frozen=True, eq=False)
class LessonRows:
    table: Table
    labels: Any  # the target of each row, as given
    codes: Index  # the same as class numbers
    classes: tuple[str, ...]
    example: bool = False  # the lesson's own


@dataclass(frozen=True, eq=False)
class PlaneRows:
    """Rows of two columns of numbers, none missing."""

    points: Float
    codes: Index
    rows: Count  # where each stands in the table
    columns: tuple[str, str]
    classes: tuple[str, ...]

    def to_table(self) -> Table:
        names = self.columns if self.columns[0] != self.columns[1] else ("first", "second")
        return to_table(dict(zip(names, self.points.T, strict=True)))

    def to_dict(self) -> dict[str, Any]:
        return {
            "points": self.points.tolist(),
            "labels": self.codes.tolist(),
            "rows": self.rows.tolist(),
            "columns": list(self.columns),
            "classes": list(self.classes),
        }


def make_lesson(name: str, X: Any = None, y: Any = None, *, columns: tuple[str, ...] | None = None) -> str:
    """A step-through page as HTML, of your own rows or of the lectures' example.

    Parameters
    ----------
    name : "boosting", "margin", "pruning" or "tree"
    X, y : rows and their classes; without them the lesson's example
    columns : of X, those to look at. "boosting" and "margin" show two columns of numbers; if not named, the two that a
        single question tells most by

    Returns
    -------
    str
        HTML in one piece: write it to a file and open it, no network is needed.
    """
    lesson: LessonFile = load_plugin(PACKAGE, LessonFile, name, "name")  # type: ignore[type-abstract]
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


def refuse_more_classes(name: str, rows: LessonRows) -> None:
    if len(rows.classes) > 2:
        raise ValueError(
            f"The lesson {name} shows two classes, but the target has {len(rows.classes)}: "
            f"{', '.join(show(one) for one in rows.classes[:8])}. Keep the rows of two of them."
        )


def take_plane(rows: LessonRows, most: int, *, standardize: bool = False) -> PlaneRows:
    """Two columns of numbers, rows without missing cells, at most so many, each class alike."""
    numbers = [column for column in rows.table.columns if column.kind == "number"]
    if len(numbers) < 2:
        raise ValueError(
            f"The page shows two columns of numbers, but there are {len(numbers)}. Columns: "
            f"{', '.join(show(name) for name in rows.table.names)}."
        )
    if len(numbers) > 2:
        numbers = sorted(numbers, key=lambda column: -_tells(column.values, rows.codes))[:2]
    points = np.column_stack([np.asarray(column.values, np.float64) for column in numbers])
    whole = np.flatnonzero(~np.isnan(points).any(axis=1))
    if len(whole) > most:
        whole = np.sort(np.random.default_rng(0).permutation(whole)[:most])
    codes = rows.codes[whole]
    if len(np.unique(codes)) < 2:
        raise ValueError("Rows without missing cells in the two columns are of one class only.")
    points = points[whole]
    if standardize and not rows.example:
        spread = points.std(axis=0)
        points = ((points - points.mean(axis=0)) / np.where(spread > 0, spread, 1.0)).round(4)
    first, second = (show(column.name) for column in numbers)
    return PlaneRows(points, codes, whole, (first, second), rows.classes)


def _tells(cells: Any, codes: Index) -> float:
    """The gain of the column's best threshold."""
    try:
        found = score_thresholds(cells, codes)
    except ValueError:
        return -1.0
    return float(found.gain[found.best])


def tree_nodes(tree: Tree, labels: Labels) -> list[dict[str, Any]]:
    """What pages draw of each node."""
    words, counts = label_tree(tree, labels), class_weights(tree)
    nodes = []
    for k in range(tree.n_nodes):
        parent, first, many = int(tree.parent[k]), int(tree.first_child[k]), int(tree.n_children[k])
        inner = tree.kind[k] != LEAF
        place = k - int(tree.first_child[parent]) if parent >= 0 else 0
        nodes.append(
            {
                "parent": parent,
                "children": list(range(first, first + many)) if inner else [],
                "question": question_in_words(words, k) if inner else "",
                "branch": way_in_words(words, parent, place) if parent >= 0 else "",
                "decision": decision(words, k),
                "counts": counts[k].tolist(),
                "title": describe_node(words, k),
            }
        )
    return nodes
