"""evaluation: how good, and how sure.   In: models, a table, a target.   Out: scores, verdicts, curves."""

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
