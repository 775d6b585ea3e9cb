"""TreeDisplayMixin: a fitted tree as text, picture, HTML or another export, for estimators with
`hedgerow_tree_` and `labels_`.

merged=True shows sibling leaves that decide alike as one; the model stays as it is.
"""

from dataclasses import replace
from typing import Any

from sklearn.utils.validation import check_is_fitted

from hedgerow.encode import Schema
from hedgerow.estimators.exporting import write_export
from hedgerow.export import export_model
from hedgerow.prune.merge_leaves import merge_leaves
from hedgerow.store.file import Place
from hedgerow.tree.labels import Labels
from hedgerow.tree.tree import Tree


class TreeDisplayMixin:
    hedgerow_tree_: Tree
    labels_: Labels
    schema_: Schema

    def _shown(self, merged: bool) -> Tree:
        check_is_fitted(self)
        return merge_leaves(self.hedgerow_tree_) if merged else self.hedgerow_tree_

    def export(
        self,
        name: str,
        path: Place | None = None,
        *,
        merged: bool = False,
        check: bool = True,
        **options: Any,
    ) -> str | bytes:
        """The tree in another form: "text", "svg", "sql" or any other file of hedgerow/export/formats; written to
        `path` as well, if one is given. `check`: what can be run is run on its test rows, and must answer alike."""
        from hedgerow.estimators.saving import extract_state  # which knows all estimators

        tree, state = self._shown(merged), extract_state(self)
        task = "regressor" if state.model.endswith("regressor") else "classifier"
        state = replace(state, model=f"tree {task}", body=tree)
        return write_export(export_model(state, name, check=check, **options), path)

    def to_text(self, *, merged: bool = False, **options: Any) -> str:
        """Write the tree as text.

        Parameters
        ----------
        **options : dict
            `max_depth`, `width`, `colour`.
        """
        return str(self.export("text", merged=merged, **options))

    def to_svg(self, *, merged: bool = False, **options: Any) -> str:
        """Write the tree as an SVG picture.

        Parameters
        ----------
        **options : dict
            `max_depth`.

        Returns
        -------
        str
            SVG.
        """
        return str(self.export("svg", merged=merged, **options))

    def to_dot(self, *, merged: bool = False, **options: Any) -> str:
        """Write the tree as DOT, for Graphviz.

        Parameters
        ----------
        **options : dict
            `max_depth`.

        Returns
        -------
        str
            DOT.
        """
        return str(self.export("dot", merged=merged, **options))

    def draw(self, *, merged: bool = False, **options: Any) -> Any:
        """Draw the tree with matplotlib.

        Parameters
        ----------
        **options : dict
            As in `hedgerow.draw.tree.draw_tree`.
        """
        from hedgerow.draw.tree import draw_tree

        return draw_tree(self._shown(merged), self.labels_, **options)

    def _html_repr(self) -> str:
        """What a notebook shows: the tree once there is one, scikit-learn's diagram before."""
        if not hasattr(self, "hedgerow_tree_"):
            return super()._html_repr()  # type: ignore[misc, no-any-return]
        from hedgerow.export.formats.svg import to_html

        return to_html(self.hedgerow_tree_, self.labels_)
