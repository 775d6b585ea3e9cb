"""formulas: the quantities that trees, boosting and margins are made of, one function each, to work examples by hand.

    from hedgerow.formulas import entropy, information_gain
    entropy([1, 1]), information_gain([[2, 0], [0, 4], [4, 2]])

The formula is in each docstring. Growing, pruning and solving use the same ones; where a native kernel computes them, a
test compares the two.
"""

from hedgerow.docstrings import document
from hedgerow.evaluation.bounds import majority_vote_error
from hedgerow.formulas.boosting import (
    Calibration,
    alpha,
    calibrate,
    edge,
    exponential_loss,
    logistic_loss,
)
from hedgerow.formulas.impurity import (
    conditional_entropy,
    entropy,
    gain_ratio,
    gini,
    information_gain,
    misclassification,
)
from hedgerow.formulas.margins import hinge_loss, margin, slack
from hedgerow.formulas.pruning import (
    ChiSquareTest,
    chi_square,
    critical_value,
    description_length,
    pessimistic_error,
)

__all__ = [
    "Calibration",
    "ChiSquareTest",
    "alpha",
    "calibrate",
    "chi_square",
    "conditional_entropy",
    "critical_value",
    "description_length",
    "edge",
    "entropy",
    "exponential_loss",
    "gain_ratio",
    "gini",
    "hinge_loss",
    "information_gain",
    "logistic_loss",
    "majority_vote_error",
    "margin",
    "misclassification",
    "pessimistic_error",
    "slack",
]

for _name in __all__:
    document(returns="float or ndarray\n    The value of the formula.")(globals()[_name])
