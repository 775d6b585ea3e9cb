"""TraceReport: a trace to read.   In: a Trace, its Tree, the words for it.   Out: text, HTML, the way to a leaf.

print(model.trace_)      model.trace_.path_to_text(leaf)      model.trace_.to_page(leaf) -> an HTML page of its own
"""

from dataclasses import dataclass, field, fields

from hedgerow.display import DisplayTable, Result
from hedgerow.display.tables import html_of, html_page
from hedgerow.grow import trace as words
from hedgerow.grow.trace import Trace
from hedgerow.tree.labels import Labels
from hedgerow.tree.tree import LEAF, Tree

MOST = 40  # nodes that are shown of themselves


@dataclass(frozen=True, eq=False, repr=False)
class TraceReport(Result, Trace):
    """What each column offered at each node of a tree.

    Attributes
    ----------
    gain :
        Nodes x columns: decrease of total impurity by the column's best split; NaN where it offered none.
    threshold :
        Nodes x columns: that split's threshold; NaN for categories.
    ratio :
        Nodes x columns: gain ratio, where trees fork.

    See Also
    --------
    hedgerow.recipe : Trees with ``trace=True`` have it as ``trace_``.

    Examples
    --------
    >>> from hedgerow import datasets, recipe
    >>> data = datasets.restaurant()
    >>> tree = recipe("id3", trace=True).fit(data.table, data.target)
    >>> print(str(tree.trace_).splitlines()[2].strip())
    -> Pat: None / Some / Full                     0.541      0.459
    """

    tree: Tree = field(kw_only=True)
    labels: Labels = field(kw_only=True)

    def to_text(self, node: int = 0) -> str:
        """What each column offered at a node."""
        return words.to_text(self.tree, self, self.labels, self._check_node(node))

    def path_to_text(self, leaf: int) -> str:
        """Write every decision from the root to a node.

        Parameters
        ----------
        leaf : int
            The node.

        Returns
        -------
        str
            Lines of text.
        """
        return words.path_to_text(self.tree, self, self.labels, self._check_node(leaf))

    def to_html(self, leaf: int | None = None) -> str:
        """Write a table for each node on the way to a leaf.

        Parameters
        ----------
        leaf : int or None
            The leaf; None for each node that had a choice.

        Returns
        -------
        str
            HTML.
        """
        if leaf is None:
            return html_of(*self.tables())
        nodes = words.way(self.tree, self._check_node(leaf))
        return html_of(*words.display_tables(self.tree, self, self.labels, nodes))

    def to_page(self, leaf: int | None = None) -> str:
        """Write the same as an HTML page that needs nothing else.

        Parameters
        ----------
        leaf : int or None
            The leaf; None for each node that had a choice.

        Returns
        -------
        str
            An HTML page.
        """
        return html_page("How the tree grew", self.to_html(leaf))

    def tables(self) -> list[DisplayTable | str]:
        return [*words.display_tables(self.tree, self, self.labels, self._first()), *self._left_out()]

    def _choices(self) -> list[int]:
        return [node for node in range(self.tree.n_nodes) if self.tree.kind[node] != LEAF] or [0]

    def _first(self) -> list[int]:
        return self._choices()[:MOST]

    def _left_out(self) -> list[str]:
        more = len(self._choices()) - MOST
        return (
            [f"{more:,} more nodes; to_text(node) shows one, path_to_text(leaf) a way."] if more > 0 else []
        )

    def _check_node(self, node: int) -> int:
        if not 0 <= node < self.tree.n_nodes:
            raise ValueError(f"node={node!r} is not there: this tree has nodes 0 to {self.tree.n_nodes - 1}.")
        return int(node)


def report_trace(trace: Trace, tree: Tree, labels: Labels) -> TraceReport:
    return TraceReport(**{f.name: getattr(trace, f.name) for f in fields(Trace)}, tree=tree, labels=labels)
