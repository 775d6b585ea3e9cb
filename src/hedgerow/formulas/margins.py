"""Margins by hand.   In: scores w.x + b, labels y (-1 and +1), or the weights of a plane.   Out: slacks and widths."""

from typing import Any

import numpy as np

from hedgerow.types import Float


def hinge_loss(score: Any, y: Any) -> Float:
    """The loss max(0, 1 - y f(x)) of each row.

    See Also
    --------
    hedgerow.formulas.slack : How far rows are inside the margin.

    Examples
    --------
    >>> from hedgerow.formulas import hinge_loss
    >>> hinge_loss([2.0, 0.5, -1.0], [1, 1, 1]).tolist()
    [0.0, 0.5, 2.0]
    """
    scores, labels = np.asarray(score, np.float64), np.asarray(y, np.float64)
    if scores.shape != labels.shape:
        raise ValueError(
            f"A label for each score: the shapes are {scores.shape} and {labels.shape}, not the same."
        )
    if not np.isin(labels, (-1, 1)).all():
        raise ValueError("y holds labels other than -1 and +1. Give such as np.where(y == yes, 1, -1).")
    return np.maximum(0.0, 1.0 - labels * scores)


def slack(X: Any, y: Any, w: Any, b: float = 0.0) -> Float:
    """The slack xi = max(0, 1 - y (w.x + b)): 0 beyond the margin, up to 1 inside it, above 1 on the wrong side.

    See Also
    --------
    hedgerow.formulas.margin : The width of the margin.

    Examples
    --------
    >>> from hedgerow.formulas import slack
    >>> slack([[2.0, 0.0], [0.5, 1.0], [-1.0, 3.0]], [1, 1, 1], [1.0, 0.0]).tolist()
    [0.0, 0.5, 2.0]
    """
    return hinge_loss(np.asarray(X, np.float64) @ np.asarray(w, np.float64) + b, y)


def margin(w: Any) -> float:
    """2 / norm(w): the distance between the planes w.x + b = 1 and w.x + b = -1.

    See Also
    --------
    hedgerow.formulas.slack : How far rows are inside the margin.

    Examples
    --------
    >>> from hedgerow.formulas import margin
    >>> margin([3.0, 4.0])
    0.4
    """
    norm = float(np.linalg.norm(np.asarray(w, np.float64)))
    if not norm > 0:
        raise ValueError(f"w={w!r} is no plane: its weights are 0. Give at least one that is not.")
    return 2.0 / norm
