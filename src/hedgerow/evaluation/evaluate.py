"""evaluate: how good a model is, and how sure one may be.   In: a model, a table, a target.   Out: an Evaluation."""

from collections.abc import Sequence
from numbers import Real
from time import perf_counter
from typing import Any

from hedgerow.evaluation.baseline import baseline_answers
from hedgerow.evaluation.checks import Finding, findings
from hedgerow.evaluation.data import Data, data_of
from hedgerow.evaluation.evaluation import Evaluation
from hedgerow.evaluation.fold import Answer, takes_weights
from hedgerow.evaluation.measure import measure
from hedgerow.evaluation.metrics import metric_named, metrics
from hedgerow.evaluation.run import run
from hedgerow.evaluation.score import Score, score_of
from hedgerow.evaluation.splits import Splits, splits_of


def evaluate(
    model: Any,
    X: Any,
    y: Any,
    *,
    cv: Any = None,
    repeats: int = 1,
    scores: Sequence[str] | str | None = None,
    sample_weight: Any = None,
    groups: Any = None,
    positive: Any = None,
    level: float = 0.95,
    random_state: int | None = 0,
    n_jobs: int | None = None,
    progress: bool = True,
) -> Evaluation:
    """Scores of a model with intervals, a baseline beside each, and what may be wrong with the method.

    Parameters
    ----------
    model : any classifier or regressor with scikit-learn's fit and predict; it is cloned, not changed
    X, y : the table and the target
    cv : a number of folds (10 if not given), a share to hold out such as 0.25, "time" for folds in the order of the
        rows, "fitted" if the model is fitted and X, y are new to it, a splitter of scikit-learn, or pairs of rows
    repeats : how often the folds are drawn anew
    scores : names such as "accuracy", "roc_auc", "f1", "log_loss", "r2", "rmse"; all that suit the task if not given
    sample_weight : used for fitting and for scoring; a row of weight 0 is left out
    groups : one a row; groups stay together, in folds and in the standard errors
    positive : of two classes, the one whose precision, recall and F are told; the second in order if not given
    level : of the intervals
    random_state : fixes the folds
    n_jobs : fits side by side; None and -1 for all usable cores. The numbers do not depend on it
    progress : a line on standard error for work that takes more than a second

    Print the result, show it in a notebook, `.to_dict()` it, `.draw()` it.
    """
    begin = perf_counter()
    check_level(level)
    data = data_of([model], X, y, sample_weight=sample_weight, groups=groups, positive=positive)
    asked = metric_names(scores, data)
    splits = splits_of(cv, data, repeats=repeats, random_state=random_state)
    noted = findings(data, splits) + unweighted({"the model": model}, data)
    answers = run({"model": model}, data, splits, n_jobs=n_jobs, show_progress=progress)["model"]
    if all(answer.guess is None for answer in answers):
        raise ValueError(f"The model failed in every split. The first time: {answers[0].failure}")
    base = baseline_answers(data, splits, answers)
    return Evaluation(
        model=model,
        data=data,
        splits=splits,
        answers=answers,
        baseline=base,
        scores=scores_of(asked, answers, base, data, splits, level),
        findings=noted + failures(answers) + unanswered(answers, data),
        level=level,
        seconds=perf_counter() - begin,
    )


def metric_names(scores: Sequence[str] | str | None, data: Data) -> list[str]:
    task = "regression" if data.classes is None else "classification"
    if scores is None:
        return [name for name, metric in metrics().items() if metric.task == task]
    if not isinstance(scores, (str, list, tuple)):
        raise TypeError(f"scores={scores!r}: wanted a name such as 'accuracy', or a list of names.")
    asked = [scores] if isinstance(scores, str) else list(dict.fromkeys(scores))
    if not asked:
        raise ValueError("scores is empty. Name at least one, or leave it out for all.")
    for name in asked:
        metric_named(name, task)
    return asked


def scores_of(
    names: Sequence[str],
    answers: tuple[Answer, ...],
    baseline: tuple[Answer, ...],
    data: Data,
    splits: Splits,
    level: float,
) -> tuple[Score, ...]:
    known = metrics()
    return tuple(
        score_of(
            name,
            known[name],
            measure(known[name], answers, data, splits),
            measure(known[name], baseline, data, splits),
            level,
        )
        for name in names
    )


def failures(answers: tuple[Answer, ...]) -> tuple[Finding, ...]:
    failed = [answer.failure for answer in answers if answer.guess is None]
    if not failed:
        return ()
    words = f"the model failed in {len(failed)} of {len(answers)} splits ({failed[0]}); the scores are of the others."
    return (Finding("failed_splits", words, True),)


def unanswered(answers: tuple[Answer, ...], data: Data) -> tuple[Finding, ...]:
    """Rows for which the model named no class of y."""
    if data.classes is None:
        return ()
    said = [answer.guess.values for answer in answers if answer.guess is not None]
    n, every = sum(int((values < 0).sum()) for values in said), sum(len(values) for values in said)
    if not n:
        return ()
    words = f"for {n:,} of {every:,} test rows the model named no class of y: it abstained, or knows other classes."
    return (Finding("unanswered", words, n == every, rows=n),)


def unweighted(models: dict[str, Any], data: Data) -> tuple[Finding, ...]:
    if data.weight is None:
        return ()
    without = [name for name, model in models.items() if not takes_weights(model)]
    words = "cannot be fitted with weights; only the scores are weighted."
    return tuple(Finding("unweighted", f"{name} {words}", False) for name in without)


def check_level(level: float) -> None:
    if not isinstance(level, Real) or not 0.5 <= level < 1:
        raise ValueError(f"level={level!r} is out of range. Give such as 0.95.")
