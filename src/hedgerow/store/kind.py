"""What a kind of model says about itself, in a file of store/kinds.

    fitted estimator --_stored_body--> body --write--> arrays and plain values --read--> body --_restore--> estimator
                                       body, a table --predict--> predictions, without scikit-learn

The body is whatever the kind works with: a Tree, a Forest, a RuleList. Columns, classes and parameters are common to
all kinds and are written and checked elsewhere; `read` need only doubt its own arrays and values. `_stored_body` and
`_restore(state)` are the estimator's; the latter checks the parameters and sets what fit would have set.

A new kind is one new file. It is found by the tags it knows; of files whose name is part of the tag ("tree" of "tree
classifier") the others need not be imported.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from numpy.typing import NDArray

from hedgerow.plugins import load_plugin, load_plugins, plugin_names
from hedgerow.table import Table
from hedgerow.types import Float

if TYPE_CHECKING:
    from hedgerow.features import Features
    from hedgerow.store.header import Header
    from hedgerow.store.state import ModelState

PACKAGE = "hedgerow.store.kinds"
N_SHOWN = 10  # telling words
Arrays = Mapping[str, NDArray[Any]]


class Layout(NamedTuple):
    """How an array lies in the file."""

    dtype: str  # safetensors' name: "I32", "F64", "U8"
    rank: int = 1


class Content(NamedTuple):
    """A body as a file holds it."""

    arrays: Arrays
    extra: dict[str, Any]  # what JSON can hold, if arrays are not enough


class Predictions(NamedTuple):
    values: NDArray[Any]  # class numbers, or numbers
    probabilities: Float | None = None  # rows x classes, if the model has them
    # Rows x classes, of a model without probabilities: how far from the boundary
    decision: Float | None = None


class Contributions(NamedTuple):
    """What each column adds to the score of each row; see reasons.py."""

    values: Float  # rows x columns the model itself sees x outputs
    base: Float  # outputs
    titles: tuple[str, ...]  # what base and values add up to, by output; of two classes, one output or two


def probability_titles(classes: NDArray[Any] | None) -> tuple[str, ...]:
    return ("prediction",) if classes is None else tuple(f"probability of {one}" for one in classes.tolist())


class Kind(Protocol):
    """Also, if it can say why a row is predicted so: explain(state, table, threads) -> Contributions (reasons.py); if a
    parameter was renamed after files were written: STORED_AS, its name now -> its name in files; and
    MANY_OUTPUTS = True if its models may have several targets; MEMBERS_MAKE_FEATURES = True if it is made of models
    that read text, each by features of its own."""

    ESTIMATORS: Mapping[str, str]  # tag -> public name of the estimator, in hedgerow.estimators
    DEFAULTS: Mapping[
        str, Mapping[str, Any]
    ]  # tag -> every parameter and its default, as the estimator has them; here
    # too, because a file is read and checked without scikit-learn. A test compares the two

    def layout(self, extra: dict[str, Any]) -> Mapping[str, Layout]:
        """The arrays of a file with these values in its header: all of them, always."""

    def write(self, body: Any) -> Content: ...

    def read(self, arrays: Arrays, extra: dict[str, Any], header: "Header") -> Any:
        """The body, every number in it checked; InvalidModelFile for anything that fit could not have made."""

    def predict(self, state: "ModelState", table: Table, threads: int | None) -> Predictions: ...

    def describe(self, state: "ModelState") -> list[tuple[str, str]]:
        """A word and what it says, for `hedgerow show`."""


def load_kinds() -> dict[str, Kind]:
    return load_plugins(PACKAGE, Kind)  # type: ignore[type-abstract]


def model_tags() -> dict[str, Kind]:
    """Every tag that a file may have, and its kind."""
    return {tag: kind for kind in load_kinds().values() for tag in kind.ESTIMATORS}


def find_kind(tag: str) -> Kind | None:
    """The kind that knows this tag."""
    for name in sorted(plugin_names(PACKAGE), key=lambda name: name.replace("_", " ") not in tag):
        kind: Kind = load_plugin(PACKAGE, Kind, name)  # type: ignore[type-abstract]
        if tag in kind.ESTIMATORS:
            return kind
    return None


def load_kind(tag: str) -> Kind:
    kind = find_kind(tag)
    if kind is None:
        raise KeyError(f"No file of store/kinds knows {tag!r}.")
    return kind


def predict_state(state: "ModelState", table: Table, threads: int | None = None) -> Predictions:
    """What the model predicts for these rows, as its decision has it."""
    if state.outputs:
        raise ValueError(
            f"This model has {len(state.outputs)} targets; commands predict one. Use hedgerow.load(file).predict(X)."
        )
    inside = table if state.features is None else state.features.make(table)
    found = load_kind(state.model).predict(state.without_features, inside, threads)
    decision = state.decision
    calibrator, point = (None, None) if decision is None else (decision.calibrator, decision.point)
    given = found.decision if calibrator is not None and calibrator.floor == 0 else found.probabilities
    if given is None or (calibrator is None and point is None):
        return found
    proba = given if calibrator is None else calibrator.calibrate(given)
    return Predictions(proba.argmax(axis=1) if point is None else point.decide(proba), proba)


def describe_state(state: "ModelState") -> list[tuple[str, str]]:
    """A word and what it says, such as ("tree", "7 leaves, 4 deep")."""
    own = load_kind(state.model).describe(state.without_features)
    own = own if state.features is None else [*own, *_describe_features(state.features)]
    return own if state.decision is None else [*own, *_describe_decision(state)]


def _describe_features(features: "Features") -> list[tuple[str, str]]:
    names = features.schema.names
    out = [("reads", f"{len(features.inner.names):,} columns, made of {len(names):,}")]
    for one in features.words:
        shown = ", ".join(term for term, _ in one.telling[:N_SHOWN])
        out.append((f"words of {names[one.column]}", f"{len(one.terms):,}; most telling: {shown}"))
    if features.rates:
        out.append(("rates of", ", ".join(names[one.column] for one in features.rates)))
    if features.parts:
        dates = dict.fromkeys(names[one.column] for one in features.parts)
        out.append(("parts of dates", ", ".join(dates)))
    return out


def _describe_decision(state: "ModelState") -> list[tuple[str, str]]:
    decision = state.decision
    out = []
    if decision is not None and decision.calibrator is not None:
        out.append(("probabilities", f"calibrated ({decision.calibrator.form})"))
    if decision is not None and decision.point is not None:
        point, positive = (
            decision.point,
            "" if state.classes is None else str(state.classes[decision.point.positive]),
        )
        begin = (
            "" if point.threshold is None else f"{positive} from a probability of {point.threshold:.4g} on, "
        )
        out.append(("predicts", f"{begin}for {point.aim}"))
    if decision is not None and decision.intervals is not None:
        out.append(("intervals", f"from the errors of {decision.intervals.n_rows:,} predictions out of fold"))
    return out
