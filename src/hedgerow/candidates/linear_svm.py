"""linear_svm: the widest street between the classes; for numbers, the flattest plane."""

from typing import Any

from sklearn.pipeline import make_pipeline

from hedgerow.candidates.entrant import BOTH, Need, alike
from hedgerow.estimators import LinearSVC, LinearSVR, ToNumbers
from hedgerow.studies.searched import Searched

NAME = "linear SVM"
TASKS = BOTH
HOW = alike(
    "Categories as columns of 0 and 1, numbers in standard deviations, missing cells as the mean with a column that "
    "says so; C of 0.01, 1 or 100 by three-fold cross-validation inside the training rows."
)
OPTIONS: dict[str, Any] = {"rows": 50_000}
GRID = (0.01, 1.0, 100.0)
TOLERANCE = 1e-3  # of what the machine costs; a tenth of it takes half as long again and predicts the same


def estimator(need: Need) -> Any:
    kind = LinearSVC if need.task == "classification" else LinearSVR
    machine = kind(tol=TOLERANCE, random_state=need.seed)
    return Searched(make_pipeline(ToNumbers(), machine), values=GRID, seed=need.seed)


def words(fitted: Any) -> str:
    return f"a linear support vector machine (C = {fitted.best_params_['C']:g})"
