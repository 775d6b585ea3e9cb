"""Forests of several targets: one tree for all of them, grown on its draw of the rows.

For forests with `_outputs(y, n_rows, weight, params)`, `_seed`, `schema_`, `_rows(X)`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.parallel import Parallel, delayed

from hedgerow.core import native, threads_for
from hedgerow.encode import encode, matrix
from hedgerow.ensemble import predict
from hedgerow.ensemble.draws import Draws, drawn_rows, draws_of
from hedgerow.ensemble.forest import Forest
from hedgerow.ensemble.trees import Trees, parts_of
from hedgerow.estimators.outputs import most_probable, one_number_a_row, output_weights, probabilities, times
from hedgerow.fitting.outputs import grow_pruned, mean_outside, refuse_for_outputs, written_out
from hedgerow.fitting.params import TreeParams
from hedgerow.grow import ManyClasses, Outputs
from hedgerow.table import Table
from hedgerow.tree.tree import Tree
from hedgerow.types import Float

SCORED = ("continuous", "continuous-multioutput", "binary", "multiclass", "multilabel-indicator")


class ForestOutputsMixin:
    forest_: Forest

    def _grow_outputs(
        self: Any,
        table: Table,
        y: Any,
        weight: Float | None,
        params: TreeParams,
        n_trees: int,
        older: Sequence[Any],
    ) -> None:
        refuse_for_outputs(params)
        table = written_out(table)
        if self.stop is not None:
            raise ValueError("stop='oob' is for one target, but y has several columns. Leave it out.")
        target = self._outputs(y, table.n_rows, weight, params)
        draws = self._output_draws(table, target)
        threads = threads_for(self.n_jobs, table.n_rows * len(table.columns) * n_trees)
        rows = encode(table, max_bins=params.max_bins, weight=target.weight, threads=threads)
        limits = params.limits(len(draws.order), len(table.columns), float(draws.size))
        limits = replace(limits, redraw=bool(self.redraw))
        factor = self._output_factor(None)

        def grow_one(t: int) -> Tree:
            again = getattr(self, "class_weight", None) == "balanced_subsample"
            by_class = self._output_factor(drawn_rows(draws, t + 1)[t]) if again else factor
            own = replace(target, weight=times(draws.weights(t), by_class))
            return grow_pruned(rows, own, params, limits, native.tree_seed(draws.seed, t), 1)

        work = (delayed(grow_one)(t) for t in range(len(older), n_trees))
        trees = list(Parallel(threads, prefer="threads")(work))
        self.forest_ = Forest(Trees(parts_of(older)) + Trees(trees) if older else Trees(trees), draws)
        self.schema_, self.max_features_ = rows.schema, limits.max_features
        self._missing = frozenset(np.flatnonzero(rows.n_missing).tolist())
        for name in ("_oob", "_leaf_rows", "_training", "_y", "_outputs_oob", "_outputs_oob_score"):
            self.__dict__.pop(name, None)
        if self.oob_score:
            self._score_outputs(table, target, y, threads)

    def _output_draws(self: Any, table: Table, target: Outputs) -> Draws:
        how: Any = "bootstrap" if self.bootstrap else "all" if self.max_samples is None else "subsample"
        content = one_number_a_row(target)
        return draws_of(table, content, target.weight, how=how, size=self.max_samples, seed=self._seed)

    def _output_factor(self: Any, rows: Any) -> Float | None:
        """The weight of each row by its classes; `rows`: as they are drawn."""
        if getattr(self, "class_weight", None) is None:
            return None
        return output_weights(self.class_weight, self._y, rows)

    def _score_outputs(self: Any, table: Table, target: Outputs, y: Any, threads: int) -> None:
        kind = type_of_target(y)
        if kind not in SCORED and isinstance(target, ManyClasses):
            raise ValueError(
                f"The type of target cannot be used to compute OOB estimates. Got {kind} while only the following are "
                f"supported: {', '.join(SCORED)}."
            )
        cells, forest = matrix(self.schema_, table), self.forest_
        found = mean_outside(
            lambda t: predict.tree_values(forest, t, cells, threads),
            forest.draws.oob,
            len(forest.trees),
            (table.n_rows, forest.n_outputs),
        )
        self._warn_of_rows_never_out(~np.isnan(found[:, 0]))
        self._outputs_oob = found if not isinstance(target, ManyClasses) else _stacked(self, found)
        there = ~np.isnan(found[:, 0])
        truth = np.asarray(y)[there]
        if isinstance(target, ManyClasses):
            predicted = most_probable(self, found[there])
            score = self.oob_score if callable(self.oob_score) else accuracy_score
        else:
            predicted = found[there]
            score = self.oob_score if callable(self.oob_score) else r2_score
        self._outputs_oob_score = float(score(truth, predicted))


def _stacked(model: Any, found: Float) -> Float:
    """Rows x classes x outputs; an output with fewer classes than another is filled up with zeros."""
    parts = probabilities(model, found)
    out = np.zeros((len(found), max(model.n_classes_), len(parts)))
    for k, part in enumerate(parts):
        out[:, : part.shape[1], k] = part
    return out
