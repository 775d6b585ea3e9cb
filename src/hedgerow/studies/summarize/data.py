"""The data and the question, summarized.   In: Trained, StudyOptions.   Out: Question, DataProfile, Notes."""

from collections.abc import Mapping
from importlib.metadata import version
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.candidate import BASELINE
from hedgerow.candidate_kinds import OF_MANY_CLASSES
from hedgerow.display.sentences import join_words, many
from hedgerow.errors import NO_VALUE, render
from hedgerow.evaluation.checks.duplicated_rows import describe_equal_rows, seem_copies
from hedgerow.evaluation.metric import metrics
from hedgerow.evaluation.run import NOT_STARTED
from hedgerow.intake import TargetData
from hedgerow.studies.attempts import Attempts
from hedgerow.studies.group_check import find_group_column
from hedgerow.studies.judge import has_many_classes
from hedgerow.studies.load import LoadedData
from hedgerow.studies.options import StudyOptions
from hedgerow.studies.records import ClassCount, ColumnProfile, DataProfile, Note, Question
from hedgerow.studies.time_check import find_time_column
from hedgerow.studies.train import Trained
from hedgerow.table import Column, Table
from hedgerow.table.describe import column_line
from hedgerow.tree.formatting import number
from hedgerow.words import show


def summarize_question(trained: Trained, options: StudyOptions, n_holdout: int, command: str) -> Question:
    loaded, benchmark, reading = trained.loaded, trained.benchmark, trained.reading
    metric, labels = metrics()[benchmark.scoring], benchmark.data.classes
    classes = () if labels is None else tuple(str(label) for label in labels.tolist())
    return Question(
        data=loaded.name,
        target=loaded.target,
        task=loaded.goal.task,
        task_reason=loaded.task_reason,
        classes=classes,
        positive=classes[1] if len(classes) == 2 else None,
        scoring=benchmark.scoring,
        scoring_title=metric.title,
        higher_is_better=metric.higher_is_better,
        is_percentage=metric.is_percentage,
        prefer=options.prefer,
        margin=None if options.margin is None else float(options.margin),
        n_rows=len(loaded.rows) if reading is None else reading.n_train + reading.n_held,
        n_columns=len(loaded.rows.table.columns),
        n_train=len(trained.rows) if reading is None else reading.n_train,
        n_holdout=n_holdout if reading is None else reading.n_held,
        folds=benchmark.splits.folds,
        repeats=benchmark.splits.repeats,
        random_state=options.random_state,
        command=command,
        hedgerow_version=version("hedgerow"),
        n_compared=None if reading is None else len(trained.rows),
        time=options.time,
        groups=options.groups,
    )


def summarize_data(trained: Trained, attempts: Attempts) -> DataProfile:
    loaded, rows = trained.loaded, trained.rows
    used = profile_columns(rows.table, loaded.remarks)
    unused = attempts.attempt(
        "the profile of unused columns",
        lambda: profile_columns(loaded.unused, dict(loaded.left_out), used=False),
        (),
    )
    rows_left_out = [
        f"{what} left out: {why}" for what, why in loaded.left_out if what not in loaded.unused.names
    ]
    equal = [note.text for note in _note_equal_rows(loaded)]
    return DataProfile(
        columns=used + unused,
        n_copies=loaded.equal.n_equal if loaded.equal.are_copies else 0,
        class_counts=_count_classes(loaded.goal, trained.benchmark.data.classes),
        target=_describe_target(loaded.goal),
        notes=tuple(
            [Note(text, False) for text in (*loaded.reading, *_questions(trained), *equal, *rows_left_out)]
            + [Note(found.message, found.severe, found.columns) for found in trained.findings]
        ),
    )


def profile_columns(table: Table, remarks: Mapping[str, str], used: bool = True) -> tuple[ColumnProfile, ...]:
    """`remarks`: by name, where there is something to say."""
    return tuple(_profile(column, remarks.get(column.name, ""), used) for column in table.columns)


def _profile(column: Column, remark: str, used: bool) -> ColumnProfile:
    missing = column.missing
    n_distinct = len(column.levels) if column.is_coded else len(np.unique(column.values[~missing]))
    values = column_line(column).values
    return ColumnProfile(column.name, column.kind, int(missing.sum()), n_distinct, values, used, remark)


def _count_classes(goal: TargetData, order: NDArray[Any] | None) -> tuple[ClassCount, ...]:
    """In the order of the classes everywhere else, which has the one of interest last."""
    if goal.classes is None or order is None:
        return ()
    counts = dict(
        zip(goal.classes.tolist(), np.bincount(goal.values, minlength=len(goal.classes)), strict=True)
    )
    return tuple(ClassCount(str(label), int(counts[label])) for label in order.tolist())


def _describe_target(goal: TargetData) -> str:
    if goal.classes is None:
        low, middle, high = (number(float(q)) for q in np.quantile(goal.values, [0, 0.5, 1]))
        return f"{low} to {high}, median {middle}"
    return f"{len(goal.classes)} classes"


def _note_equal_rows(loaded: LoadedData) -> list[Note]:
    """Severe only where the rows are shown to be copies."""
    equal = loaded.equal
    if not equal.n_equal:
        return []
    found = describe_equal_rows(equal, len(loaded.goal.values))
    if equal.sets is None:
        return [Note(found, False)]
    kept = (
        "They stand on both sides of the hold-out and of folds, which the order of time decides."
        if loaded.rows.time is not None
        else "They are kept on one side, in the hold-out and in the folds, so no test row is equal to a training row."
    )
    return [Note(f"{found} {kept}", seem_copies(equal))]


def _questions(trained: Trained) -> list[str]:
    """About the table, but for those that a finding answers: rows of this column do belong together."""
    answered = {name for one in trained.findings if one.check == "groups" for name in one.columns}
    questions = trained.loaded.group_questions
    return [*trained.loaded.notes, *(text for name, text in questions.items() if name not in answered)]


def summarize_notes(trained: Trained, options: StudyOptions, attempts: Attempts) -> tuple[Note, ...]:
    benchmark, comparison = trained.benchmark, trained.comparison
    title = metrics()[benchmark.scoring].title
    out = [Note(f"The models are compared by {title}, {benchmark.scoring_reason}.", False)]
    if trained.is_brief:
        hint = attempts.attempt(
            "the columns of time and groups", lambda: _hint_unchecked(trained, options), ""
        )
        said = _say_quick(trained) if options.quick else _say_late(trained)
        out.append(Note(f"{said}{hint}", True))
    out += _note_left_out(trained)
    if options.time is not None:
        text = (
            f"the hold-out comes last in {show(options.time)}, and folds are tested by models of earlier rows"
        )
        out.append(Note(f"Rows are in the order of time: {text}.", False))
    elif options.repeats is None and benchmark.is_drawn_once and not options.quick:
        n_columns, more = len(trained.rows.table.columns), trained.loaded.spell("repeats", 2)
        labels = benchmark.data.classes
        size = f"{len(trained.rows):,} training rows and {many(n_columns, 'column')}"
        if labels is not None and has_many_classes(benchmark.data):
            size = f"{len(labels):,} classes"
        out.append(Note(f"With {size} the folds are drawn once, not twice ({more}).", False))
    if trained.large_note is not None:
        out.append(Note(_say_large(trained), True))
    out += [Note(text, True) for text in (*_note_costs(trained, options), *_questions(trained))]
    out += _note_equal_rows(trained.loaded)
    out += [Note(found.message, found.severe, found.columns) for found in trained.findings if found.severe]
    for entry in comparison.entries:
        if entry.n_failed and not entry.is_given_up and entry.failure != NOT_STARTED.failure:
            text = (
                f"{entry.name} failed in {entry.n_failed} of {len(entry.fold_results)} fits: {entry.failure}"
            )
            out.append(Note(text, False))
    given_up = [entry.name for entry in comparison.entries if entry.is_given_up]
    if given_up:
        text = "given up early, clearly worse on the folds completed by then; scores rest on those folds"
        out.append(Note(f"{join_words(given_up)}: {text}.", False))
    return tuple(out)


def _note_left_out(trained: Trained) -> list[Note]:
    """Models and scores for which there are too many classes."""
    left_out, classes = trained.benchmark.left_out, trained.benchmark.data.classes
    out: list[Note] = []
    if left_out and classes is not None:
        options = [one.__name__.rpartition(".")[2] for one in left_out]
        text = (
            f"{join_words([one.TITLE for one in left_out])}: left out, because {len(classes):,} classes would take it "
            f"too long. {trained.loaded.spell('models', tuple(options))} tries it all the same."
        )
        out.append(Note(text, True))
    if classes is not None and has_many_classes(trained.benchmark.data):
        text = (
            f"With {len(classes):,} classes, forests have {OF_MANY_CLASSES['n_estimators']} trees with "
            f"{OF_MANY_CLASSES['min_samples_leaf']} rows in a leaf at least, and scores that rank the rows for each "
            "class are left out."
        )
        out.append(Note(text, False))
    return out


def _note_costs(trained: Trained, options: StudyOptions) -> list[str]:
    """Mistakes that cost nothing because none was given for them."""
    classes = trained.benchmark.data.classes
    if not options.cost or classes is None:
        return []
    known = {(truth, prediction) for truth, prediction, _ in options.cost}
    without_cost = [pair for pair in permutations(map(str, classes.tolist()), 2) if pair not in known]
    if not without_cost:
        return []
    truth, prediction = map(show, without_cost[0])
    return [
        f"{many(len(without_cost), 'mistake')} without a cost count as none, such as {truth} predicted as "
        f"{prediction}: name every mistake that matters in {trained.loaded.spell('cost', NO_VALUE)}."
    ]


def _say_quick(trained: Trained) -> str:
    """What a quick study used, and what it left out."""
    loaded, benchmark = trained.loaded, trained.benchmark
    sampled = loaded.prepared.source.sampled
    n_rows = loaded.n_known if sampled is None else sampled.n_rows
    used = f"{len(loaded.rows):,} of {n_rows:,} rows, drawn at random; " if n_rows > len(loaded.rows) else ""
    rows = f"{'all' if sampled is None else 'more'} rows are used and " if used else ""
    models = join_words([name for name in benchmark.models if name != BASELINE])
    return (
        f"A quick study, for a first answer: {used}{models} on {benchmark.splits.folds} folds drawn once; no learning "
        "curve, no stability of the tree, no check whether rows depend on time or groups. Without "
        f"{loaded.spell('quick', True)} {rows}all models are compared."
    )


def _hint_unchecked(trained: Trained, options: StudyOptions) -> str:
    """The columns that such a study does not look at: of time, of groups."""
    rows, spell = trained.rows, trained.loaded.spell
    time, groups = find_time_column(rows.table), find_group_column(trained.loaded.add_names(rows))
    hints = []
    if time is not None and options.time is None:
        hints.append(f"later than these, {spell('time', time)} tests on later rows")
    if groups is not None and options.time is None and options.groups is None:
        hints.append(f"with a new {show(groups[0])}, {spell('groups', groups[0])} keeps its rows on one side")
    return f" If new rows come {'; if they come '.join(hints)}." if hints else ""


def _say_late(trained: Trained) -> str:
    """What a study left out whose budget was used up."""
    entries = [
        entry for entry in trained.comparison.entries if entry.name != BASELINE and not entry.is_given_up
    ]
    results = [result for entry in entries for result in entry.fold_results]
    n_missing = sum(result is NOT_STARTED for result in results)
    left_out = (
        f"{n_missing:,} of {len(results):,} fits were not begun, and there is" if n_missing else "there is"
    )
    return (
        f"The time of the comparison was used up: {left_out} no stability of the tree and no check whether rows "
        "depend on time or groups. The same command with a larger budget goes on from here."
    )


def _say_large(trained: Trained) -> str:
    """Of a table larger than memory: what was compared, and what the chosen model learned from."""
    assert trained.large_note is not None
    said = render(trained.large_note, trained.loaded.spell)
    if trained.reading is None:
        return said
    n_rows, n_held = len(trained.loaded.rows), trained.reading.n_held
    opened = "" if n_held <= n_rows else f", of which about {n_rows:,}, drawn at random, are opened"
    return (
        f"{said} The models were compared on these rows; {trained.name}, chosen there, was then fitted to all training "
        f"rows and is measured on the {n_held:,} rows of the whole table that were held out{opened}."
    )
