"""The form of result.json, for other programs.   In: the dataclasses of records.py and result.py.   Out: a JSON Schema.

Printed by `python -m hedgerow.studies.schema`; docs/study-result.schema.json holds it, and a test compares.
"""

import json
from dataclasses import MISSING, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from hedgerow.studies.result import VERSION, StudyResult

PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


def make_schema() -> dict[str, Any]:
    found: dict[str, Any] = {}
    top = _describe(StudyResult, found)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The result of a hedgerow study, version {VERSION}",
        **top,
        "$defs": dict(sorted(found.items())),
    }


def _describe(kind: Any, found: dict[str, Any]) -> dict[str, Any]:
    if kind in PLAIN:
        return {"type": PLAIN[kind]}
    if get_origin(kind) is dict:
        return {"type": "object"}  # a report section's own
    if get_origin(kind) in (Union, UnionType):
        return {"anyOf": [_describe(one, found) for one in get_args(kind)]}
    if get_origin(kind) is tuple:
        inner = get_args(kind)
        if len(inner) == 2 and inner[1] is Ellipsis:
            return {"type": "array", "items": _describe(inner[0], found)}
        return {
            "type": "array",
            "prefixItems": [_describe(one, found) for one in inner],
            "minItems": len(inner),
        }
    if is_dataclass(kind):
        name = str(getattr(kind, "__name__", kind))
        if name not in found:
            found[name] = {}  # stands while its fields are described
            found[name] = _describe_fields(kind, found)
        return {"$ref": f"#/$defs/{name}"}
    raise TypeError(f"{kind!r} has no place in a result: it is not plain data.")


def _describe_fields(kind: Any, found: dict[str, Any]) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {
        "type": "object",
        "properties": {field.name: _describe(hints[field.name], found) for field in fields(kind)},
        "required": [
            field.name for field in fields(kind) if field.default is field.default_factory is MISSING
        ],
        "additionalProperties": False,
    }


if __name__ == "__main__":
    print(json.dumps(make_schema(), indent=1))
