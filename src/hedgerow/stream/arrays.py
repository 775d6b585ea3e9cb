"""Arrays that may be larger than memory.   In: shapes.   Out: arrays; those beyond the budget lie in files that are
mapped into memory, in a folder of their own that is removed when the work is done.

A file's pages are written out by the system when memory gets short, and read again when they are looked at.
"""

import math
import os
import shutil
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray


class ArrayStore:
    def __init__(self, budget: int, folder: str | os.PathLike[str] | None = None) -> None:
        self.budget, self.folder = budget, folder
        self.in_memory, self.in_files = 0, 0  # bytes
        self._own: Path | None = None

    def empty(self, shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
        size = math.prod(shape) * np.dtype(dtype).itemsize
        if self.in_memory + size <= self.budget:
            self.in_memory += size
            return np.empty(shape, dtype)
        if self._own is None:
            self._own = Path(tempfile.mkdtemp(prefix="hedgerow-", dir=self.folder))
        file = self._own / f"{self.in_files}.bin"
        self.in_files += size
        self._check_room(size)
        return np.asarray(np.memmap(file, dtype, "w+", shape=shape))

    def hold(self, array: NDArray[Any]) -> NDArray[Any]:
        """The same cells, in a file where the budget is used up."""
        if self.in_memory + array.nbytes <= self.budget:
            self.in_memory += array.nbytes
            return array
        held = self.empty(array.shape, array.dtype)
        held[:] = array
        return held

    def _check_room(self, size: int) -> None:
        free = shutil.disk_usage(str(self._own)).free
        if size > free:
            raise OSError(
                f"{size / 1e9:.1f} GB are wanted for a file of codes in {str(self._own)!r}, but {free / 1e9:.1f} GB "
                "are free there. Ways out: TableStream(..., folder=...) on another disk, or a larger memory=."
            )

    def close(self) -> None:
        if self._own is not None:
            shutil.rmtree(
                self._own, ignore_errors=True
            )  # arrays that still live keep their pages until they go
            self._own = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
