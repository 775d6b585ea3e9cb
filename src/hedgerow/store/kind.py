"""What a kind of model says about itself, in a file of store/kinds/.

    fitted estimator --taken--> body --written--> arrays and plain values --read--> body --_restore--> estimator
                                body, a table --answers--> predictions, without scikit-learn

The body is whatever the kind works with: a Tree, a Forest, a RuleList. Columns, classes and parameters are common to
all kinds and are written and checked elsewhere; `read` need only doubt its own arrays and values. `_restore(parts)` is
the estimator's: it checks its parameters and takes what fit would have given it (columns and classes it has by then).
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from numpy.typing import NDArray

from hedgerow.table import Table
from hedgerow.types import Float

if TYPE_CHECKING:
    from hedgerow.store.header import Header
    from hedgerow.store.parts import Parts

Arrays = Mapping[str, NDArray[Any]]


class Layout(NamedTuple):
    """How an array lies in the file."""

    dtype: str  # safetensors' name: "I32", "F64", "U8"
    rank: int = 1


class Written(NamedTuple):
    arrays: Arrays
    extra: dict[str, Any]  # what JSON can hold, if arrays are not enough


class Answers(NamedTuple):
    values: NDArray[Any]  # class numbers, or numbers
    shares: Float | None = None  # rows x classes, if the model has probabilities


class Kind(Protocol):
    ESTIMATORS: Mapping[str, str]  # tag -> public name of the estimator, in hedgerow.estimators
    DEFAULTS: Mapping[str, Mapping[str, Any]]  # tag -> every parameter and its default; a test compares
    ARRAYS: Mapping[str, Layout]  # all of them, always

    def taken(self, model: Any) -> Any:
        """The body of a fitted estimator, or None if it is not fitted."""

    def written(self, body: Any) -> Written: ...

    def read(self, arrays: Arrays, extra: dict[str, Any], header: "Header") -> Any:
        """The body, every number in it checked; a Defect for anything that fit could not have made."""

    def answers(self, parts: "Parts", table: Table, threads: int | None) -> Answers: ...

    def facts(self, parts: "Parts") -> list[tuple[str, str]]:
        """A word and what it says, for `hedgerow show`."""
