"""bayes: the Bayesian correlated t-test with a region of practical equivalence (Corani and Benavoli 2015).

The posterior of the mean difference is Student's, with the centre and the corrected error of corrected_t. It answers
with three chances: the second is better, the two are practically equal, the first is better.
"""

from scipy.stats import t as student

from hedgerow.evaluation.comparison_tests.corrected_t import standard_error
from hedgerow.evaluation.comparison_tests.pair import Outcome, Pair
from hedgerow.evaluation.comparison_tests.student import nothing_to_say

title = "Bayesian correlated t-test"
design = "folds"
scores: tuple[str, ...] = ()


def compare(pair: Pair) -> Outcome:
    nothing = float("nan")
    d = pair.differences
    n = len(d)
    mean = float(d.mean()) if n else nothing
    if n < 2:
        return nothing_to_say(mean)
    error = standard_error(pair)
    if error == 0:
        chances = (float(mean < -pair.rope), float(abs(mean) <= pair.rope), float(mean > pair.rope))
        return Outcome(mean, mean, mean, nothing, nothing, chances)
    below = float(student.cdf(-pair.rope, n - 1, mean, error))
    above = float(student.sf(pair.rope, n - 1, mean, error))
    half = float(student.ppf((1 + pair.level) / 2, n - 1)) * error
    return Outcome(mean, mean - half, mean + half, nothing, nothing, (below, 1 - below - above, above))
