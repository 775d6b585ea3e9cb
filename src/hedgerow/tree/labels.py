"""Labels: the words for a Tree's numbers, for whatever prints, draws or exports it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hedgerow.core.criteria import MEDIAN_CRITERIA


@dataclass(frozen=True)
class Labels:
    features: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]  # per column; () for a number or a boolean
    booleans: frozenset[int] = frozenset()  # columns holding false (0) and true (1)
    classes: tuple[str, ...] = ()  # () for regression
    target: str = ""  # name of the target column, if it has one
    missing: frozenset[int] | None = None  # columns with missing cells in training; None = not known
    value: str = "mean"  # what a number at a leaf is


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
    booleans = frozenset(j for j, kind in enumerate(kinds) if kind == "boolean")
    value = "median" if criterion in MEDIAN_CRITERIA else "mean"
    return Labels(
        tuple(names), tuple(levels), booleans, tuple(str(label) for label in classes), target, missing, value
    )
