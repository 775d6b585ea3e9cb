"""Trees of several targets.   In: a table, ManyClasses or ManyNumbers, TreeParams.   Out: trees, one for all targets.

The impurity of a node is the mean over the outputs, as in scikit-learn; so one tree serves all of them.
"""

from collections.abc import Callable, Sequence

import numpy as np

from hedgerow.encode import Encoded
from hedgerow.errors import ParameterError
from hedgerow.fitting.params import TreeParams
from hedgerow.grow import Limits, Outputs, grow_outputs
from hedgerow.prune import cut_path
from hedgerow.table import Table
from hedgerow.table.sparse import SparseTable
from hedgerow.tree.cut import cut
from hedgerow.tree.tree import Tree
from hedgerow.types import Float


def refuse_for_outputs(params: TreeParams) -> None:
    """What is made for one target."""
    from hedgerow.core.criteria import RATIO_CRITERIA

    if params.monotonic_cst is not None:
        raise ValueError(
            "monotonic_cst is not supported with multiple outputs. Fit one model for each column."
        )
    if params.criterion in RATIO_CRITERIA:
        raise ParameterError(
            "{criterion} is for one target, but y has several columns. Use another criterion, or fit one model for "
            "each column.",
            criterion=params.criterion,
        )
    options = {
        "splits='multiway'": params.multiway,
        "missing='fractional'": params.fractional,
        "missing='surrogate'": params.surrogates > 0,
        "missing='stop'": params.stops,
        "trace=True": params.trace,
        "prune": params.prune is not None,
        "merge_leaves=True": params.merge_leaves,
    }
    for name, given in options.items():
        if given:
            raise ValueError(
                f"{name} is for one target, but y has several columns. Leave it out (ccp_alpha prunes trees of several "
                "targets too), or fit one model for each column."
            )


def takes_outputs(make_params: Callable[[], TreeParams]) -> bool:
    """Whether no option is set that needs a single target."""
    try:
        refuse_for_outputs(make_params())
    except ValueError:
        return False
    return True


def written_out(table: Table) -> Table:
    """A sparse table with its zeros: the grower for several targets reads every cell."""
    return Table(tuple(table.columns), table.n_rows, table.named) if isinstance(table, SparseTable) else table


def grow_pruned(
    rows: Encoded, target: Outputs, params: TreeParams, limits: Limits, seed: int, threads: int
) -> Tree:
    tree = grow_outputs(rows, target, params.criterion, limits, seed=seed, threads=threads)
    return cut(tree, cut_path(tree).mask(params.ccp_alpha)) if params.ccp_alpha > 0 else tree


def split_values(values: Float, n_classes: Sequence[int]) -> list[Float]:
    """Rows x all classes -> for each output rows x its classes."""
    return np.split(values, np.cumsum(n_classes)[:-1], axis=1)


def mean_outside(
    values: Callable[[int], Float], outside: Callable[[int], np.ndarray], n_trees: int, shape: tuple[int, int]
) -> Float:
    """Rows x values: the mean over the trees that have not seen a row; NaN where all have."""
    total, many = np.zeros(shape), np.zeros(shape[0])
    for t in range(n_trees):
        out = outside(t)
        total[out] += values(t)[out]
        many += out
    with np.errstate(invalid="ignore"):
        return np.asarray(total / many[:, None])
