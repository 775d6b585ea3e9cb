"""How a fitted tree shows itself: words, pictures, HTML. For estimators with `tree_` and `labels_`."""

from typing import Any

from sklearn.utils.validation import check_is_fitted

from hedgerow.tree.labels import Labels
from hedgerow.tree.tree import Tree


class Shown:
    tree_: Tree
    labels_: Labels

    def to_text(self, **options: Any) -> str:
        """The tree as text; options as in hedgerow.export.text.to_text."""
        from hedgerow.export.text import to_text

        check_is_fitted(self)
        return to_text(self.tree_, self.labels_, **options)

    def to_svg(self, **options: Any) -> str:
        """The tree as an SVG picture; options as in hedgerow.export.svg.to_svg."""
        from hedgerow.export.svg import to_svg

        check_is_fitted(self)
        return to_svg(self.tree_, self.labels_, **options)

    def draw(self, **options: Any) -> Any:
        """The tree drawn with matplotlib; options as in hedgerow.draw.tree.draw_tree. Returns the Axes."""
        from hedgerow.draw.tree import draw_tree

        check_is_fitted(self)
        return draw_tree(self.tree_, self.labels_, **options)

    def _html_repr(self) -> str:
        """What a notebook shows: the tree once there is one, scikit-learn's diagram before."""
        if not hasattr(self, "tree_"):
            return super()._html_repr()  # type: ignore[misc, no-any-return]
        from hedgerow.export.svg import to_html

        return to_html(self.tree_, self.labels_)
