"""Docstrings, composed.   In: a class or function with a short docstring.   Out: numpydoc's form in `__doc__`.

@document(RandomForestClassifier)       # like it, but for what is said here
class ExtraTreesClassifier:
    \"\"\"Extremely randomised trees.

    Attributes
    ----------
    forest_, estimators_, classes_
    \"\"\"

- The first sentence is the summary; the rest of its paragraph follows it. A doctest is the Examples.
- A parameter of the signature without an entry of its own gets that of a class it is like, then that of parameters.py.
  Defaults are those of the signature.
- Under Attributes a line of names alone stands for their entries in attributes.py; without the section they are those
  of the class it is like, and so is See Also.
- A method without a docstring, or without a section, gets that of methods.py.

It happens when the class is made, so that help(), notebooks and Sphinx read the same text. Under `python -OO` there is
nothing to compose.
"""

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeVar

from hedgerow.docstrings.attributes import ATTRIBUTES
from hedgerow.docstrings.methods import METHODS
from hedgerow.docstrings.parameters import METHOD_PARAMETERS, PARAMETERS

SECTIONS = (
    "Parameters",
    "Attributes",
    "Returns",
    "Yields",
    "Raises",
    "See Also",
    "Notes",
    "References",
    "Examples",
)
_HEADING = re.compile(rf"^({'|'.join(SECTIONS)})\n-+\n", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[^.][.!?])\s+(?=[A-Z`\"(])")
Documented = TypeVar("Documented")
Entries = dict[str, str]  # by name: "type\n    description"


@dataclass(frozen=True)
class Docstring:
    """A docstring in parts."""

    summary: str
    text: str
    sections: dict[str, str]

    def __str__(self) -> str:
        parts = [self.summary, self.text]
        parts += [
            f"{name}\n{'-' * len(name)}\n{self.sections[name]}" for name in SECTIONS if name in self.sections
        ]
        return "\n\n".join(part for part in parts if part) + "\n"


def parse_docstring(doc: str) -> Docstring:
    """The parts of a docstring; its first sentence is the summary."""
    head, *rest = _HEADING.split(inspect.cleandoc(doc))
    head, examples, rest_of_examples = head.partition("\n\n>>> ")
    first, _, text = head.strip().partition("\n\n")
    summary, *more = _SENTENCE.split(" ".join(first.split()), maxsplit=1)
    sections = {name: body.strip("\n") for name, body in zip(rest[::2], rest[1::2], strict=True)}
    if examples:
        sections.setdefault("Examples", f">>> {rest_of_examples.strip()}")
    return Docstring(summary, "\n\n".join(part.strip() for part in (*more, text) if part.strip()), sections)


def parse_entries(text: str) -> Entries:
    """Entries of a section by name; a line of names without a type is kept with an empty entry for each."""
    found: Entries = {}
    for block in re.split(r"\n(?=\S)", text.strip("\n")):
        heading, _, body = block.partition("\n")
        names, _, kind = heading.partition(" :")
        kind = kind.strip()
        for name in re.split(r",\s*", names.strip().rstrip(",")):
            found[name] = f"{kind}\n{body.rstrip()}" if kind or body.strip() else ""
    return found


@cache
def _table(text: str) -> Entries:
    return parse_entries(text)


@cache
def _methods() -> dict[str, Docstring]:
    found = re.split(r"^=== (\w+)\n", METHODS, flags=re.MULTILINE)[1:]
    return {name: parse_docstring(text) for name, text in zip(found[::2], found[1::2], strict=True)}


def _with_default(entry: str, default: Any) -> str:
    kind, newline, text = entry.partition("\n")
    kind = kind.partition(", default=")[0]  # that of the class it is like
    if default is inspect.Parameter.empty:
        return f"{kind}{newline}{text}"
    return f"{kind}, default={default!r}{newline}{text}"


def _parameters(signature: inspect.Signature, tables: list[Entries]) -> str:
    """An entry for each parameter, from the first table that has one."""
    stars: dict[Any, str] = {inspect.Parameter.VAR_KEYWORD: "**", inspect.Parameter.VAR_POSITIONAL: "*"}
    lines = []
    for name, parameter in signature.parameters.items():
        if name == "self":
            continue
        shown = stars.get(parameter.kind, "") + name
        entry = next((table[key] for table in tables for key in (shown, name) if table.get(key)), "")
        if entry:
            lines.append(f"{shown} : {_with_default(entry, parameter.default)}")
    return "\n".join(lines)


def _attributes(text: str, tables: list[Entries]) -> str:
    named = parse_entries(text)
    full = {
        name: entry or next((table[name] for table in tables if table.get(name)), "")
        for name, entry in named.items()
    }
    return "\n".join(f"{name} : {entry}" for name, entry in full.items() if entry)


def _composed(own: Docstring, sections: dict[str, str]) -> Docstring:
    """With these sections instead of its own, where they are not empty."""
    return replace(own, sections=own.sections | {name: body for name, body in sections.items() if body})


def _document_function(function: Any, like: Sequence[Any] = (), returns: str = "") -> Any:
    """Compose the docstring of a function or a method."""
    shared = _methods().get(function.__name__) if "." in function.__qualname__ else None
    if not function.__doc__ and shared is None:
        return function
    own = parse_docstring(function.__doc__) if function.__doc__ else shared
    assert own is not None
    others = [parse_docstring(other.__doc__ or "").sections for other in like]
    inherited = {
        key: text[key] for text in reversed(others) for key in ("Returns", "See Also") if key in text
    }
    sections: dict[str, str] = (
        shared.sections if shared else {"Returns": returns} if returns else inherited
    ) | own.sections
    if "Yields" in sections and not inspect.isgeneratorfunction(function):
        sections = {"Returns": "iterator of " + sections.pop("Yields"), **sections}
    texts = [sections, *others]
    tables = [parse_entries(text.get("Parameters", "")) for text in texts]
    parameters = _parameters(inspect.signature(function), [*tables, _table(METHOD_PARAMETERS)])
    function.__doc__ = str(_composed(replace(own, sections=sections), {"Parameters": parameters}))
    return function


def _document_members(cls: type) -> None:
    """Public methods and properties of the class and of its bases here; once each."""
    for base in cls.__mro__:
        if not base.__module__.startswith("hedgerow") or "__documented__" in vars(base):
            continue
        base.__documented__ = True  # type: ignore[attr-defined]
        for name, member in list(vars(base).items()):
            if name.startswith("_"):
                continue
            if inspect.isfunction(member):
                _document_function(member)
            elif isinstance(member, classmethod | staticmethod):
                _document_function(member.__func__)
            elif hasattr(member, "fn"):  # of sklearn's available_if
                member.__doc__ = _document_function(member.fn).__doc__
            elif isinstance(member, property) or hasattr(member, "func"):
                _document_property(name, member)


def _document_property(name: str, member: Any) -> None:
    if member.__doc__:
        own = parse_docstring(member.__doc__)
        member.__doc__ = str(own) if own.text or own.sections else own.summary
    elif name in _table(ATTRIBUTES):
        _, _, text = _table(ATTRIBUTES)[name].partition("\n")
        member.__doc__ = " ".join(text.split())


def _document_class(cls: type, like: Sequence[type]) -> None:
    if not cls.__doc__:
        return
    own = parse_docstring(cls.__doc__)
    texts = [own.sections, *(parse_docstring(other.__doc__ or "").sections for other in like)]
    parameters = [parse_entries(text.get("Parameters", "")) for text in texts]
    attributes = [parse_entries(text.get("Attributes", "")) for text in texts[1:]]
    listed = next((text["Attributes"] for text in texts if "Attributes" in text), "")
    composed = {
        "Parameters": _parameters(inspect.signature(cls), [*parameters, _table(PARAMETERS)]),
        "Attributes": _attributes(listed, [*attributes, _table(ATTRIBUTES)]),
        "See Also": next((text["See Also"] for text in texts if "See Also" in text), ""),
    }
    cls.__doc__ = str(_composed(own, composed))
    _document_members(cls)


def document(*like: Any, returns: str = "") -> Callable[[Documented], Documented]:
    """A decorator of classes and functions: compose the docstring, and those of a class's methods.

    What has no entry of its own is said as in `like` (of functions: parameters, Returns, See Also); `returns` is the
    Returns section of a function without one.
    """

    def decorate(thing: Documented) -> Documented:
        if inspect.isclass(thing):
            _document_class(thing, like)
        else:
            _document_function(thing, like, returns)
        return thing

    return decorate


def _kind_of(annotation: Any) -> str:
    """A field's type in words."""
    text = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    text = re.sub(
        r"(?:numpy\.ndarray|NDArray)\[(?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])*\]", "ndarray", text
    )
    return re.sub(r"\b(?:\w+\.)+(?=\w)", "", text).replace(" | ", " or ").replace("'", "")


def _fields(cls: type) -> Iterator[tuple[str, Any]]:
    for base in reversed(cls.__mro__):
        for name, annotation in inspect.get_annotations(base).items():
            if not name.startswith("_"):
                yield name, annotation


def document_result(cls: type) -> None:
    """Compose a result's docstring: an Attributes entry for each field, its type that of the annotation."""
    _document_members(cls)
    if not vars(cls).get("__doc__"):
        return
    own = parse_docstring(vars(cls)["__doc__"])
    described = parse_entries(own.sections.get("Attributes", ""))
    entries = {}
    for name, annotation in _fields(cls):
        _, _, text = (described.pop(name, "") or _table(ATTRIBUTES).get(name, "")).partition("\n")
        if text:
            entries[name] = f"{_kind_of(annotation)}\n{text}"
    section = "\n".join(f"{name} : {entry}" for name, entry in (entries | described).items() if entry)
    cls.__doc__ = str(_composed(own, {"Attributes": section}))
