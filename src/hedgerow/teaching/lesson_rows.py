"""Rows of a lesson.   In: a table and its classes.   Out: LessonRows; two columns of numbers of them, for pages that
show a plane; the nodes of a tree, for pages that draw one."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.prune.data import class_weights
from hedgerow.table import Table, to_table
from hedgerow.teaching.thresholds import score_thresholds
from hedgerow.tree.labels import Labels, label_tree
from hedgerow.tree.tree import LEAF, Tree
from hedgerow.tree.wording import decision, describe_node, question_in_words, way_in_words
from hedgerow.types import Count, Float, Index
from hedgerow.words import show


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
