"""`hedgerow evaluate`.   In: EvaluateOptions.   Out: scores of a model with intervals, on a page or as JSON.

The model is a candidate by its name, fitted in each fold; or a model file, which is fitted already: all rows test it.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from hedgerow.candidate import CANDIDATES, candidate_names, load_candidate, make_model, parse_number_or_word
from hedgerow.cli.options import DataOptions, check_file, make_command, option, plain_name, split_names
from hedgerow.errors import ParameterError
from hedgerow.intake import PreparedData, TargetData
from hedgerow.plugins import plugin_names

DOC = """How good a model is on a table: scores with intervals, a baseline, and what may be wrong with the method.

\b
  hedgerow evaluate titanic                     10 folds
  hedgerow evaluate titanic --cv 0.3            a hold-out
  hedgerow evaluate titanic --picture c.png     with its curves
  hedgerow evaluate new.csv --model titanic-study/model.hedgerow     a model that is fitted already
"""
CV = "Folds, a share to hold out, or time: folds in the order of the rows.  [default: 10; of compare 5]"
FITTING = ("cv", "repeats", "groups", "weights")  # options for models that are fitted here
METRICS = ", ".join(plugin_names("hedgerow.evaluation.metrics"))


def is_file(model: str) -> bool:
    """A model file, or the folder of a study."""
    is_folder = plain_name(model) not in plugin_names(CANDIDATES) and Path(model).expanduser().is_dir()
    return model.endswith(".hedgerow") or "/" in model or is_folder


def _parse_model(given: str) -> str:
    return given if is_file(given) else plain_name(given)


@dataclass(frozen=True, kw_only=True)
class SplitOptions(DataOptions):
    """How rows are split, and what is drawn: the same for evaluate and compare."""

    # A number once it is parsed
    cv: str | None = option(None, CV, "K", "--cv", "--folds", "--holdout", parser=parse_number_or_word)
    repeats: int | None = option(
        None, "How often the folds are drawn anew.  [default: 1; of compare 2, of large tables 1]", "N"
    )
    groups: str | None = option(None, "A column whose rows of one value stay together.", "NAME")
    weights: str | None = option(None, "A column: how much a row counts.", "NAME")
    positive: str | None = option(
        None,
        "Of two classes, the one of interest.  [default: yes of yes and no, else the rarer one]",
        "CLASS",
    )
    picture: str | None = option(None, "Where to draw the scores: .svg or .png.", "PATH")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_file("picture", self.picture, ".svg", ".png")


@dataclass(frozen=True, kw_only=True)
class EvaluateOptions(SplitOptions):
    model: str = option(
        "tree",
        f"What to evaluate: {', '.join(candidate_names())}, a model file, or the folder of a study.",
        "NAME",
        parser=_parse_model,
    )
    scoring: str = option("", f"Some of {METRICS}.  [default: all of the task]", "A,B", parser=plain_name)


def make() -> Callable[..., None]:
    return make_command(EvaluateOptions, run, DOC)


def run(options: EvaluateOptions) -> None:
    if is_file(options.model):
        _evaluate_file(options)
        return
    data, settings = read_split(options)

    from hedgerow.evaluation import evaluate

    model = make_estimator(options.model, data, options, "model")
    scoring = split_names(options.scoring) or None
    found = evaluate(model, data.features, data.target.labels, scoring=scoring, **settings)
    if options.picture is not None:
        from hedgerow.cli.pictures import write_figure

        write_figure(found.draw(), options.picture)
    print_result(found, found.score_table(options.model), options, data, {"model": options.model})


def read_split(options: SplitOptions) -> tuple[PreparedData, dict[str, Any]]:
    """The data, and the options as `evaluate` and `compare` know them."""
    from hedgerow.cli.inputs import prepare, read, refuse_mistakes

    refuse_mistakes(options)
    data = prepare(read(options), options)
    settings = {
        "cv": _time_pairs(data, options),
        "repeats": options.repeats,
        "positive": data.target.find_class(options.positive),
        "groups": data.samples.groups,
        "sample_weight": data.samples.weight,
    }
    given = {name: value for name, value in settings.items() if value is not None}
    return data, {**given, "random_state": options.random_state, "n_jobs": options.n_jobs}


def _time_pairs(data: PreparedData, options: SplitOptions) -> Any:
    """With a time column folds go forward in it; else as `cv` says."""
    from hedgerow.evaluation.splits import TIME_FOLDS, make_time_splits

    time = data.samples.drop_weightless().time
    if time is None:
        return options.cv
    if options.repeats is not None or not isinstance(options.cv, int | None):
        raise ParameterError("{time} makes folds in its order: give {cv} as their number, and no {repeats}.")
    return make_time_splits(time, options.cv or TIME_FOLDS)


def make_estimator(name: str, data: PreparedData, options: DataOptions, parameter: str) -> Any:
    """What `fit` makes, with the probabilities of its model file."""
    from hedgerow.cli.inputs import make_spec
    from hedgerow.estimators.decided import SelfCalibrated

    candidate = load_candidate(name, parameter)
    if data.target.task not in candidate.TASKS:
        raise ParameterError(f"{name} is for classes, and the target holds numbers. Leave it out.")
    model = make_model(candidate, make_spec(data, len(data.samples), options), {}, data.features)
    has_proba = data.target.classes is None or hasattr(model, "predict_proba")
    return model if has_proba else SelfCalibrated(model)


def _evaluate_file(options: EvaluateOptions) -> None:
    from hedgerow.cli.inputs import require_model
    from hedgerow.estimators.saving import load
    from hedgerow.evaluation import evaluate
    from hedgerow.evaluation.training_rows import find_seen_rows
    from hedgerow.store import load_state

    _refuse_fitting(options)
    file = require_model(options.model)
    state = load_state(file)
    data = _read_for(options, state)
    positive = data.target.find_class(options.positive)
    found = evaluate(
        load(file),
        data.features,
        data.target.labels,
        cv="fitted",
        scoring=split_names(options.scoring) or None,
        positive=positive,
        n_jobs=options.n_jobs,
    )
    seen = find_seen_rows(found, state.training_rows)
    found = replace(
        found, findings=tuple(sorted((seen.finding, *found.findings), key=lambda one: not one.severe))
    )
    if options.picture is not None:
        from hedgerow.cli.pictures import write_figure

        write_figure(found.draw(), options.picture)
    table = found.score_table(options.model)
    print_result(found, table, options, data, {"model": options.model, "training_rows": seen.to_dict()})


def _refuse_fitting(options: EvaluateOptions) -> None:
    for one in fields(options):
        if one.name in FITTING and getattr(options, one.name) != one.default:
            raise ParameterError(
                f"{{{one.name}}} is for models that are fitted here, but a model file is fitted already: all rows test "
                "it. Leave it out."
            )


def _read_for(options: EvaluateOptions, state: Any) -> PreparedData:
    """Rows that have a target, as the model knows them."""
    import numpy as np

    from hedgerow.cli.inputs import find_model, find_types, match_columns, read
    from hedgerow.intake import Samples
    from hedgerow.intake.clean import coerce_to_numbers
    from hedgerow.intake.task import match_classes, read_target
    from hedgerow.table import to_table
    from hedgerow.words import quote

    source = read(options)
    name = _find_target(options, state, source)
    orders = find_types(find_model(options.model))
    known = coerce_to_numbers(
        source.frame.select(name), frozenset([name] if state.classes is None else []), orders
    )
    column = to_table(known).columns[0]
    present = np.flatnonzero(~column.missing)
    if not len(present):
        raise ValueError(f"{quote(name)} is missing in every row of {quote(options.data)}.")
    column = replace(column, values=column.values[present])
    target: TargetData = read_target(column, "regression" if state.classes is None else "classification")
    target = target if state.classes is None else match_classes(target, state.classes)
    n_lost = known.height - len(present)
    lost = ((f"{n_lost:,} {'row' if n_lost == 1 else 'rows'}", f"{name} is missing"),) if n_lost else ()
    table = match_columns(state.schema, source.frame.drop(name)[present], options.data, orders)
    return PreparedData(source, Samples(table, target.values, None, None, present), target, lost)


def _find_target(options: EvaluateOptions, state: Any, source: Any) -> str:
    from hedgerow.words import did_you_mean, listing, quote

    names, name = source.frame.columns, options.target or state.target or source.target
    if name is None:
        raise ParameterError("The model file does not say what it predicts. Name the column: {target}.")
    if name in state.schema.names and name in names:
        known = f"the model predicts {quote(state.target)}" if state.target else "it is not what it predicts"
        raise ParameterError(
            "{target} is a column that the model reads; {}. Leave it out.", known, target=name
        )
    if name not in names:
        raise ParameterError(
            "{} has no column {}, so there is nothing to compare with. Columns: {}.{} Name another ({target}), or: "
            "hedgerow predict.",
            quote(options.data),
            quote(name),
            listing(names, 30),
            did_you_mean(name, names),
        )
    return str(name)


def print_result(
    found: Any, table: Any, options: DataOptions, data: PreparedData, more: dict[str, Any] | None = None
) -> None:
    """`table`: its scores.   `more`: what else the JSON says."""
    from hedgerow.cli.console import Page
    from hedgerow.cli.inputs import reading_facts, reading_json
    from hedgerow.words import show as safe
    from hedgerow.words import to_json

    if options.json:
        known = {"data": options.data, "target": data.target.name, **reading_json(data)}
        content = {**known, "random_state": options.random_state, **found.to_dict(), **(more or {})}
        print(to_json(content))
        return
    page = Page()
    page.heading(safe(options.data), f"to predict {safe(data.target.name)}")
    page.prose(*table.title)
    page.facts(reading_facts(data))
    page.lines([""])
    page.table(table)
    page.lines([""])
    for note in table.notes:
        page.prose(note, style="yellow" if note.startswith("!") else "")
