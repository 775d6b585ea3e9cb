"""What a pruning method is, and which there are.   In: a name, a dict of settings, or a method.   Out: a method.

One file a method; the file's name is the public name, its class the same name in capitals and small letters:
chi_square.py holds ChiSquare and is prune="chi_square". A method is its settings, frozen; it says what it
needs besides the Tree ("nothing", "training" rows or "held_out" rows) and which tasks it is for.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

import numpy as np

from hedgerow.prune.evidence import Evidence
from hedgerow.table.words import did_you_mean, quote
from hedgerow.tree.cut import cut
from hedgerow.tree.tree import Tree
from hedgerow.types import Mask

BOTH = ("classification", "regression")
CLASSES_ONLY = ("classification",)


@runtime_checkable
class Method(Protocol):
    tasks: ClassVar[tuple[str, ...]]

    @property
    def needs(self) -> str:
        """ "nothing", "training" or "held_out"."""

    def pruned(self, tree: Tree, evidence: Evidence | None = None) -> Tree:
        """The smaller tree; never a larger one."""

    def over_a_range(self, tree: Tree) -> "tuple[Method, ...]":
        """The same method from weak to strong, as far as this tree can tell the settings apart."""


class Cutting(ABC):
    """A method that only makes leaves of nodes: it says which."""

    @property
    def needs(self) -> str:
        return "nothing"

    @abstractmethod
    def nodes_to_cut(self, tree: Tree, evidence: Evidence | None = None) -> Mask:
        """True at each node that becomes a leaf."""

    def pruned(self, tree: Tree, evidence: Evidence | None = None) -> Tree:
        return cut(tree, self.nodes_to_cut(tree, evidence))

    def over_a_range(self, tree: Tree) -> tuple[Self, ...]:
        return (self,)

    def _each(self, name: str, values: Any) -> tuple[Self, ...]:
        """This method with each of the values of one setting."""
        return tuple(replace(self, **{name: value}) for value in values)  # type: ignore[type-var]


@cache
def methods() -> dict[str, type[Method]]:
    """Every pruning method by its name."""
    import hedgerow.prune as here

    found: dict[str, type[Method]] = {}
    for module in iter_modules(here.__path__):
        kind = getattr(import_module(f"{here.__name__}.{module.name}"), _class_name(module.name), None)
        if isinstance(kind, type) and kind is not Method and hasattr(kind, "pruned"):
            found[module.name] = kind
    return found


def _class_name(module: str) -> str:
    return "".join(word.capitalize() for word in module.split("_"))


def name_of(method: Method) -> str:
    return next(name for name, kind in methods().items() if kind is type(method))


def settings_of(method: Method) -> dict[str, Any]:
    """The method as plain values: its name and settings. `method_of` reads it back."""
    values = {field.name: getattr(method, field.name) for field in fields(method)}  # type: ignore[arg-type]
    return {"method": name_of(method), **values}


def method_of(given: Any) -> Method | None:
    """What was asked for: None, a name, {"method": name, setting: value, ...}, or a method itself."""
    if given is None or type(given) in methods().values():
        return given  # type: ignore[no-any-return]
    settings = dict(given) if isinstance(given, Mapping) else {"method": given}
    name = settings.pop("method", None)
    if not isinstance(name, str) or name not in methods():
        raise ValueError(_unknown(given, name))
    kind = methods()[name]
    known = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    for setting in settings:
        if setting not in known:
            raise ValueError(
                f"prune={quote(given)}: {name} has no setting {quote(setting)}. Its settings: "
                f"{', '.join(known) or 'none'}.{did_you_mean(str(setting), known)}"
            )
    return kind(**settings)


def _unknown(given: Any, name: Any) -> str:
    hint = did_you_mean(name, methods()) if isinstance(name, str) else ""
    return (
        f"prune={quote(given)} is unknown. Known: {', '.join(methods())}; or a method of hedgerow.prune with its "
        f"settings, such as Pessimistic(confidence=0.1); or None.{hint}"
    )


def is_regression(tree: Tree) -> bool:
    return tree.n_outputs == 1


def refuse_regression(method: Method, tree: Tree) -> None:
    """A tree of one class is a single leaf: what has one output and nodes is a regression."""
    if is_regression(tree) and tree.n_nodes > 1:
        others = [name for name, kind in methods().items() if "regression" in kind.tasks]
        raise ValueError(
            f"{name_of(method)} prunes by the classes at the nodes, and a regression has none. "
            f"For regressions: {', '.join(others)}."
        )


def needed(method: Method, evidence: Evidence | None) -> Evidence:
    if evidence is None:
        which = "that the tree has not seen" if method.needs == "held_out" else "the tree was grown on"
        raise ValueError(
            f"{name_of(method)} needs rows {which}, and none were given. Give pruned(tree, evidence) "
            "an hedgerow.prune.Evidence(rows, target)."
        )
    return evidence


def no_nodes(tree: Tree) -> Mask:
    return np.zeros(tree.n_nodes, bool)


def check_range(method: object, name: str, low: float, high: float) -> None:
    """The setting is a number with low <= number <= high, or an error says so."""
    given = getattr(method, name)
    if isinstance(given, bool) or not isinstance(given, (int, float, np.number)) or not low <= given <= high:
        wanted = (
            f"a number from {low:g} to {high:g}" if np.isfinite(high) else f"a number of at least {low:g}"
        )
        raise ValueError(f"{type(method).__name__}: {name}={quote(given)} is out of range. Give {wanted}.")


def check_whole_or_none(method: object, name: str, low: int) -> None:
    given = getattr(method, name)
    whole = isinstance(given, (int, np.integer)) and not isinstance(given, bool)
    if given is not None and not (whole and given >= low):
        raise ValueError(
            f"{type(method).__name__}: {name}={quote(given)} is out of range. Give a whole number of at least {low}, "
            "or None to have it chosen on held-out rows."
        )


def check_flag(method: object, name: str) -> None:
    given = getattr(method, name)
    if not isinstance(given, (bool, np.bool_)):
        raise ValueError(f"{type(method).__name__}: {name}={quote(given)} is neither True nor False.")


def check_word(method: object, name: str, known: tuple[str, ...]) -> None:
    given = getattr(method, name)
    if not isinstance(given, str) or given not in known:
        hint = did_you_mean(given, known) if isinstance(given, str) else ""
        raise ValueError(
            f"{type(method).__name__}: {name}={quote(given)} is unknown. Known: {', '.join(known)}.{hint}"
        )
