"""The header: everything of a model but its arrays.   In: Parts.   Out: a JSON object; and back, checked.

{"format": "hedgerow model", "format_version": 1, "library_version": "0.1.0",
 "model": "tree classifier",
 "columns": [{"name": "age", "kind": "number"},
             {"name": "sex", "kind": "category", "levels": ["female", "male"]}],
 "named": true, "names_in": true,
 "classes": {"type": "str", "values": ["died", "survived"]},
 "target": "survived", "missing": [0], "parameters": {...},
 "preparation": null,     (preparation.py)
 "body": {}}            what the kind of model adds; and a checksum (file.py)
"""

import json
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from numpy.typing import NDArray

from hedgerow.encode import Preparation, Schema
from hedgerow.store.classes import classes_from, classes_to
from hedgerow.store.damage import Defect
from hedgerow.store.kinds import KIND_OF, kind_of
from hedgerow.store.parameters import from_plain, to_plain
from hedgerow.store.parts import Parts, prepared_schema
from hedgerow.store.preparation import preparation_from, preparation_to

FORMAT, FORMAT_VERSION = "hedgerow model", 1
DEEPEST = 3
KINDS = ("number", "boolean", "category")


@dataclass(frozen=True, eq=False)
class Header:
    """The parts of a model that stand in its header."""

    model: str
    schema: Schema
    classes: NDArray[Any] | None
    target: str
    missing: frozenset[int] | None
    names_in: bool
    parameters: dict[str, Any]
    preparation: Preparation | None
    version: str
    deepest: int = DEEPEST  # models in models in models that this one may still hold

    @property
    def inner(self) -> Schema:
        """The columns the model itself sees."""
        return self.schema if self.preparation is None else prepared_schema(self.preparation)


def write_header(parts: Parts, body: dict[str, Any]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "library_version": version("hedgerow"),
        "model": parts.model,
        "columns": _columns(parts.schema),
        "named": parts.schema.named,
        "names_in": parts.names_in,
        "classes": None if parts.classes is None else classes_to(parts.classes),
        "target": parts.target,
        "missing": None if parts.missing is None else sorted(parts.missing),
        "parameters": {name: to_plain(name, value) for name, value in parts.parameters.items()},
        "preparation": None if parts.preparation is None else preparation_to(parts.preparation),
        "body": body,
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
    if not (isinstance(model, str) and model in KIND_OF):
        raise Defect(f"holds a model of the unknown type {model!r:.60}. Known: {', '.join(KIND_OF)}")
    kind = kind_of(model)
    schema = _schema(content)
    classes = content.get("classes")
    if (classes is None) != model.endswith(" regressor"):
        raise Defect(f"holds a {model} {'without' if classes is None else 'with'} classes")
    return Header(
        model=model,
        schema=schema,
        classes=None if classes is None else classes_from(classes),
        target=_typed(content, "target", str),
        missing=_missing(content, len(schema.names)),
        names_in=_names_in(content, schema),
        parameters=from_plain(kind.ESTIMATORS[model], kind.DEFAULTS[model], content.get("parameters")),
        preparation=preparation_from(content.get("preparation"), schema),
        version=_typed(content, "library_version", str)[:40],
    )


def parsed(text: str | bytes) -> dict[str, Any]:
    """A JSON object. Nested without end, numbers of endless digits, NaN, half characters: refused."""
    try:
        content = json.loads(text, parse_constant=_no_constant)
        json.dumps(content, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as reason:
        raise Defect(f"has a header that is not JSON ({str(reason)[:80]})") from None
    if not isinstance(content, dict):
        raise Defect(f"has a header that is a JSON {type(content).__name__}, not an object")
    return content


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _check_format(content: dict[str, Any]) -> None:
    if content.get("format") != FORMAT:
        raise Defect(f"does not say that it is a {FORMAT}")
    found = content.get("format_version")
    if type(found) is not int or found < 1:
        raise Defect(f"has the format version {found!r:.40}; wanted a whole number from 1")
    if found > FORMAT_VERSION:
        wrote = content.get("library_version")
        raise Defect(
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
        raise Defect("names a column twice")
    levels = tuple(tuple(column.get("levels", ())) for column in columns)
    return Schema(names, tuple(column["kind"] for column in columns), levels, named)


def _check_column(j: int, column: Any) -> None:
    if not isinstance(column, dict) or not isinstance(column.get("name"), str):
        raise Defect(f"has a column {j} without a name")
    if column.get("kind") not in KINDS:
        raise Defect(f"has a column {j} of an unknown kind. Known: {', '.join(KINDS)}")
    levels = column.get("levels", [])
    if not isinstance(levels, list) or not all(isinstance(level, str) for level in levels):
        raise Defect(f"has a column {j} whose levels are not a list of texts")
    if len(set(levels)) < len(levels):
        raise Defect(f"has a column {j} with the same level twice")
    if levels and column["kind"] != "category":
        raise Defect(f"has a column {j} that is a {column['kind']} and yet has levels")


def _missing(content: dict[str, Any], n_columns: int) -> frozenset[int] | None:
    if content.get("missing") is None:
        return None
    missing = _typed(content, "missing", list)
    if not all(type(j) is int and 0 <= j < n_columns for j in missing):
        raise Defect("names columns with missing cells that it does not have")
    return frozenset(missing)


def _names_in(content: dict[str, Any], schema: Schema) -> bool:
    names_in: bool = _typed(content, "names_in", bool)
    if names_in and not schema.named:
        raise Defect("has names for columns that it says have none")
    return names_in


def _typed(content: dict[str, Any], name: str, wanted: type) -> Any:
    value = content.get(name)
    if type(value) is not wanted:
        raise Defect(f"has {name!r} as {type(value).__name__} in its header; wanted {wanted.__name__}")
    return value
