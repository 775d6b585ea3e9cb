"""TreeModel: a fitted tree that reads rows.   In: `hedgerow_tree_`, `schema_` of an estimator.   Out: leaves, paths,
predictions. For estimators that are a single Tree of one output."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from hedgerow.core import threads_for
from hedgerow.core.sparse_rows import as_matrix
from hedgerow.estimators.columns import read_rows
from hedgerow.estimators.tree_display import TreeDisplayMixin
from hedgerow.table import to_table
from hedgerow.tree import predict
from hedgerow.tree.decide import path_of
from hedgerow.tree.importance import importance
from hedgerow.tree.pack import spreads
from hedgerow.types import Count, Float, FloatAny


class TreeModel(TreeDisplayMixin, BaseEstimator):  # type: ignore[misc]
    def _rows(self, X: Any) -> tuple[FloatAny, int]:
        """X as a matrix the tree reads, and the number of threads worth taking."""
        check_is_fitted(self)
        categories = [j for j, kind in enumerate(self.schema_.kinds) if kind == "category"]
        table = to_table(X, categories=categories if self.categorical_features is not None else None)
        rows = as_matrix(read_rows(self, X, table, self.schema_))
        return rows, threads_for(self.n_jobs, rows.size)

    def apply(self, X: Any) -> Count:
        """The leaf each row ends in."""
        rows, threads = self._rows(X)
        return predict.leaves(self.hedgerow_tree_, rows, threads).astype(np.int64)

    def decision_path(self, X: Any) -> csr_matrix:
        """A sparse matrix, rows x nodes: one where the row passes through the node."""
        rows, _ = self._rows(X)
        starts, nodes = path_of(self.hedgerow_tree_, np.asarray(rows, np.float64))
        return csr_matrix(
            (np.ones(len(nodes), np.int64), nodes, starts), shape=(len(rows), self.hedgerow_tree_.n_nodes)
        )

    def get_depth(self) -> int:
        check_is_fitted(self)
        return self.hedgerow_tree_.max_depth

    def get_n_leaves(self) -> int:
        check_is_fitted(self)
        return self.hedgerow_tree_.n_leaves

    @property
    def feature_importances_(self) -> Float:
        """Mean decrease of impurity, normalised to sum one."""
        check_is_fitted(self)
        return importance(self.hedgerow_tree_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        return tags


class ClassTreeMixin:
    """Predictions of a tree of classes."""

    hedgerow_tree_: Any
    classes_: NDArray[Any]
    _rows: Any

    def predict_proba(self, X: Any) -> Float:
        """Class shares of the leaf each row ends in."""
        rows, threads = self._rows(X)
        return predict.values(self.hedgerow_tree_, rows, threads)

    def predict_log_proba(self, X: Any) -> Float:
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """The most frequent class of the leaf each row ends in; ties go to the first class."""
        rows, threads = self._rows(X)
        if spreads(self.hedgerow_tree_):  # a row may end in several leaves, by shares
            return self.classes_[np.argmax(predict.values(self.hedgerow_tree_, rows, threads), axis=1)]  # type: ignore[no-any-return]
        class_of_node: NDArray[Any] = self.classes_[np.argmax(self.hedgerow_tree_.value, axis=1)]
        return class_of_node[predict.leaves(self.hedgerow_tree_, rows, threads)]


class NumberTreeMixin:
    """Predictions of a tree of numbers."""

    hedgerow_tree_: Any
    _rows: Any

    def predict(self, X: Any) -> Float:
        """The mean (or median) of the leaf each row ends in."""
        rows, threads = self._rows(X)
        return predict.values(self.hedgerow_tree_, rows, threads)[:, 0]
