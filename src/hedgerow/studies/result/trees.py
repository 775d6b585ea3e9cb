"""A tree to look at, node by node, and every size it can be cut to."""

from dataclasses import dataclass

from hedgerow.studies.result.question import ColumnTold


@dataclass(frozen=True)
class NodeTold:
    """One row a node, parents before children, as in a Tree."""

    parent: int  # -1 at the root
    words: str  # the condition on the way from the parent
    column: int  # tested here, -1 at a leaf
    kind: str  # "leaf", "threshold", "subset", "multiway"
    threshold: float | None
    levels: tuple[tuple[str, ...], ...]  # for each child, the levels that go there
    children: tuple[int, ...]
    missing_child: int  # -1: all of them
    n_rows: int
    share: float  # of all rows
    values: tuple[float, ...]  # class shares, or the mean
    alpha: float | None  # the node becomes a leaf when the price of a leaf reaches this; None: it is one


@dataclass(frozen=True)
class Step:
    """The tree cut back to one price of a leaf."""

    alpha: float
    n_leaves: int
    error: float  # on the training rows
    cv_error: float | None
    cv_std: float | None


@dataclass(frozen=True)
class TreeTold:
    columns: tuple[ColumnTold, ...]
    nodes: tuple[NodeTold, ...]
    steps: tuple[Step, ...]  # from the whole tree to the root alone
    chosen: int  # of the steps
    error_title: str
