"""How a fitted tree shows itself: words, pictures, HTML. For estimators with `tree_` and `labels_`.

merged=True shows sibling leaves that decide alike as one; the model stays as it is.
"""

from typing import Any

from sklearn.utils.validation import check_is_fitted

from hedgerow.prune.merge_leaves import merge_leaves
from hedgerow.tree.labels import Labels
from hedgerow.tree.tree import Tree


class Shown:
    tree_: Tree
    labels_: Labels

    def _shown(self, merged: bool) -> Tree:
        check_is_fitted(self)
        return merge_leaves(self.tree_) if merged else self.tree_

    def to_text(self, *, merged: bool = False, **options: Any) -> str:
        """The tree as text; options as in hedgerow.export.text.to_text."""
        from hedgerow.export.text import to_text

        return to_text(self._shown(merged), self.labels_, **options)

    def to_svg(self, *, merged: bool = False, **options: Any) -> str:
        """The tree as an SVG picture; options as in hedgerow.export.svg.to_svg."""
        from hedgerow.export.svg import to_svg

        return to_svg(self._shown(merged), self.labels_, **options)

    def to_dot(self, *, merged: bool = False, **options: Any) -> str:
        """The tree as DOT, for Graphviz; options as in hedgerow.export.dot.to_dot."""
        from hedgerow.export.dot import to_dot

        return to_dot(self._shown(merged), self.labels_, **options)

    def draw(self, *, merged: bool = False, **options: Any) -> Any:
        """The tree drawn with matplotlib; options as in hedgerow.draw.tree.draw_tree. Returns the Axes."""
        from hedgerow.draw.tree import draw_tree

        return draw_tree(self._shown(merged), self.labels_, **options)

    def _html_repr(self) -> str:
        """What a notebook shows: the tree once there is one, scikit-learn's diagram before."""
        if not hasattr(self, "tree_"):
            return super()._html_repr()  # type: ignore[misc, no-any-return]
        from hedgerow.export.svg import to_html

        return to_html(self.tree_, self.labels_)
