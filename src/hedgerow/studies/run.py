"""run_study: from a table to an honest, explained choice of model.

    load -> seal the hold-out -> compare the candidates by cross-validation -> choose -> fit -> explain
         -> open the hold-out -> its score

Nothing is learned after the hold-out is opened. Summaries and explanations may fail: each that does is a note.
"""

import json
from dataclasses import dataclass, replace
from typing import Any

from hedgerow.errors import Spelling, spell_as_parameter
from hedgerow.evaluation.api import evaluate
from hedgerow.evaluation.data import Learned
from hedgerow.evaluation.evaluation import Evaluation
from hedgerow.evaluation.score import compute_scores
from hedgerow.intake import Samples
from hedgerow.report.section import load_sections
from hedgerow.store.training_rows import TrainingRows, make_training_rows
from hedgerow.studies.attempts import Attempts
from hedgerow.studies.checkpoint import NullCheckpoint
from hedgerow.studies.holdout import Sealed, seal
from hedgerow.studies.load import load_data
from hedgerow.studies.options import StudyOptions
from hedgerow.studies.progress import NullProgress, ProgressCallback
from hedgerow.studies.records import HoldoutResult
from hedgerow.studies.result import VERSION, StudyResult
from hedgerow.studies.summarize.data import summarize_data, summarize_notes, summarize_question
from hedgerow.studies.summarize.explanation import summarize_explanation
from hedgerow.studies.summarize.holdout import measure_importance, summarize_holdout, title_importance
from hedgerow.studies.summarize.holdout_notes import note_holdout
from hedgerow.studies.summarize.models import summarize_candidates, summarize_verdict
from hedgerow.studies.train import CONFIDENCE_LEVEL, OpenCheckpoint, Trained, train_candidates
from hedgerow.words import probability_column


@dataclass(frozen=True, eq=False)
class FinishedStudy:
    result: StudyResult
    model: Any  # the chosen one, fitted on all training rows, as it can be saved
    predictions: dict[str, Any]  # of the hold-out, by column
    training_rows: TrainingRows  # what it was fitted on
    types: str  # the inferred column types, as the text of a types file


def run_study(
    data: Any,
    options: StudyOptions,
    command: str = "",
    callback: ProgressCallback | None = None,
    open_checkpoint: OpenCheckpoint = NullCheckpoint,
    spell: Spelling = spell_as_parameter,
) -> FinishedStudy:
    """`spell`: how parameters are written in notes and reasons."""
    callback, attempts = callback or NullProgress(), Attempts(options.budget)
    callback.on_step("reading")
    loaded = load_data(data, options, spell)
    callback.on_data(loaded)
    rows, sealed = seal(
        loaded.rows,
        loaded.goal.strata,
        options.holdout,
        options.random_state,
        loaded.equal.sets,
        loaded.large,
    )
    trained = train_candidates(loaded, rows, options, open_checkpoint, callback, attempts)
    callback.on_step("explaining it")
    draft = _summarize_training(trained, sealed.n_rows, options, command, attempts)
    callback.on_step("opening the hold-out")
    holdout = _open(sealed, trained)
    evaluation = _evaluate_holdout(trained, holdout, options)
    callback.on_step("measuring how much each column matters")
    result = _add_holdout(draft, trained, evaluation, holdout, options, attempts)
    return FinishedStudy(
        result.with_model(trained.model),
        trained.model,
        _tabulate_predictions(evaluation, holdout),
        trained.seen or make_training_rows(rows.table),
        loaded.types,
    )


def _open(sealed: Sealed, trained: Trained) -> Samples:
    if trained.reading is None or trained.loaded.large is None:
        return sealed.open()
    return sealed.open_all(trained.loaded.large, trained.reading.n_held)


def _summarize_training(
    trained: Trained, n_holdout: int, options: StudyOptions, command: str, attempts: Attempts
) -> StudyResult:
    """All there is to say before the hold-out is opened; its part is empty yet."""
    profile = summarize_data(trained, attempts)
    return StudyResult(
        version=VERSION,
        question=summarize_question(trained, options, n_holdout, command),
        profile=profile,
        candidates=summarize_candidates(trained),
        verdict=summarize_verdict(trained.comparison, trained.name),
        holdout=HoldoutResult(0, (), (), None, None, None),
        explanation=summarize_explanation(trained, profile.columns, attempts),
        notes=summarize_notes(trained, options, attempts),
        extra=_summarize_sections(trained, attempts),
    )


def _summarize_sections(trained: Trained, attempts: Attempts) -> dict[str, Any]:
    """What sections of the report want to know beyond the result; as JSON has it."""
    wanted = {name: one.summarize for name, one in load_sections().items() if hasattr(one, "summarize")}
    found = {
        name: attempts.attempt_in_time(
            f"the section {name}",
            lambda work=work: json.loads(json.dumps(work(trained), allow_nan=False)),  # type: ignore[misc]
            None,
            "explanations such as effects and weak spots",
        )
        for name, work in wanted.items()
    }
    return {name: value for name, value in found.items() if value is not None}


def _evaluate_holdout(trained: Trained, rows: Samples, options: StudyOptions) -> Evaluation:
    """Beside the baseline of the training rows."""
    classes, order = trained.loaded.goal.classes, trained.benchmark.data.classes
    truth, learned = (one.target if classes is None else classes[one.target] for one in (rows, trained.rows))
    found = evaluate(
        trained.model, rows.table, truth, cv="fitted", scoring=trained.benchmark.score_names, sample_weight=rows.weight,
        groups=rows.groups,
        positive=None if order is None or len(order) != 2 else order.tolist()[1],
        confidence_level=CONFIDENCE_LEVEL,
        n_jobs=options.n_jobs, progress=False,
    )  # fmt: skip
    data = replace(found.data, learned=Learned(learned, trained.rows.weight))
    names = [score.name for score in found.scores]
    scores = compute_scores(names, found.fold_results, data, found.splits, CONFIDENCE_LEVEL)
    return replace(found, data=data, scores=scores)


def _add_holdout(
    draft: StudyResult,
    trained: Trained,
    evaluation: Evaluation,
    rows: Samples,
    options: StudyOptions,
    attempts: Attempts,
) -> StudyResult:
    benchmark = trained.benchmark
    holdout = summarize_holdout(
        evaluation, trained.model, benchmark.aim, options.random_state, attempts, benchmark.data.classes
    )
    n_columns, scoring = len(rows.table.columns), trained.benchmark.scoring
    order = trained.columns_by_use
    importance = attempts.attempt_in_time(
        "the importance of columns",
        lambda: measure_importance(
            trained.model, evaluation.data, rows.table, scoring, options.random_state, order
        ),
        (),
    )
    title = title_importance(scoring, n_columns)
    explanation = replace(draft.explanation, importance=importance, importance_title=title)
    notes = (*draft.notes, *note_holdout(draft, holdout, benchmark.data, evaluation.data), *attempts.notes)
    return replace(draft, holdout=holdout, explanation=explanation, notes=notes)


def _tabulate_predictions(evaluation: Evaluation, rows: Samples) -> dict[str, Any]:
    predicted, classes, y = evaluation.fold_results[0].predictions, evaluation.data.classes, evaluation.data.y
    assert predicted is not None
    columns: dict[str, Any] = {"row": rows.numbers}
    if classes is None:
        return columns | {"truth": y, "prediction": predicted.values}
    columns |= {"truth": classes[y], "prediction": classes[predicted.values]}
    if predicted.proba is not None:
        columns |= {
            probability_column(label): predicted.proba[:, k] for k, label in enumerate(classes.tolist())
        }
    return columns
