"""Where the model is weak: slices of the training rows with the worst out-of-fold loss, with intervals."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hedgerow.studies.result import StudyResult
    from hedgerow.studies.train import Trained

TITLE = "Weak spots"
HEADING = "Where the model is weak"
ORDER = 46


def summarize(trained: "Trained") -> dict[str, Any] | None:
    import numpy as np

    from hedgerow.evaluation.slices import find_slices

    loss = out_of_fold_loss(trained)
    known = np.flatnonzero(~np.isnan(loss))
    if not len(known):
        return None
    title = "absolute error" if trained.loaded.goal.classes is None else "log loss"
    found = find_slices(
        trained.rows.table.take(known), loss[known], lambda rows: guess_loss(trained, known[rows])
    )
    return {"title": title, "mean": float(loss[known].mean()), "slices": [asdict(one) for one in found]}


def out_of_fold_loss(trained: "Trained") -> Any:
    """Of each training row, by the models of the first repeat that had not seen it; NaN where there is none: rows
    before the first test in the order of time, a fold that failed."""
    import numpy as np

    data, splits = trained.benchmark.data, trained.benchmark.splits
    loss = np.full(data.n_rows, np.nan)
    for part, result in zip(splits.parts, trained.comparison[trained.name].fold_results, strict=True):
        found = result.predictions
        if part.repeat != splits.parts[0].repeat or found is None:
            continue
        if data.classes is None:
            loss[part.test] = np.abs(found.values - data.y[part.test])
        elif found.proba is not None:
            of_truth = found.proba[np.arange(len(part.test)), data.y[part.test]]
            loss[part.test] = -np.log(np.clip(of_truth, 1e-6, 1.0))
    return loss


def guess_loss(trained: "Trained", rows: Any) -> float:
    """Of the constant that suits these rows best: the shares of their classes, their median."""
    import numpy as np

    data = trained.benchmark.data
    y = data.y[rows]
    if data.classes is None:
        return float(np.abs(y - np.median(y)).mean())
    share = np.bincount(y)[np.unique(y)] / len(y)
    return float(-(share * np.log(share)).sum())


def context(result: "StudyResult") -> dict[str, Any] | None:
    found = result.extra.get("slices")
    what = "the shares of the classes there" if result.question.classes else "the median there"
    return {"f": found, "constant": what} if found else None
