"""study: from a table to an honest, explained choice of model.

    read -> seal the hold-out -> compare the panel by cross-validation -> choose -> fit -> explain
         -> open the hold-out -> its score

Every answer of the comparison goes into the ledger as soon as it is there, so that an interrupted study goes on.
Nothing is learned after the hold-out is opened.
"""

from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from hedgerow.evaluation.checks import Finding, findings
from hedgerow.evaluation.compare import compared
from hedgerow.evaluation.comparison import Comparison
from hedgerow.evaluation.curves.learning import LearningCurve
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.evaluate import evaluate, unweighted
from hedgerow.evaluation.evaluation import Evaluation
from hedgerow.evaluation.fold import weights, with_threads
from hedgerow.evaluation.metrics import metrics
from hedgerow.evaluation.run import LATE
from hedgerow.evaluation.size import size_of
from hedgerow.studies.answers import Book, answers_of, fingerprint, ledger_of
from hedgerow.studies.asked import Asked
from hedgerow.studies.contest import Contest, contest_of, positive_of
from hedgerow.studies.curve import curve_of
from hedgerow.studies.progress import Quiet, Teller
from hedgerow.studies.result import VERSION, Entrant, Explained, Note, Profile, Question, StudyResult, Verdict
from hedgerow.studies.seal import Rows, seal
from hedgerow.studies.take_in import Taken, take_in
from hedgerow.studies.told.entrants import entrants_told, verdict_told
from hedgerow.studies.told.explained import Chosen, explained
from hedgerow.studies.told.holdout import holdout_told
from hedgerow.studies.told.importance import importance_of, importance_title
from hedgerow.studies.told.profile import profile_of
from hedgerow.studies.told.question import notes_told, question_told
from hedgerow.studies.told.whole import Whole, whole_of, whole_told
from hedgerow.studies.wrapped import inner

LEVEL = 0.95
FEWEST = 30  # rows a study is worth making of


@dataclass(frozen=True, eq=False)
class Done:
    """A study and what it leaves behind."""

    result: StudyResult
    model: Any  # the chosen one, fitted on all training rows, as it can be saved
    predictions: dict[str, Any]  # of the hold-out, by column
    seconds: float


@dataclass(frozen=True, eq=False)
class _Learned:
    """Everything that the training rows have to say."""

    taken: Taken
    train: Rows
    contest: Contest
    comparison: Comparison
    noted: tuple[Finding, ...]
    model: Any  # fitted
    words: str  # for it
    curve: LearningCurve | None
    whole: Whole

    @property
    def name(self) -> str:
        return self.comparison.chosen


@dataclass(frozen=True, eq=False)
class _Told:
    """All there is to tell before the hold-out is opened; the importance of columns is missing yet."""

    question: Question
    profile: Profile
    entrants: tuple[Entrant, ...]
    verdict: Verdict
    explained: Explained
    notes: tuple[Note, ...]


def studied(data: Any, asked: Asked, book: Book | None, command: str, tell: Teller | None = None) -> Done:
    """The whole of it. `book`: where answers are kept, if anywhere."""
    begin, tell = perf_counter(), tell or Quiet()
    tell.step("reading")
    taken = take_in(data, asked)
    _refuse_few(taken)
    train, sealed = seal(taken.rows, taken.goal.strata, asked.holdout, asked.seed)
    learned = _learned(taken, train, asked, book, tell)
    told = _told(learned, asked, sealed.n_rows, command)
    tell.step("opening the hold-out")
    out = sealed.open()
    judged = _judged(learned, out, asked)
    shown = _with_importance(told.explained, learned, judged, out, asked)
    result = StudyResult(
        version=VERSION,
        question=told.question,
        profile=told.profile,
        entrants=told.entrants,
        verdict=told.verdict,
        holdout=holdout_told(judged, asked.seed),
        explained=shown,
        notes=told.notes,
    )
    return Done(result, inner(learned.model), _predictions(judged, out), perf_counter() - begin)


def _learned(taken: Taken, train: Rows, asked: Asked, book: Book | None, tell: Teller) -> _Learned:
    tell.step("looking at the training rows")
    contest = contest_of(train, taken.goal, asked)
    noted = findings(contest.data, contest.splits) + unweighted(contest.models, contest.data)
    until = perf_counter() + (float("inf") if asked.budget is None else asked.budget)
    with ledger_of(book, fingerprint(contest, train, asked)) as notes:
        answers = answers_of(contest, asked.n_jobs, notes, tell, until)
        tell.step("comparing")
        comparison = _compared(contest, answers)
        name = comparison.chosen
        tell.step("learning curve")
        curve = curve_of(
            contest,
            name,
            answers[name],
            notes,
            seed=asked.seed,
            n_jobs=asked.n_jobs,
            level=LEVEL,
            until=until,
        )
    tell.step(f"fitting {name} on all training rows")
    model = _fitted(contest.models[name], contest.data, asked.n_jobs)
    words = contest.about[name].words(getattr(model, "model_", model))
    tell.step("growing a tree to read")
    whole = whole_of(train, taken.goal, asked.n_jobs, getattr(inner(model), "cp_table_", None))
    return _Learned(taken, train, contest, comparison, noted, model, words, curve, whole)


def _fitted(model: Any, data: Data, n_jobs: int | None) -> Any:
    """On all training rows, with so many threads; of which the model keeps no memory."""
    if n_jobs is not None:
        model.set_params(**with_threads(model, n_jobs))
    model.fit(data.X, data.labels, **weights(model, data.weight))
    left = inner(model)
    names = [name for name in left.get_params(deep=True) if name.rpartition("__")[2] == "n_jobs"]
    left.set_params(**dict.fromkeys(names))
    return model


def _compared(contest: Contest, answers: Any) -> Comparison:
    comparison = compared(
        contest.models,
        answers,
        contest.data,
        contest.splits,
        contest.metric,
        select="1se",
        level=LEVEL,
        against_chosen=True,
    )
    if not comparison.chosen:
        why = comparison.entries[0].failure
        more = ". Give more time: what is done already is kept" if why == LATE.failure else ""
        raise ValueError(f"Every model failed. The first reason: {why}{more}.")
    return comparison


def _told(learned: _Learned, asked: Asked, n_holdout: int, command: str) -> _Told:
    taken, contest, comparison = learned.taken, learned.contest, learned.comparison
    profile = profile_of(taken, learned.train, learned.noted)
    columns = tuple(column for column in profile.columns if column.used)
    facts = (("model", learned.words), ("size", str(size_of(learned.model) or "not known")))
    chosen = Chosen(learned.name, inner(learned.model), facts)
    tree = whole_told(learned.whole, taken.goal, columns, taken.target)
    entrants = entrants_told(comparison, contest.about, contest.score_names, contest.fold_rows)
    return _Told(
        question=question_told(taken, contest, asked, n_holdout, command),
        profile=profile,
        entrants=tuple(replace(e, words=learned.words) if e.name == learned.name else e for e in entrants),
        verdict=verdict_told(comparison),
        explained=explained(chosen, learned.train, taken.goal, tree, learned.curve),
        notes=notes_told(contest, learned.noted, taken, comparison, asked),
    )


def _judged(learned: _Learned, out: Rows, asked: Asked) -> Evaluation:
    goal, names = learned.taken.goal, learned.contest.score_names
    truth = out.target if goal.classes is None else goal.classes[out.target]
    return evaluate(
        learned.model, out.table, truth, cv="fitted", scores=names, sample_weight=out.weight, groups=out.groups,
        positive=positive_of(asked, goal.classes), level=LEVEL, n_jobs=asked.n_jobs, progress=False,
    )  # fmt: skip


def _with_importance(
    told: Explained, learned: _Learned, judged: Evaluation, out: Rows, asked: Asked
) -> Explained:
    metric = learned.contest.metric
    title = importance_title(metrics()[metric].title, len(out.table.columns))
    found = importance_of(learned.model, judged.data, out.table, metric, asked.seed, learned.whole.useful)
    return replace(told, importance=found, importance_title=title)


def _predictions(judged: Any, out: Rows) -> dict[str, Any]:
    guess = judged.answers[0].guess
    known = judged.data.classes
    columns: dict[str, Any] = {"row": out.numbers}
    if known is None:
        return columns | {"truth": judged.data.y, "prediction": guess.values}
    columns |= {"truth": known[judged.data.y], "prediction": known[guess.values]}
    if guess.chances is not None:
        columns |= {f"probability_{label}": guess.chances[:, k] for k, label in enumerate(known.tolist())}
    return columns


def _refuse_few(taken: Taken) -> None:
    if len(taken.rows.target) < FEWEST:
        raise ValueError(
            f"The table has {len(taken.rows.target)} rows with a target. A study wants at least {FEWEST}: fewer cannot "
            "be learned from and tested on. hedgerow fit makes a tree of few rows."
        )
