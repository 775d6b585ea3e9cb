"""Loading in half of the time.   In: the imports of a command.   Out: the same modules, without pandas and scipy.stats.

scikit-learn imports pandas where it is installed, and no command needs it: while modules are loaded it cannot be
imported, as if it were not installed, and afterwards it can. It imports scipy.stats, which takes as long as the rest of
it, for functions that hardly any command calls: LaterModule stands in its place until one of them is called.
The garbage collector would look at all modules again and again, and find nothing.
"""

import atexit
import gc
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

STATS = "scipy.stats"
TAKEN = ("chi2", "gmean", "rankdata", "spearmanr")  # of it, by scikit-learn, when that is imported


class LaterModule(ModuleType):
    """Stands for a package, which is loaded when one of its names is looked up, or one of `taken` is used."""

    def __init__(self, name: str, taken: Iterable[str]) -> None:
        super().__init__(name)
        found = find_spec(name)
        self.__path__ = [] if found is None else list(found.submodule_search_locations or [])
        for one in taken:
            setattr(self, one, LaterName(self, one))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # import looks at these
            raise AttributeError(name)
        return self.load(name)

    def load(self, name: str) -> Any:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


class LaterName:
    """A function, or an object that is called or asked for its methods."""

    def __init__(self, module: LaterModule, name: str) -> None:
        self._load = partial(module.load, name)

    def __call__(self, *args: Any, **more: Any) -> Any:
        return self._load()(*args, **more)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._load(), name)


@contextmanager
def load_quickly() -> Iterator[None]:
    """with load_quickly(): import ...   In a process that is one command; others have loaded scikit-learn already."""
    if "sklearn" in sys.modules:
        yield
        return
    stand_ins = {"pandas": None, STATS: LaterModule(STATS, TAKEN)}
    hidden = {name: stand_in for name, stand_in in stand_ins.items() if name not in sys.modules}
    sys.modules.update(hidden)  # type: ignore[arg-type]
    gc.disable()
    try:
        yield
    finally:
        for name, stand_in in hidden.items():
            if sys.modules.get(name, name) is stand_in:
                del sys.modules[name]
        gc.freeze()  # modules stay: the collector need not look at them
        gc.enable()
        atexit.register(gc.freeze)  # nor at anything when the process ends
