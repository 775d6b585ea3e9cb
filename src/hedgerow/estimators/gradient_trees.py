"""The trees of a fitted gradient booster: single ones, and all of them as a sum of shapes, to read and to edit."""

import copy
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from hedgerow.display.sentences import many
from hedgerow.encode import Schema
from hedgerow.estimators.gradient_columns import has_same_columns
from hedgerow.estimators.gradient_explained import GradientExplained
from hedgerow.export.formats.text import to_text
from hedgerow.fitting.target import check_sample_weight
from hedgerow.gradient.additive import add_bands, find_shapes
from hedgerow.gradient.edit import replace_shape
from hedgerow.gradient.shape import Shape, Shapes
from hedgerow.gradient.tree_rules import TreeRules, rules_of
from hedgerow.gradient.trees import GradientTrees
from hedgerow.tree.labels import Labels, labels_of
from hedgerow.tree.tree import Tree


class GradientTreesMixin(GradientExplained):
    labels_: Labels

    def tree(self, number: int = 0, output: int = 0) -> Tree:
        """Get the tree of a round (counted from 0) and an output.

        Parameters
        ----------
        output : int
            Position of the output.

        Returns
        -------
        Tree
            The tree as plain arrays.
        """
        check_is_fitted(self, "trees_")
        trees = self.trees_
        if not (0 <= number < trees.n_rounds and 0 <= output < trees.n_outputs):
            raise ValueError(
                f"number={number!r}, output={output!r}: there are {many(trees.n_rounds, 'round')} of "
                f"{many(trees.n_outputs, 'tree')}."
            )
        return trees.tree(number * trees.n_outputs + output)

    def tree_text(self, number: int = 0, output: int = 0, *, max_depth: int | None = None) -> str:
        """Draw the tree of a round as text; the numbers are what its nodes add to raw.

        Parameters
        ----------
        output : int
            Position of the output.
        max_depth : int or None
            Show no more levels than this. None for all.

        Returns
        -------
        str
            Lines of text.
        """
        return to_text(self.tree(number, output), self.labels_, max_depth=max_depth)

    def rules(self, number: int = 0, output: int = 0) -> TreeRules:
        """Write the tree of a round as rules: for each leaf its conditions, its training rows and what it adds to raw.

        Parameters
        ----------
        output : int
            Position of the output.

        Returns
        -------
        TreeRules
            Prints itself.
        """
        return rules_of(self.tree(number, output), self.labels_, self._raw_names()[output])

    def additive(
        self,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        n_refits: int = 20,
        confidence_level: float = 0.95,
        random_state: int = 0,
    ) -> Shapes:
        """Show what each column adds to raw, where every tree tests one column (max_depth=1, or
        interaction_cst="no_interactions"), or two. With the training rows the shapes have bands: the model is
        fitted `n_refits` times more with random weights on the rows (Bayesian bootstrap), with as many rounds as it
        has.

        Parameters
        ----------
        n_refits : int
            Fits that the bands come from.

        Returns
        -------
        Shapes
            Prints and draws itself.
        """
        check_is_fitted(self, "trees_")
        shapes = find_shapes(self.trees_, self._raw_names(), self.labels_.missing)
        if X is None:
            return shapes
        if y is None or n_refits < 2 or not 0 < confidence_level < 1:
            raise ValueError(
                "Bands want X and y, n_refits of at least 2, and a confidence_level between 0 and 1."
            )
        refits = [
            self._refit(X, y, sample_weight, np.random.default_rng([random_state, k]))
            for k in range(n_refits)
        ]
        return add_bands(shapes, refits, confidence_level)

    def _refit(self, X: Any, y: Any, sample_weight: Any, rng: np.random.Generator) -> GradientTrees:
        settings = {"early_stopping": False, "warm_start": False, "callbacks": None, "verbose": 0}
        model: Any = clone(self).set_params(max_iter=self.trees_.n_rounds, **settings)
        n_rows = len(y)
        weight = check_sample_weight(sample_weight, n_rows)
        drawn = rng.exponential(size=n_rows)
        model.fit(X, y, drawn if weight is None else drawn * weight)
        trees: GradientTrees = model.trees_
        if not has_same_columns(trees.schema, self.schema_):
            raise ValueError(
                "X has other columns or levels than the rows the model was fitted to. Give the training rows."
            )
        return trees

    def replace_shape(self, shape: Shape) -> Self:
        """Make a new model that differs in what one column adds; this one stays as it is.

        Parameters
        ----------
        shape : Shape
            One of `additive()`, changed by `set_constant`.

        Returns
        -------
        Self
            The new model.
        """
        check_is_fitted(self, "trees_")
        edited = copy.copy(self)
        edited._keep(self.schema_, replace_shape(self.trees_, shape), self.labels_.missing)
        edited.train_score_, edited.validation_score_ = np.empty(0), np.empty(0)
        return edited

    def _keep(self, schema: Schema, trees: GradientTrees, missing: frozenset[int] | None) -> None:
        """`missing`: columns with missing cells in training, if that is known."""
        self.schema_, self.trees_ = schema, trees
        words = labels_of(schema.names, schema.kinds, schema.levels, (), missing=missing)
        self.labels_ = replace(words, value="adds")
        self.n_trees_per_iteration_ = trees.n_outputs
        mask = np.array([kind == "category" for kind in schema.kinds])
        self.is_categorical_ = mask if mask.any() else None
