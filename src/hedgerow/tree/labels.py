"""Labels: the words for a Tree's numbers, for whatever prints, draws or exports it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Labels:
    features: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]  # per column; () for a number or a boolean
    booleans: frozenset[int] = frozenset()  # columns holding false (0) and true (1)
    classes: tuple[str, ...] = ()  # () for regression
    target: str = ""  # name of the target column, if it has one
    missing: frozenset[int] | None = None  # columns with missing cells in training; None = not known
    value: str = "mean"  # what a number at a leaf is
