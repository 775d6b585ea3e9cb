"""The words for a Tree's numbers, for whatever prints, draws or exports it.   In: names, kinds and levels of columns,
classes; a Tree.   Out: Labels; LabeledTree: a Tree with its Labels, found to fit each other; names, thresholds, levels.

Whole phrases ("age <= 9.5", "yes") are made from these in wording.py.

    sex = female      port in {C, Q}      town in {a, b, c, d, +12 more}      town not in {x, y}

Where a level never seen in training goes is left to the exact exports.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from hedgerow.core.criteria import MEDIAN_CRITERIA
from hedgerow.core.dates import write_date
from hedgerow.tree.formatting import digits_apart, safe, threshold_in_words
from hedgerow.tree.tree import THRESHOLD, Tree
from hedgerow.types import Index

FEW = 2  # levels that are named even when those left out are fewer


@dataclass(frozen=True)
class Labels:
    features: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]  # per column; () for a number or a boolean
    booleans: frozenset[int] = frozenset()  # columns holding false (0) and true (1)
    classes: tuple[str, ...] = ()  # () for regression
    target: str = ""  # name of the target column, if it has one
    missing: frozenset[int] | None = None  # columns with missing cells in training; None = not known
    value: str = "mean"  # what a number at a leaf is
    dates: frozenset[int] = frozenset()  # columns of days since 1970
    datetimes: frozenset[int] = frozenset()  # the same, with the time of day


def labels_of(
    names: Sequence[str],
    kinds: Sequence[str],
    levels: Sequence[tuple[str, ...]],
    classes: Iterable[object],
    *,
    criterion: str = "",
    target: str = "",
    missing: frozenset[int] | None = None,
) -> Labels:
    """The words for a tree grown on columns of these names, kinds and levels."""
    booleans, dates, datetimes = (
        frozenset(j for j, kind in enumerate(kinds) if kind == wanted)
        for wanted in ("boolean", "date", "datetime")
    )
    value = "median" if criterion in MEDIAN_CRITERIA else "mean"
    return Labels(
        tuple(names),
        tuple(levels),
        booleans,
        tuple(str(label) for label in classes),
        target,
        missing,
        value,
        dates,
        datetimes,
    )


@dataclass(frozen=True)
class Brief:
    """How short to be."""

    name: int = 40  # terminal cells of a name
    levels: int = 4  # levels named before "+12 more"


FULL = Brief()


@dataclass(frozen=True, eq=False)
class LabeledTree:
    """A Tree with its Labels, found to fit each other."""

    tree: Tree
    labels: Labels
    digits: Index  # per node: significant digits that tell its threshold from its neighbours
    shares: bool  # the values are class shares: one per class, none negative, summing to 1


def label_tree(tree: Tree, labels: Labels) -> LabeledTree:
    """The words for a tree. Raises when the labels are another tree's."""
    if len(labels.features) != tree.n_features or len(labels.levels) != tree.n_features:
        raise ValueError(
            f"labels name {len(labels.features)} columns and list levels for {len(labels.levels)}; the tree "
            f"has {tree.n_features} columns. Pass the labels of the model this tree comes from."
        )
    for column, (levels, many) in enumerate(zip(labels.levels, tree.n_levels, strict=True)):
        if len(levels) != many:
            raise ValueError(
                f"labels list {len(levels)} levels for column {column} ({safe(labels.features[column])}); "
                f"the tree has {many}. Pass the labels of the model this tree comes from."
            )
    return LabeledTree(tree, labels, digits_apart(tree.threshold, tree.feature), _has_shares(tree, labels))


def _has_shares(tree: Tree, labels: Labels) -> bool:
    one_each = len(labels.classes) == tree.n_outputs
    return bool(one_each and (tree.value >= 0).all() and np.allclose(tree.value.sum(axis=1), 1, atol=1e-6))


def column_name(words: LabeledTree, column: int, brief: Brief = FULL) -> str:
    return safe(words.labels.features[column], brief.name)


def threshold_text(words: LabeledTree, column: int, threshold: float) -> str:
    """A threshold of a column, with the digits that tell it from the column's others; of dates, the date."""
    if column in words.labels.dates | words.labels.datetimes and np.isfinite(threshold):
        return write_date(threshold, with_time=column in words.labels.datetimes)
    same = (words.tree.feature == column) & (words.tree.threshold == threshold)
    return threshold_in_words(threshold, int(words.digits[same].max(initial=6)))


def levels_in_words(words: LabeledTree, column: int, levels: Sequence[int], brief: Brief = FULL) -> str:
    """`= a`, `in {a, b}`, or by the levels left out where these are fewer."""
    name, every = column_name(words, column, brief), words.labels.levels[column]
    if not levels or len(levels) == len(every):
        return f"{name} is {'any' if levels else 'none'} of its levels"
    by_rest = len(levels) > FEW and 2 * len(levels) > len(every)
    named = sorted(set(range(len(every))) - set(levels)) if by_rest else levels
    texts = [_quoted(safe(every[k], brief.name)) for k in named[: brief.levels]]
    if len(named) == 1:
        return f"{name} {'!=' if by_rest else '='} {texts[0]}"
    more = [f"+{len(named) - brief.levels} more"] if len(named) > brief.levels else []
    return f"{name} {'not in' if by_rest else 'in'} {{{', '.join(texts + more)}}}"


def _quoted(level: str) -> str:
    return f'"{level}"' if any(mark in level for mark in ",{}") else level


def has_missing(words: LabeledTree, column: int) -> bool:
    """Whether missing cells of the column are worth a word: it had some, or nobody knows."""
    return words.labels.missing is None or column in words.labels.missing


def asks_boolean(words: LabeledTree, node: int) -> bool:
    """The node parts false from true."""
    tree = words.tree
    by_number = tree.kind[node] == THRESHOLD and 0 <= tree.threshold[node] < 1
    return bool(by_number) and int(tree.feature[node]) in words.labels.booleans


def is_stop(tree: Tree, node: int, place: int) -> bool:
    """Whether child `place` of the node is the leaf of the rows that stop there."""
    return bool(tree.stop_leaves[tree.first_child[node] + place])


def asks_missing(tree: Tree, node: int) -> bool:
    """The node parts known cells (first child) from missing ones (second)."""
    everything = tree.kind[node] == THRESHOLD and np.isposinf(tree.threshold[node])
    return bool(everything and tree.missing_child[node] == tree.first_child[node] + 1)
