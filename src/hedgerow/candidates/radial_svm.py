"""radial_svm: a support vector machine with the radial kernel."""

from typing import Any

from sklearn.pipeline import make_pipeline

from hedgerow.candidates.entrant import BOTH, Need, alike
from hedgerow.estimators import SVC, SVR, ToNumbers
from hedgerow.studies.searched import Searched

NAME = "radial SVM"
TASKS = BOTH
HOW = alike(
    "Prepared as for the linear machine; radial kernel with gamma one over the number of columns; C of 0.1, 1 or 10 by "
    "three-fold cross-validation inside the training rows."
)
OPTIONS: dict[str, Any] = {"rows": 5_000}
GRID = (0.1, 1.0, 10.0)


def estimator(need: Need) -> Any:
    machine = SVC() if need.task == "classification" else SVR()
    return Searched(make_pipeline(ToNumbers(), machine), values=GRID, seed=need.seed)


def words(fitted: Any) -> str:
    return f"a radial support vector machine (C = {fitted.best_params_['C']:g})"
