"""What a pruning method is, and which there are.   In: a name, a dict of settings, or a method.   Out: a method.

One file a method in methods/; the file's name is the public name, its class the same name in capitals and small
letters: chi_square.py holds ChiSquare and is prune="chi_square". A method is its settings, a frozen dataclass; it says
what it needs besides the Tree ("nothing", "training" rows or "held_out" rows) and which tasks it is for. A setting
declared with `setting(default, help)` is one that commands offer too.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Protocol, Self, TypeGuard, get_args, get_type_hints, runtime_checkable

import numpy as np

from hedgerow.errors import InPython, ParameterError
from hedgerow.plugins import load_plugins
from hedgerow.prune.data import PruningData
from hedgerow.tree.cut import cut
from hedgerow.tree.tree import Tree
from hedgerow.types import Mask
from hedgerow.words import did_you_mean, quote

BOTH = ("classification", "regression")
CLASSES_ONLY = ("classification",)


@runtime_checkable
class Method(Protocol):
    tasks: ClassVar[tuple[str, ...]]

    @property
    def needs(self) -> str:
        """ "nothing", "training" or "held_out"."""

    def prune(self, tree: Tree, data: PruningData | None = None) -> Tree:
        """The smaller tree; never a larger one."""

    def strengths(self, tree: Tree) -> "tuple[Method, ...]":
        """The same method from weak to strong, as far as this tree can tell the settings apart."""


class CuttingMethod(ABC):
    """A method that only makes leaves of nodes: it says which.

    See Also
    --------
    compare_prunings : All prunings of one tree, side by side.
    """

    @property
    def needs(self) -> str:
        return "nothing"

    @abstractmethod
    def nodes_to_cut(self, tree: Tree, data: PruningData | None = None) -> Mask:
        """True at each node that becomes a leaf."""

    def prune(self, tree: Tree, data: PruningData | None = None) -> Tree:
        return cut(tree, self.nodes_to_cut(tree, data))

    def strengths(self, tree: Tree) -> tuple[Self, ...]:
        return (self,)

    def _each(self, name: str, values: Any) -> tuple[Self, ...]:
        """This method with each of the values of one setting."""
        return tuple(replace(self, **{name: value}) for value in values)  # type: ignore[type-var]


METHODS = "hedgerow.prune.methods"


class MethodFile(Protocol):
    """A file in methods/: it holds the class that is named as the file. More it need not have."""


def load_methods() -> dict[str, type[Method]]:
    """Every pruning method by its name."""
    files: dict[str, Any] = load_plugins(METHODS, MethodFile)
    return {name: _class_in(name, file) for name, file in files.items()}


def _class_in(name: str, file: Any) -> type[Method]:
    kind = getattr(file, class_name(name), None)
    lacking = [part for part in ("tasks", "needs", "prune", "strengths") if not hasattr(kind, part)]
    if lacking:
        raise TypeError(
            f"{METHODS}.{name} is no pruning: its class {class_name(name)} lacks {', '.join(lacking)}. "
            f"{__name__} says what such a file has."
        )
    return kind  # type: ignore[return-value]


def class_name(method: str) -> str:
    """chi_square -> ChiSquare"""
    return "".join(word.capitalize() for word in method.split("_"))


@dataclass(frozen=True)
class Setting:
    """A setting of a method that a command offers, under its own name."""

    name: str
    method: str
    type: type  # bool, int, float or str; None is allowed besides where it is the default
    default: Any
    help: str
    choices: tuple[str, ...] = ()


def setting(default: Any, help: str, choices: tuple[str, ...] = ()) -> Any:
    """A dataclass field that commands offer."""
    return field(default=default, metadata={"help": help, "choices": choices})


def offered_settings() -> tuple[Setting, ...]:
    """Those of all methods, by method."""
    return tuple(
        Setting(one.name, name, _type_of(kind, one.name), one.default, **one.metadata)
        for name, kind in load_methods().items()
        for one in fields(kind)  # type: ignore[arg-type]
        if "help" in one.metadata
    )


def _type_of(kind: type, name: str) -> type:
    """int of `int`, of `int | None` and of `int | Sequence[int]`."""
    hint = get_type_hints(kind)[name]
    found: type = next((part for part in get_args(hint) if part in (bool, int, float, str)), hint)
    return found


def method_name(method: Method) -> str:
    return next(name for name, kind in load_methods().items() if kind is type(method))


def method_settings(method: Method) -> dict[str, Any]:
    """The method as plain values: its name and settings. `make_method` reads it back."""
    values = {field.name: getattr(method, field.name) for field in fields(method)}  # type: ignore[arg-type]
    return {"method": method_name(method), **values}


def make_method(given: Any) -> Method | None:
    """What was given: None, a name, {"method": name, setting: value, ...}, or a method itself."""
    if given is None or type(given) in load_methods().values():
        return given  # type: ignore[no-any-return]
    settings = dict(given) if isinstance(given, Mapping) else {"method": given}
    name = settings.pop("method", None)
    if not isinstance(name, str) or name not in load_methods():
        raise _unknown(given, name)
    kind = load_methods()[name]
    known = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    for setting in settings:
        if setting not in known:
            raise ParameterError(
                "{prune}: {} has no setting {}. Its settings: {}.{}",
                name,
                quote(setting),
                ", ".join(known) or "none",
                did_you_mean(str(setting), known),
                prune=given,
            )
    return kind(**settings)


def _unknown(given: Any, name: Any) -> ParameterError:
    hint = did_you_mean(name, load_methods()) if isinstance(name, str) else ""
    known = ", ".join(load_methods())
    objects = (
        "; or a method of hedgerow.prune with its settings, such as Pessimistic(confidence=0.1); or None"
    )
    template = "{prune} is unknown. Known: {}{}.{}"
    return ParameterError(template, known, InPython(objects, "; or none"), hint, prune=given)


def can_only_cut(method: Method) -> TypeGuard[CuttingMethod]:
    """True where the pruned tree is the grown one with some nodes made leaves; False where branches are raised."""
    return isinstance(method, CuttingMethod) and not getattr(method, "raising", False)


def is_regression(tree: Tree) -> bool:
    return tree.n_outputs == 1


def refuse_regression(method: Method, tree: Tree) -> None:
    """A tree of one class is a single leaf: what has one output and nodes is a regression."""
    if is_regression(tree) and tree.n_nodes > 1:
        others = [name for name, kind in load_methods().items() if "regression" in kind.tasks]
        raise ValueError(
            f"{method_name(method)} prunes by the classes at the nodes, and a regression has none. "
            f"For regressions: {', '.join(others)}."
        )


def require_data(method: Method, data: PruningData | None) -> PruningData:
    if data is None:
        which = "that the tree has not seen" if method.needs == "held_out" else "the tree was grown on"
        raise ValueError(
            f"{method_name(method)} needs rows {which}, and none were given. Give prune(tree, data) "
            "a hedgerow.prune.PruningData(rows, target)."
        )
    return data


def no_nodes(tree: Tree) -> Mask:
    return np.zeros(tree.n_nodes, bool)


def check_range(method: object, name: str, low: float, high: float) -> None:
    """The setting is a number with low <= number <= high, or an error says so."""
    given = getattr(method, name)
    if isinstance(given, bool) or not isinstance(given, (int, float, np.number)) or not low <= given <= high:
        wanted = (
            f"a number from {low:g} to {high:g}" if np.isfinite(high) else f"a number of at least {low:g}"
        )
        raise _wrong_setting(method, name, "is out of range. Give {}.", wanted)


def check_whole_or_none(method: object, name: str, low: int) -> None:
    given = getattr(method, name)
    whole = isinstance(given, (int, np.integer)) and not isinstance(given, bool)
    if given is not None and not (whole and given >= low):
        none = InPython("or None", "or leave it out")
        problem = f"is out of range. Give a whole number of at least {low}, {{}} to have it chosen on held-out rows."
        raise _wrong_setting(method, name, problem, none)


def check_flag(method: object, name: str) -> None:
    given = getattr(method, name)
    if not isinstance(given, (bool, np.bool_)):
        raise _wrong_setting(method, name, "is neither True nor False.")


def check_word(method: object, name: str, known: tuple[str, ...]) -> None:
    given = getattr(method, name)
    if not isinstance(given, str) or given not in known:
        hint = did_you_mean(given, known) if isinstance(given, str) else ""
        raise _wrong_setting(method, name, "is unknown. Known: {}.{}", ", ".join(known), hint)


def _wrong_setting(method: object, name: str, problem: str, *texts: object) -> ParameterError:
    """Pessimistic: confidence=3 is ...; on the command line, --confidence 3 is ..."""
    whose = InPython(f"{type(method).__name__}: ")
    return ParameterError(f"{{}}{{{name}}} {problem}", whose, *texts, **{name: getattr(method, name)})
