"""The steps of a scoring program.   In: numbers of a fitted model.   Out: dicts that JSON holds.

A program reads one row. Its cells are numbers: a number is itself, a boolean 0 or 1, a category the number of its level
(the number of levels for one never seen), a missing cell NaN. Each step makes a few numbers of those of an earlier step
(`of`: its place in the list, or CELLS):

    take      columns                  some of the numbers, in this order
    recode    columns                  a level's number becomes its place in a list (its length: not in it)
    prepare   columns                  numbers less their centre in their scale, categories as 0 and 1, gaps as 0 and 1
    trees     trees, start, divide     the leaves' values, added to `start` in order, then divided
    leaves    trees                    the leaf's value of each tree
    rules     rules, value             the value of the first rule whose conditions hold, or the last value
    linear    coef, intercept          coefficients times numbers, added in order
    kernel    rows, coef, intercept, kernel, centre, spread     support vectors
    link      name, factor             scores as probabilities, or as numbers of another scale
    pairs     classes                  scores of one class against another, as votes
    vote      (positive)               1 for the largest (or for a score above 0: the second), 0 for the others
    weigh     sources, weights, places, width, divide           sums of several steps, each times its weight
    median    weights                  the weighted median

A tree is arrays, parents before children, siblings side by side. A node asks of its `column` whether the number is at
most its `threshold`, or whether the level is in its `levels` (then the first child, else the second); `each` instead
of levels: the child with the number of the level. `missing` is where a missing cell goes. A condition of a rule holds
if low < number <= high (null: no end), or if the level is in `levels`, and for a missing cell if `missing` says so.

The answer is `answer.value`, a step of one number or of a score for each class (the largest wins, the first of equals;
of one score, the second class where it is above 0), and `answer.probabilities`.
"""

from typing import Any

FORMAT, VERSION = "hedgerow scoring program", 1
CELLS = -1
EACH = "each"
Step = dict[str, Any]
Program = dict[str, Any]
TAKES = (  # kinds of models that are programs
    "tree", "rule list", "forest", "extra trees", "adaboost", "gradient boosting", "bagging", "voting",
    "linear svm", "svm",
)  # fmt: skip
LINKS = ("identity", "exp", "logistic", "softmax", "odds", "shares")
KERNELS = ("linear", "poly", "rbf", "sigmoid")


def is_exact(program: Program) -> bool:
    """Whether every language that computes in float64 must get the same bits: sums in a fixed order, no exponential."""
    inexact = ("linear", "kernel")
    return not any(
        step["do"] in inexact or (step["do"] == "link" and step["name"] != "identity")
        for step in program["steps"]
    )
