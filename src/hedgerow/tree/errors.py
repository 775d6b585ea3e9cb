"""TreeError: what is wrong, and where.   In: a mask of bad nodes.   Out: nothing, or the error."""

import numpy as np

from hedgerow.tree.tree import Tree
from hedgerow.types import Count, Mask


class TreeError(ValueError):
    """The arrays are not a tree. The message names the node, the field, what was found and what is wanted."""


def refuse(tree: Tree, field: str, bad: Mask, wanted: str, nodes: Count | None = None) -> None:
    """Raise for the first node marked bad. `bad` is over `nodes`, or over all nodes."""
    if not bad.any():
        return
    first = int(np.argmax(bad))
    node = first if nodes is None else int(nodes[first])
    found = np.array2string(getattr(tree, field)[node], threshold=8)
    raise TreeError(f"node {node}: {field} is {found}; wanted {wanted}")
