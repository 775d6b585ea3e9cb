"""Bagging of our own trees: the table is encoded once, and counts go along as weights instead of copied rows.

A part of bagging.py: for estimators with `draws_`, `_columns(t, n)`, `_until_flat`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.parallel import Parallel, delayed

from hedgerow.core import native, threads_for
from hedgerow.encode import Encoded, encode
from hedgerow.ensemble.columns import only, widen
from hedgerow.ensemble.draws import Draws
from hedgerow.ensemble.forest import Forest, grow_forest, tree_weight
from hedgerow.ensemble.trees import Trees, parts_of
from hedgerow.estimators.bag import Bag
from hedgerow.estimators.bagging_params import validate_bagging
from hedgerow.estimators.member_tree import make_fitted
from hedgerow.estimators.tree import validate
from hedgerow.fitting.params import TreeParams
from hedgerow.fitting.target import compute_class_weights
from hedgerow.grow import Classes, Target, grow
from hedgerow.prune import cut_path
from hedgerow.table import Table
from hedgerow.tree.cut import cut
from hedgerow.tree.tree import Tree
from hedgerow.types import Float


class TreeBag(Bag):
    def _fit_trees(
        self,
        learner: Any,
        table: Table,
        target: Target,
        draws: Draws,
        older: Sequence[Any],
        n_members: int,
    ) -> None:
        params = validate(learner)
        threads = threads_for(self.n_jobs, table.n_rows * len(table.columns) * n_members)
        rows = encode(table, max_bins=params.max_bins, weight=target.weight, threads=threads)
        by_class, balanced = self._class_weight(learner, target)

        each = validate_bagging(self).columns_a_member(len(table.columns))
        all_columns = each == len(table.columns) and not self.bootstrap_features

        def grow_more(first: int, many: int) -> Forest:
            if all_columns:
                forest = grow_forest(
                    rows,
                    target,
                    params.criterion,
                    params.limits(len(draws.order), len(table.columns), float(draws.size)),
                    draws,
                    many,
                    first_tree=first,
                    class_weight=by_class,
                    balanced=balanced,
                    monotone=params.monotone(rows.schema.names, rows.schema.kinds),
                    threads=threads,
                )
            else:
                one = delayed(self._grow_one)
                trees = Parallel(threads, prefer="threads")(
                    one(rows, target, params, draws, t, by_class, balanced)
                    for t in range(first, first + many)
                )
                forest = Forest(tuple(trees), draws)
            if params.ccp_alpha == 0:
                return forest
            return replace(
                forest, trees=Trees(cut(t, cut_path(t).mask(params.ccp_alpha)) for t in forest.trees)
            )

        self._missing = frozenset(np.flatnonzero(rows.n_missing).tolist())
        if self.stop is None:
            more = grow_more(len(older), n_members - len(older))
            self.forest_ = replace(more, trees=Trees(parts_of(older)) + more.trees)
        else:
            self.forest_ = self._until_flat(
                grow_more, Forest(older, draws), table, target, n_members, threads
            )

    def _grow_one(
        self,
        rows: Encoded,
        target: Target,
        params: TreeParams,
        draws: Draws,
        t: int,
        by_class: Float | None,
        balanced: bool,
    ) -> Tree:
        columns = np.unique(self._columns(t, len(rows.codes)))
        part = only(rows, columns)
        own = replace(target, weight=tree_weight(target, draws, t, by_class, balanced))
        limits = params.limits(len(draws.order), len(columns), float(draws.size))
        monotone = params.monotone(rows.schema.names, rows.schema.kinds)
        tree = grow(
            part,
            own,
            params.criterion,
            limits,
            monotone=None if monotone is None else np.ascontiguousarray(monotone[columns]),
            seed=native.tree_seed(draws.seed, t),
        )
        return widen(tree, columns, rows.schema.n_levels)

    def _class_weight(self, learner: Any, target: Target) -> tuple[Float | None, bool]:
        given = getattr(learner, "class_weight", None)
        if given is None or not isinstance(target, Classes):
            return None, False
        if isinstance(given, str) and given == "balanced":  # in each member, as it would be if fitted alone
            return None, True
        return compute_class_weights(given, self.classes_, target.codes, target.weight), False

    def _fitted_tree(self, t: int) -> Any:
        """A tree of the fast way as an estimator of its own, on all columns."""
        one = self._tree_type() if self.estimator is None else self.estimator
        one = type(one)(**one.get_params(deep=False))
        return make_fitted(one, self.forest_.trees[t], self)
