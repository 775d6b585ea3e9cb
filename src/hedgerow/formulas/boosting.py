"""One round of boosting by hand.   In: outputs f, labels y (-1 and +1), weights w.   Out: edge, alpha, what is left.

An output above 0 says +1, one below -1, and 0 abstains. Weights are divided by their sum.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.boost.calibrate import half_log_ratio
from hedgerow.boost.losses import exponential, logistic
from hedgerow.types import Float


def exponential_loss(margin: Any) -> Float:
    """The loss exp(-z) of the margin z = y f(x).

    See Also
    --------
    hedgerow.formulas.logistic_loss : The loss of logistic boosting.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.formulas import exponential_loss
    >>> exponential_loss([0.0, np.log(2)]).round(3).tolist()
    [1.0, 0.5]
    """
    return exponential.loss(np.asarray(margin, np.float64))


def logistic_loss(margin: Any) -> Float:
    """The loss log(1 + exp(-z)) of the margin z = y f(x).

    See Also
    --------
    hedgerow.formulas.exponential_loss : The loss of AdaBoost.

    Examples
    --------
    >>> from hedgerow.formulas import logistic_loss
    >>> logistic_loss([0.0]).round(3).tolist()
    [0.693]
    """
    return logistic.loss(np.asarray(margin, np.float64))


def alpha(right: float, wrong: float) -> float:
    """1/2 ln(mu+ / mu-): how much a predictor counts that has the weight mu+ right and mu- wrong.

    See Also
    --------
    hedgerow.formulas.edge : Weight right minus weight wrong.
    hedgerow.formulas.calibrate : The best coefficient, also with abstention.

    Examples
    --------
    The first round of lecture 000's ten points has 3 of 10 wrong:

    >>> from hedgerow.formulas import alpha
    >>> round(alpha(0.7, 0.3), 2)
    0.42
    """
    if right < 0 or wrong < 0:
        raise ValueError(f"right={right!r} and wrong={wrong!r} are weights. Give numbers of at least 0.")
    return half_log_ratio(right, wrong, 0.0)


def edge(f: Any, y: Any, w: Any = None) -> float:
    """The edge sum w y sign(f) = mu+ - mu-: how much more weight a predictor has right than wrong. It
    is 1 - 2 epsilon where it never abstains.

    See Also
    --------
    hedgerow.formulas.alpha : The coefficient of a weak learner.

    Examples
    --------
    >>> from hedgerow.formulas import edge
    >>> round(edge([1, 1, 1, 0, 1], [1, 1, -1, 1, 1]), 12)
    0.4
    """
    outputs, labels, weights = _check(f, y, w)
    return float(weights @ (labels * np.sign(outputs)))


@dataclass(frozen=True)
class Calibration:
    """What `calibrate` finds.

    Parameters
    ----------
    right : float
        The weight that is right, mu+.
    wrong : float
        The weight that is wrong, mu-.
    silent : float
        The weight on which the outputs abstain, mu0.
    alpha : float
        One for all outputs.
    alpha_yes : float
        Of two: that of outputs above 0.
    alpha_no : float
        Of two: that of outputs below 0.
    loss : float
        Exponential loss of alpha f: 2 sqrt(mu+ mu-) + mu0.
    decrease : float
        How much lower that is than 1: (sqrt(mu+) - sqrt(mu-))^2.

    See Also
    --------
    hedgerow.formulas.calibrate : The best coefficient, also with abstention.
    """

    right: float
    wrong: float
    silent: float
    alpha: float
    alpha_yes: float
    alpha_no: float
    loss: float
    decrease: float


def calibrate(f: Any, y: Any, w: Any = None) -> Calibration:
    """The alpha of least exponential loss mu+ exp(-alpha) + mu- exp(alpha) + mu0: 1/2 ln(mu+/mu-); and the two of the
    rows predicted +1 and -1.

    See Also
    --------
    hedgerow.formulas.alpha : The coefficient of a weak learner.

    Examples
    --------
    >>> from hedgerow.formulas import calibrate
    >>> found = calibrate([1, 1, 1, -1, 0], [1, 1, -1, -1, 1])
    >>> round(found.alpha, 3), round(found.loss, 3), round(found.decrease, 3)
    (0.549, 0.893, 0.107)
    """
    outputs, labels, weights = _check(f, y, w)

    def weight(where: Any) -> float:
        return float(weights[where].sum())

    is_right = labels * outputs > 0
    yes, no = outputs > 0, outputs < 0
    right, wrong, silent = weight(is_right), weight((yes | no) & ~is_right), weight(outputs == 0)
    return Calibration(
        right,
        wrong,
        silent,
        alpha(right, wrong),
        alpha(weight(yes & is_right), weight(yes & ~is_right)),
        alpha(weight(no & is_right), weight(no & ~is_right)),
        2 * float(np.sqrt(right * wrong)) + silent,
        float(np.sqrt(right) - np.sqrt(wrong)) ** 2,
    )


def _check(f: Any, y: Any, w: Any) -> tuple[Float, Float, Float]:
    outputs, labels = np.asarray(f, np.float64), np.asarray(y, np.float64)
    weights = np.ones(len(labels)) if w is None else np.asarray(w, np.float64)
    if not len(labels) or not outputs.shape == labels.shape == weights.shape == (len(labels),):
        raise ValueError(
            f"f, y and w need an entry for each row; they have the shapes {outputs.shape}, {labels.shape} and "
            f"{weights.shape}."
        )
    if not np.isin(labels, (-1, 1)).all():
        raise ValueError("y holds labels other than -1 and +1. Give such as np.where(y == yes, 1, -1).")
    if not np.isfinite(weights).all() or weights.min() < 0 or weights.sum() <= 0:
        raise ValueError("w must hold numbers of at least 0, and not only 0.")
    return outputs, labels, weights / weights.sum()
