"""Titles of scores.   In: a score's name.   Out: what stands on an axis."""

TITLES = {
    "balanced_accuracy": "balanced accuracy",
    "f1": "F",
    "roc_auc": "area under ROC",
    "average_precision": "average precision",
    "log_loss": "log loss",
    "brier": "Brier score",
    "r2": "R2",
    "rmse": "root mean squared error",
    "mae": "mean absolute error",
}


def title_of(score: str) -> str:
    return TITLES.get(score, score)
