"""prune: a Tree -> a smaller Tree. One file a method; `hedgerow.tree.cut` does the cutting.

from hedgerow.prune import Pessimistic
smaller = Pessimistic(confidence=0.1, raising=False).pruned(tree)
"""

from hedgerow.prune.chi_square import ChiSquare
from hedgerow.prune.compare import Comparison, Round, compare, cross_compare
from hedgerow.prune.cost_complexity import CostComplexity, CutPath, cut_path
from hedgerow.prune.cp_table import CpTable, cp_table
from hedgerow.prune.depth_limit import DepthLimit
from hedgerow.prune.evidence import Evidence, losses, reached
from hedgerow.prune.leaf_limit import LeafLimit
from hedgerow.prune.merge_same import merge_same
from hedgerow.prune.method import Method, method_of, methods
from hedgerow.prune.minimum_description_length import MinimumDescriptionLength
from hedgerow.prune.pessimistic import Pessimistic
from hedgerow.prune.reduced_error import ReducedError

__all__ = [
    "ChiSquare",
    "Comparison",
    "CostComplexity",
    "CpTable",
    "CutPath",
    "DepthLimit",
    "Evidence",
    "LeafLimit",
    "Method",
    "MinimumDescriptionLength",
    "Pessimistic",
    "ReducedError",
    "Round",
    "compare",
    "cp_table",
    "cross_compare",
    "cut_path",
    "losses",
    "merge_same",
    "method_of",
    "methods",
    "reached",
]
