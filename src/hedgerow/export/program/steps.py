"""The steps of a scoring program.   In: numbers of a fitted model.   Out: dicts that JSON holds.

A program reads one row. Its cells are numbers: a number is itself, a boolean 0 or 1, a category the number of its level
(the number of levels for one never seen), a missing cell NaN; a date is days since 1970-01-01, free text is itself
("" where it is missing), and the step `words` alone reads it. Each step makes a few numbers of those of an earlier step
(`of`: its place in the list, or CELLS):

    take      columns                  some of the numbers, in this order
    recode    columns                  a level's number becomes its place in a list (its length: not in it)
    dates     parts, spans             year, month (0: January), weekday (0: Monday), hour; days from one to another
    rates     columns                  of a level's number the numbers in a list, or `overall`
    words     columns                  how often each term stands in a text; times idf, scaled to length 1; or 1
    join      sources, widths          the numbers of several steps, one behind the other
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
    silent    source, value            the numbers of `source`, or `value` where all that are read are 0

A tree is arrays, parents before children, siblings side by side. A node asks of its `column` whether the number is at
most its `threshold`, or whether the level is in its `levels` (then the first child, else the second); `each` instead
of levels: the child with the number of the level. `missing` is where a missing cell goes, unless one of the node's
`surrogates` can answer; -1: to every child, by its `share` of the row. A condition of a rule holds
if low < number <= high (null: no end), or if the level is in `levels`, and for a missing cell if `missing` says so.

The answer is `answer.value`, a step of one number or of a score for each class (the largest wins, the first of equals;
of one score, the second class where it is above 0), and `answer.probabilities`; of a number `answer.interval`, if it is
there: a step of two numbers, between which 90 % of the truth lies.
"""

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from hedgerow.errors import ParameterError
from hedgerow.features.dates import LEVELS, PARTS

FORMAT, VERSION = "hedgerow scoring program", 1
CELLS = -1
EACH = "each"
Step = dict[str, Any]
Program = dict[str, Any]
TAKES = (  # kinds of models that are programs
    "tree", "rule list", "forest", "extra trees", "adaboost", "gradient boosting", "bagging", "voting",
    "linear svm", "svm", "boosted neurons",
)  # fmt: skip
STEPS = (
    "take", "recode", "dates", "rates", "words", "join", "prepare", "trees", "leaves", "rules", "linear", "kernel",
    "link", "pairs", "vote", "weigh", "median", "silent",
)  # fmt: skip
ACTIVATIONS = ("tanh", "dead_zone", "soft_threshold")  # of neurons; factor: half the width of their zone of 0
LINKS = ("identity", "log", "exp", "logistic", "softmax", "odds", "shares", "clip", *ACTIVATIONS)
PART_LEVELS = {part: len(LEVELS[part]) if part in LEVELS else None for part in PARTS}  # of dates
KERNELS = ("linear", "poly", "rbf", "sigmoid")


def is_exact(program: Program) -> bool:
    """Whether every language that computes in float64 must get the same bits: sums in a fixed order, no exponential."""
    return all(map(_is_exact, program["steps"]))


def _is_exact(step: Step) -> bool:
    if step["do"] == "link":
        return bool(step["name"] == "identity")
    if step["do"] == "words":
        return all(one["idf"] is None for one in step["columns"])
    return step["do"] not in ("linear", "kernel") and not any(
        "share" in tree for tree in step.get("trees", ())
    )


def by_step(module: Mapping[str, Any], begin: str) -> dict[str, Callable[..., Any]]:
    """The functions of a module for each step, by their names: write_take, write_recode ..."""
    return {step: module[begin + step] for step in STEPS}


def refuse_words(language: str) -> NoReturn:
    raise ParameterError(
        "{export} cannot be written: this model counts words of free text, and {} cannot find the words of every "
        "script as the model does. Ways out: export it as python or json, use hedgerow predict, or train without the "
        "text.",
        language,
        export=language.lower(),
    )
