"""Loading in half the time.   In: the imports of a command.   Out: the same modules, without what they bring along.

scikit-learn imports scipy.stats, which composes the docstrings of a hundred distributions (0.25 s), and pandas where it
is installed (0.13 s). No command needs pandas, and few need scipy.stats: it is loaded when a name from it is used.
The garbage collector would look at all modules again and again, and find nothing (0.5 s).
"""

import atexit
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any


@contextmanager
def load_quickly() -> Iterator[None]:
    """with load_quickly(): import ...   In a process that is one command; others have loaded scikit-learn already."""
    if "sklearn" in sys.modules:
        yield
        return
    later = _PackageLater("scipy.stats")
    stands_in: dict[str, Any] = {"scipy.stats": later, "pandas": None}  # None: cannot be imported
    stands_in = {name: module for name, module in stands_in.items() if name not in sys.modules}
    sys.modules.update(stands_in)
    gc.disable()
    try:
        yield
    finally:
        for name, module in stands_in.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]
        gc.freeze()  # modules stay: the collector need not look at them
        gc.enable()
        atexit.register(gc.freeze)  # nor at anything when the process ends


class _PackageLater(ModuleType):
    """Stands for a package until something of it is used: `from package import name` gives a `_NameLater`."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__ = _PathLater([name])

    def __getattr__(self, name: str) -> Any:
        return _NameLater(self.__name__, name)


class _PathLater(list[str]):
    """Where the modules of the package lie: whoever imports one of them needs the package."""

    def __iter__(self) -> Iterator[str]:
        return iter(_load(self[0]).__path__)


class _NameLater:
    """A function or a distribution of such a package."""

    def __init__(self, package: str, name: str) -> None:
        self._package, self._name = package, name

    def __getattr__(self, name: str) -> Any:
        return getattr(getattr(_load(self._package), self._name), name)

    def __call__(self, *given: Any, **named: Any) -> Any:
        return getattr(_load(self._package), self._name)(*given, **named)


def _load(package: str) -> ModuleType:
    if isinstance(sys.modules.get(package), _PackageLater):
        del sys.modules[package]
    return import_module(package)
