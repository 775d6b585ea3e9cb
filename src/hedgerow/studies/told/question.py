"""What was asked, told.   In: what was read, the contest, Asked.   Out: a Question, and the notes of the study."""

from collections.abc import Sequence
from importlib.metadata import version

from hedgerow.evaluation.checks import Finding
from hedgerow.evaluation.comparison import Comparison
from hedgerow.evaluation.metrics import metrics
from hedgerow.studies.asked import Asked
from hedgerow.studies.contest import Contest
from hedgerow.studies.result import Note, Question
from hedgerow.studies.take_in import Taken


def question_told(taken: Taken, contest: Contest, asked: Asked, n_holdout: int, command: str) -> Question:
    goal, data = taken.goal, contest.data
    metric = metrics()[contest.metric]
    classes = () if data.classes is None else tuple(str(label) for label in data.classes.tolist())
    n_rows = len(taken.rows.target)
    return Question(
        data=taken.name,
        target=taken.target,
        task=goal.task,
        task_because=goal.why,
        classes=classes,
        positive=classes[1] if len(classes) == 2 else None,
        metric=contest.metric,
        metric_title=metric.title,
        higher_is_better=metric.higher_is_better,
        n_rows=n_rows,
        n_columns=len(taken.rows.table.columns),
        n_train=n_rows - n_holdout,
        n_holdout=n_holdout,
        folds=contest.splits.folds,
        repeats=contest.splits.repeats,
        seed=asked.seed,
        command=command,
        hedgerow=version("hedgerow"),
    )


def notes_told(
    contest: Contest, noted: Sequence[Finding], taken: Taken, comparison: Comparison, asked: Asked
) -> tuple[Note, ...]:
    out = [Note(f"The models are judged by {metrics()[contest.metric].title}, {contest.why}.", False)]
    if asked.repeats is None and taken.rows.groups is None and contest.splits.repeats == 1:
        words = f"With {len(taken.rows.table.columns):,} columns the folds are drawn once, not twice (--repeats 2)."
        out.append(Note(words, False))
    out += [Note(words, True) for words in taken.notes]
    out += [Note(found.words, found.severe, found.columns) for found in noted if found.severe]
    for entry in comparison.entries:
        if entry.n_failed:
            words = f"{entry.name} failed in {entry.n_failed} of {len(entry.answers)} fits: {entry.failure}"
            out.append(Note(words, False))
    return tuple(out)
