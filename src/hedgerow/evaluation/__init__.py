"""evaluation: how good, and how sure.   In: models, a table, a target.   Out: scores, verdicts, curves.

Names are loaded when they are first used: listing the metrics, tests and checks for a help text imports none of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hedgerow.evaluation import bounds
    from hedgerow.evaluation.api import compare, evaluate
    from hedgerow.evaluation.comparison import Comparison
    from hedgerow.evaluation.curves.bias_variance import BiasVariance, bias_variance
    from hedgerow.evaluation.curves.learning import LearningCurve, learning_curve
    from hedgerow.evaluation.curves.validation import ValidationCurve, validation_curve
    from hedgerow.evaluation.datasets import RankComparison, compare_datasets
    from hedgerow.evaluation.evaluation import Evaluation
    from hedgerow.evaluation.score import Score
    from hedgerow.evaluation.select import simplest_within_1se

__all__ = [
    "BiasVariance",
    "Comparison",
    "Evaluation",
    "LearningCurve",
    "RankComparison",
    "Score",
    "ValidationCurve",
    "bias_variance",
    "bounds",
    "compare",
    "compare_datasets",
    "evaluate",
    "learning_curve",
    "simplest_within_1se",
    "validation_curve",
]
_HOME = {
    "BiasVariance": "curves.bias_variance",
    "Comparison": "comparison",
    "Evaluation": "evaluation",
    "LearningCurve": "curves.learning",
    "RankComparison": "datasets",
    "Score": "score",
    "ValidationCurve": "curves.validation",
    "bias_variance": "curves.bias_variance",
    "compare": "api",
    "compare_datasets": "datasets",
    "evaluate": "api",
    "learning_curve": "curves.learning",
    "simplest_within_1se": "select",
    "validation_curve": "curves.validation",
}


def __getattr__(name: str) -> Any:
    if name == "bounds":
        return import_module(f"{__name__}.bounds")
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}. It has: {', '.join(__all__)}.")
