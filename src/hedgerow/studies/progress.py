"""ProgressCallback: who hears how far a study is.   In: steps and fold results, as they come.

The command line shows them as a progress bar; a study without a callback says nothing.
"""

from typing import TYPE_CHECKING, Protocol

from hedgerow.evaluation.fold import FoldResult

if TYPE_CHECKING:
    from hedgerow.studies.load import LoadedData


class ProgressCallback(Protocol):
    def on_step(self, message: str) -> None: ...

    def on_data(self, loaded: "LoadedData") -> None:
        """The table is read, and nothing learned yet: how it was read."""

    def on_comparison(self, models: list[str], n_splits: int, n_known: int) -> None:
        """The comparison begins; so many fold results are there from an earlier time."""

    def on_fold_result(self, model: str, result: FoldResult) -> None: ...


class NullProgress:
    def on_step(self, message: str) -> None:
        pass

    def on_data(self, loaded: "LoadedData") -> None:
        pass

    def on_comparison(self, models: list[str], n_splits: int, n_known: int) -> None:
        pass

    def on_fold_result(self, model: str, result: FoldResult) -> None:
        pass
