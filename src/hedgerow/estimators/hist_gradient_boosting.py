"""HistGradientBoostingClassifier behind scikit-learn's face: its parameters, its classes, its probabilities."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from hedgerow.docstrings import document
from hedgerow.estimators.gradient_base import HistGradientBoosting
from hedgerow.estimators.stream_target import TargetReader
from hedgerow.estimators.targets import check_classes
from hedgerow.fitting.target import weigh_classes
from hedgerow.types import Float, Index


@document()
class HistGradientBoostingClassifier(ClassifierMixin, HistGradientBoosting):  # type: ignore[misc]
    r"""Trees on binned columns, each fitted to the gradient of the loss at the sum of those before it.

    Parameters
    ----------
    loss : {"log_loss", "exponential"} or object
        "log_loss" for two and more classes, "exponential" for two; or an object with gradients and losses.
    min_samples_leaf : int
        Fewest rows of a leaf. The default, 20, lets a leaf of a log loss have five if their hessian is large enough.
    max_features : float
        Share of the columns drawn at each node.
    max_bins : int
        Bins of a number column, 2 to 255; missing cells have one more.
    categorical_features : "from_dtype", sequence or None
        Names, positions or a mask of columns that are categories although they hold numbers; text and categoricals
        are categories in any case.
    early_stopping : bool or "auto"
        End when the score of rows held out (or given to fit) has not risen by `tol` for `n_iter_no_change` rounds;
        "auto": with more than 10,000 rows.
    validation_fraction : float, int or None
        Share, or number, of the rows that early stopping holds out; None looks at the training rows.
    tol : float
        What counts as a better score in early stopping.

    Attributes
    ----------
    trees_, n_iter_, n_trees_per_iteration_, train_score_, validation_score_, do_early_stopping_, classes_,
    is_categorical_, n_features_in_, feature_names_in_, feature_importances_, schema_, labels_

    See Also
    --------
    HistGradientBoostingRegressor : The same for numbers.
    AdaBoostClassifier : Boosting of any learner, with abstention.
    RandomForestClassifier : Trees that do not know each other.

    Notes
    -----
    Round t fits a tree to gradients :math:`g_i` and second derivatives :math:`h_i` of the loss at the sum of the
    trees before it. A leaf of rows S has the value :math:`-G / (H + \lambda)` with :math:`G = \sum_S g_i`, :math:`H
    = \sum_S h_i`, and a split gains :math:`G_L^2/(H_L + \lambda) + G_R^2/(H_R + \lambda) - G^2/(H + \lambda)`. Sums
    are of integers, so the model is the same to the bit for any number of threads.

    References
    ----------
    .. [1] J. Friedman, "Greedy function approximation: a gradient boosting machine", Annals of Statistics 29, 2001.
    .. [2] G. Ke et al., "LightGBM: a highly efficient gradient boosting decision tree", NeurIPS, 2017.

    Examples
    --------
    >>> from hedgerow import HistGradientBoostingClassifier, datasets
    >>> titanic = datasets.titanic()
    >>> model = HistGradientBoostingClassifier(max_iter=50).fit(titanic.table, titanic.target)
    >>> print(model.importance().top(1))
    ('sex',)
    """

    _target_kind = "classes"
    classes_: NDArray[Any]

    def __init__(
        self,
        loss: Any = "log_loss",
        *,
        learning_rate: float = 0.1,
        max_iter: int = 100,
        max_leaf_nodes: int | None = 31,
        max_depth: int | None = None,
        min_samples_leaf: int = 20,
        l2_regularization: float = 1.0,
        max_features: float = 1.0,
        max_bins: int = 255,
        categorical_features: Any = "from_dtype",
        monotonic_cst: Any = None,
        interaction_cst: Any = None,
        warm_start: bool = False,
        early_stopping: bool | str = "auto",
        scoring: Any = "loss",
        validation_fraction: float | int | None = 0.1,
        n_iter_no_change: int = 10,
        tol: float = 1e-7,
        verbose: int = 0,
        random_state: Any = None,
        class_weight: Any = None,
        l1_regularization: float = 0.0,
        min_hessian_leaf: float = 1e-3,
        min_gain: float = 0.0,
        growth: str = "leaf",
        subsample: float = 1.0,
        max_features_tree: float = 1.0,
        callbacks: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.loss = loss
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.l2_regularization = l2_regularization
        self.max_features = max_features
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.monotonic_cst = monotonic_cst
        self.interaction_cst = interaction_cst
        self.warm_start = warm_start
        self.early_stopping = early_stopping
        self.scoring = scoring
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.verbose = verbose
        self.random_state = random_state
        self.class_weight = class_weight
        self.l1_regularization = l1_regularization
        self.min_hessian_leaf = min_hessian_leaf
        self.min_gain = min_gain
        self.growth = growth
        self.subsample = subsample
        self.max_features_tree = max_features_tree
        self.callbacks = callbacks
        self.n_jobs = n_jobs

    def _fit_target(self, y: Any, n_rows: int, weight: Float | None) -> tuple[Float, Float | None]:
        target, classes = check_classes(type(self).__name__, y, n_rows, weight, self.class_weight)
        return self._keep_classes(target.codes, classes, target.weight)

    def _read_target(self, y: TargetReader, weight: Float | None) -> tuple[Float, Float | None]:
        found = y.read_classes(type(self).__name__)
        target = weigh_classes(found.codes, found.classes, weight, self.class_weight)
        return self._keep_classes(target.codes, found.classes, target.weight)

    def _keep_classes(
        self, codes: Index, classes: NDArray[Any], weight: Float | None
    ) -> tuple[Float, Float | None]:
        self.classes_ = classes
        if len(classes) < 2:
            raise ValueError(
                f"{type(self).__name__} needs at least two classes, but y has one class only: {classes.tolist()}."
            )
        used = codes if weight is None else codes[weight > 0]
        if np.all(used == used[:1]):
            raise ValueError(
                f"{type(self).__name__} needs at least two classes, but only rows of "
                f"{classes[used[:1]].tolist()} have a weight above zero."
            )
        return codes.astype(np.float64), weight

    def _known_target(self, y: Any, n_rows: int) -> Float:
        target, classes = check_classes(type(self).__name__, y, n_rows, None, None)
        unknown = np.setdiff1d(classes, self.classes_)
        if len(unknown):
            raise ValueError(
                f"y_val holds {unknown.tolist()[0]!r}, which is no class. Classes: {self.classes_.tolist()}."
            )
        return np.searchsorted(self.classes_, classes)[target.codes].astype(np.float64)

    def _labels(self, target: Float) -> NDArray[Any]:
        return np.asarray(self.classes_[target.astype(np.int64)])

    def predict_proba(self, X: Any) -> Float:
        return self._mean_of(self._raw_predict(X))

    def predict(self, X: Any) -> NDArray[Any]:
        return self._class_of(self._raw_predict(X))

    def decision_function(self, X: Any) -> Float:
        raw = self._raw_predict(X)
        return raw[:, 0] if raw.shape[1] == 1 else raw

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        return map(self._class_of, self._staged_raw_predict(X))

    def staged_predict_proba(self, X: Any) -> Iterator[Float]:
        return map(self._mean_of, self._staged_raw_predict(X))

    def staged_decision_function(self, X: Any) -> Iterator[Float]:
        return (raw[:, 0] if raw.shape[1] == 1 else raw for raw in self._staged_raw_predict(X))

    def _class_of(self, raw: Float) -> NDArray[Any]:
        place = (raw[:, 0] > 0).astype(np.int64) if raw.shape[1] == 1 else raw.argmax(axis=1)
        return np.asarray(self.classes_[place])
