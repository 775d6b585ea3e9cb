"""What an exporter is.   In: a file of export/formats.   Out: by its name, any fitted model in another form.

    export_model(state, "dot", max_depth=3)       model.export("dot", max_depth=3)
                                                  hedgerow export titanic.hedgerow --to dot

A new exporter is one new file in export/formats:

    TITLE, SUFFIX, TAKES = "DOT, for Graphviz", ".dot", ("tree",)

    def export(state, *, max_depth=None):         # options are keywords, each with a default
        return to_dot(state.body, state.labels, max_depth=max_depth)

One that other programs run has `run(made, program)` besides: the answers of what was made to the test rows of the
scoring program (export/program), or None where nothing here can run it. They are compared with the model's before
anything is handed out.

It gets the state that a model file keeps (store.ModelState), which knows nothing of scikit-learn. The body is what the
kind of model works with; the rest is common to all kinds:

    state.model     "tree classifier", "rule list", "forest regressor", "adaboost classifier", "linear svm regressor"
    state.body      a Tree, a RuleList, a forest, rounds of boosting, coefficients, support vectors
    state.labels    the words for columns, levels and classes
    state.schema    names, kinds and levels of the columns, in the order in which the body numbers them
    state.classes   None for regression
    state.preparation   how a table becomes the numbers that the body reads, where they are scaled and coded first
"""

from collections.abc import Mapping
from inspect import Parameter, signature
from typing import Any, Protocol

from numpy.typing import NDArray

from hedgerow.display.sentences import join_words
from hedgerow.encode import Preparation, Schema
from hedgerow.errors import ParameterError
from hedgerow.plugins import load_plugin, load_plugins
from hedgerow.tree.labels import Labels
from hedgerow.words import did_you_mean, quote

PACKAGE = "hedgerow.export.formats"


class ExportState(Protocol):
    """The part of store.ModelState that exporters read."""

    @property
    def model(self) -> str: ...
    @property
    def body(self) -> Any: ...
    @property
    def labels(self) -> Labels: ...
    @property
    def schema(self) -> Schema: ...
    @property
    def classes(self) -> NDArray[Any] | None: ...
    @property
    def preparation(self) -> Preparation | None: ...
    @property
    def parameters(self) -> Mapping[str, Any]: ...


class Exporter(Protocol):
    TITLE: str  # for lists and help texts
    SUFFIX: str  # of a file that holds it: ".dot"
    TAKES: tuple[
        str, ...
    ]  # kinds of models, as state.model begins: "tree", "rule list", "forest", "linear svm" ...

    def export(self, state: ExportState, **options: Any) -> str | bytes: ...


def load_exporters() -> dict[str, Exporter]:
    return load_plugins(PACKAGE, Exporter)  # type: ignore[type-abstract]


def load_exporter(name: Any) -> Exporter:
    return load_plugin(PACKAGE, Exporter, name, "export")  # type: ignore[type-abstract]


def exporters_for(model: str) -> tuple[str, ...]:
    """The names of those that take such a model."""
    return tuple(name for name, exporter in load_exporters().items() if _takes(exporter, model))


def export_model(
    state: Any, name: Any, *, check: bool = True, target: int | None = None, **options: Any
) -> str | bytes:
    """The model in the form of this name. `check`: what can be run is run on its test rows, and must answer alike.
    `target`: which of several, from 0; programs answer for one, pictures show all where none is given."""
    exporter = load_exporter(name)
    if not _takes(exporter, state.model):
        known = exporters_for(state.model)
        raise ParameterError(
            "{export} takes models of kind {}, but this is a {}. {}",
            join_words(exporter.TAKES, "or"),
            state.model,
            f"It can be exported as {join_words(known, 'or')}." if known else "No exporter takes it yet.",
            export=name,
        )
    _check_options(name, exporter, options)
    if not hasattr(exporter, "run"):  # for people: of the columns that the model itself reads
        state = getattr(state, "without_features", state)
    state = _of_target(state, name, target, needed=hasattr(exporter, "run"))
    made = exporter.export(state, **options)
    run = getattr(exporter, "run", None)
    if check and run is not None:
        _prove(state, name, made, run)
    return made


def _of_target(state: Any, name: str, target: Any, *, needed: bool) -> Any:
    many = len(state.outputs) or 1
    if target is None and (many == 1 or not needed):
        return state
    if type(target) is not int or not 0 <= target < many:
        raise ParameterError(
            "{export} is for one target. {target} is none of the {} that this model has: {}.",
            str(many),
            "leave it out" if many == 1 else f"give a number from 0 to {many - 1}",
            export=name,
            target=target,
        )
    from hedgerow.store.targets import select_target

    return select_target(state, target) if state.outputs else state


def _prove(state: Any, name: str, made: str | bytes, run: Any) -> None:
    from hedgerow.export.program.prove import compare, make_program

    program = make_program(state)
    answers = run(made, program)
    if answers is not None:  # None: nothing here can run it
        compare(program, answers, f"What was exported as {name}")


def _takes(exporter: Exporter, model: str) -> bool:
    return any(model == kind or model.startswith(f"{kind} ") for kind in exporter.TAKES)


def _check_options(name: str, exporter: Exporter, options: Mapping[str, Any]) -> None:
    parameters = signature(exporter.export).parameters
    if any(one.kind is Parameter.VAR_KEYWORD for one in parameters.values()):
        return
    known = [option for option, one in parameters.items() if one.kind is Parameter.KEYWORD_ONLY]
    for option in options:
        if option not in known:
            listed = f"Options: {', '.join(known)}." if known else "It has no options."
            hint = did_you_mean(option, known)
            raise ParameterError("{export} has no option {}. {}{}", quote(option), listed, hint, export=name)
