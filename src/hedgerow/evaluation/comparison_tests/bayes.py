"""bayes: the Bayesian correlated t-test with a region of practical equivalence (Corani and Benavoli 2015).

The posterior of the mean difference is Student's, with the centre and the corrected standard error of corrected_t. Its
outcome is three probabilities: the second is better, the two are practically equal, the first is better.
"""

from scipy.stats import t as student

from hedgerow.evaluation.comparison_test import FOLDS, Outcome, Pair, undecided
from hedgerow.evaluation.comparison_tests.corrected_t import standard_error

title = "Bayesian correlated t-test"
design = FOLDS
metrics: tuple[str, ...] = ()


def compare(pair: Pair) -> Outcome:
    nan = float("nan")
    d = pair.differences
    n = len(d)
    mean = float(d.mean()) if n else nan
    if n < 2:
        return undecided(mean)
    error = standard_error(pair)
    if error == 0:
        certain = (float(mean < -pair.rope), float(abs(mean) <= pair.rope), float(mean > pair.rope))
        return Outcome(mean, mean, mean, nan, nan, certain)
    below = float(student.cdf(-pair.rope, n - 1, mean, error))
    above = float(student.sf(pair.rope, n - 1, mean, error))
    half = float(student.ppf((1 + pair.confidence_level) / 2, n - 1)) * error
    return Outcome(mean, mean - half, mean + half, nan, nan, (below, 1 - below - above, above))
