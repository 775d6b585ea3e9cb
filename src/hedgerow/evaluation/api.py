"""evaluate and compare.   In: a model (or models), a table, a target.   Out: an Evaluation; a Comparison.

X, y, ...  ->  Data  ->  Splits  ->  FoldResults  ->  Estimates  ->  Scores  ->  Evaluation
                                                   ->  Pairs, tests         ->  Comparison
"""

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

from hedgerow.docstrings import document
from hedgerow.errors import ParameterError, Setting
from hedgerow.evaluation.check import find_failures, find_unpredicted, find_unweighted, run_checks
from hedgerow.evaluation.comparison import Comparison, name_models
from hedgerow.evaluation.comparison_test import ComparisonTest, load_comparison_test
from hedgerow.evaluation.data import Data, add_known_classes, make_data
from hedgerow.evaluation.evaluation import Evaluation
from hedgerow.evaluation.metric import metric_name, metric_names
from hedgerow.evaluation.paired import compare_fold_results
from hedgerow.evaluation.run import run_folds
from hedgerow.evaluation.score import check_confidence_level, compute_scores
from hedgerow.evaluation.select import Preference
from hedgerow.evaluation.splits import Splits, make_splits

ANY_SCORE = Setting("test", "rowwise_t")  # the test for every metric and task


@document()
def evaluate(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    cv: Any = None,
    repeats: int = 1,
    scoring: Sequence[str] | str | None = None,
    sample_weight: Any = None,
    groups: Any = None,
    positive: Any = None,
    confidence_level: float = 0.95,
    random_state: int | None = 0,
    n_jobs: int | None = None,
    progress: bool = True,
) -> Evaluation:
    """Score a model with confidence intervals, a baseline beside each, and say what may be wrong with the method.

    Parameters
    ----------
    estimator : estimator
        Any classifier or regressor with scikit-learn's fit and predict; it is cloned, not changed.
    cv : int, float, str, splitter or iterable, optional
        A number of folds (10 if not given), a share to hold out such as 0.25, "time" for folds in the order of the
        rows, "fitted" if the model is fitted and X, y are new to it, a splitter of scikit-learn, or pairs of rows.
    repeats : int
        How often the folds are drawn anew.
    scoring : str or list of str, optional
        Metrics such as "accuracy", "roc_auc", "f1", "log_loss", "r2", "rmse"; all of the task if not given.
    sample_weight : array-like, optional
        Used for fitting and for scoring; a row of weight 0 is left out.

    Returns
    -------
    Evaluation
        Print it, show it in a notebook, `.to_dict()` it, `.draw()` it; its curves are methods.

    See Also
    --------
    compare : Several models on the same splits.
    learning_curve : The score against the number of rows.

    Notes
    -----
    The standard error of a score is that of its influence function over the rows, with what the folds of a
    cross-validation are seen to share added to it. Of stumps on columns of a few values, ten folds drawn once show too
    little of that: give `cv=5, repeats=2`.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, datasets, evaluate
    >>> titanic = datasets.titanic()
    >>> found = evaluate(DecisionTreeClassifier(max_depth=3), titanic.table, titanic.target, cv=5, progress=False)
    >>> bool(0.7 < found.folds("accuracy").mean() < 0.9)
    True
    """
    begin = perf_counter()
    check_confidence_level(confidence_level)
    data = make_data([estimator], X, y, sample_weight=sample_weight, groups=groups, positive=positive)
    data = add_known_classes(data, estimator) if isinstance(cv, str) and cv == "fitted" else data
    names = metric_names(scoring, data)
    splits = make_splits(cv, data, repeats=repeats, random_state=random_state)
    findings = run_checks(data, splits) + find_unweighted({"the model": estimator}, data)
    results = run_folds({"model": estimator}, data, splits, n_jobs=n_jobs, show_progress=progress)["model"]
    if all(result.predictions is None for result in results):
        raise ValueError(f"The model failed in every split. The first time: {results[0].failure}")
    return Evaluation(
        model=estimator,
        data=data,
        splits=splits,
        fold_results=results,
        scores=compute_scores(names, results, data, splits, confidence_level),
        findings=findings + find_failures(results) + find_unpredicted(results, data),
        confidence_level=confidence_level,
        seconds=perf_counter() - begin,
    )


@document()
def compare(
    models: Any,
    X: Any,
    y: Any,
    *,
    scoring: str | None = None,
    test: str = "rowwise_t",
    cv: Any = None,
    repeats: int | None = None,
    prefer: str = "accurate",
    margin: float | None = None,
    rope: float | None = None,
    sample_weight: Any = None,
    groups: Any = None,
    positive: Any = None,
    confidence_level: float = 0.95,
    random_state: int | None = 0,
    n_jobs: int | None = None,
    progress: bool = True,
) -> Comparison:
    """Compare models, paired on the same splits, with a verdict on each pair and a recommendation.

    Parameters
    ----------
    scoring : str, optional
        The metric that decides; if not given, "accuracy" for classes ("roc_auc" where one of two is rare, that is has
        less than a fifth of the rows) and "rmse" for numbers.
    test : str
        A file of evaluation/comparison_tests, such as "rowwise_t", "bayes", "mcnemar"; an unknown name lists them all.
    cv : int, float, str, splitter or iterable, optional
        As in `evaluate`; if not given, what the test is made for: 10 folds, two folds, or 30 % held out.
    repeats : int, optional
        How often the folds are drawn anew; if not given, what the test is made for: three times, or five.
    prefer : {"accurate", "simple"}
        Which to take: the most accurate, or the simplest that cannot be distinguished from it. None is taken
        where no model is shown to be better than the baseline.
    margin : float, optional
        A difference in score that does not matter, in the units of the metric: then the simplest is that of the models
        within the margin.
    rope : float, optional
        Region of practical equivalence (test="bayes"): smaller differences do not matter; 0.01 for shares, else a
        hundredth of the baseline's score.

    Returns
    -------
    Comparison
        Print it, `.to_dict()` it, `.draw()` it; `.verdict` says which model to take.

    See Also
    --------
    evaluate : One model.
    compare_datasets : Several data sets.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, compare, datasets
    >>> titanic = datasets.titanic()
    >>> models = {"stump": DecisionTreeClassifier(max_depth=1), "tree": DecisionTreeClassifier(max_depth=3)}
    >>> compare(models, titanic.table, titanic.target, cv=3, repeats=1, progress=False).chosen
    'tree'
    """
    begin = perf_counter()
    check_confidence_level(confidence_level)
    named = name_models(models)
    tester = load_comparison_test(test)
    preference = Preference(prefer, margin)
    data = make_data(
        list(named.values()), X, y, sample_weight=sample_weight, groups=groups, positive=positive
    )
    name = metric_for_test(scoring, test, tester, named, data)
    splits = splits_for_test(test, tester, cv, repeats, data, random_state)
    results = run_folds(named, data, splits, n_jobs=n_jobs, show_progress=progress)
    return compare_fold_results(
        named,
        results,
        data,
        splits,
        name,
        test=test,
        preference=preference,
        rope=rope,
        confidence_level=confidence_level,
        begin=begin,
        findings=run_checks(data, splits) + find_unweighted(named, data),
    )


def metric_for_test(
    scoring: str | None, test: str, tester: ComparisonTest, models: Mapping[str, Any], data: Data
) -> str:
    """The metric that decides; an error where the test is not made for it."""
    if not tester.metrics:
        return metric_name(scoring or _usual_metric(models, data), data)
    only = tester.metrics[0]
    if data.classes is None:
        raise ParameterError("{test} is for classes, and these are regressors. Use {}.", ANY_SCORE, test=test)
    name = metric_name(scoring or only, data)
    if name not in tester.metrics:
        raise ParameterError(
            f"{{test}} compares {only}, not {name}. Use {{}} for that.", ANY_SCORE, test=test
        )
    if data.weight is not None:
        raise ParameterError(
            "{test} knows no weights. Use {}, or leave sample_weight out.", ANY_SCORE, test=test
        )
    if name == "roc_auc" and not data.is_binary:
        raise ParameterError(
            "{test} is for two classes. Use {} with {}.", ANY_SCORE, Setting("scoring", "roc_auc"), test=test
        )
    return name


def _usual_metric(models: Mapping[str, Any], data: Data) -> str | None:
    """Where one of two classes is rare, how well rows are ranked: in accuracy nothing beats the common class. None
    elsewhere: that of the task."""
    can_rank = all(
        hasattr(one, "predict_proba") or hasattr(one, "decision_function") for one in models.values()
    )
    return "roc_auc" if data.is_binary and data.has_rare_class and can_rank else None


def splits_for_test(
    test: str, tester: ComparisonTest, cv: Any, repeats: int | None, data: Data, random_state: int | None
) -> Splits:
    """As given, or as the test is designed; an error where the test is not made for them."""
    design = tester.design
    if cv is None:
        is_choice = not design.required and not design.is_hold_out
        cv = min(int(design.cv), data.n_units) if is_choice else design.cv
        given = data.groups is not None and not data.grouped_by_copies
        usual = 1 if is_choice and given else design.repeats
        repeats = usual if repeats is None else repeats
    splits = make_splits(cv, data, repeats=1 if repeats is None else repeats, random_state=random_state)
    if design.is_hold_out and not splits.is_hold_out:
        raise ParameterError(
            "{test} wants one hold-out: give {} or another share, or leave it out.",
            Setting("cv", 0.3),
            test=test,
        )
    if design.is_hold_out:
        return splits
    if design.required and (splits.folds, splits.repeats) != (design.cv, design.repeats):
        wanted = f"{design.cv} folds {design.repeats} times"
        raise ParameterError(f"{{test}} wants {wanted}: leave {{cv}} and {{repeats}} out.", test=test)
    if len(splits.parts) < 2:
        raise ParameterError(
            "{test} wants several splits: give a number of folds, or {}.",
            Setting("test", "mcnemar"),
            test=test,
        )
    return splits
