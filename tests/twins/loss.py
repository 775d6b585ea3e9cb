"""What a node loses: total impurity (weight x impurity) and published value, each by its definition."""

import numpy as np

from hedgerow.types import Float

CLASSES = ("gini", "entropy", "misclassification")
NUMBERS = ("squared_error", "absolute_error", "poisson")


def shares(y: Float, w: Float, n_classes: int) -> Float:
    return np.bincount(y.astype(int), weights=w, minlength=n_classes) / w.sum()


def median(y: Float, w: Float) -> float:
    """The middle of the two middle targets, where half the weight lies on each side."""
    order = np.argsort(y, kind="stable")
    below = np.cumsum(w[order])
    first = int(np.argmax(below >= w.sum() / 2))
    low = y[order][first]
    return float(
        (low + y[order][first + 1]) / 2 if below[first] == w.sum() / 2 and first + 1 < len(y) else low
    )


def loss(criterion: str, y: Float, w: Float) -> float:
    if criterion in CLASSES:
        p = shares(y, w, int(y.max()) + 1)
        p = p[p > 0]
        impurity = {
            "gini": 1 - (p**2).sum(),
            "entropy": -(p * np.log2(p)).sum(),
            "misclassification": 1 - p.max(),
        }
        return float(w.sum() * impurity[criterion])
    if criterion == "absolute_error":
        return float((w * np.abs(y - median(y, w))).sum())
    mean = (w * y).sum() / w.sum()
    if criterion == "squared_error":
        return float((w * (y - mean) ** 2).sum())
    if mean <= 0:
        return 0.0
    some = y > 0
    return float((w[some] * y[some] * np.log(y[some] / mean)).sum())


def value(criterion: str, y: Float, w: Float, n_classes: int) -> Float:
    if criterion in CLASSES:
        return shares(y, w, n_classes)
    return np.array([median(y, w) if criterion == "absolute_error" else (w * y).sum() / w.sum()])
