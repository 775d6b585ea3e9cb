"""Certificate: how good an optimal tree is, proved.   In: a Solution and what it was searched among.   Out: a sentence.

No tree of at most 8 leaves on these 80 questions makes fewer than 211 errors; this one makes 214.
"""

from dataclasses import dataclass

from hedgerow.display.numbers import figure
from hedgerow.display.sentences import many
from hedgerow.optimal.solve import Solution

MEASURES = ("errors", "weighted error", "balanced error", "cost", "mean squared error")


@dataclass(frozen=True)
class Certificate:
    measure: str  # one of MEASURES
    value: float  # of this tree on its training rows
    bound: float  # no tree of this size on these questions has less
    n_leaves: int
    max_leaves: int
    max_depth: int
    n_questions: int
    leaf_price: float  # in units of the measure, included in value and bound
    seconds: float
    optimal: bool  # bound and value are the same

    @property
    def gap(self) -> float:
        """By how much a better tree could be better; 0 where this one is proved to be the best."""
        return 0.0 if self.optimal else self.value - self.bound

    def __str__(self) -> str:
        price = f" for {figure(self.leaf_price)} a leaf" if self.leaf_price else ""
        size = f"at most {many(self.max_leaves, 'leaf')}"
        if self.max_depth < self.max_leaves - 1:
            size += f", {self.max_depth} deep,"
        less, own = _phrases(self.measure, self.bound, self.value)
        text = (
            f"No tree of {size} on these {many(self.n_questions, 'question')}{price} {less}; this one {own}."
        )
        if self.optimal:
            return text
        return f"{text} The search was stopped after {self.seconds:.1f} s."


def _phrases(measure: str, bound: float, value: float) -> tuple[str, str]:
    if measure == "errors":
        return f"makes fewer than {many(_up(bound), 'error')}", f"makes {_whole(value)}"
    if measure == "balanced error":
        return f"has a balanced error below {bound:.4g}", f"has {value:.4g}"
    if measure == "cost":
        return f"costs less than {figure(bound)}", f"costs {figure(value)}"
    return f"has a {measure} below {figure(bound)}", f"has {figure(value)}"


def _up(bound: float) -> float:
    """Errors are whole: none below 210.3 is none below 211."""
    return float(-(-round(bound, 6) // 1))


def _whole(value: float) -> str:
    return f"{value:,.0f}"


def certify(
    solution: Solution,
    *,
    measure: str,
    scale: float,
    leaf_price: float,
    max_leaves: int,
    max_depth: int,
    n_questions: int,
) -> Certificate:
    """`scale`: what costs are divided by, the sum of weights for means."""
    return Certificate(
        measure,
        solution.objective / scale,
        solution.bound / scale,
        solution.n_leaves,
        max_leaves,
        max_depth,
        n_questions,
        leaf_price,
        solution.seconds,
        solution.proved,
    )
