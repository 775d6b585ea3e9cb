"""RandomForest and ExtraTrees, for classes and for numbers: their parameters. What they do is in forest_base.py."""

from typing import Any

from hedgerow.estimators.as_sklearn import register_as_sklearn
from hedgerow.estimators.forest_base import ForestClassifierBase, ForestRegressorBase
from hedgerow.fitting.params import warn_if_friedman


def _keep(estimator: Any, given: dict[str, Any]) -> None:
    """The parameters, as they were given."""
    for name, value in given.items():
        if name not in ("self", "__class__"):
            setattr(estimator, name, value)


@register_as_sklearn
class RandomForestClassifier(ForestClassifierBase):
    """A random forest: trees grown on draws of the rows, some columns looked at in each node.

    Parameters are scikit-learn's, with the same meaning, and a few more. Columns of text or categories and missing
    cells are taken as they are. Rows are drawn by weight, by their content: their order does not change the forest, nor
    does a factor of all weights.

    Parameters
    ----------
    n_estimators : trees
    criterion, max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_leaf_nodes,
    min_impurity_decrease, ccp_alpha, monotonic_cst, categorical_features, splits, missing, max_bins : of each tree, as
        for DecisionTreeClassifier. Numbers of rows count each row once, however often it was drawn
    max_features : columns looked at in each node: a number, a share, "sqrt", "log2", None for all (bagging)
    redraw : the columns drawn are all constant in a node: another is drawn, as scikit-learn does; False: the node is a
        leaf, as ranger does. Better where the classes overlap much (adult), worse where they do not (covertype). Trees
        with splits="multiway" or missing other than "learned" draw from columns not known to be constant
    bootstrap : draw rows with replacement; False: all rows, or max_samples of them without replacement
    max_samples : draws a tree, or a share of the rows; None for as many as there are
    oob_score : True, or a function of (y, predictions): score the rows by the trees that have not seen them
    warm_start : grow on from the trees of the last fit, which must have been on the same rows
    class_weight : dict by class, "balanced", "balanced_subsample" (balanced in each tree), or None
    random_state : the seed.   n_jobs : threads; the forest does not depend on it
    verbose : 1 says once a second how far growing is
    stop : "oob" ends growing when the out-of-bag curve is flat (`stopped_` says when and why); n_estimators is then the
        most trees there may be

    Attributes
    ----------
    forest_ : the Forest.   estimators_ : its trees as fitted estimators
    oob_ : out-of-bag predictions, scores with intervals, the curve.   stopped_ : why growing ended, with stop="oob"
    classes_, n_classes_, n_features_in_, feature_names_in_, max_features_, feature_importances_, schema_
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
class ExtraTreesClassifier(ForestClassifierBase):
    """Extremely randomised trees: in each node one random threshold (or subset of levels) a column, the best of them
    wins. Parameters are those of RandomForestClassifier; by default all rows are used."""

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
class RandomForestRegressor(ForestRegressorBase):
    """A random forest for numbers. Parameters are those of RandomForestClassifier, but for `criterion`
    ("squared_error", "absolute_error", "poisson") and `class_weight`, which it has not; max_features is all."""

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
class ExtraTreesRegressor(ForestRegressorBase):
    """Extremely randomised trees for numbers. Parameters are those of RandomForestRegressor; by default all rows are
    used."""

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
