"""Loading in two thirds of the time.   In: the imports of a command.   Out: the same modules, without pandas.

scikit-learn imports pandas where it is installed, and no command needs it: while modules are loaded it cannot be
imported, as if it were not installed, and afterwards it can. The garbage collector would look at all modules again and
again, and find nothing.
"""

import atexit
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def load_quickly() -> Iterator[None]:
    """with load_quickly(): import ...   In a process that is one command; others have loaded scikit-learn already."""
    if "sklearn" in sys.modules:
        yield
        return
    hides_pandas = "pandas" not in sys.modules
    if hides_pandas:
        sys.modules["pandas"] = None  # type: ignore[assignment]
    gc.disable()
    try:
        yield
    finally:
        if hides_pandas:
            del sys.modules["pandas"]
        gc.freeze()  # modules stay: the collector need not look at them
        gc.enable()
        atexit.register(gc.freeze)  # nor at anything when the process ends
