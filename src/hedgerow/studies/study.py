"""study: the function.   In: a table and what is to be predicted.   Out: a StudyResult; a folder, if one is named."""

import warnings
from collections.abc import Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

from hedgerow.core.threads import one_blas_thread
from hedgerow.docstrings import document
from hedgerow.errors import Spelling, spell_as_parameter
from hedgerow.studies.checkpoint import CheckpointStore, NullCheckpoint
from hedgerow.studies.folder import (
    CHECKPOINT,
    describe_request,
    prepare_folder,
    refuse_other_study,
    write_folder,
)
from hedgerow.studies.lock import lock_folder
from hedgerow.studies.options import StudyOptions
from hedgerow.studies.progress import ProgressCallback
from hedgerow.studies.result import StudyResult
from hedgerow.studies.run import FinishedStudy, run_study
from hedgerow.studies.train import OpenCheckpoint


@document()
def study(
    data: Any,
    target: str | None = None,
    *,
    folder: Any = None,
    task: str = "auto",
    models: Sequence[str] = (),
    scoring: str | None = None,
    aim: str | None = None,
    cost: Any = None,
    cost_weights: bool = False,
    prefer: str = "accurate",
    margin: float | None = None,
    folds: int = 5,
    repeats: int | None = None,
    holdout: float = 0.2,
    random_state: int = 0,
    groups: str | None = None,
    weights: str | None = None,
    time: str | None = None,
    positive: str | None = None,
    quick: bool = False,
    budget: float | None = None,
    memory: float | None = None,
    drop: Sequence[str] = (),
    categories: Sequence[str] = (),
    types: Any = None,
    sheet: str | None = None,
    header: int | None = None,
    n_jobs: int | None = None,
    command: str = "",
    callback: ProgressCallback | None = None,
) -> StudyResult:
    """Which model, how good, and why.

    A hold-out is sealed; candidate models are compared by cross-validation on the other rows; the most accurate (or the
    simplest that cannot be distinguished from it) is fitted on all of them; the hold-out is opened once, for its
    score. Where no model is shown to beat the baseline none is recommended, and the baseline is kept.

    Parameters
    ----------
    data : str, path or frame
        A path (CSV, Excel, Parquet, Feather, JSON lines), a pattern that names several of one form, the name of a data
        set that comes along, or a frame.
    target : str, optional
        The column to predict; a data set that comes along knows its own.
    folder : path, optional
        Where report.html, result.json, model.hedgerow, holdout.csv, types.toml and command.txt go, and each fold
        result as it comes: the same study begun again with the same folder goes on where it was, another is refused.
    task : {"auto", "classification", "regression"}
        "auto": by what the target holds.
    models : sequence of str
        Which candidates to compare (hedgerow.candidates); all if not given. The baseline is always there.
    scoring : str, optional
        The metric that decides, by its name in `hedgerow.evaluate`; if not given, the log loss of calibrated
        probabilities; of numbers the root mean squared error, or the mean absolute error where the tails are heavy.
    aim : str, optional
        What the operating point, by which classes are predicted, is chosen for: "accuracy", "balanced_accuracy", "f1",
        "recall=0.9", "precision=0.8", "top=5%". If not given, the metric that decides if it is one of these, else
        accuracy, or balanced accuracy where a class is rare.
    cost : str or dict, optional
        What each mistake costs, "truth:prediction=cost": "good:bad=1,bad:good=20", or {("good", "bad"): 1, ...}. The
        class of the least expected cost is then predicted.
    cost_weights : bool
        Models learn from rows weighted by what a mistake about them costs, and choose rounds, pruning and C so; without
        it costs act on the operating point alone.
    prefer : {"accurate", "simple"}
        Which model to keep: the most accurate, or the simplest that cannot be distinguished from it. Both are named.
    margin : float, optional
        A difference in score that does not matter, in the units of the metric (0.01 of accuracy is one point): then the
        simplest is that of the models within the margin.
    folds, repeats : int
        Of the cross-validation; if not given, 5 folds drawn twice, and once for more than 2,000 columns, 20,000
        training rows or 100 classes (groups are always drawn once).
    holdout : float
        Share of the rows that is sealed.
    random_state : int
        Of the hold-out, the folds and the models.
    groups : str, optional
        A column; rows of one group stay together in the folds and the hold-out.
    weights : str, optional
        A column; how much each row counts.
    time : str, optional
        A column of dates or numbers. The hold-out is what comes last in it, and in every fold models learn from
        what came before the rows they are tested on.
    positive : str, optional
        Of two classes, the one of interest.
    quick : bool
        A first answer: at most 10,000 rows, drawn at random; a tree, a linear SVM and gradient boosting (unless
        `models` names others) on three folds drawn once; no learning curve, no stability of the tree, no check whether
        rows depend on time or groups. The notes say what was left out.
    budget : float, optional
        Seconds for the study: no fit of the comparison is begun after three quarters of them, and no explanation
        after all of them; the notes say what was left out. What has begun is finished, and the chosen model is fitted
        to all training rows, so a study ends about one fit of it later at the latest.
    memory : float, optional
        Gigabytes that reading a table may take; if not given, half of what is free. Of a larger CSV, Parquet or Feather
        file, or folder of Parquet files, models are compared on a random sample; the chosen one learns from all rows,
        block by block, where it can (gradient boosting, forests, trees that are not pruned by rows), and the hold-out
        is one of all rows. The notes say which was done, and why.
    drop, categories : sequence of str
        Columns to leave out; number columns that are categories.
    types : mapping, str or path, optional
        What columns are, where that is not found by itself: {"zip": "category", "opened": "date_dmy"}, or the file
        types.toml that a study writes into its folder, changed.
    sheet, header : str, int, optional
        Of a workbook the sheet to read (if not given, all of one form); the line of the column names, from 1.
    n_jobs : int, optional
        Fits side by side; the result does not depend on it.
    command : str
        What the report names as the way to repeat the study; the call, if not given.
    callback : ProgressCallback, optional
        Hears of each step and fold result (hedgerow.studies.progress).

    Returns
    -------
    StudyResult
        Prints itself; `to_dict()` is plain data, `to_html()` the report.

    See Also
    --------
    compare : Models of your own on the same splits.
    evaluate : One model.

    Examples
    --------
    >>> import hedgerow
    >>> result = hedgerow.study("titanic", models=["stump"], folds=3, repeats=1, quick=True)
    >>> result.verdict.chosen
    'stump'
    """
    given = locals()
    options = StudyOptions(**{field.name: given[field.name] for field in fields(StudyOptions)})
    command = command or _write_call(data, options)
    if folder is None:
        return _run_quietly(data, options, command, callback).result
    return study_in_folder(Path(folder).expanduser(), data, options, command, callback)


def study_in_folder(
    folder: Path,
    data: Any,
    options: StudyOptions,
    command: str,
    callback: ProgressCallback | None,
    earlier: tuple[Path, ...] = (),
    spell: Spelling = spell_as_parameter,
) -> StudyResult:
    """With a folder, which is this study's alone. `earlier`: folders of others, whose fits may still apply."""
    request = describe_request(data, options)
    refuse_other_study(folder, request)
    stores = tuple(other / CHECKPOINT for other in earlier)
    with prepare_folder(folder), lock_folder(folder):
        open_checkpoint = partial(CheckpointStore, folder / CHECKPOINT, request=request, earlier=stores)
        finished = _run_quietly(data, options, command, callback, open_checkpoint, spell)
        write_folder(finished, folder)
    return finished.result


def _run_quietly(
    data: Any,
    options: StudyOptions,
    command: str,
    callback: ProgressCallback | None,
    open_checkpoint: OpenCheckpoint = NullCheckpoint,
    spell: Spelling = spell_as_parameter,
) -> FinishedStudy:
    """Solvers that stop early warn those who call them; in a comparison the score is what counts."""
    from sklearn.exceptions import ConvergenceWarning

    with one_blas_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return run_study(data, options, command, callback, open_checkpoint, spell)


def _write_call(data: Any, options: StudyOptions) -> str:
    """The call, as it would be written; options that are not the default."""
    first = repr(str(data)) if isinstance(data, (str, Path)) else "table"
    given = {field.name: getattr(options, field.name) for field in fields(options)}
    usual = {field.name: field.default for field in fields(options)} | {"n_jobs": options.n_jobs}
    written = [f"{name}={value!r}" for name, value in given.items() if value != usual[name]]
    return f"hedgerow.study({', '.join([first, *written])})"
