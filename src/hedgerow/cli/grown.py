"""Growing on some of the rows.   In: rows, encoded once.   Out: a tree of any part of them, and data for pruning.

A row that takes no part has weight zero, which for a tree is the same as not being there; so codes are
shared by the whole tree and by every fold.
"""

from dataclasses import dataclass, replace

from hedgerow.encode import Encoded, matrix
from hedgerow.grow import Limits, Target, grow
from hedgerow.prune import PruningData
from hedgerow.tree.tree import Tree
from hedgerow.types import Float


@dataclass(frozen=True, eq=False)
class Grower:
    rows: Encoded
    target: Target
    criterion: str
    limits: Limits
    threads: int

    def grow(self, weight: Float | None = None) -> Tree:
        """The tree of the rows with these weights, or of all."""
        return self._grown(weight, self.threads)

    def data(self) -> PruningData:
        """All the rows, and how the tree of some of them is grown: a fold a thread."""
        rows = matrix(self.rows.schema, self.rows.table)
        return PruningData(
            rows, self.target, self.criterion, lambda weight: self._grown(weight, 1), self.threads
        )

    def _grown(self, weight: Float | None, threads: int) -> Tree:
        target = replace(self.target, weight=weight)
        return grow(self.rows, target, self.criterion, self.limits, threads=threads)
