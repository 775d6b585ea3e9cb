"""Options shared out.   In: a dataclass, the options of a command by name.   Out: the dataclass, of those it has."""

from dataclasses import fields
from typing import Any, TypeVar

Kind = TypeVar("Kind")


def picked(kind: type[Kind], given: dict[str, Any]) -> Kind:
    """None was not typed: the default of the dataclass."""
    names = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: value for name, value in given.items() if name in names and value is not None})
