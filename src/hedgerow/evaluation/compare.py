"""compare: which model, and how sure.   In: models, a table, a target.   Out: a Comparison with a verdict in words.

All models see the same splits; a test looks at every pair, and Holm's correction makes the verdicts hold together.
"""

from itertools import combinations
from numbers import Real
from time import perf_counter
from typing import Any

import numpy as np

from hedgerow.evaluation.baseline import baseline_answers
from hedgerow.evaluation.checks import findings
from hedgerow.evaluation.comparison import Comparison, Entry, Versus
from hedgerow.evaluation.comparison_tests import PairTest, comparison_named
from hedgerow.evaluation.data import Data, data_of
from hedgerow.evaluation.evaluate import check_level, metric_names, unweighted
from hedgerow.evaluation.fold import Answer
from hedgerow.evaluation.holm import holm
from hedgerow.evaluation.measure import measure
from hedgerow.evaluation.metrics import Metric, metrics
from hedgerow.evaluation.names import named_models
from hedgerow.evaluation.paired import Side, pair_of, side_of
from hedgerow.evaluation.run import run
from hedgerow.evaluation.score import Score, score_of
from hedgerow.evaluation.select import chosen
from hedgerow.evaluation.size import mean_size
from hedgerow.evaluation.splits import Splits, splits_of

SELECT = ("simplest", "1se", "best")
DESIGNS: dict[str, tuple[Any, int]] = {
    "folds": (10, 3),
    "five_two": (2, 5),
    "hold_out": (0.3, 1),
}  # cv, repeats


def compare(
    models: Any,
    X: Any,
    y: Any,
    *,
    score: str | None = None,
    test: str = "rows_t",
    cv: Any = None,
    repeats: int | None = None,
    select: str = "simplest",
    rope: float | None = None,
    sample_weight: Any = None,
    groups: Any = None,
    positive: Any = None,
    level: float = 0.95,
    random_state: int | None = 0,
    n_jobs: int | None = None,
    progress: bool = True,
) -> Comparison:
    """Models side by side, paired on the same splits, with a verdict on each pair and a recommendation.

    Parameters
    ----------
    models : a dict of estimators by name, or a list of estimators
    score : what decides: "accuracy" (the default for classes), "rmse" (for numbers), or another score of `evaluate`
    test : "rows_t", "corrected_t", "bayes", "five_two_f", "mcnemar" or "delong"
    cv, repeats : as in `evaluate`; if not given, what the test is made for: 10 folds three times, five times two
        folds, or 30 % held out
    select : "simplest" of those that cannot be told from the best, "1se" for the simplest within one standard error
        of the best, or "best"
    rope : differences up to this mean nothing in practice (test="bayes"); 0.01 for shares, else a hundredth of the
        baseline's score
    The others are those of `evaluate`.
    """
    begin = perf_counter()
    check_level(level)
    named = named_models(models)
    tester = comparison_named(test)
    if select not in SELECT:
        raise ValueError(f"select={select!r} is unknown. Known: {', '.join(SELECT)}.")
    data = data_of(list(named.values()), X, y, sample_weight=sample_weight, groups=groups, positive=positive)
    name = _score_name(score, test, tester, data)
    splits = _splits(tester, test, cv, repeats, data, random_state)
    answers = run(named, data, splits, n_jobs=n_jobs, show_progress=progress)
    return compared(
        named, answers, data, splits, name, test=test, select=select, rope=rope, level=level, begin=begin
    )


def compared(
    named: dict[str, Any],
    answers: dict[str, tuple[Answer, ...]],
    data: Data,
    splits: Splits,
    name: str,
    *,
    test: str = "rows_t",
    select: str = "simplest",
    rope: float | None = None,
    level: float = 0.95,
    begin: float | None = None,
    against_chosen: bool = False,
) -> Comparison:
    """What answers that are there have to say; `name` is the score that decides. `against_chosen`: only the pairs of
    the model that is chosen (by "1se" or "best", which need no test), so that fewer verdicts have to hold together.
    """
    sides = {key: side_of(metrics()[name], answers[key], data, splits) for key in named}
    entries = {key: _entry(key, model, sides[key], name, data, splits, level) for key, model in named.items()}
    order = _ranked(entries, metrics()[name])
    tester, known = comparison_named(test), _rope(rope, name, entries)
    ranked = tuple(entries[key] for key in order)
    wanted = list(combinations(order, 2))
    if against_chosen:
        wanted = [pair for pair in wanted if chosen(ranked, (), select) in pair]
    pairs = _pairs(wanted, sides, tester, name, data, splits, known, level)
    noted = findings(data, splits) + unweighted(named, data)
    return Comparison(
        entries=ranked,
        pairs=pairs,
        score=name,
        test=test,
        data=data,
        splits=splits,
        chosen=chosen(ranked, pairs, select),
        select=select,
        findings=noted,
        level=level,
        seconds=0.0 if begin is None else perf_counter() - begin,
    )


def _score_name(score: str | None, test: str, tester: PairTest, data: Data) -> str:
    usual = tester.scores[0] if tester.scores else "rmse" if data.classes is None else "accuracy"
    if tester.scores and data.classes is None:
        raise ValueError(f"test={test!r} is for classes, and these are regressors. Use test='rows_t'.")
    name = metric_names(score or usual, data)[0]
    if tester.scores and name not in tester.scores:
        raise ValueError(
            f"test={test!r} compares {tester.scores[0]}, not {name}. Use test='rows_t' for that."
        )
    if tester.scores and data.weight is not None:
        raise ValueError(f"test={test!r} knows no weights. Use test='rows_t', or leave sample_weight out.")
    if name == "roc_auc" and tester.scores and not data.is_binary:
        raise ValueError(f"test={test!r} is for two classes. Use test='rows_t' with score='roc_auc'.")
    return name


def _splits(
    tester: PairTest, test: str, cv: Any, repeats: int | None, data: Data, random_state: int | None
) -> Splits:
    usual_cv, usual_repeats = DESIGNS[tester.design]
    if cv is None and tester.design == "folds":
        units = data.n_rows if data.groups is None else int(data.groups.max()) + 1
        usual_cv = min(usual_cv, units)
    if cv is None and repeats is None and data.groups is not None and tester.design == "folds":
        usual_repeats = 1
    given_repeats = usual_repeats if repeats is None and cv is None else repeats or 1
    splits = splits_of(usual_cv if cv is None else cv, data, repeats=given_repeats, random_state=random_state)
    if tester.design == "five_two" and (len(splits.parts) != 10 or splits.folds != 2):
        raise ValueError(f"test={test!r} wants five times two folds: leave cv= and repeats= out.")
    if tester.design == "hold_out" and not splits.is_hold_out:
        raise ValueError(f"test={test!r} wants one hold-out: give cv=0.3 or another share, or leave it out.")
    if tester.design == "folds" and len(splits.parts) < 2:
        raise ValueError(f"test={test!r} wants several splits: give a number of folds, or test='mcnemar'.")
    return splits


def _entry(key: str, model: Any, side: Side, name: str, data: Data, splits: Splits, level: float) -> Entry:
    metric, answers = metrics()[name], side.answers
    base = measure(metric, baseline_answers(data, splits, answers), data, splits)
    found: Score = score_of(name, metric, side.measured, base, level)
    failed = [answer.failure for answer in answers if answer.guess is None]
    return Entry(
        name=key,
        model=model,
        score=found,
        size=mean_size([answer.size for answer in answers if answer.size is not None]),
        fit_seconds=float(np.mean([answer.fit_seconds for answer in answers])),
        n_failed=len(failed),
        failure=failed[0] if failed else "",
        answers=answers,
    )


def _ranked(entries: dict[str, Entry], metric: Metric) -> list[str]:
    """The best first; those without a score last."""
    sign = -1.0 if metric.higher_is_better else 1.0

    def place(key: str) -> tuple[bool, float]:
        value = entries[key].score.value
        return bool(np.isnan(value)), 0.0 if np.isnan(value) else sign * value

    return sorted(entries, key=place)


def _rope(given: float | None, name: str, entries: dict[str, Entry]) -> float:
    if given is not None:
        if not isinstance(given, Real) or not (np.isfinite(given) and given >= 0):
            raise ValueError(f"rope={given!r} is out of range. Give a difference of 0 or more.")
        return float(given)
    if metrics()[name].scale in ("proportion", "share", "below_one"):
        return 0.01
    bases = [entry.score.baseline for entry in entries.values() if np.isfinite(entry.score.baseline)]
    return 0.01 * abs(float(np.mean(bases))) if bases else 0.0


def _pairs(
    wanted: list[tuple[str, str]],
    sides: dict[str, Side],
    tester: PairTest,
    name: str,
    data: Data,
    splits: Splits,
    rope: float,
    level: float,
) -> tuple[Versus, ...]:
    """The pairs wanted, in each the better-ranked first."""
    metric = metrics()[name]
    outcomes = []
    for first, second in wanted:
        pair = pair_of(sides[first], sides[second], metric, data, splits, rope, level)
        if pair is not None:
            outcomes.append((first, second, tester.compare(pair)))
    adjusted = holm(np.array([outcome.p_value for _, _, outcome in outcomes]))
    return tuple(
        Versus(first, second, outcome, float(p), level)
        for (first, second, outcome), p in zip(outcomes, adjusted, strict=True)
    )
