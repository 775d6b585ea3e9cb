"""linear_svm: a linear support vector machine, for many rows."""

from collections.abc import Mapping
from typing import Any

from hedgerow.candidate import BOTH, Option, TaskSpec, same_for_both
from hedgerow.candidate_kinds import check_cost, describe_svm, draw_svm, machine_of, make_svm, svm_facts

TITLE = "linear SVM"
ORDER = 80
TASKS = BOTH
IN_PANEL = True
DESCRIPTION = same_for_both(
    "Categories as columns of 0 and 1, numbers in standard deviations, missing cells as the mean with a column that "
    "says so; every word and pair of words of a text by tf-idf; C of 0.01, 1 or 100 (of words: 0.1, 1 or 10), "
    "from the smallest on until the loss rises, by three-fold cross-validation of the log loss (of numbers: the "
    "squared error) inside the training rows; classes weigh the same, and probabilities are calibrated out of fold."
)
MAX_ROWS = 50_000
OPTIONS: tuple[Option, ...] = (
    Option("C", float, "Cost of a unit of slack; inf allows none.  [default: by cross-validation]", "C"),
)
READS_WORDS = dict.fromkeys(BOTH, "tfidf")
VALUES = (0.01, 1.0, 100.0)  # of C
VALUES_OF_WORDS = (0.1, 1.0, 10.0)  # rows of words have the length 1
TOLERANCE = 1e-3  # of the objective; a tenth of it takes half as long again and predicts the same


def make_estimator(spec: TaskSpec, options: Mapping[str, Any]) -> Any:
    from hedgerow.estimators import LinearSVC, LinearSVR

    check_cost(spec, options)
    kind = LinearSVC if spec.is_classification else LinearSVR
    balanced = {"class_weight": "balanced"} if spec.is_classification else {}
    model = kind(
        **{"tol": TOLERANCE, **balanced, **options}, random_state=spec.random_state, n_jobs=spec.n_jobs
    )
    return make_svm(model, VALUES_OF_WORDS if spec.is_sparse else VALUES, spec, options)


def describe(fitted: Any) -> str:
    return describe_svm("a linear support vector machine", fitted)


def importances(fitted: Any) -> list[tuple[str, float]]:
    """The norm of a column's coefficients over the models; columns are in standard deviations."""
    import numpy as np

    from hedgerow.estimators.delegating import unwrap

    model = unwrap(fitted)
    norm = np.sqrt((np.atleast_2d(machine_of(model).coef_) ** 2).sum(axis=0))
    names = model[0].preparation_.names if hasattr(model, "steps") else model.schema_.names
    largest = norm.max(initial=0.0)
    return [(names[j], float(norm[j] / largest)) for j in np.argsort(-norm, kind="stable") if norm[j] > 0]


facts, draw = svm_facts, draw_svm
