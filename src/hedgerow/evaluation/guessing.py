"""Is a model better than guessing?   In: fold results of all models, their differences from the baseline.   Out: for
each an Outcome, and its p-value among all of them.

Where nothing in a table predicts the target, no model of any training rows beats the baseline: how much models change
with their training rows, which tests of two models allow for, plays no part. So the question has a test of its own:

    H0      the targets of the test rows of a fold may be permuted: they have nothing to do with the predictions
    z       the sum over rows of (probability of the row's class - what permuted targets would get); of numbers, of
            products of ranks; in standard deviations under permutation, which are known exactly. Repeats are averaged
    folds   rows that are tested in one fold train the models of the others: a product of two rows comes twice into the
            sum, once from each side, which at most doubles the variance; it is doubled
    models  predict much the same, and are tested on the same rows: their z are correlated, by how much permutation
            says too. The p-value of one is how often the largest z of all of them would reach it

Only what is better counts, so the p-value is one-sided. A loss would be the weaker test: predictions that are right
more often than chance but a little too bold hardly gain in it. Metrics of predicted classes (accuracy, F) ask whether
these rows are right, not whether the probabilities are: for them, for splits of one test row each, and for a model that
scores no better than the baseline, it is a t-test of the rows' differences.

docs/statistics.md says how often noise passes, and what is found on small tables.
"""

from collections.abc import Mapping

import numpy as np
from scipy.special import stdtr

from hedgerow.evaluation.comparison_test import Outcome, PairedDifference, t_outcome
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import FoldResult
from hedgerow.evaluation.metric import Metric
from hedgerow.evaluation.predictions import ScoringData, make_scoring_data
from hedgerow.evaluation.splits import Splits
from hedgerow.types import Float

FOLDS = 2.0  # variance of the sum over folds, as a multiple of that of independent folds: at most
DRAWS = 10_000  # of the largest z


def compare_with_guessing(
    metric: Metric,
    paired: Mapping[str, PairedDifference],
    results: Mapping[str, tuple[FoldResult, ...]],
    data: Data,
    splits: Splits,
    confidence_level: float,
) -> dict[str, tuple[Outcome, float]]:
    """`paired`: each model against the baseline. With the outcome, the p-value for all models together."""
    if not paired:
        return {}
    factor = 1.0 if splits.is_hold_out else FOLDS
    n, level = len(paired), 1 - (1 - confidence_level) / len(paired)

    def by_differences(one: PairedDifference) -> tuple[Outcome, float]:
        outcome = t_outcome(one.value, float(np.sqrt(factor * one.variance)), one.dof, level)
        return outcome, min(1.0, n * outcome.p_value)

    # Of a single test row there is nothing to permute
    if splits.is_row_by_row or (data.classes is not None and metric.needs == "values"):
        return {name: by_differences(one) for name, one in paired.items()}
    z, correlation = associations([results[name] for name in paired], data, splits, by_rank=metric.by_fold)
    z, dof = z / np.sqrt(factor), max(1, data.n_units - 1)
    alone = stdtr(dof, -z)
    together = np.minimum(n * alone, _reached_by_largest(z, correlation, dof))
    nan = float("nan")
    return {
        name: by_differences(one)
        if one.value <= 0
        else (Outcome(one.value, nan, nan, float(z[k]), float(alone[k])), float(together[k]))
        for k, (name, one) in enumerate(paired.items())
    }


def _reached_by_largest(z: Float, correlation: Float, dof: int) -> Float:
    """For each z, how often the largest of so many correlated values of Student's distribution is as large."""
    random = np.random.default_rng(0)
    values, vectors = np.linalg.eigh(correlation)
    drawn = random.normal(size=(DRAWS, len(z))) @ (vectors * np.sqrt(np.maximum(values, 0.0))).T
    largest = np.sort(drawn.max(axis=1) / np.sqrt(random.chisquare(dof, DRAWS) / dof))
    reached = DRAWS - np.searchsorted(largest, z)
    return np.asarray((1 + reached) / (1 + DRAWS))


def associations(
    results: list[tuple[FoldResult, ...]], data: Data, splits: Splits, *, by_rank: bool = False
) -> tuple[Float, Float]:
    """Of the predictions of each model and the targets within the folds, in standard deviations; and how these are
    correlated under permutation. `by_rank`: only the order of the rows counts, as in the area under the ROC curve."""
    z, units = np.zeros(len(results)), []
    for k, one in enumerate(results):
        own, permuted = _associate(one, data, splits, by_rank)
        variance = float(np.sum(permuted**2))
        if data.groups is not None:  # rows of a group may go together
            variance = max(variance, float(np.sum(np.bincount(data.groups, own) ** 2)))
        z[k] = own.sum() / np.sqrt(variance) if variance > 0 else 0.0
        length = np.sqrt(np.sum(permuted**2))
        units.append(permuted.ravel() / (length if length > 0 else 1.0))
    correlation = np.array(units) @ np.array(units).T
    np.fill_diagonal(correlation, 1.0)
    return z, correlation


def _associate(
    results: tuple[FoldResult, ...], data: Data, splits: Splits, by_rank: bool
) -> tuple[Float, Float]:
    """The part of each row in the sum, as the mean of the repeats; and its standard deviation if its target is drawn
    from those of its fold: in parts that add up in squares, one a class."""
    n_classes = 1 if data.classes is None else len(data.classes)
    own, permuted = np.zeros(data.n_rows), np.zeros((data.n_rows, n_classes))
    ranks = None if data.classes is not None else _rank_repeats(results, data, splits)
    for part, result in zip(splits.parts, results, strict=True):
        n = len(part.test)
        if result.predictions is None or n < 2:
            continue
        rows = make_scoring_data(data, part.test, result.predictions)
        if ranks is None:
            each, spread = _of_classes(rows, by_rank)
        else:
            each, spread = _of_numbers(ranks[0][part.test], ranks[1][part.repeat, part.test], rows.weight)
        own[part.test] += rows.weight * each / splits.repeats
        permuted[part.test] += rows.weight[:, None] * spread * np.sqrt(n / (n - 1)) / splits.repeats
    return own, permuted


def _rank_repeats(results: tuple[FoldResult, ...], data: Data, splits: Splits) -> tuple[Float, Float]:
    """Ranks among all rows: of the targets, and of the predictions of each repeat."""
    predicted = np.full((splits.repeats, data.n_rows), np.nan)
    for part, result in zip(splits.parts, results, strict=True):
        if result.predictions is not None:
            predicted[part.repeat, part.test] = result.predictions.values
    return _rank(data.y), np.array([_rank(one) for one in predicted])


def _of_numbers(truth: Float, predicted: Float, weight: Float) -> tuple[Float, Float]:
    truth, predicted = _centre(truth, weight), _centre(predicted, weight)
    return truth * predicted, predicted[:, None] * np.sqrt(np.average(truth**2, weights=weight))


def _of_classes(rows: ScoringData, by_rank: bool = False) -> tuple[Float, Float]:
    """The probability of each row's class, less that of its row and its class on average."""
    given = rows.predictions
    if given.proba is not None and not by_rank:
        beliefs = given.proba
    elif given.decision is not None:
        beliefs = np.apply_along_axis(_rank, 0, given.decision)
    else:
        beliefs = (given.values[:, None] == np.arange(rows.n_classes)).astype(np.float64)
    share = np.bincount(rows.y_true, rows.weight, rows.n_classes) / rows.weight.sum()
    beliefs = _centre(beliefs, rows.weight)
    beliefs = beliefs - (beliefs @ share)[:, None]
    return beliefs[np.arange(len(beliefs)), rows.y_true], beliefs * np.sqrt(share)


def _rank(values: Float) -> Float:
    """From 1; equal values have the mean of their ranks."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[place])


def _centre(values: Float, weight: Float) -> Float:
    return np.asarray(values - np.average(values, axis=0, weights=weight))
