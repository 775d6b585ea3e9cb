"""Models compared in pairs.   In: FoldResults of all models on the same splits.   Out: a Comparison.

Everything one model brings to its pairs is computed once (ModelScores); a Pair is what a test is given. Three families
of pairs are tested, each so that its intervals and p-values hold together at the confidence level (Bonferroni):

    each model with the baseline      is anything better than guessing? A test of its own: guessing.py
    the best with each other model    which cannot be distinguished from it? Of k models k - 1 comparisons are
                                      enough, although the best is found in the data
                                      (multiple comparisons with the best, Hsu 1981)
    every other pair                  as one of all k (k - 1) / 2 pairs; in `compare` only
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from numbers import Real
from time import perf_counter
from typing import Any

import numpy as np

from hedgerow.errors import out_of_range
from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.comparison import Comparison, Entry, PairResult
from hedgerow.evaluation.comparison_test import ComparisonTest, Pair, PairedDifference, load_comparison_test
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.estimate import Estimate, estimate_metric, metric_by_split, standard_error_of
from hedgerow.evaluation.fold import FoldResult, baseline_results
from hedgerow.evaluation.guessing import compare_with_guessing
from hedgerow.evaluation.metric import Metric, metrics
from hedgerow.evaluation.overlap import CrossFoldScores, cross_fold_scores, fold_covariance
from hedgerow.evaluation.predictions import Predictions, ScoringData, concat_scoring_data, make_scoring_data
from hedgerow.evaluation.score import make_score
from hedgerow.evaluation.select import Preference, choose_model, find_best, is_preferred
from hedgerow.evaluation.size import median_size
from hedgerow.evaluation.splits import Splits
from hedgerow.types import Count, Float

DEFAULT_COVARIANCE = 0.4  # of the folds, as a share of the variance of the rows, where it cannot be measured


@dataclass(frozen=True, eq=False)
class ModelScores:
    """What one model brings to its pairs."""

    results: tuple[FoldResult, ...]
    by_split: Float  # the metric of each split
    rows: ScoringData | None  # all test rows of one repeat; None where the model failed in every split
    estimate: Estimate | str
    cross_fold: tuple[CrossFoldScores, ...]


def compare_fold_results(
    models: Mapping[str, Any],
    results: Mapping[str, tuple[FoldResult, ...]],
    data: Data,
    splits: Splits,
    scoring: str,
    *,
    test: str = "rowwise_t",
    preference: Preference | None = None,
    rope: float | None = None,
    confidence_level: float = 0.95,
    begin: float | None = None,
    all_pairs: bool = True,
    blend: str = "",
    findings: tuple[Finding, ...] = (),
) -> Comparison:
    """The Comparison of results that are there already; `scoring` is the metric that decides. `all_pairs`: also those
    without the best model, which the choice does not need. `blend`: the model that is one of the others.
    `findings`: of the checks of the method.
    """
    metric, preference = metrics()[scoring], preference or Preference()
    base = score_model(metric, _baseline_of(results, data, splits, metric), data, splits)
    scored = {name: score_model(metric, results[name], data, splits) for name in models}
    entries = [
        _make_entry(name, models[name], one, scoring, data, splits, confidence_level)
        for name, one in scored.items()
    ]
    ranked = tuple(sorted(entries, key=lambda entry: _rank_key(entry, metric)))
    known_rope = _rope(rope, metric, ranked)

    def pair(one: ModelScores, two: ModelScores) -> Pair | None:
        return make_pair(one, two, metric, data, splits, known_rope, confidence_level)

    tester, names = load_comparison_test(test), [entry.name for entry in ranked]
    guessing = [
        name for name in names if _is_guess(results[name], data, splits)
    ]  # a baseline among the models
    models_only = [name for name in names if name not in guessing]
    against_base = _test_against_baseline(
        {name: scored[name] for name in models_only}, base, metric, data, splits, confidence_level
    )

    def test_others(first: str) -> tuple[PairResult, ...]:
        others = [name for name in models_only if first and name != first]
        return _test_pairs(tester, [(first, other, pair(scored[first], scored[other])) for other in others])

    best, pairs = _test_best(ranked, guessing, against_base, blend, test_others)
    others = [name for name in models_only if best is not None and name != best.name]
    pairs += tuple(replace(one, second=name) for one in against_base for name in guessing)
    if all_pairs:
        rest = [(a, b, pair(scored[a], scored[b])) for a, b in combinations(others, 2)]
        pairs += _test_pairs(tester, rest, len(rest) + len(others))
    return Comparison(
        entries=ranked,
        pairs=pairs,
        baseline_pairs=against_base,
        scoring=scoring,
        test=test,
        data=data,
        splits=splits,
        choice=choose_model(ranked, best, pairs, against_base, preference),
        preference=preference,
        findings=findings,
        confidence_level=confidence_level,
        seconds=0.0 if begin is None else perf_counter() - begin,
    )


def _test_best(
    ranked: tuple[Entry, ...],
    guessing: list[str],
    against_base: tuple[PairResult, ...],
    blend: str,
    test_others: Callable[[str], tuple[PairResult, ...]],
) -> tuple[Entry | None, tuple[PairResult, ...]]:
    """The most accurate model, tested with each other one."""
    mixed = next((one for one in ranked if one.name == blend), None)
    if mixed is not None:
        pairs = test_others(mixed.name)
        if is_preferred(mixed, ranked, pairs, against_base):
            return mixed, pairs
    best = find_best([one for one in ranked if one.name not in guessing], against_base)
    best = best or find_best(ranked, against_base)
    return best, test_others("" if best is None else best.name)


def _baseline_of(
    results: Mapping[str, tuple[FoldResult, ...]], data: Data, splits: Splits, metric: Metric
) -> tuple[FoldResult, ...]:
    """On all splits in which any model has predictions."""
    by_split = zip(*results.values(), strict=True)
    some = tuple(next((one for one in split if one.predictions is not None), split[0]) for split in by_split)
    return baseline_results(data, splits, some, metric)


def _is_guess(results: tuple[FoldResult, ...], data: Data, splits: Splits) -> bool:
    """Does it predict the same for all rows of a split, as the baseline does? In the order of time a tree that asks for
    the date does so too: there the number must be that of the training rows."""
    known = [
        (part, one.predictions)
        for part, one in zip(splits.parts, results, strict=True)
        if one.predictions is not None
    ]
    if known and splits.is_row_by_row:
        return _is_guess_row_by_row([one for _, one in known], data)
    is_constant = bool(known) and all(
        np.ptp(one.values) == 0 and (one.proba is None or np.ptp(one.proba, axis=0).max() == 0)
        for _, one in known
    )
    if not is_constant or splits.kind != "time" or data.classes is not None:
        return is_constant
    return all(_is_middle(one.values[0], data, part.train) for part, one in known)


def _is_guess_row_by_row(known: list[Predictions], data: Data) -> bool:
    """With one row in each split, what is constant from split to split, but for the row that was left out."""
    values = np.concatenate([one.proba if one.proba is not None else one.values[:, None] for one in known])
    spread = 1.0 if known[0].proba is not None else float(np.ptp(data.y))
    return bool(np.ptp(values, axis=0).max() <= 2 * spread / len(known))


def _is_middle(number: float, data: Data, rows: Count) -> bool:
    """The mean or the median of these rows."""
    weight = None if data.weight is None else data.weight[rows]
    middles = [np.average(data.y[rows], weights=weight), np.median(data.y[rows])]
    return bool(np.isclose(number, middles, rtol=1e-6).any())


def score_model(metric: Metric, results: tuple[FoldResult, ...], data: Data, splits: Splits) -> ModelScores:
    first = [
        make_scoring_data(data, part.test, result.predictions)
        for part, result in zip(splits.parts, results, strict=True)
        if part.repeat == 0 and result.predictions is not None
    ]
    return ModelScores(
        results,
        metric_by_split(metric, results, data, splits),
        concat_scoring_data(first) if first else None,
        estimate_metric(metric, results, data, splits),
        cross_fold_scores(metric, results, data, splits),
    )


def make_pair(
    one: ModelScores,
    two: ModelScores,
    metric: Metric,
    data: Data,
    splits: Splits,
    rope: float,
    confidence_level: float,
) -> Pair | None:
    """None where the two have no split in common."""
    sign = 1.0 if metric.higher_is_better else -1.0
    differences = sign * (one.by_split - two.by_split)
    differences = differences[~np.isnan(differences)]
    if not len(differences) or one.rows is None or two.rows is None:
        return None
    ratio = float(np.mean([len(part.test) / max(1, len(part.train)) for part in splits.parts]))
    common = _on_common_splits(one, two, metric, data, splits)
    paired = _paired_difference(*common, metric, splits, differences)
    return Pair(differences, ratio, one.rows, two.rows, paired, rope, confidence_level)


def _on_common_splits(
    one: ModelScores, two: ModelScores, metric: Metric, data: Data, splits: Splits
) -> tuple[ModelScores, ModelScores]:
    """Where one of the two failed, the results of the other are left out too."""
    results = list(zip(one.results, two.results, strict=True))
    failed = [a.predictions is None or b.predictions is None for a, b in results]
    if not any(failed):
        return one, two
    failure = next(result for both in results for result in both if result.predictions is None)
    return tuple(  # type: ignore[return-value]
        score_model(
            metric,
            tuple(failure if gone else a for gone, a in zip(failed, side.results, strict=True)),
            data,
            splits,
        )
        for side in (one, two)
    )


def _paired_difference(
    one: ModelScores, two: ModelScores, metric: Metric, splits: Splits, differences: Float
) -> PairedDifference | None:
    first, second = one.estimate, two.estimate
    if isinstance(first, str) or isinstance(second, str):
        return None
    if first.contributions.shape != second.contributions.shape:
        return None
    sign = 1.0 if metric.higher_is_better else -1.0
    contributions = first.contributions - second.contributions
    tested = np.array([len(part.test) for part in splits.parts])
    ever = len(np.unique(np.concatenate([part.test for part in splits.parts])))
    share = tested.sum() / splits.repeats / ever  # of the rows that are ever tested, those of one repeat
    variance = float(np.mean([standard_error_of(line[None], 0.0) ** 2 for line in contributions])) * share
    n_units = min(first.n_units, second.n_units)
    if metric.needs == "proba":  # models that are always right differ in certainty: one more row may be wrong
        variance = max(variance, n_units**-2.0)
    spread = float(differences.var(ddof=1)) * float(tested.mean()) / ever if len(differences) > 1 else 0.0
    covariance = DEFAULT_COVARIANCE * variance
    if one.cross_fold and two.cross_fold:
        both = zip(one.cross_fold, two.cross_fold, strict=True)
        covariance = float(
            np.mean([fold_covariance(a.contributions - b.contributions, a.fold) for a, b in both])
        )
    return PairedDifference(
        value=sign * (first.value - second.value),
        variance=variance,
        dof=n_units - 1,
        splits_variance=spread,
        splits_dof=max(1, (splits.folds if splits.folds > 1 else len(differences)) - 1),
        fold_covariance=covariance,
    )


def _make_entry(
    name: str,
    model: Any,
    scored: ModelScores,
    scoring: str,
    data: Data,
    splits: Splits,
    confidence_level: float,
) -> Entry:
    metric, results = metrics()[scoring], scored.results
    base = estimate_metric(metric, baseline_results(data, splits, results, metric), data, splits)
    failed = [result.failure for result in results if result.predictions is None]
    return Entry(
        name=name,
        model=model,
        score=make_score(scoring, metric, scored.estimate, base, confidence_level),
        size=median_size([result.size for result in results if result.size is not None]),
        fit_seconds=float(np.mean([one.fit_seconds for one in results if one.predictions] or [0.0])),
        n_failed=len(failed),
        failure=failed[0] if failed else "",
        fold_results=results,
    )


def _rank_key(entry: Entry, metric: Metric) -> tuple[bool, float]:
    """The best first; those without a score last."""
    value = entry.score.value
    if np.isnan(value):
        return True, 0.0
    return False, -value if metric.higher_is_better else value


def _rope(given: float | None, metric: Metric, entries: tuple[Entry, ...]) -> float:
    """The region of practical equivalence."""
    if given is not None:
        if not isinstance(given, Real) or not (np.isfinite(given) and given >= 0):
            raise out_of_range("rope", given, "a difference of 0 or more")
        return float(given)
    if metric.scale in ("proportion", "share", "below_one"):
        return 0.01
    bases = [entry.score.baseline for entry in entries if np.isfinite(entry.score.baseline)]
    return 0.01 * abs(float(np.mean(bases))) if bases else 0.0


def _test_pairs(
    tester: ComparisonTest, pairs: list[tuple[str, str, Pair | None]], family: int = 0
) -> tuple[PairResult, ...]:
    """Intervals and p-values that hold for all of these pairs together, or for a larger family: Bonferroni, which
    unlike Holm's rule has intervals that agree with its p-values."""
    known = [(first, second, pair) for first, second, pair in pairs if pair is not None]
    return tuple(_test_pair(tester, *one, max(family, len(known))) for one in known)


def _test_against_baseline(
    scored: Mapping[str, ModelScores],
    base: ModelScores,
    metric: Metric,
    data: Data,
    splits: Splits,
    confidence_level: float,
) -> tuple[PairResult, ...]:
    """A question of its own, whatever test the pairs of models have: guessing.py."""
    pairs = {
        name: make_pair(one, base, metric, data, splits, 0.0, confidence_level)
        for name, one in scored.items()
    }
    known = {
        name: pair.paired for name, pair in pairs.items() if pair is not None and pair.paired is not None
    }
    results = {name: scored[name].results for name in known}
    found = compare_with_guessing(metric, known, results, data, splits, confidence_level)
    return tuple(
        PairResult(name, "baseline", outcome, p_value, confidence_level)
        for name, (outcome, p_value) in found.items()
    )


def _test_pair(tester: ComparisonTest, first: str, second: str, pair: Pair, family: int) -> PairResult:
    level = pair.confidence_level
    outcome = tester.compare(replace(pair, confidence_level=1 - (1 - level) / family))
    if outcome.probabilities is not None:  # Bayesian: nothing to correct
        return PairResult(first, second, tester.compare(pair), float("nan"), level)
    return PairResult(first, second, outcome, min(1.0, outcome.p_value * family), level)
