"""plugins: the files of a folder, as plug-ins.   In: the folder's package and a Protocol.   Out: modules by name.

A folder of plug-ins holds nothing else: one file each, the file's name is the public name, and each has what the
Protocol beside the folder asks for. A file that lacks something is an error that says what, never left out in
silence. A new plug-in is one new file.

    LOSSES = "hedgerow.boost.losses"
    load_plugins(LOSSES, Loss)              # {"exponential": <module>, "logistic": <module>}
    load_plugin(LOSSES, Loss, "logistic")   # one of them; an unknown name is an error that lists the known ones
    plugin_names(LOSSES)                    # the names alone; no plug-in is imported
"""

import os
import sys
from functools import cache
from importlib import import_module
from inspect import get_annotations
from pkgutil import iter_modules
from typing import Any, TypeVar

from hedgerow.errors import check_choice

P = TypeVar("P")
LAST = 1_000  # where a plug-in stands that does not say


def plugin_names(package: str) -> tuple[str, ...]:
    """Every file of the folder, in alphabetical order."""
    return _names(tuple(_folders(package)))


def load_plugins(package: str, protocol: type[P]) -> dict[str, P]:
    """All of them: by their ORDER where they have one, then by name."""
    return dict(_load(package, protocol, tuple(_folders(package))))  # type: ignore[arg-type]


def load_plugin(package: str, protocol: type[P], name: Any, what: str | None = None) -> P:
    """The one of this name. `what` is how the caller calls it in an error: the parameter, such as "loss"."""
    known = check_choice(what or package.rpartition(".")[2], name, plugin_names(package))
    return _checked(package, protocol, known)


def _folders(package: str) -> list[str]:
    """Where the files are. The packages above it are not imported: a help text that lists names costs nothing."""
    if package in sys.modules:
        return list(sys.modules[package].__path__)
    top, _, rest = package.partition(".")
    return [os.path.join(folder, *rest.split(".")) for folder in import_module(top).__path__]


@cache
def _load(package: str, protocol: type, path: tuple[str, ...]) -> tuple[tuple[str, Any], ...]:
    """Checked once: a study asks for its metrics hundreds of times."""
    loaded: list[tuple[str, Any]] = [(name, _checked(package, protocol, name)) for name in _names(path)]
    return tuple(sorted(loaded, key=lambda item: (getattr(item[1], "ORDER", LAST), item[0])))


@cache
def _names(path: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(found.name for found in iter_modules(path)))


def _checked(package: str, protocol: type[P], name: str) -> P:
    module: Any = import_module(f"{package}.{name}")
    members = _members(protocol)  # type: ignore[arg-type]
    lacking = [wanted for wanted in members if not hasattr(module, wanted)]
    if lacking:
        raise TypeError(
            f"{package}.{name} is no {protocol.__name__}: it lacks {', '.join(lacking)}. "
            f"{protocol.__module__} says what such a file has."
        )
    return module  # type: ignore[no-any-return]


@cache
def _members(protocol: type) -> tuple[str, ...]:
    """What a Protocol asks for: its annotated values and its functions."""
    own = [
        name
        for kind in reversed(protocol.__mro__)
        if getattr(kind, "_is_protocol", False)
        for name in (*get_annotations(kind), *kind.__dict__)
    ]
    return tuple(dict.fromkeys(name for name in own if not name.startswith("_")))
