"""The rows of the folds.   In: Data.   Out: training and test rows of any split, as the model takes them.

A model of hedgerow gets a Table, and training rows that know the rank codes of the whole table (encode/part.py): a
column is sorted once, whatever the number of folds and models. Every other model gets the rows as the caller gave them.
"""

from typing import Any

from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags

from hedgerow.core import threads_for
from hedgerow.encode import encode, part_of
from hedgerow.estimators.bag_members import take_rows
from hedgerow.estimators.with_features import WithFeatures
from hedgerow.evaluation.data import Data
from hedgerow.table import Table, to_table
from hedgerow.types import Codes, Count

CONTAINERS = ("sklearn.pipeline", "sklearn.model_selection")  # plain Python around the estimators they hold


def accepts_table(model: Any) -> bool:
    """Made of hedgerow's estimators alone, all of which take a Table; kernel machines take numbers, and columns that
    become features are not encoded as they are."""
    if isinstance(model, Pipeline):
        return False
    return all(
        type(part).__module__.startswith("hedgerow.")
        and get_tags(part).input_tags.categorical
        and not isinstance(part, WithFeatures)
        for part in find_estimators(model)
    )


def runs_in_threads(model: Any) -> bool:
    """All its work is hedgerow's (perhaps inside a pipeline or a search of scikit-learn), which releases the GIL."""
    homes = [type(part).__module__ for part in find_estimators(model)]
    return all(home.startswith(("hedgerow.", *CONTAINERS)) for home in homes)


def find_estimators(model: Any) -> list[Any]:
    """The model and all estimators among its parameters."""
    inner = model.get_params(deep=True).values() if hasattr(model, "get_params") else ()
    return [part for part in (model, *inner) if hasattr(part, "fit")]


class FoldRows:
    """One for an evaluation. The rank codes are made when the first model needs them."""

    def __init__(self, data: Data) -> None:
        self.data = data
        self._codes: tuple[Codes, ...] | None = None
        self._n_codes: tuple[int, ...] = ()
        self._levels_found: tuple[bool, ...] = ()
        self._parts: dict[int, Table] = {}
        self._takes_table: dict[int, tuple[Any, bool]] = {}  # by the id of a model, which is kept

    def _accepts_table(self, model: Any) -> bool:
        """accepts_table, computed once: it goes through all parameters."""
        if id(model) not in self._takes_table:
            self._takes_table[id(model)] = (model, accepts_table(model))
        return self._takes_table[id(model)][1]

    def prepare(self, models: list[Any]) -> bool:
        """Encode the table, if X is one and some model takes it."""
        if self.data.table is None or not any(self._accepts_table(model) for model in models):
            return False
        if self._codes is None:
            table = self.data.table
            encoded = encode(table, threads=threads_for(None, table.n_rows * len(table.columns)))
            self._n_codes = tuple(int(n) for n in encoded.n_codes)
            self._levels_found = _levels_found(self.data)
            self._codes = encoded.codes
        return True

    def training(self, number: int, rows: Count, model: Any) -> Any:
        """The training rows of split `number`; models that take a Table share one."""
        if self._codes is None or self.data.table is None or not self._accepts_table(model):
            return take_rows(self.data.X, rows)
        if number not in self._parts:
            self._parts[number] = part_of(
                self.data.table, self._codes, self._n_codes, rows, self._levels_found
            )
        return self._parts[number]

    def test(self, rows: Count, model: Any) -> Any:
        if self._codes is None or self.data.table is None or not self._accepts_table(model):
            return take_rows(self.data.X, rows)
        return self.data.table.take(rows)

    def release(self, number: int) -> None:
        """All models have been fitted on this split."""
        self._parts.pop(number, None)


def _levels_found(data: Data) -> tuple[bool, ...]:
    """Per column: were its levels found in its cells? Then one row alone has fewer of them; declared levels stay."""
    whole = data.table
    if whole is None or isinstance(data.X, Table):
        return tuple(False for _ in ([] if whole is None else whole.columns))
    one = to_table(take_rows(data.X, [0]))  # type: ignore[arg-type]
    return tuple(len(a.levels) < len(b.levels) for a, b in zip(one.columns, whole.columns, strict=True))
