"""`hedgerow fit`.   In: FitOptions.   Out: a model, its score on held-out rows, a picture, a model file.

    read -> prepare -> hold out -> fit -> score -> draw -> save -> print (fit_report.py)

A single tree is fitted by hedgerow.fitting, without loading scikit-learn; any other candidate is an estimator. Of a
table larger than memory a sample is prepared; models that can learn from a stream learn from all rows.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from hedgerow.candidate import candidate_names, check_options, load_candidate, make_model
from hedgerow.cli.options import (
    LARGEST,
    TEST_SHARE_HELP,
    DataOptions,
    Extra,
    check_file,
    check_range,
    check_test_share,
    make_command,
    option,
    plain_name,
    split_names,
)
from hedgerow.errors import ParameterError, Setting

if TYPE_CHECKING:
    from hedgerow.candidate import Candidate, TaskSpec
    from hedgerow.cli.fit_report import FitResult, FittedModel
    from hedgerow.cli.scores import Score
    from hedgerow.errors import Message
    from hedgerow.features import Features
    from hedgerow.intake import PreparedData, TargetData
    from hedgerow.store.training_rows import TrainingRows
    from hedgerow.table import Table
    from hedgerow.types import Count

DOC = """Fit a model to a table: what was inferred, the score on held-out rows, the model, a picture, a file.

\b
  hedgerow fit titanic                                        a tree, pruned by cross-validation
  hedgerow fit titanic --model c45                            as C4.5 grows and prunes
  hedgerow fit titanic --prune pessimistic --confidence 0.1   another pruning; also of id3, c45 and cart
  hedgerow fit titanic --model forest --n-estimators 500      a random forest
  hedgerow fit heart --model svm --kernel rbf --C 10          a support vector machine
  hedgerow fit restaurant --model id3                         a small table: all its rows, none held out
"""


@dataclass(frozen=True, kw_only=True)
class FitOptions(DataOptions):
    model: str = option("tree", f"What to fit: {', '.join(candidate_names())}.", "NAME", parser=plain_name)
    test_share: float | None = option(None, TEST_SHARE_HELP, "S", "--test-share", "--holdout")
    picture: str | None = option(None, "Where to draw the model: .svg or .png.", "PATH")
    save: str | None = option(None, "Where to write the model (.hedgerow).", "PATH")
    parameters: dict[str, Any] = field(default_factory=dict)  # of the model and its pruning, as typed

    def __post_init__(self) -> None:
        super().__post_init__()
        load_candidate(self.model)
        check_test_share(self.test_share)
        for name, value in self.parameters.items():
            if isinstance(value, int):
                check_range(name, value, -LARGEST)
        check_file("picture", self.picture, ".svg", ".png")
        check_file("save", self.save, ".hedgerow")


def make() -> Callable[..., None]:
    from hedgerow.cli.pruning import pruning_extras

    return make_command(FitOptions, run, DOC, [*_model_extras(), *pruning_extras()])


def _model_extras() -> list[Extra]:
    """The options of all candidates, each once; the help says whose they are."""
    found: dict[str, Extra] = {}
    owners: dict[str, list[str]] = {}
    for name in candidate_names():
        for one in load_candidate(name).OPTIONS:
            found.setdefault(one.name, Extra(one.name, one.type, one.help, one.metavar))
            owners.setdefault(one.name, []).append(name)
    return [replace(one, help=f"{_whose(owners[name])}: {one.help}") for name, one in found.items()]


def _whose(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= 4 else f"{', '.join(names[:3])}, ..."


def run(options: FitOptions) -> None:
    from hedgerow.cli.progress import progress

    parameters = _parameters(options)
    check_options(options.model, parameters)
    with progress() as step:
        result = fit(options, parameters, step)
    from hedgerow.cli.fit_report import print_json, print_page

    (print_json if options.json else print_page)(result)


def _parameters(options: FitOptions) -> dict[str, Any]:
    """Those of the model, as Python takes them."""
    from hedgerow.cli.pruning import join_settings

    candidate = load_candidate(options.model)
    if all(one.name != "prune" for one in candidate.OPTIONS):
        return options.parameters
    usual = getattr(candidate, "PARAMETERS", {}).get("prune")
    return join_settings(options.parameters, usual, options.random_state)


@dataclass(frozen=True, eq=False)
class Task:
    """What is to be fitted to which rows."""

    candidate: "Candidate"
    spec: "TaskSpec"
    parameters: dict[str, Any]
    data: "PreparedData"
    train: "Count"
    categories: tuple[str, ...]
    on_step: Callable[[str], None]


def fit(options: FitOptions, parameters: dict[str, Any], on_step: Callable[[str], None]) -> "FitResult":
    from hedgerow.cli.fit_report import FitResult
    from hedgerow.cli.inputs import make_spec, prepare, read, split_rows
    from hedgerow.store import save_state

    started = perf_counter()
    candidate = load_candidate(options.model)
    on_step("reading")
    source = read(options)
    picture, file = _places(options, source.stem)
    data = prepare(source, options)
    _check_task(candidate, data.target, options.model)
    train, test = split_rows(data, options.test_share, options.random_state)
    spec = make_spec(data, len(train), options)
    task = Task(candidate, spec, parameters, data, train, split_names(options.categories), on_step)
    learned = _learn(task, test, options) if source.sampled is None else _learn_large(task, test, options)
    on_step("drawing")
    no_picture = _draw(learned.model, picture)
    save_state(replace(learned.model.state, training_rows=learned.training_rows), file)
    drawn = None if no_picture else picture
    seconds = perf_counter() - started
    return FitResult(
        options, learned.data, learned.n_train, learned.n_test, learned.model, learned.scores, drawn, no_picture, file,
        seconds,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Learned:
    model: "FittedModel"
    scores: "list[Score]"
    n_train: int
    n_test: int
    training_rows: "TrainingRows"
    data: "PreparedData"


def _learn(task: Task, test: "Count", options: FitOptions) -> Learned:
    """From rows in memory."""
    from hedgerow.cli.scores import score_holdout, score_training
    from hedgerow.store import predict_state
    from hedgerow.store.training_rows import make_training_rows

    data, train = task.data, task.train
    model = _fit_tree(task) if hasattr(task.candidate, "PARAMETERS") else _fit_estimator(task)
    scored = test if len(test) else train
    predicted = predict_state(model.state, data.features.take(scored), options.n_jobs).values
    scores = (
        score_holdout(data.target, predicted, train, test, options.random_state)
        if len(test)
        else score_training(data.target, predicted, train)
    )
    rows = make_training_rows(data.features.take(train))
    return Learned(model, scores, len(train), len(test), rows, data)


def _learn_large(task: Task, test: "Count", options: FitOptions) -> Learned:
    """From all rows of a table larger than memory, by a stream; from the sample, where the model cannot."""
    import numpy as np

    from hedgerow.cli.inputs import column_options
    from hedgerow.cli.options import TEST_SHARE
    from hedgerow.cli.scores import score_predictions, score_training
    from hedgerow.estimators.large_fit import fit_large, why_in_memory
    from hedgerow.intake.large import LargeRows, Reading, describe_learning, explain_sample
    from hedgerow.store import predict_state

    data, target, sampled = task.data, task.data.target, task.data.source.sampled
    assert sampled is not None
    estimator = make_model(task.candidate, task.spec, task.parameters, data.features)
    reason = "rows are in the order of time" if options.time else why_in_memory(estimator)
    share = TEST_SHARE if options.test_share is None else options.test_share
    if reason:
        return _learn(replace(task, data=_with_notice(data, explain_sample(data, reason))), test, options)
    large, reading = LargeRows(data, column_options(options), share, options.random_state), Reading()
    train, _ = large.split_sample()
    task.on_step(f"fitting {task.candidate.TITLE} to all rows, block by block")
    others = large.training(reading)
    seen = fit_large(estimator, data.samples.take(train), others, target, sampled.stream.memory)
    model = _describe_estimator(replace(task, train=train), estimator)
    task.on_step("scoring")
    if reading.n_held:
        held = [
            (rows.target, predict_state(model.state, rows.table, options.n_jobs).values)
            for rows in large.blocks_held_out()
        ]
        truth, guess = (np.concatenate(parts) for parts in zip(*held, strict=True))
        scores = score_predictions(target, truth, guess, train, options.random_state)
    else:
        guess = predict_state(model.state, data.features, options.n_jobs).values
        scores = score_training(target, guess, train)
    data = _with_notice(data, describe_learning(data, reading))
    return Learned(model, scores, reading.n_train, reading.n_held, seen, data)


def _with_notice(data: "PreparedData", notice: "Message") -> "PreparedData":
    return replace(data, source=replace(data.source, notice=notice))


def _draw(model: "FittedModel", picture: Path) -> str:
    """Why there is no picture; "" where there is one. A drawing that fails takes nothing else down."""
    from hedgerow.words import show

    try:
        return model.write_picture(picture) or ""
    except Exception as error:
        return show(f"drawing it failed ({error})", 200)


def _places(options: FitOptions, stem: str) -> tuple[Path, Path]:
    """Of the picture and of the model."""
    from hedgerow.cli.pictures import check_writable

    picture = Path(options.picture or f"{stem}-{options.model}.svg").expanduser()
    file = Path(options.save or f"{stem}.hedgerow").expanduser()
    check_writable("picture", picture)
    check_writable("save", file)
    return picture, file


def _check_task(candidate: "Candidate", target: "TargetData", model: str) -> None:
    if target.task not in candidate.TASKS:
        able = candidate.TASKS[0]
        raise ParameterError(
            "{model} is for {}, but {}. Ways out: {}, or {}.",
            able,
            target.reason,
            Setting("task", able),
            Setting("model", "tree"),
            model=model,
        )


def _fit_tree(task: Task) -> "FittedModel":
    """By the parameters that make the same tree in Python."""
    from hedgerow.candidate_kinds import tree_parameters
    from hedgerow.cli.fit_report import FittedModel
    from hedgerow.cli.inputs import encode_target
    from hedgerow.cli.pictures import write_tree
    from hedgerow.display.sentences import many
    from hedgerow.fitting.params import tree_defaults, validate_tree
    from hedgerow.fitting.tree import fit_tree
    from hedgerow.store import ModelState
    from hedgerow.tree.importance import importance

    spec, target = task.spec, task.data.target
    own: Any = task.candidate
    given = tree_parameters(own.PARAMETERS, spec.task, task.parameters, spec.in_order)
    params = validate_tree(spec.task, {**given, "n_jobs": spec.n_jobs})
    features, rows = _make_features(task)
    learned = fit_tree(
        rows,
        encode_target(task.data, task.train, params.criterion),
        params,
        classes=[] if target.classes is None else target.classes.tolist(),
        target_name=target.name,
        on_step=task.on_step,
    )
    state = ModelState(
        model="tree classifier" if spec.is_classification else "tree regressor",
        body=learned.tree,
        schema=learned.schema if features is None else features.schema,
        classes=target.classes,
        target=target.name,
        missing=learned.labels.missing if features is None else None,
        parameters={
            **tree_defaults(spec.task), **given,
            "categorical_features": None if features else list(task.categories) or None,
        },
        features=features,
    )  # fmt: skip
    shares = zip(learned.schema.names, importance(learned.tree).tolist(), strict=True)
    used = sorted([(name, share) for name, share in shares if share > 0], key=lambda pair: -pair[1])
    description = f"a decision tree of {many(learned.tree.n_leaves, 'leaf')}"
    write_picture = partial(write_tree, learned.tree, learned.labels)
    return FittedModel(state, description, [], used, write_picture, learned)


def _make_features(task: Task) -> "tuple[Features | None, Table]":
    """What a tree reads of the training rows; None where they are read as they are."""
    from hedgerow.features import class_outcome, learn_features, needs_features, number_outcome

    rows, target = task.data.features.take(task.train), task.data.target
    if not needs_features(rows):
        return None, rows
    values = target.values[task.train]
    outcome = number_outcome(values) if target.classes is None else class_outcome(values, target.classes)
    return learn_features(rows, outcome, random_state=task.spec.random_state)


def _fit_estimator(task: Task) -> "FittedModel":
    candidate = task.candidate
    rows, labels = task.data.features.take(task.train), task.data.target.labels[task.train]
    estimator = make_model(candidate, task.spec, task.parameters, rows)
    task.on_step(f"fitting {candidate.TITLE}")
    return _describe_estimator(task, estimator.fit(rows, labels))


def _describe_estimator(task: Task, estimator: Any) -> "FittedModel":
    """`estimator`: fitted."""
    from hedgerow.cli.fit_report import FittedModel
    from hedgerow.decision import Decision
    from hedgerow.draw.style import save
    from hedgerow.estimators.delegating import unwrap
    from hedgerow.estimators.saving import extract_state
    from hedgerow.estimators.with_features import WithFeatures, model_inside, name_features

    candidate = task.candidate
    rows, labels = task.data.features.take(task.train), task.data.target.labels[task.train]
    inside = model_inside(estimator)

    def write_picture(file: Path) -> str | None:
        read = estimator.make_features(rows) if isinstance(estimator, WithFeatures) else rows
        figure = candidate.draw(inside, read, labels)
        if isinstance(figure, str):
            return figure
        save(figure, file)
        return None

    calibrator = getattr(inside, "calibrator_", None)
    decision = None if calibrator is None else Decision(calibrator)
    return FittedModel(
        replace(extract_state(unwrap(estimator)), target=task.data.target.name, decision=decision),
        candidate.describe(inside),
        candidate.facts(inside),
        name_features(estimator, candidate.importances(inside)),
        write_picture,
    )
