"""study: from a table to an honest, explained choice of model.

    read -> seal the hold-out -> compare the panel by cross-validation -> choose -> fit -> open the hold-out -> explain

Every answer of the comparison goes into the ledger as soon as it is there, so that an interrupted study goes on.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from hedgerow.core import threads_for
from hedgerow.encode import encode
from hedgerow.evaluate.checks import Finding, findings
from hedgerow.evaluate.compare import compared
from hedgerow.evaluate.comparison import Comparison
from hedgerow.evaluate.curves.learning import LearningCurve, learning_curve
from hedgerow.evaluate.data import Data, data_of
from hedgerow.evaluate.evaluate import evaluate, metric_names, unweighted
from hedgerow.evaluate.fold import Answer, weights
from hedgerow.evaluate.metrics import metrics
from hedgerow.evaluate.run import Place, run
from hedgerow.evaluate.splits import Splits, splits_of
from hedgerow.grow import Limits, grow
from hedgerow.study.asked import Asked
from hedgerow.study.intake.take_in import Taken, take_in
from hedgerow.study.intake.task import Goal
from hedgerow.study.ledger import Ledger
from hedgerow.study.panel import entrants
from hedgerow.study.panel.entrant import Entrant, Need
from hedgerow.study.progress import Quiet, Teller
from hedgerow.study.result import VERSION, Note, Question, StudyResult
from hedgerow.study.sampled import Sampled
from hedgerow.study.seal import Rows, Sealed, seal
from hedgerow.study.told.entrants import entrants_told, verdict_told
from hedgerow.study.told.explained import Chosen, explained
from hedgerow.study.told.holdout import holdout_told
from hedgerow.study.told.importance import importance_of
from hedgerow.study.told.profile import profile_of
from hedgerow.study.wrapped import inner
from hedgerow.tree.importance import importance
from hedgerow.types import Count

RARE = 0.2  # a class with a smaller share of the rows makes accuracy a poor judge
LEVEL = 0.95
FEWEST = 30  # rows a study is worth making of
SIZES = (0.1, 0.2, 0.4, 0.7, 1.0)  # of the learning curve
MOST_CURVE = 20_000  # rows for the learning curve


@dataclass(frozen=True, eq=False)
class Done:
    """A study and what it leaves behind."""

    result: StudyResult
    model: Any  # the chosen one, fitted on all training rows, as it can be saved
    predictions: dict[str, Any]  # of the hold-out, by column
    seconds: float


@dataclass(frozen=True, eq=False)
class _Panel:
    about: dict[str, Entrant]
    models: dict[str, Any]
    data: Data
    splits: Splits
    metric: str
    why: str  # this metric


def studied(data: Any, asked: Asked, ledger: Path | None, command: str, tell: Teller | None = None) -> Done:
    """The whole of it. `ledger`: where answers are kept, if anywhere."""
    begin, tell = perf_counter(), tell or Quiet()
    tell.step("reading")
    taken = take_in(data, asked)
    _refuse_few(taken)
    train, sealed = seal(taken.rows, taken.goal.strata, asked.holdout, asked.seed)
    tell.step("looking at the training rows")
    panel = _panel(train, taken, asked)
    noted = findings(panel.data, panel.splits) + unweighted(panel.models, panel.data)
    answers = _answers(panel, asked, ledger, _fingerprint(train, taken, asked), tell)
    tell.step("comparing")
    comparison = compared(
        panel.models,
        answers,
        panel.data,
        panel.splits,
        panel.metric,
        select="1se",
        level=LEVEL,
        against_chosen=True,
    )
    if not comparison.chosen:
        raise ValueError(f"Every model failed. The first reason: {comparison.entries[0].failure}")
    return _finished(taken, train, sealed, panel, comparison, noted, asked, command, begin, tell)


def _finished(
    taken: Taken,
    train: Rows,
    sealed: Sealed,
    panel: _Panel,
    comparison: Comparison,
    noted: tuple[Finding, ...],
    asked: Asked,
    command: str,
    begin: float,
    tell: Teller,
) -> Done:
    name = comparison.chosen
    tell.step(f"fitting {name} on all training rows")
    model = panel.models[name]
    labels = panel.data.labels
    model = model.fit(panel.data.X, labels, **weights(model, panel.data.weight))
    words = panel.about[name].words(getattr(model, "model_", model))
    tell.step("learning curve")
    curve = _learning_curve(panel, name, asked)
    tell.step("opening the hold-out")
    out = sealed.open()
    goal = taken.goal
    truth = out.target if goal.classes is None else goal.classes[out.target]
    names = _score_names(panel)
    judged = evaluate(
        model, out.table, truth, cv="fitted", scores=names, sample_weight=out.weight, groups=out.groups,
        positive=_positive(asked, goal.classes), level=LEVEL, progress=False,
    )  # fmt: skip
    tell.step("explaining")
    title = metrics()[panel.metric].title
    profile = profile_of(taken, train, noted)
    shuffled = importance_of(model, judged.data, out.table, panel.metric, asked.seed, _useful(train, goal))
    chosen = Chosen(
        name, inner(model), (("model", words), ("size", str(judged.answers[0].size or "not known")))
    )
    columns = tuple(column for column in profile.columns if column.used)
    result = StudyResult(
        version=VERSION,
        question=_question(taken, train, out, panel, asked, command),
        profile=profile,
        entrants=_named(entrants_told(comparison, panel.about, names, _fold_rows(panel.splits)), name, words),
        verdict=verdict_told(comparison),
        holdout=holdout_told(judged, asked.seed),
        explained=explained(
            chosen, train, goal, columns, shuffled,
            f"How much the {title} falls when a column is shuffled, on the hold-out", curve, taken.target,
        ),
        notes=_notes(panel, noted, taken, comparison),
    )  # fmt: skip
    return Done(result, inner(model), _predictions(judged, out, goal.classes), perf_counter() - begin)


def _useful(train: Rows, goal: Goal) -> Count:
    """Columns in the order of what they do for a tree of the training rows."""
    target = Goal(goal.task, goal.why, train.target, goal.classes).target(np.arange(len(train.target)))
    rows = encode(train.table, threads=threads_for(None, train.table.n_rows * len(train.table.columns)))
    criterion = "squared_error" if goal.classes is None else "gini"
    tree = grow(rows, target, criterion, Limits(max_features=len(train.table.columns), max_leaves=200))
    return np.argsort(-importance(tree), kind="stable")


def _panel(train: Rows, taken: Taken, asked: Asked) -> _Panel:
    goal = taken.goal
    about = entrants(asked.models, goal.task)
    n_classes = 0 if goal.classes is None else len(goal.classes)
    need = Need(goal.task, len(train.target), len(train.table.columns), n_classes, asked.seed)
    models = {name: _limited(one, one.estimator(need), asked.seed) for name, one in about.items()}
    labels = train.target if goal.classes is None else goal.classes[train.target]
    data = data_of(
        list(models.values()), train.table, labels, sample_weight=train.weight, groups=train.groups,
        positive=_positive(asked, goal.classes),
    )  # fmt: skip
    metric, why = _metric(asked.metric, data)
    repeats = 1 if train.groups is not None else asked.repeats
    folds = min(asked.folds, data.n_rows if data.groups is None else int(data.groups.max()) + 1)
    return _Panel(
        about, models, data, splits_of(folds, data, repeats=repeats, random_state=asked.seed), metric, why
    )


def _limited(about: Entrant, model: Any, seed: int) -> Any:
    rows = about.OPTIONS.get("rows")
    return model if rows is None else Sampled(model, rows=rows, seed=seed)


def _positive(asked: Asked, classes: Any) -> Any:
    """The class of interest, as the target has it: typed words name numbers and booleans too."""
    if asked.positive is None:
        return None
    if classes is None:
        raise ValueError(
            f"positive={asked.positive!r} names a class, but the target is a number. Leave it out."
        )
    for label in classes.tolist():
        if str(label) == str(asked.positive):
            return label
    raise ValueError(
        f"positive={asked.positive!r} is no class. Classes: {', '.join(map(str, classes.tolist()))}."
    )


def _metric(asked: str | None, data: Data) -> tuple[str, str]:
    if asked is not None:
        return metric_names(asked, data)[0], "as asked for"
    if data.classes is None:
        return "rmse", "the usual one for numbers"
    rarest = float(np.bincount(data.y).min() / data.n_rows)
    if rarest < RARE:
        return "balanced_accuracy", f"because the rarest class has {rarest:.1%} of the rows"
    return "accuracy", "the usual one for classes of similar size"


def _score_names(panel: _Panel) -> list[str]:
    return [panel.metric, *(name for name in metric_names(None, panel.data) if name != panel.metric)]


def _answers(
    panel: _Panel, asked: Asked, path: Path | None, fingerprint: str, tell: Teller
) -> dict[str, tuple[Answer, ...]]:
    def heard(place: Place, answer: Answer) -> None:
        if ledger is not None:
            ledger.write(place[1], place[0], answer)
        tell.answer(place[1], answer)

    ledger = None if path is None else Ledger(path, fingerprint)
    try:
        known = {} if ledger is None else ledger.known()
        places = {(k, name) for k in range(len(panel.splits.parts)) for name in panel.models}
        known = {place: answer for place, answer in known.items() if place in places}
        tell.panel(list(panel.models), len(panel.splits.parts), len(known))
        return run(
            panel.models, panel.data, panel.splits, n_jobs=asked.n_jobs, show_progress=False, known=known, tell=heard,
            until=perf_counter() + (float("inf") if asked.budget is None else asked.budget),
        )  # fmt: skip
    finally:
        if ledger is not None:
            ledger.__exit__()


def _learning_curve(panel: _Panel, name: str, asked: Asked) -> LearningCurve | None:
    if panel.data.n_rows > MOST_CURVE or name == "baseline":
        return None
    try:
        return learning_curve(
            panel.models[name], panel.data.X, panel.data.labels, score=panel.metric, cv=5, sizes=SIZES,
            sample_weight=panel.data.weight, groups=panel.data.groups, random_state=asked.seed, n_jobs=asked.n_jobs,
            progress=False,
        )  # fmt: skip
    except ValueError:  # too few rows of a class for the smallest size
        return None


def _question(taken: Taken, train: Rows, out: Rows, panel: _Panel, asked: Asked, command: str) -> Question:
    goal, data = taken.goal, panel.data
    metric = metrics()[panel.metric]
    classes = () if data.classes is None else tuple(str(label) for label in data.classes.tolist())
    return Question(
        data=taken.name,
        target=taken.target,
        task=goal.task,
        task_because=goal.why,
        classes=classes,
        positive=classes[1] if len(classes) == 2 else None,
        metric=panel.metric,
        metric_title=metric.title,
        higher_is_better=metric.higher_is_better,
        n_rows=len(taken.rows.target),
        n_columns=len(train.table.columns),
        n_train=len(train.target),
        n_holdout=len(out.target),
        folds=panel.splits.folds,
        repeats=panel.splits.repeats,
        seed=asked.seed,
        command=command,
        hedgerow=version("hedgerow"),
    )


def _named(told: tuple[Any, ...], name: str, words: str) -> tuple[Any, ...]:
    from dataclasses import replace

    return tuple(replace(one, words=words) if one.name == name else one for one in told)


def _notes(panel: _Panel, noted: Sequence[Finding], taken: Taken, comparison: Comparison) -> tuple[Note, ...]:
    out = [Note(f"The models are judged by {metrics()[panel.metric].title}, {panel.why}.", False)]
    out += [Note(words, True) for words in taken.notes]
    out += [Note(found.words, found.severe, found.columns) for found in noted if found.severe]
    for entry in comparison.entries:
        if entry.n_failed:
            out.append(
                Note(
                    f"{entry.name} failed in {entry.n_failed} of {len(entry.answers)} fits: {entry.failure}",
                    False,
                )
            )
    return tuple(out)


def _predictions(judged: Any, out: Rows, classes: Any) -> dict[str, Any]:
    guess = judged.answers[0].guess
    known = judged.data.classes
    columns: dict[str, Any] = {"row": out.numbers}
    if known is None:
        return columns | {"truth": judged.data.y, "prediction": guess.values}
    columns |= {"truth": known[judged.data.y], "prediction": known[guess.values]}
    if guess.chances is not None:
        columns |= {f"probability_{label}": guess.chances[:, k] for k, label in enumerate(known.tolist())}
    return columns


def _fold_rows(splits: Splits) -> int:
    return int(np.mean([len(part.train) for part in splits.parts]))


def _refuse_few(taken: Taken) -> None:
    if len(taken.rows.target) < FEWEST:
        raise ValueError(
            f"The table has {len(taken.rows.target)} rows with a target. A study wants at least {FEWEST}: fewer cannot "
            "be learned from and tested on. hedgerow fit makes a tree of few rows."
        )


def _fingerprint(train: Rows, taken: Taken, asked: Asked) -> str:
    """Everything the answers depend on."""
    from dataclasses import asdict

    digest = hashlib.sha256()
    for column in train.table.columns:
        digest.update(json.dumps([column.name, column.kind, column.levels]).encode())
        digest.update(np.ascontiguousarray(column.values).tobytes())
    for part in (train.target, train.weight, train.groups):
        digest.update(b"-" if part is None else str(part.dtype).encode() + repr(part.tolist()).encode())
    options = asdict(asked)
    for name in ("n_jobs", "models", "budget", "memory", "metric", "positive"):  # they change no answer
        options.pop(name)
    digest.update(
        json.dumps([options, taken.goal.task, taken.target, version("hedgerow")], default=str).encode()
    )
    return digest.hexdigest()
