"""`hedgerow fit`.   In: FitOptions.   Out: a model, its score on held-out rows, a picture, a model file.

    read -> prepare -> hold out -> fit -> score -> draw -> save

A single tree is fitted by hedgerow.fitting, without loading scikit-learn; any other candidate is an estimator.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from shlex import quote
from time import perf_counter
from typing import TYPE_CHECKING, Any

from hedgerow.candidate import candidate_names, check_options, load_candidate
from hedgerow.cli.options import (
    LARGEST,
    DataOptions,
    Extra,
    check_file,
    check_range,
    check_share,
    make_command,
    option,
    plain_name,
    split_names,
    write_command,
)
from hedgerow.errors import ParameterError, Setting

if TYPE_CHECKING:
    from hedgerow.candidate import Candidate, TaskSpec
    from hedgerow.cli.scores import Score
    from hedgerow.fitting.tree import FittedTree
    from hedgerow.intake import PreparedData
    from hedgerow.store import ModelState
    from hedgerow.types import Count

DOC = """Fit a model to a table: what was inferred, the score on held-out rows, the model, a picture, a file.

\b
  hedgerow fit titanic                                        a tree, pruned by cross-validation
  hedgerow fit titanic --model c45                            as C4.5 grows and prunes
  hedgerow fit titanic --prune pessimistic --confidence 0.1   another pruning
  hedgerow fit titanic --model forest --n-estimators 500      a random forest
  hedgerow fit heart --model svm --kernel rbf --C 10          a support vector machine
"""


@dataclass(frozen=True, kw_only=True)
class FitOptions(DataOptions):
    model: str = option("tree", f"What to fit: {', '.join(candidate_names())}.", "NAME", parser=plain_name)
    test_share: float = option(0.25, "Share of rows held out for the score.", "S")
    picture: str | None = option(None, "Where to draw the model: .svg or .png.", "PATH")
    save: str | None = option(None, "Where to write the model (.hedgerow).", "PATH")
    parameters: dict[str, Any] = field(default_factory=dict)  # of the model and its pruning, as typed

    def __post_init__(self) -> None:
        super().__post_init__()
        load_candidate(self.model)
        check_share("test_share", self.test_share)
        for name, value in self.parameters.items():
            if isinstance(value, int):
                check_range(name, value, -LARGEST)
        check_file("picture", self.picture, ".svg", ".png")
        check_file("save", self.save, ".hedgerow")


def make() -> Callable[..., None]:
    return make_command(FitOptions, run, DOC, [*_model_extras(), *_pruning_extras()])


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
    return ", ".join(names) if len(names) <= 3 else f"{', '.join(names[:3])}, ..."


def _pruning_extras() -> list[Extra]:
    from hedgerow.prune import offered_settings

    return [Extra(one.name, one.type, f"--prune {one.method}: {one.help}") for one in offered_settings()]


@dataclass(frozen=True, eq=False)
class FitResult:
    """Everything a fit found. The page and the JSON are two views of it."""

    options: FitOptions
    data: "PreparedData"
    train: "Count"
    test: "Count"
    description: str  # in a sentence: "a random forest of 200 trees"
    facts: list[tuple[str, str]]
    importances: list[tuple[str, float]]
    scores: "list[Score]"
    picture: Path | None
    file: Path
    seconds: float
    tree: "FittedTree | None" = None  # where the model is a single one

    @property
    def command(self) -> str:
        return write_command("fit", self.options, self.data.target.name)


def run(options: FitOptions) -> None:
    from hedgerow.cli.progress import progress

    parameters = _with_pruning(options)
    check_options(options.model, parameters)
    with progress() as step:
        result = fit(options, parameters, step)
    (print_json if options.json else print_page)(result)


def _with_pruning(options: FitOptions) -> dict[str, Any]:
    """The parameters of the model: settings of a pruning become part of `prune`."""
    from hedgerow.prune import offered_settings

    owners = {one.name: one.method for one in offered_settings()}
    parameters = {name: value for name, value in options.parameters.items() if name not in owners}
    settings = {name: value for name, value in options.parameters.items() if name in owners}
    if "prune" in parameters:
        parameters["prune"] = plain_name(parameters["prune"])
    default = "cost_complexity" if options.model == "tree" and "ccp_alpha" not in parameters else None
    method = parameters.get("prune", default)
    for name in settings:
        if owners[name] != method:
            but = f", but the pruning is {method}" if "prune" in parameters else ""
            raise ParameterError(
                f"{{{name}}} is a setting of {owners[name]}{but}. Add {{}}, or leave it out.",
                Setting("prune", owners[name]),
                **({name: False} if settings[name] is False else {}),
            )
    if "ccp_alpha" in parameters and parameters.get("prune", "cost_complexity") != "cost_complexity":
        raise ParameterError(
            "{ccp_alpha} is for cost_complexity, but {prune} was asked for. Give one of them.",
            prune=parameters["prune"],
        )
    if "ccp_alpha" in parameters:
        parameters.pop("prune", None)
    if method == "cost_complexity" and options.random_state:
        settings["random_state"] = options.random_state  # of the folds
    return {**parameters, "prune": {"method": method, **settings}} if settings else parameters


def fit(options: FitOptions, parameters: dict[str, Any], step: Callable[[str], None]) -> FitResult:
    from hedgerow.candidate import TaskSpec
    from hedgerow.cli.inputs import prepare, read, split_rows
    from hedgerow.cli.pictures import check_writable
    from hedgerow.store import save_state

    started = perf_counter()
    candidate = load_candidate(options.model)
    step("reading")
    source = read(options)
    picture = Path(options.picture or f"{source.stem}-{options.model}.svg").expanduser()
    file = Path(options.save or f"{source.stem}.hedgerow").expanduser()
    check_writable("picture", picture)
    check_writable("save", file)
    data = prepare(source, options)
    target = data.target
    if target.task not in candidate.TASKS:
        raise ParameterError(
            "{model} is for {}, but {}. Ways out: {}, or {}.",
            candidate.TASKS[0],
            target.reason,
            Setting("task", candidate.TASKS[0]),
            Setting("model", "tree"),
            model=options.model,
        )
    train, test = split_rows(data, options.test_share, options.random_state)
    n_classes = 0 if target.classes is None else len(target.classes)
    n_columns = len(data.features.columns)
    spec = TaskSpec(target.task, len(train), n_columns, n_classes, options.random_state, options.n_jobs)
    work = _fit_tree if hasattr(candidate, "tree_parameters") else _fit_estimator
    fitted, state = work(candidate, spec, parameters, data, train, options, picture, step)
    save_state(state, file)
    scores = _score(state, data, train, test, options)
    return replace(fitted, test=test, scores=scores, file=file, seconds=perf_counter() - started)


def _score(state: "ModelState", data: "PreparedData", train: Any, test: Any, options: FitOptions) -> Any:
    from hedgerow.cli.scores import score_holdout
    from hedgerow.store import predict_state

    predicted = predict_state(state, data.features.take(test), options.n_jobs).values
    return score_holdout(data.target, predicted, train, test, options.random_state)


def _fit_tree(
    candidate: Any,
    spec: "TaskSpec",
    parameters: dict[str, Any],
    data: "PreparedData",
    train: Any,
    options: FitOptions,
    picture: Path,
    step: Callable[[str], None],
) -> "tuple[FitResult, ModelState]":
    """By the parameters that make the same tree in Python."""
    from hedgerow.cli.inputs import encode_target
    from hedgerow.cli.pictures import write_tree
    from hedgerow.display.sentences import many
    from hedgerow.fitting.params import tree_defaults, validate_tree
    from hedgerow.fitting.tree import fit_tree
    from hedgerow.store import ModelState
    from hedgerow.tree.importance import importance

    target = data.target
    given = candidate.tree_parameters(spec, parameters)
    params = validate_tree(spec.task, {**given, "n_jobs": options.n_jobs})
    classes = [] if target.classes is None else target.classes.tolist()
    learned = fit_tree(
        data.features.take(train),
        encode_target(data, train, params.criterion),
        params,
        classes=classes,
        target_name=target.name,
        on_step=step,
    )
    step("drawing")
    write_tree(learned.tree, learned.labels, picture)
    categories = list(split_names(options.categories)) or None
    state = ModelState(
        model="tree classifier" if spec.is_classification else "tree regressor",
        body=learned.tree,
        schema=learned.schema,
        classes=target.classes,
        target=target.name,
        missing=learned.labels.missing,
        parameters={**tree_defaults(spec.task), **given, "categorical_features": categories},
    )
    shares = zip(learned.schema.names, importance(learned.tree).tolist(), strict=True)
    used = sorted([(name, share) for name, share in shares if share > 0], key=lambda pair: -pair[1])
    return FitResult(
        options, data, train, train[:0],
        f"a decision tree of {many(learned.tree.n_leaves, 'leaf')}",
        [], used, [], picture, picture, 0.0, learned,
    ), state  # fmt: skip


def _fit_estimator(
    candidate: "Candidate",
    spec: "TaskSpec",
    parameters: dict[str, Any],
    data: "PreparedData",
    train: Any,
    options: FitOptions,
    picture: Path,
    step: Callable[[str], None],
) -> "tuple[FitResult, ModelState]":
    from hedgerow.draw.style import save
    from hedgerow.estimators.meta import unwrap
    from hedgerow.estimators.saving import extract_state

    rows, labels = data.features.take(train), data.target.labels[train]
    estimator = candidate.make_estimator(spec, parameters)
    step(f"fitting {candidate.TITLE}")
    estimator.fit(rows, labels)
    step("drawing")
    figure = candidate.draw(estimator, rows, labels)
    if figure is not None:
        save(figure, picture)
    state = replace(extract_state(unwrap(estimator)), target=data.target.name)
    return FitResult(
        options, data, train, train[:0], candidate.describe(estimator), candidate.facts(estimator),
        candidate.importances(estimator), [], None if figure is None else picture, picture, 0.0,
    ), state  # fmt: skip


# ---------------------------------------------------------------------------------------------- for people


def print_page(result: FitResult) -> None:
    from hedgerow.cli.console import Page
    from hedgerow.cli.inputs import describe_size
    from hedgerow.cli.scores import score_table
    from hedgerow.display.sentences import many
    from hedgerow.words import show as safe

    page, options, file = Page(), result.options, quote(str(result.file))
    page.heading(safe(options.data), describe_size(result.data))
    page.columns(result.data.features, more=f"all: hedgerow show {quote(options.data)}")
    page.heading("What was done")
    page.facts(_steps(result))
    page.heading("Score", f"on the {many(len(result.test), 'row')} held out")
    page.table(score_table(result.scores, options.model.replace("_", " ")))
    page.prose(_caution(result), style="yellow")
    if result.tree is not None:
        tree = result.tree.tree
        page.heading("Tree", f"{many(tree.n_leaves, 'leaf', 'leaves')}, {tree.max_depth} deep")
        page.tree(tree, result.tree.labels, None, f"More: hedgerow show {file} --depth N")
    else:
        page.heading(result.description[0].upper() + result.description[1:])
        page.facts(result.facts)
    if result.importances:
        what = "share of the impurity each took away" if result.tree else "relative to the largest"
        page.heading("Columns that matter", what)
        page.bars(result.importances)
    page.heading("Written", f"in {result.seconds:.1f} s")
    page.facts(
        [
            *([("picture", str(result.picture))] if result.picture else []),
            ("model", str(result.file)),
            ("use it", f"hedgerow predict {file} rows.csv"),
            ("again", result.command),
        ]
    )


def _steps(result: FitResult) -> list[tuple[str, str]]:
    from hedgerow.cli.inputs import reading_facts, target_facts

    description = load_candidate(result.options.model).DESCRIPTION[result.data.target.task]
    kept = "" if result.data.target.classes is None else ", each class in proportion"
    split = (
        f"{len(result.train):,} rows to learn from, {len(result.test):,} held out{kept}; "
        f"random state {result.options.random_state}"
    )
    return [
        *reading_facts(result.data),
        *target_facts(result.data, result.options),
        *([] if result.options.parameters else [("model", description)]),
        ("split", split),
        *([("pruned", _describe_pruning(result.tree))] if result.tree else []),
    ]


def _describe_pruning(fitted: "FittedTree") -> str:
    from hedgerow.display.sentences import many
    from hedgerow.prune.method import method_name

    whole, leaves, method = fitted.unpruned.n_leaves, fitted.tree.n_leaves, fitted.params.prune
    change = (
        f"{whole:,} leaves to {leaves:,}"
        if leaves < whole
        else f"not at all: {many(whole, 'leaf', 'leaves')}"
    )
    if fitted.params.ccp_alpha > 0:
        return f"{change}, at alpha {fitted.params.ccp_alpha:g}"
    if method is None:
        return f"not at all: {many(whole, 'leaf', 'leaves')}"
    how = ", ".join(_describe_settings(fitted))
    return f"{change}, by {method_name(method)}" + (f": {how}" if how else "")


def _describe_settings(fitted: "FittedTree") -> list[str]:
    from hedgerow.prune import offered_settings
    from hedgerow.prune.method import method_name

    table, method = fitted.cp_table, fitted.params.prune
    if table is not None:
        rule = "1-SE rule" if table.choose == "1se" else "smallest error"
        return [
            f"{table.n_folds}-fold cross-validation on the training rows",
            f"{rule}: CP {table.cp[table.chosen]:.4g}",
        ]
    mine = [
        one.name for one in offered_settings() if method is not None and one.method == method_name(method)
    ]
    values = {name: getattr(method, name) for name in mine}
    shown = [_spell(name, value) for name, value in values.items() if value is not None]
    if fitted.held_out is not None:
        n_out = int(fitted.held_out.sum())
        shown.append(f"decided on {n_out:,} of the training rows, which the tree was not grown on")
    return shown


def _spell(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return f"{'with' if value else 'without'} {name}"
    return f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}"


def _caution(result: FitResult) -> str:
    from hedgerow.cli.scores import explain_doubt

    if result.tree is not None and result.tree.tree.n_leaves == 1:
        has_more = result.tree.unpruned.n_leaves > 1 and result.options.model == "tree"
        full = " --prune none shows the full tree." if has_more else ""
        return (
            f"Nothing was found that clearly predicts better than the baseline: the tree is one leaf.{full}"
        )
    return explain_doubt(result.scores[0], "the model")


# ---------------------------------------------------------------------------------------------- for machines


def print_json(result: FitResult) -> None:
    from hedgerow.cli.inputs import data_json
    from hedgerow.cli.scores import score_json

    content = {
        **data_json(result.data, result.options),
        "rows": {"train": len(result.train), "test": len(result.test)},
        "model": result.options.model,
        "description": result.description,
        **({"facts": dict(result.facts)} if result.tree is None else _tree_json(result.tree)),
        "scores": [score_json(score) for score in result.scores],
        "importance": dict(result.importances),
        "picture": None if result.picture is None else str(result.picture),
        "file": str(result.file),
        "command": result.command,
        "seconds": round(result.seconds, 3),
    }
    print(json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False))


def _tree_json(fitted: "FittedTree") -> dict[str, Any]:
    from hedgerow.display.numbers import json_ready
    from hedgerow.prune.method import method_settings

    method = fitted.params.prune
    pruning: dict[str, Any] = {"method": None} if method is None else method_settings(method)
    if fitted.params.ccp_alpha > 0:
        pruning = {"method": "cost_complexity", "alpha": fitted.params.ccp_alpha}
    if fitted.cp_table is not None:
        pruning["cp_table"] = fitted.cp_table.to_dict()
    return {
        "prune": json_ready(pruning),
        "tree": {
            "leaves": fitted.tree.n_leaves,
            "depth": fitted.tree.max_depth,
            "leaves_unpruned": fitted.unpruned.n_leaves,
        },
    }
