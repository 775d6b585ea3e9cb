"""What boosting is given, whatever the loss and wherever the rows are held."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.gradient.left_out import OwnPart
from hedgerow.types import SmallInt

ALL_ROWS = 1 << 40  # rows in one block
SPLIT_RULES = (
    "min_rows",
    "enough_hessian",
    "min_hessian",
    "min_gain",
    "l1",
    "l2",
    "category_smoothing",
    "category_l2",
    "category_cost",
    "few_levels",
    "min_level_rows",
)


@dataclass(frozen=True)
class BoostParams:
    max_iter: int = 100
    learning_rate: float = 0.1
    max_leaves: int = 31  # 0: no limit
    max_depth: int = 0  # 0: no limit
    level_by_level: bool = False
    min_rows: int = 20  # of a leaf, unless it has
    enough_hessian: float = np.inf
    min_hessian: float = 1e-3
    min_gain: float = 0.0
    l1: float = 0.0
    l2: float = 0.0
    subsample: float = 1.0  # share of the rows, about, drawn for each round
    tree_features: float = 1.0  # share of the columns, drawn for each tree
    node_features: float = 1.0  # share of the columns, drawn at each node
    monotone: SmallInt | None = None
    interactions: tuple[tuple[int, ...], ...] = ()
    category_smoothing: float = 10.0
    category_l2: float = 5.0  # besides l2, where a category has more than few_levels
    # By which a set must gain more for each level but one (native/gradient/choose.hpp)
    category_cost: float = 0.25
    few_levels: int = 4
    min_level_rows: float = 10.0  # a level with fewer stays with the rest
    times_left_out: float = 0.0  # a row, in scores without its own part; 0: there are none
    block_rows: int = ALL_ROWS
    threads: int = 1

    def directions(self, d: int) -> SmallInt:
        """Of each of d columns: 1 rising, -1 falling, 0 free."""
        return np.zeros(d, np.int8) if self.monotone is None else self.monotone

    def columns_at_node(self, d: int) -> int:
        """How many of d columns are drawn at each node; 0: none are drawn, all are looked at."""
        return max(1, round(self.node_features * d)) if self.node_features < 1.0 else 0

    @property
    def own_part(self) -> OwnPart | None:
        return OwnPart(self.l2, self.learning_rate, self.times_left_out) if self.times_left_out else None

    @property
    def split_rules(self) -> dict[str, Any]:
        """What the choice of a split goes by, wherever it is made."""
        return {name: getattr(self, name) for name in SPLIT_RULES}
