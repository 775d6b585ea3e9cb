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

_HOME = {
    "api": ("compare", "evaluate"),
    "comparison": ("Comparison",),
    "curves.bias_variance": ("BiasVariance", "bias_variance"),
    "curves.learning": ("LearningCurve", "learning_curve"),
    "curves.validation": ("ValidationCurve", "validation_curve"),
    "datasets": ("RankComparison", "compare_datasets"),
    "evaluation": ("Evaluation",),
    "score": ("Score",),
    "select": ("simplest_within_1se",),
}
_MODULE_OF = {name: f"{__name__}.{module}" for module, names in _HOME.items() for name in names}
__all__ = sorted(["bounds", *_MODULE_OF])


def __getattr__(name: str) -> Any:
    if name == "bounds":
        return import_module(f"{__name__}.bounds")
    if name in _MODULE_OF:
        return getattr(import_module(_MODULE_OF[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}. It has: {', '.join(__all__)}.")
