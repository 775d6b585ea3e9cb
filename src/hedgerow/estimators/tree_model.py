"""TreeModel: a fitted tree that reads rows.   In: `hedgerow_tree_`, `schema_` of an estimator.   Out: leaves, paths,
predictions. For estimators that are a single Tree. `check_input` is scikit-learn's: X is always checked.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, vstack
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from hedgerow.core import threads_for
from hedgerow.core.sparse_rows import SparseRows
from hedgerow.estimators.columns import is_plain, read_rows
from hedgerow.estimators.outputs import log_of, means, most_probable, probabilities
from hedgerow.estimators.tree_display import TreeDisplayMixin
from hedgerow.table import to_table
from hedgerow.tree import predict
from hedgerow.tree.decide import path_of
from hedgerow.tree.importance import importance
from hedgerow.tree.pack import spreads
from hedgerow.types import Count, Float, FloatAny


class TreeModel(TreeDisplayMixin, BaseEstimator):  # type: ignore[misc]
    n_outputs_ = 1

    def _rows(self, X: Any) -> tuple[FloatAny | SparseRows, int]:
        """X as the tree reads it, and the number of threads worth taking."""
        if "hedgerow_tree_" not in self.__dict__:  # the question itself takes as long as many rows
            check_is_fitted(self)
        if is_plain(self, X, self.schema_):
            return X, threads_for(self.n_jobs, X.size)
        categories = None
        if self.categorical_features is not None:
            categories = [j for j, kind in enumerate(self.schema_.kinds) if kind == "category"]
        table = to_table(X, categories=categories)
        rows = read_rows(self, X, table, self.schema_)
        return rows, threads_for(self.n_jobs, rows.size)

    def apply(self, X: Any, check_input: bool = True) -> Count:
        """The leaf each row ends in."""
        rows, threads = self._rows(X)
        return predict.leaves(self.hedgerow_tree_, rows, threads).astype(np.int64)

    def decision_path(self, X: Any, check_input: bool = True) -> csr_matrix:
        """A sparse matrix, rows x nodes: one where the row passes through the node."""
        rows, _ = self._rows(X)
        blocks = rows.blocks() if isinstance(rows, SparseRows) else (rows,)
        paths = [path_of(self.hedgerow_tree_, np.asarray(block, np.float64)) for block in blocks]
        parts = [
            csr_matrix(
                (np.ones(len(nodes), np.int64), nodes, starts),
                shape=(len(starts) - 1, self.hedgerow_tree_.n_nodes),
            )
            for starts, nodes in paths
        ]
        return vstack(parts, format="csr") if len(parts) > 1 else parts[0]

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
    classes_: Any  # an array; of several outputs a list of arrays
    _rows: Any

    def predict_proba(self, X: Any, check_input: bool = True) -> Any:
        """Class shares of the leaf each row ends in; of several outputs a list."""
        rows, threads = self._rows(X)
        return probabilities(self, predict.values(self.hedgerow_tree_, rows, threads))

    def predict_log_proba(self, X: Any) -> Any:
        return log_of(self.predict_proba(X))

    def predict(self, X: Any, check_input: bool = True) -> NDArray[Any]:
        """The most frequent class of the leaf each row ends in; ties go to the first class."""
        rows, threads = self._rows(X)
        if spreads(self.hedgerow_tree_):  # a row may end in several leaves, by shares
            return most_probable(self, predict.values(self.hedgerow_tree_, rows, threads))
        class_of_node = most_probable(self, self.hedgerow_tree_.value)
        return class_of_node[predict.leaves(self.hedgerow_tree_, rows, threads)]


class NumberTreeMixin:
    """Predictions of a tree of numbers."""

    hedgerow_tree_: Any
    _rows: Any

    def predict(self, X: Any, check_input: bool = True) -> Float:
        """The mean (or median) of the leaf each row ends in."""
        rows, threads = self._rows(X)
        return means(self, predict.values(self.hedgerow_tree_, rows, threads))
