"""The native core: `native` is the compiled module (see _native.pyi), `threads_for` says how many threads to take."""

from hedgerow.core import _native as native
from hedgerow.core.threads import threads_for

__all__ = ["native", "threads_for"]
