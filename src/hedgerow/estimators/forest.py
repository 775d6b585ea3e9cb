"""RandomForest and ExtraTrees, for classes and for numbers: their parameters. What they do is in forest_base.py."""

from typing import Any

from hedgerow.docstrings import document
from hedgerow.estimators.as_sklearn import register_as_sklearn
from hedgerow.estimators.forest_base import ForestClassifierBase, ForestRegressorBase
from hedgerow.fitting.params import warn_if_friedman


def _keep(estimator: Any, given: dict[str, Any]) -> None:
    """The parameters, as they were given."""
    for name, value in given.items():
        if name not in ("self", "__class__"):
            setattr(estimator, name, value)


@register_as_sklearn
@document()
class RandomForestClassifier(ForestClassifierBase):
    r"""A random forest: trees grown on draws of the rows, some columns looked at in each node. Columns of text or
    categories and missing cells are taken as they are. Rows are drawn by weight, by their content: their order does
    not change the forest, nor does a factor of all weights. Numbers of rows count each row once, however often it
    was drawn.

    Parameters
    ----------
    criterion : {"gini", "entropy", "log_loss", "misclassification", "gain_ratio"}
        What a split lowers.
    n_estimators : int
        Trees.
    class_weight : dict, {"balanced", "balanced_subsample"} or None
        Weight of each class: a dict by label, "balanced" for weights that make all classes count alike,
        "balanced_subsample" for the same in the draws of each tree, None for one each.

    Attributes
    ----------
    forest_, estimators_, estimator_, estimators_samples_, classes_, n_classes_, n_outputs_, n_features_in_,
    feature_names_in_, max_features_, feature_importances_, oob_, oob_score_, oob_decision_function_, schema_
    stopped_ : str
        Why growing ended, with `stop="oob"`.

    See Also
    --------
    ExtraTreesClassifier : Random thresholds.
    BaggingClassifier : Draws of rows for any learner.
    HistGradientBoostingClassifier : Trees that correct each other.
    compare_max_features : Which `max_features` to take.

    Notes
    -----
    With N trees of equal variance :math:`\sigma^2` and correlation :math:`\rho` their mean has the variance
    :math:`\rho \sigma^2 + (1 - \rho) \sigma^2 / N`: more trees lower the second part, fewer columns a node the
    first.

    References
    ----------
    .. [1] L. Breiman, "Random Forests", Machine Learning 45, 2001.

    Examples
    --------
    >>> from hedgerow import RandomForestClassifier, datasets
    >>> titanic = datasets.titanic()
    >>> model = RandomForestClassifier(random_state=0).fit(titanic.table, titanic.target)
    >>> print(model.importance().top(2))
    ('sex', 'pclass')
    """

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = "sqrt",
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = True,
        oob_score: Any = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        max_samples: int | float | None = None,
        monotonic_cst: Any = None,
        categorical_features: Any = None,
        splits: str = "binary",
        missing: str = "learned",
        max_bins: int | None = None,
        redraw: bool = True,
        stop: str | None = None,
    ) -> None:
        _keep(self, locals())


@register_as_sklearn
@document(RandomForestClassifier)
class ExtraTreesClassifier(ForestClassifierBase):
    """Extremely randomised trees. In each node one random threshold (or subset of levels) a column is tried, and the
    best of them wins; by default all rows are used.

    Attributes
    ----------
    forest_, estimators_, estimator_, classes_, n_classes_, n_outputs_, n_features_in_, feature_names_in_,
    max_features_, feature_importances_, schema_
    stopped_ : str
        Why growing ended, with `stop="oob"`.
    estimators_samples_, oob_, oob_score_, oob_decision_function_

    See Also
    --------
    RandomForestClassifier : The best threshold of each column, on draws of the rows.
    ExtraTreesRegressor : The same for numbers.

    References
    ----------
    .. [1] P. Geurts, D. Ernst and L. Wehenkel, "Extremely randomized trees", Machine Learning 63, 2006.

    Examples
    --------
    >>> from hedgerow import ExtraTreesClassifier, datasets
    >>> titanic = datasets.titanic()
    >>> model = ExtraTreesClassifier(50, random_state=0).fit(titanic.table, titanic.target)
    >>> len(model.estimators_)
    50
    """

    _splitter = "random"

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = "sqrt",
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = False,
        oob_score: Any = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        max_samples: int | float | None = None,
        monotonic_cst: Any = None,
        categorical_features: Any = None,
        splits: str = "binary",
        missing: str = "learned",
        max_bins: int | None = None,
        redraw: bool = True,
        stop: str | None = None,
    ) -> None:
        _keep(self, locals())


@register_as_sklearn
@document(RandomForestClassifier)
class RandomForestRegressor(ForestRegressorBase):
    """A random forest for numbers. The prediction is the mean over the trees; `predict_interval` gives quantiles.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error", "poisson"}
        What a split lowers.

    Attributes
    ----------
    forest_, estimators_, estimator_, estimators_samples_, n_outputs_, n_features_in_, feature_names_in_,
    max_features_, feature_importances_, oob_, oob_score_, oob_prediction_, schema_, stopped_

    See Also
    --------
    RandomForestClassifier : The same for classes.
    ExtraTreesRegressor : Random thresholds.
    HistGradientBoostingRegressor : Trees that correct each other.

    References
    ----------
    .. [1] L. Breiman, "Random Forests", Machine Learning 45, 2001.
    .. [2] N. Meinshausen, "Quantile regression forests", Journal of Machine Learning Research 7, 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import RandomForestRegressor
    >>> x = np.linspace(0, 3, 200)[:, np.newaxis]
    >>> model = RandomForestRegressor(50, random_state=0).fit(x, np.sin(x[:, 0]))
    >>> bool(abs(model.predict([[1.5]])[0] - np.sin(1.5)) < 0.01)
    True
    """

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "squared_error",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = 1.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = True,
        oob_score: Any = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        ccp_alpha: float = 0.0,
        max_samples: int | float | None = None,
        monotonic_cst: Any = None,
        categorical_features: Any = None,
        splits: str = "binary",
        missing: str = "learned",
        max_bins: int | None = None,
        redraw: bool = True,
        stop: str | None = None,
    ) -> None:
        warn_if_friedman(criterion)
        _keep(self, locals())


@register_as_sklearn
@document(RandomForestRegressor)
class ExtraTreesRegressor(ForestRegressorBase):
    """Extremely randomised trees for numbers. In each node one random threshold a column is tried; by default all rows
    are used.

    Attributes
    ----------
    forest_, estimators_, estimator_, estimators_samples_, n_outputs_, n_features_in_, feature_names_in_,
    max_features_, feature_importances_, oob_, oob_score_, oob_prediction_, schema_, stopped_

    See Also
    --------
    RandomForestRegressor : The best threshold of each column, on draws of the rows.
    ExtraTreesClassifier : The same for classes.

    References
    ----------
    .. [1] P. Geurts, D. Ernst and L. Wehenkel, "Extremely randomized trees", Machine Learning 63, 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import ExtraTreesRegressor
    >>> x = np.linspace(0, 3, 200)[:, np.newaxis]
    >>> model = ExtraTreesRegressor(50, random_state=0).fit(x, x[:, 0] ** 2)
    >>> bool(model.score(x, x[:, 0] ** 2) > 0.99)
    True
    """

    _splitter = "random"

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "squared_error",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = 1.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = False,
        oob_score: Any = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        ccp_alpha: float = 0.0,
        max_samples: int | float | None = None,
        monotonic_cst: Any = None,
        categorical_features: Any = None,
        splits: str = "binary",
        missing: str = "learned",
        max_bins: int | None = None,
        redraw: bool = True,
        stop: str | None = None,
    ) -> None:
        warn_if_friedman(criterion)
        _keep(self, locals())
