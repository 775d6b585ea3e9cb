"""What a tree learns from: the target and the weight of each row. Frozen and checked once."""

from dataclasses import dataclass

from hedgerow.types import Float, Index

CLASS_CRITERIA = ("gini", "entropy", "misclassification", "gain_ratio", "conditional_entropy")
NUMBER_CRITERIA = ("squared_error", "absolute_error", "poisson")


@dataclass(frozen=True, eq=False)
class Classes:
    codes: Index  # 0 .. n_classes - 1
    n_classes: int
    weight: Float | None = None  # None: all one; rows of weight zero do not exist


@dataclass(frozen=True, eq=False)
class Numbers:
    values: Float
    weight: Float | None = None


Target = Classes | Numbers
