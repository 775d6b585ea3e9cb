"""C4.5's trees as weak predictors: gain ratio, a branch for each level, leaves of two rows, pessimistic pruning."""

from hedgerow.boost.weak import tree
from hedgerow.boost.weak_learner import OutputKind, WeakParams
from hedgerow.prune.methods.pessimistic import Pessimistic

ORDER = 3
PREDICTIONS = tree.PREDICTIONS
READS_SPARSE = False
STORAGE = tree.STORAGE


def c45(output_kind: OutputKind = "signs") -> tree.Tree:
    return tree.Tree(
        output_kind,
        criterion="gain_ratio",
        multiway=True,
        fractional=True,
        min_rows_leaf=2,
        prune=Pessimistic(raising=False),
    )


def build(params: WeakParams) -> tree.Tree:
    return c45("calibrated" if params.predictions == "confident" else "signs")
