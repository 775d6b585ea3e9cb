"""What an ensemble of trees can say beyond predicting, the same for forests and bagging.

For estimators with `forest_`, `schema_`, `n_jobs`, `_rows(X)` and, of classes, `classes_`. Their `fit` calls
`_remember(table, target)` at the end, and grows by `_until_flat` where `stop="oob"`.
"""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import ndtri
from sklearn.utils.validation import check_is_fitted

from hedgerow.core.sparse_rows import SparseRows, as_matrix
from hedgerow.encode import Schema, read_rows
from hedgerow.ensemble import importance as importances
from hedgerow.ensemble import predict
from hedgerow.ensemble.diversity import Ambiguity, Diversity, ambiguity, diversity
from hedgerow.ensemble.draws import Draws
from hedgerow.ensemble.explanation import Explanation
from hedgerow.ensemble.flat import flat_of
from hedgerow.ensemble.forest import Forest
from hedgerow.ensemble.importance_table import NOTES, Importance
from hedgerow.ensemble.oob import add_trees, empty_tally, losses
from hedgerow.ensemble.proximity import outside_proximities, proximities
from hedgerow.ensemble.quantiles import LeafRows
from hedgerow.ensemble.shap import shap_values
from hedgerow.ensemble.stop import FEWEST, STEP, Stopped, look
from hedgerow.errors import check_choice
from hedgerow.estimators.exporting import ExportMixin
from hedgerow.estimators.out_of_bag import OutOfBag
from hedgerow.estimators.training import TrainingData, keep_training
from hedgerow.grow import Classes, Target
from hedgerow.table import Table
from hedgerow.types import Float, FloatAny, Mask, Word

MOST_ROWS_WITH_CELLS = 1000  # rows: of more, explanations do not repeat what stands in the cells


class ForestInspectionMixin(ExportMixin):
    forest_: Forest
    schema_: Schema
    stopped_: Stopped
    _training: TrainingData
    _oob: OutOfBag
    _leaf_rows: LeafRows

    # What fit leaves behind.

    def _remember(self, table: Table, target: Target, hashes: Word | None = None) -> None:
        """The rows of training are held, not copied; they are not part of a copy or a file of the model. `hashes`: of
        the rows, where they are known."""
        self._forget_rows()
        self._training = keep_training(table, target, hashes)
        if getattr(self, "oob_score", False):
            tally = self.oob_.tally
            self._warn_of_rows_never_out(
                tally.covered if tally.weight is None else tally.covered | (tally.weight == 0)
            )

    def _forget_rows(self) -> None:
        """Those of an earlier fit, and what was made of them."""
        for name in ("_training", "_oob", "_leaf_rows", "_outputs_oob", "_outputs_oob_score"):
            self.__dict__.pop(name, None)

    def _warn_of_rows_never_out(self, covered: Mask) -> None:
        if not covered.all():
            warnings.warn(
                "Some inputs do not have OOB scores. This probably means too few estimators were used to compute any "
                f"reliable oob estimates: {int((~covered).sum())} of {len(covered)} rows are in every bag.",
                stacklevel=4,
            )

    def __getstate__(self) -> dict[str, Any]:
        state: Any = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_training"}

    def _until_flat(
        self,
        grow: Callable[[int, int], Forest],
        older: Forest | None,
        table: Table,
        target: Target,
        most: int,
        threads: int,
    ) -> Forest:
        """Grows by `grow(first_tree, n_trees)` until the out-of-bag curve is flat or there are `most` trees."""
        forest = older if older is not None and older.trees else grow(0, min(FEWEST, most))
        rows = read_rows(self.schema_, table)
        tally = empty_tally(table.n_rows, forest.n_outputs, forest.draws.weight)
        new = forest
        while True:
            first = len(tally.loss)
            tally = add_trees(
                tally,
                new,
                rows,
                target,
                forest.draws,
                first_tree=first,
                threads=threads,
            )
            covered = tally.covered
            self.stopped_ = look(tally.loss, losses(tally.mean[covered], target, covered), most)
            if self.stopped_.flat or len(forest.trees) >= most:
                break
            new = grow(len(forest.trees), min(STEP, most - len(forest.trees)))
            forest = forest.with_more(new)
        return forest

    def _trained_on(self, X: Any, y: Any) -> tuple[FloatAny | SparseRows, Target, int]:
        """The rows of training, the target, the number of threads."""
        check_is_fitted(self)
        self._need_trees()
        if X is None:
            kept = getattr(self, "_training", None)
            if kept is None:
                raise ValueError(
                    "This model was copied, loaded or fitted on a stream, and the rows it was trained on did not come "
                    "along. Give them: X and y."
                )
            kept = kept.check_unchanged()
            X, target = kept.table, kept.target
        elif y is None:
            raise ValueError("y is missing. Give the target of the training rows beside X.")
        else:
            target = self._known_target(y)
        rows, threads = self._rows(X)  # type: ignore[attr-defined]
        if len(rows) != self.forest_.draws.n_rows or len(rows) != _length(target):
            raise ValueError(
                f"X has {len(rows)} rows and y has {_length(target)}, but the model was trained on "
                f"{self.forest_.draws.n_rows}. Give the rows of training, in their order."
            )
        return rows, target, threads

    def _known_target(self, y: Any) -> Target:
        from hedgerow.estimators.targets import check_classes, check_numbers

        name, n = type(self).__name__, len(y)
        if not hasattr(self, "classes_"):
            return check_numbers(name, y, n, None, "")
        target, classes = check_classes(name, y, n, None, None)
        unknown = [label for label in classes.tolist() if label not in self.classes_.tolist()]
        if unknown:
            raise ValueError(f"y holds {unknown[0]!r}, which is no class of training.")
        return Classes(
            np.searchsorted(self.classes_, classes).astype(np.int32)[target.codes], len(self.classes_)
        )

    def _need_trees(self) -> None:
        """Bagging of other learners says here that it has no trees."""

    def _drawn(self) -> Draws:
        return self.forest_.draws

    def _need_rows_outside(self) -> None:
        draws = self._drawn()
        if draws.n_rows == 0:
            raise AttributeError(
                "This model came from a file, which does not tell who drew which rows. Fit again to see what is out of "
                "bag."
            )
        if draws.how == "all":
            raise AttributeError(
                f"{type(self).__name__} was trained with every row in every bag, so that nothing is out of bag. "
                "Fit with bootstrap=True, or with max_samples below the number of rows."
            )

    # Out of bag.

    @property
    def oob_(self) -> OutOfBag:
        """Predictions of each row of training by the members that have not seen it; any score of them; the curve."""
        check_is_fitted(self)
        if "_oob" not in self.__dict__:
            self._oob = self.out_of_bag()
        return self._oob

    def out_of_bag(self, X: Any = None, y: Any = None) -> OutOfBag:
        """The same, for a model that was copied or loaded: X and y are the rows of training."""
        self._need_rows_outside()
        rows, target, threads = self._trained_on(X, y)
        forest = self.forest_
        start = empty_tally(len(rows), forest.n_outputs, forest.draws.weight)
        tally = add_trees(start, forest, rows, target, forest.draws, threads=threads)
        return OutOfBag(tally, target, getattr(self, "classes_", None))

    @property
    def oob_score_(self) -> float:
        """Accuracy or R2 out of bag, or what `oob_score` computes."""
        given = getattr(self, "oob_score", False)
        if not given:
            raise AttributeError("oob_score_ is there with oob_score=True. `oob_` always is.")
        if hasattr(self, "_outputs_oob_score"):
            return float(self._outputs_oob_score)
        scoring = given if callable(given) else None
        return self.oob_.score(scoring, resamples=1).value

    @property
    def oob_decision_function_(self) -> Float:
        if not hasattr(self, "classes_"):
            raise AttributeError("Of numbers there is oob_prediction_.")
        if hasattr(self, "_outputs_oob"):
            return np.asarray(self._outputs_oob)
        return self.oob_.decision_function

    @property
    def oob_prediction_(self) -> Float:
        if hasattr(self, "classes_"):
            raise AttributeError("Of classes there is oob_decision_function_.")
        return np.asarray(self._outputs_oob) if hasattr(self, "_outputs_oob") else self.oob_.prediction

    # Importance and explanation.

    def importance(
        self,
        kind: str = "permutation",
        X: Any = None,
        y: Any = None,
        *,
        confidence_level: float = 0.95,
        repeats: int = 1,
        random_state: int = 0,
    ) -> Importance:
        """Measure how much each column matters.

        Parameters
        ----------
        kind : {"permutation", "corrected", "impurity"}
            Rise of the loss out of bag, with intervals; mean decrease of impurity on rows out of bag, zero on
            average for noise; or mean decrease of impurity, biased towards columns of many values.
        repeats : int
            How often each cell is exchanged.

        Returns
        -------
        Importance
            Prints and draws itself.
        """
        check_is_fitted(self)
        check_choice("kind", kind, tuple(NOTES))
        self._need_trees()
        forest, names = self.forest_, self.schema_.names
        if kind == "impurity":
            return Importance(kind, names, importances.impurity(forest.trees))
        if not 0 < confidence_level < 1 or repeats < 1:
            raise ValueError(
                f"confidence_level={confidence_level!r}, repeats={repeats!r}: give a share such as 0.95, and at least "
                "one repeat."
            )
        self._need_rows_outside()
        rows, target, threads = self._trained_on(X, y)
        if kind == "corrected":
            value = importances.corrected(forest.trees, as_matrix(rows), target, forest.draws, threads)
            return Importance(kind, names, value)
        found = importances.permutation(
            flat_of(forest),
            as_matrix(rows),
            target,
            forest.draws,
            repeats=repeats,
            seed=random_state,
            threads=threads,
        )
        reach = float(ndtri((1 + confidence_level) / 2)) * found.standard_error
        return Importance(kind, names, found.rise, found.rise - reach, found.rise + reach, confidence_level)

    def explain(self, X: Any) -> Explanation:
        """Exact path-dependent Shapley values: which columns moved each row's prediction, and by how much."""
        check_is_fitted(self)
        self._need_trees()
        rows, threads = self._rows(X)  # type: ignore[attr-defined]
        rows = as_matrix(rows)
        found = shap_values(flat_of(self.forest_), rows, threads)
        classes = tuple(map(str, self.classes_.tolist())) if hasattr(self, "classes_") else ()
        values = found.values if classes else found.values[:, :, 0]
        cells = self._cells(rows) if len(rows) <= MOST_ROWS_WITH_CELLS else None
        return Explanation(values, found.base, self.schema_.names, classes, cells)

    def _cells(self, rows: FloatAny) -> tuple[tuple[str, ...], ...]:
        levels = self.schema_.levels

        def word(j: int, x: float) -> str:
            if np.isnan(x):
                return "missing"
            if levels[j]:
                return levels[j][int(x)] if x < len(levels[j]) else "a level never seen"
            return f"{x:.5g}"

        return tuple(tuple(word(j, float(x)) for j, x in enumerate(row)) for row in rows)

    # Likeness and variety.

    def proximities(
        self, X: Any = None, Y: Any = None, *, out_of_bag: bool = False, dense: bool = False
    ) -> Any:
        """Measure the share of trees in which two rows end in one leaf.

        Parameters
        ----------
        X : array-like or None
            Any rows; the training rows if None.
        Y : array-like or None
            Other rows; X itself if None.
        out_of_bag : bool
            Of training rows, count the trees that have seen neither of the two.
        dense : bool
            Give an array instead of a sparse matrix.

        Returns
        -------
        sparse matrix or ndarray
            Rows of X x rows of Y.
        """
        check_is_fitted(self)
        self._need_trees()
        starts = flat_of(self.forest_).starts
        if out_of_bag:
            if X is not None or Y is not None:
                raise ValueError("out_of_bag=True is about the rows of training. Leave X and Y out.")
            self._need_rows_outside()
        rows, threads = self._trained_on(None, None)[::2] if X is None else self._rows(X)  # type: ignore[attr-defined]
        leaves = predict.leaves(self.forest_, rows, threads)
        if out_of_bag:
            found = outside_proximities(leaves, starts, self._outside())
        else:
            others = leaves if Y is None else predict.leaves(self.forest_, *self._rows(Y))  # type: ignore[attr-defined]
            found = proximities(leaves, others, starts)
        return found.toarray() if dense else found

    def _outside(self) -> Mask:
        """Rows x trees: where the tree has not seen the row."""
        draws = self.forest_.draws
        return np.stack([draws.oob(t) for t in range(len(self.forest_.trees))], axis=1)

    def diversity(self, X: Any = None, y: Any = None) -> Diversity | Ambiguity:
        """Measure why many are better than one, on rows out of bag: strength and correlation of the trees (classes),
        or their error and spread (numbers).

        Returns
        -------
        Diversity or Ambiguity
            Prints itself.
        """
        self._need_rows_outside()
        rows, target, threads = self._trained_on(X, y)
        out = self._outside()
        predicted = [
            predict.tree_values(self.forest_, t, rows, threads) for t in range(len(self.forest_.trees))
        ]
        if isinstance(target, Classes):
            votes = np.stack([s.argmax(axis=1) for s in predicted], axis=1).astype(np.int32)
            return diversity(votes, target.codes, target.n_classes, out)
        return ambiguity(np.stack([s[:, 0] for s in predicted], axis=1), target.values, out)


def _length(target: Target) -> int:
    return len(target.codes if isinstance(target, Classes) else target.values)
