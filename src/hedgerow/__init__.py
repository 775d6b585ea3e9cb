"""hedgerow: learning to separate.

Public names are loaded when they are first used: `import hedgerow` itself costs almost nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hedgerow import datasets, formulas, teaching
    from hedgerow.estimators import (
        SVC,
        SVR,
        AdaBoostClassifier,
        AdaBoostRegressor,
        BaggingClassifier,
        BaggingRegressor,
        BoostedNeuronsClassifier,
        DecisionTreeClassifier,
        DecisionTreeRegressor,
        ExtraTreesClassifier,
        ExtraTreesRegressor,
        HistGradientBoostingClassifier,
        HistGradientBoostingRegressor,
        LinearSVC,
        LinearSVR,
        OptimalTreeClassifier,
        OptimalTreeRegressor,
        RandomForestClassifier,
        RandomForestRegressor,
        RuleListClassifier,
        ToNumbers,
        TopFeatures,
        WeightedVotingClassifier,
        WeightedVotingRegressor,
        WithFeatures,
        compare_growth,
        compare_max_features,
        compare_prunings,
        stability,
        svm_path,
    )
    from hedgerow.estimators.from_sklearn import from_sklearn
    from hedgerow.estimators.saving import load, save
    from hedgerow.evaluation import (
        bias_variance,
        compare,
        compare_datasets,
        evaluate,
        learning_curve,
        simplest_within_1se,
        validation_curve,
    )
    from hedgerow.recipe_book import recipe, recipes
    from hedgerow.stream import TableStream
    from hedgerow.studies.study import study
    from hedgerow.svm.psd import is_kernel

__all__ = [  # written out, for type checkers
    "SVC",
    "SVR",
    "AdaBoostClassifier",
    "AdaBoostRegressor",
    "BaggingClassifier",
    "BaggingRegressor",
    "BoostedNeuronsClassifier",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "HistGradientBoostingClassifier",
    "HistGradientBoostingRegressor",
    "LinearSVC",
    "LinearSVR",
    "OptimalTreeClassifier",
    "OptimalTreeRegressor",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "RuleListClassifier",
    "TableStream",
    "ToNumbers",
    "TopFeatures",
    "WeightedVotingClassifier",
    "WeightedVotingRegressor",
    "WithFeatures",
    "bias_variance",
    "compare",
    "compare_datasets",
    "compare_growth",
    "compare_max_features",
    "compare_prunings",
    "datasets",
    "evaluate",
    "formulas",
    "from_sklearn",
    "is_kernel",
    "learning_curve",
    "load",
    "recipe",
    "recipes",
    "save",
    "simplest_within_1se",
    "stability",
    "study",
    "svm_path",
    "teaching",
    "validation_curve",
]
_HOME = {  # where names are defined, loaded on first use; all others in hedgerow.estimators
    "hedgerow": ("datasets", "formulas", "teaching"),
    "hedgerow.evaluation": (
        "bias_variance",
        "compare",
        "compare_datasets",
        "evaluate",
        "learning_curve",
        "simplest_within_1se",
        "validation_curve",
    ),
    "hedgerow.recipe_book": ("recipe", "recipes"),
    "hedgerow.estimators.from_sklearn": ("from_sklearn",),
    "hedgerow.estimators.saving": ("load", "save"),
    "hedgerow.stream": ("TableStream",),
    "hedgerow.studies.study": ("study",),
    "hedgerow.svm.psd": ("is_kernel",),
}
_MODULE_OF = dict.fromkeys(__all__, "hedgerow.estimators")
_MODULE_OF |= {name: module for module, names in _HOME.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _HOME["hedgerow"]:
        return import_module(f"hedgerow.{name}")
    if name == "__version__":
        return import_module("importlib.metadata").version("hedgerow")
    if name in _MODULE_OF:
        return getattr(import_module(_MODULE_OF[name]), name)
    raise AttributeError(f"module 'hedgerow' has no attribute {name!r}. It has: {', '.join(__all__)}.")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
