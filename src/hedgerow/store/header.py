"""The header: everything of a model but its arrays.   In: ModelState.   Out: a JSON object; and back, checked.

{"format": "hedgerow model", "format_version": 1, "library_version": "0.1.0",
 "model": "tree classifier",
 "columns": [{"name": "age", "kind": "number"},
             {"name": "sex", "kind": "category", "levels": ["female", "male"]}],
 "named": true, "names_in": true,
 "classes": {"type": "str", "values": ["died", "survived"]},
 "target": "survived", "missing": [0], "parameters": {...},
 "preparation": null,     (preparation.py)
 "body": {},             what the kind of model adds
 "outputs": [...],       of several targets the classes of each, null for a number; classes is then null
 "features": {...},      where text, dates or large categories become columns first (features.py)
 "training_rows": {...}, where they are known (training_rows.py)
 "decision": {...}}      where something was chosen (decision.py); and a checksum (file.py)
"""

import json
from dataclasses import dataclass, replace
from importlib.metadata import version
from math import isfinite
from typing import Any

from numpy.typing import NDArray

from hedgerow.decision import Decision
from hedgerow.encode import Preparation, Schema
from hedgerow.features import Features
from hedgerow.store.classes import classes_from, classes_to
from hedgerow.store.decision import NAME as DECISION
from hedgerow.store.decision import decision_from, decision_to
from hedgerow.store.errors import InvalidModelFile
from hedgerow.store.features import NAME as FEATURES
from hedgerow.store.features import features_from, features_to
from hedgerow.store.kind import Kind, find_kind, model_tags
from hedgerow.store.parameters import from_plain, to_plain
from hedgerow.store.preparation import preparation_from, preparation_to
from hedgerow.store.state import ModelState, Outputs, prepared_schema
from hedgerow.store.training_rows import NAME, to_header
from hedgerow.table import KINDS

FORMAT, FORMAT_VERSION = "hedgerow model", 1
DEEPEST = 3
OUTPUTS = "outputs"


@dataclass(frozen=True, eq=False)
class Header:
    """What of a model's state stands in its header."""

    model: str
    schema: Schema
    classes: NDArray[Any] | None
    target: str
    missing: frozenset[int] | None
    names_in: bool
    parameters: dict[str, Any]
    preparation: Preparation | None
    version: str
    decision: Decision | None = None
    outputs: Outputs = ()  # of several targets: the classes of each, None for a number
    features: Features | None = None
    deepest: int = DEEPEST  # models in models in models that this one may still hold

    @property
    def widths(self) -> list[int]:
        """Of each target, how many values a leaf has: its classes, or 1."""
        return [1 if classes is None else len(classes) for classes in self.outputs or (self.classes,)]

    @property
    def inner(self) -> Schema:
        """The columns the model itself sees."""
        if self.features is not None:
            return self.without_features.inner
        return self.schema if self.preparation is None else prepared_schema(self.preparation)

    @property
    def without_features(self) -> "Header":
        """Of the columns that features make, as the kind of model reads it."""
        if self.features is None:
            return self
        return replace(self, features=None, schema=self.features.inner, missing=None)


def write_header(state: ModelState, body: dict[str, Any]) -> dict[str, Any]:
    rows = state.training_rows
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "library_version": version("hedgerow"),
        "model": state.model,
        "columns": _columns(state.schema),
        "named": state.schema.named,
        "names_in": state.names_in,
        "classes": classes_or_null(state.classes),
        **({} if not state.outputs else {OUTPUTS: [classes_or_null(one) for one in state.outputs]}),
        "target": state.target,
        "missing": None if state.missing is None else sorted(state.missing),
        "parameters": {name: to_plain(name, value) for name, value in state.parameters.items()},
        "preparation": None if state.preparation is None else preparation_to(state.preparation),
        "body": body,
        **({} if rows is None else {NAME: to_header(rows)}),
        **({} if state.features is None else {FEATURES: features_to(state.features)}),
        **({} if state.decision is None else {DECISION: decision_to(state.decision)}),
    }


def _columns(schema: Schema) -> list[dict[str, Any]]:
    columns = []
    for name, kind, levels in zip(schema.names, schema.kinds, schema.levels, strict=True):
        column: dict[str, Any] = {"name": name, "kind": kind}
        columns.append({**column, "levels": list(levels)} if kind == "category" else column)
    return columns


def read_header(content: dict[str, Any]) -> Header:
    _check_format(content)
    model = content.get("model")
    kind = find_kind(model) if isinstance(model, str) else None
    if not isinstance(model, str) or kind is None:
        raise InvalidModelFile(
            f"holds a model of the unknown type {model!r:.60}. Known: {', '.join(model_tags())}"
        )
    schema = _schema(content)
    outputs, classes = _outputs(content, model, kind), content.get("classes")
    if not outputs and (classes is None) != model.endswith(" regressor"):
        raise InvalidModelFile(f"holds a {model} {'without' if classes is None else 'with'} classes")
    labels = None if classes is None else classes_from(classes)
    features = features_from(content.get(FEATURES), schema)
    if features is None and "text" in schema.kinds and not getattr(kind, "MEMBERS_MAKE_FEATURES", False):
        raise InvalidModelFile(f"holds a {model} with a column of text and no features to read it")
    return Header(
        model=model,
        schema=schema,
        classes=labels,
        target=_typed(content, "target", str),
        missing=_missing(content, len(schema.names)),
        names_in=_names_in(content, schema),
        parameters=from_plain(kind.ESTIMATORS[model], kind.DEFAULTS[model], content.get("parameters")),
        preparation=preparation_from(
            content.get("preparation"), schema if features is None else features.inner
        ),
        version=_typed(content, "library_version", str)[:40],
        decision=decision_from(content.get(DECISION), None if labels is None else len(labels)),
        outputs=outputs,
        features=features,
    )


def classes_or_null(classes: NDArray[Any] | None) -> dict[str, Any] | None:
    return None if classes is None else classes_to(classes)


def _outputs(content: dict[str, Any], model: str, kind: Kind) -> Outputs:
    """The classes of each of several targets; () where there is one."""
    given = content.get(OUTPUTS)
    if given is None:
        return ()
    if not getattr(kind, "MANY_OUTPUTS", False):
        raise InvalidModelFile(f"holds a {model} of several targets, which there is not")
    if (
        not isinstance(given, list)
        or len(given) < 2
        or content.get("classes") is not None
        or DECISION in content
    ):
        raise InvalidModelFile("does not list the classes of several targets, and these alone")
    if any((one is None) != model.endswith(" regressor") for one in given):
        raise InvalidModelFile(f"holds a {model} with a target of another task")
    return tuple(None if one is None else classes_from(one) for one in given)


def parsed(text: str | bytes) -> dict[str, Any]:
    """A JSON object. Nested without end, numbers beyond 64 bits, infinity and NaN, half characters: refused."""
    try:
        content = json.loads(text, parse_constant=_no_constant, parse_int=_whole, parse_float=_finite)
        if b"\\u" in text if isinstance(text, bytes) else "\\u" in text:  # how half a character is written
            json.dumps(content, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as reason:
        raise InvalidModelFile(f"has a header that is not JSON ({str(reason)[:80]})") from None
    if not isinstance(content, dict):
        raise InvalidModelFile(f"has a header that is a JSON {type(content).__name__}, not an object")
    return content


def _whole(text: str) -> int:
    if len(text) > 20 or not -(2**63) <= int(text) < 2**64:
        raise ValueError(f"{text[:20]}... is beyond 64 bits")
    return int(text)


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text[:20]} is beyond a float")
    return number


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _check_format(content: dict[str, Any]) -> None:
    if content.get("format") != FORMAT:
        raise InvalidModelFile(f"does not say that it is a {FORMAT}")
    found = content.get("format_version")
    if type(found) is not int or found < 1:
        raise InvalidModelFile(f"has the format version {found!r:.40}; wanted a whole number from 1")
    if found > FORMAT_VERSION:
        wrote = content.get("library_version")
        raise InvalidModelFile(
            f"was written by a newer hedgerow ({wrote!r:.40}, model format {found}); "
            f"this one reads formats up to {FORMAT_VERSION}. Upgrade: pip install --upgrade hedgerow"
        )


def _schema(content: dict[str, Any]) -> Schema:
    columns = _typed(content, "columns", list)
    named = _typed(content, "named", bool)
    for j, column in enumerate(columns):
        _check_column(j, column)
    names = tuple(column["name"] for column in columns)
    if len(set(names)) < len(names):
        raise InvalidModelFile("names a column twice")
    levels = tuple(tuple(column.get("levels", ())) for column in columns)
    return Schema(names, tuple(column["kind"] for column in columns), levels, named)


def _check_column(j: int, column: Any) -> None:
    if not isinstance(column, dict) or not isinstance(column.get("name"), str):
        raise InvalidModelFile(f"has a column {j} without a name")
    if column.get("kind") not in KINDS:
        raise InvalidModelFile(f"has a column {j} of an unknown kind. Known: {', '.join(KINDS)}")
    levels = column.get("levels", [])
    if not isinstance(levels, list) or not all(isinstance(level, str) for level in levels):
        raise InvalidModelFile(f"has a column {j} whose levels are not a list of texts")
    if len(set(levels)) < len(levels):
        raise InvalidModelFile(f"has a column {j} with the same level twice")
    if levels and column["kind"] != "category":
        raise InvalidModelFile(f"has a column {j} that is a {column['kind']} and yet has levels")


def _missing(content: dict[str, Any], n_columns: int) -> frozenset[int] | None:
    if content.get("missing") is None:
        return None
    missing = _typed(content, "missing", list)
    if not all(type(j) is int and 0 <= j < n_columns for j in missing):
        raise InvalidModelFile("names columns with missing cells that it does not have")
    return frozenset(missing)


def _names_in(content: dict[str, Any], schema: Schema) -> bool:
    names_in: bool = _typed(content, "names_in", bool)
    if names_in and not schema.named:
        raise InvalidModelFile("has names for columns that it says have none")
    return names_in


def _typed(content: dict[str, Any], name: str, wanted: type) -> Any:
    value = content.get(name)
    if type(value) is not wanted:
        raise InvalidModelFile(
            f"has {name!r} as {type(value).__name__} in its header; wanted {wanted.__name__}"
        )
    return value
