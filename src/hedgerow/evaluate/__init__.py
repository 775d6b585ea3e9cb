"""evaluate: how good, and how sure.   In: models, a table, a target.   Out: scores with intervals, verdicts, curves.

The folder and its first function have one name: the package can be called, so that
`hedgerow.evaluate(model, X, y)` works whichever of the two was imported first.
"""

import sys
from types import ModuleType
from typing import Any

from hedgerow.evaluate import bounds
from hedgerow.evaluate.compare import compare
from hedgerow.evaluate.comparison import Comparison
from hedgerow.evaluate.curves.bias_variance import BiasVariance, bias_variance
from hedgerow.evaluate.curves.learning import LearningCurve, learning_curve
from hedgerow.evaluate.curves.validation import ValidationCurve, validation_curve
from hedgerow.evaluate.evaluate import evaluate
from hedgerow.evaluate.evaluation import Evaluation
from hedgerow.evaluate.over_datasets import RankComparison, compare_datasets
from hedgerow.evaluate.score import Score
from hedgerow.evaluate.select import simplest_within_1se

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


class _Callable(ModuleType):
    def __call__(self, *args: Any, **options: Any) -> Evaluation:
        return evaluate(*args, **options)


sys.modules[__name__].__class__ = _Callable
