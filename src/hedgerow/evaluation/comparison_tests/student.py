"""A difference, its error, and Student's distribution.   In: those.   Out: an Outcome with interval and p-value."""

from scipy.stats import t as student

from hedgerow.evaluation.comparison_tests.pair import Outcome


def students(difference: float, error: float, free: float, level: float) -> Outcome:
    if error == 0:
        return Outcome(difference, difference, difference, float("nan"), 1.0 if difference == 0 else 0.0)
    half = float(student.ppf((1 + level) / 2, free)) * error
    statistic = difference / error
    p_value = float(2 * student.sf(abs(statistic), free))
    return Outcome(difference, difference - half, difference + half, statistic, p_value)


def nothing_to_say(difference: float) -> Outcome:
    nothing = float("nan")
    return Outcome(difference, nothing, nothing, nothing, nothing)
