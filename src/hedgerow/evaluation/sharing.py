"""Rows for the folds.   In: Data.   Out: training and test rows of any split, for a model of ours or of others.

A model of hedgerow gets a Table, and a training part that knows the ranks of the whole (encode/part.py): sorting is
done once, whatever the number of folds and models. Everything else gets the rows as the caller gave them.
"""

from typing import Any

from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags

from hedgerow.core import threads_for
from hedgerow.encode import encode, part_of
from hedgerow.evaluation.data import Data, take
from hedgerow.table import Table, to_table
from hedgerow.types import Codes, Count


def is_ours(model: Any) -> bool:
    """Made of hedgerow alone, and of what takes a Table; machines with kernels take numbers."""
    if isinstance(model, Pipeline):
        return False
    inner = model.get_params(deep=True).values() if hasattr(model, "get_params") else ()
    return all(_takes_a_table(part) for part in (model, *inner) if hasattr(part, "fit"))


def _takes_a_table(model: Any) -> bool:
    return type(model).__module__.startswith("hedgerow.") and get_tags(model).input_tags.categorical


WRAPPINGS = ("sklearn.pipeline", "sklearn.model_selection")  # Python around what they hold, and no more


def is_of_ours(model: Any) -> bool:
    """All its work is hedgerow's, perhaps inside a pipeline or a search of scikit-learn: it may run in a thread."""
    inner = model.get_params(deep=True).values() if hasattr(model, "get_params") else ()
    homes = [type(part).__module__ for part in (model, *inner) if hasattr(part, "fit")]
    return all(home.startswith(("hedgerow.", *WRAPPINGS)) for home in homes)


class Rows:
    """One for an evaluation. The ranks are made when a model first asks for them."""

    def __init__(self, data: Data) -> None:
        self.data = data
        self._codes: tuple[Codes, ...] | None = None
        self._n_codes: tuple[int, ...] = ()
        self._found: tuple[bool, ...] = ()
        self._parts: dict[int, Table] = {}

    def share(self, models: list[Any]) -> bool:
        """Prepare for models of ours, if there are any and X is a table."""
        if self.data.table is None or not any(is_ours(model) for model in models):
            return False
        if self._codes is None:
            table = self.data.table
            rows = encode(table, threads=threads_for(None, table.n_rows * len(table.columns)))
            self._n_codes = tuple(int(n) for n in rows.n_codes)
            self._found = _found_levels(self.data)
            self._codes = rows.codes
        return True

    def training(self, number: int, rows: Count, model: Any) -> Any:
        """The training rows of split `number`. Models of ours share one Table of them."""
        if self._codes is None or self.data.table is None or not is_ours(model):
            return take(self.data.X, rows)
        if number not in self._parts:
            self._parts[number] = part_of(self.data.table, self._codes, self._n_codes, rows, self._found)
        return self._parts[number]

    def test(self, rows: Count, model: Any) -> Any:
        if self._codes is None or self.data.table is None or not is_ours(model):
            return take(self.data.X, rows)
        return self.data.table.take(rows)

    def forget(self, number: int) -> None:
        """All models have been fitted on it."""
        self._parts.pop(number, None)


def _found_levels(data: Data) -> tuple[bool, ...]:
    """Whether a column's levels are those of its cells: then one row alone has fewer. Declared levels stay."""
    whole = data.table
    if whole is None or isinstance(data.X, Table):
        return tuple(False for _ in ([] if whole is None else whole.columns))
    one = to_table(take(data.X, [0]))  # type: ignore[arg-type]
    return tuple(len(a.levels) < len(b.levels) for a, b in zip(one.columns, whole.columns, strict=True))
