"""study: the function.   In: a table and what is to be predicted.   Out: a StudyResult; a folder, if one is named."""

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from hedgerow.studies.answers import Book
from hedgerow.studies.asked import Asked
from hedgerow.studies.folder import LEDGER, made, refuse_other, words_of, write_folder
from hedgerow.studies.progress import Teller
from hedgerow.studies.result import StudyResult
from hedgerow.studies.run import Done, studied


def study(
    data: Any,
    target: str | None = None,
    *,
    folder: Any = None,
    task: str = "auto",
    models: Sequence[str] = (),
    metric: str | None = None,
    folds: int = 5,
    repeats: int | None = None,
    holdout: float = 0.2,
    seed: int = 0,
    groups: str | None = None,
    weights: str | None = None,
    positive: str | None = None,
    budget: float | None = None,
    memory: float | None = None,
    drop: Sequence[str] = (),
    categories: Sequence[str] = (),
    n_jobs: int | None = None,
    command: str = "",
    tell: Teller | None = None,
) -> StudyResult:
    """Which model, how good, and why.

    A hold-out is sealed; a panel of models is compared by cross-validation on the other rows; the simplest within one
    standard error of the best is fitted on all of them; the hold-out is opened once, for its score.

    Parameters
    ----------
    data : a path (CSV, Parquet, Feather, JSON lines), the name of a data set that comes along, or a frame
    target : the column to predict; a data set that comes along knows its own
    folder : where report.html, result.json, model.hedgerow, holdout.csv and command.txt go, and the answers of each
        fold as they come: the same study begun again with the same folder goes on where it was, another is refused
    task : "classification", "regression", or "auto": by what the target holds
    models : of the panel (hedgerow.candidates.NAMES), which; all if not given. The baseline is always there
    metric : what decides, by its name in `hedgerow.evaluate`; if not given, accuracy, balanced accuracy where a class
        is rare but not too rare to be judged by, the root mean squared error for numbers
    folds, repeats : of the cross-validation; if not given, 5 folds drawn twice, and once for more than 2,000 columns
        (groups are always drawn once)
    holdout : share of the rows that is sealed
    groups : a column; rows of one group stay together in the folds and the hold-out
    weights : a column; how much each row counts
    positive : of two classes, the one of interest
    budget : seconds for the comparison; what is not done by then is left out, and said
    memory : gigabytes that reading a CSV may take; of a larger one a random part of the rows is studied, and it says so
    drop, categories : columns to leave out; number columns that are categories
    n_jobs : fits side by side; the result does not depend on it
    """
    asked = Asked(
        target, task, tuple(models), metric, folds, repeats, holdout, seed, groups, weights, positive, budget, memory,
        tuple(drop), tuple(categories), n_jobs,
    )  # fmt: skip
    words = command or _call(data, asked)
    if folder is None:
        return quietly(lambda: studied(data, asked, None, words, tell)).result
    return study_in(Path(folder).expanduser(), data, asked, words, tell)


def study_in(
    place: Path, data: Any, asked: Asked, command: str, tell: Teller | None, earlier: tuple[Path, ...] = ()
) -> StudyResult:
    """With a folder, which is this study's alone. `earlier`: folders of others, whose fits may still apply."""
    book = Book(place / LEDGER, words_of(data, asked), tuple(other / LEDGER for other in earlier))
    refuse_other(place, book.words)
    with made(place):
        done = quietly(lambda: studied(data, asked, book, command, tell))
        write_folder(done, place)
    return done.result


def quietly(work: Callable[[], Done]) -> Done:
    """Solvers that stop early say so to those who call them; in a panel the score is what counts."""
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return work()


def _call(data: Any, asked: Asked) -> str:
    """The call, as it would be written; options that are not the default."""
    from dataclasses import fields

    first = repr(str(data)) if isinstance(data, (str, Path)) else "table"
    given = {field.name: getattr(asked, field.name) for field in fields(asked)}
    usual = {field.name: field.default for field in fields(asked)} | {"n_jobs": asked.n_jobs}
    options = [f"{name}={value!r}" for name, value in given.items() if value != usual[name]]
    return f"hedgerow.study({', '.join([first, *options])})"
