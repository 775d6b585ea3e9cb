"""linear_svm: the widest street between the classes; for numbers, the flattest plane."""

from typing import Any

from sklearn.pipeline import make_pipeline

from hedgerow.estimators import LinearSVC, LinearSVR, ToNumbers
from hedgerow.study.panel.entrant import BOTH, Need, alike
from hedgerow.study.searched import Searched

NAME = "linear SVM"
TASKS = BOTH
HOW = alike(
    "Categories as columns of 0 and 1, numbers in standard deviations, missing cells as the mean with a column that "
    "says so; C of 0.01, 1 or 100 by three-fold cross-validation inside the training rows."
)
OPTIONS: dict[str, Any] = {"rows": 50_000}
GRID = (0.01, 1.0, 100.0)


def estimator(need: Need) -> Any:
    machine = (
        LinearSVC(random_state=need.seed)
        if need.task == "classification"
        else LinearSVR(random_state=need.seed)
    )
    return Searched(make_pipeline(ToNumbers(), machine), values=GRID, seed=need.seed)


def words(fitted: Any) -> str:
    return f"a linear support vector machine (C = {fitted.best_params_['C']:g})"
