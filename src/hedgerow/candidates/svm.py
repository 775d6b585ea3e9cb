"""svm: a support vector machine with a kernel; the radial one by default."""

from collections.abc import Mapping
from typing import Any

from hedgerow.candidate import BOTH, MANY_CLASSES, Option, TaskSpec, parse_number_or_word, same_for_both
from hedgerow.candidate_kinds import check_cost, describe_svm, draw_svm, make_svm, svm_facts
from hedgerow.core.kernels import DEGREE_KERNELS, GAMMA_KERNELS, KERNELS
from hedgerow.errors import ParameterError, check_choice

TITLE = "SVM"
ORDER = 90
TASKS = BOTH
IN_PANEL = True
DESCRIPTION = same_for_both(
    "Prepared as for the linear SVM; radial kernel with gamma one over the number of columns (of words: and over their "
    "variance); C of 0.1, 1 or 10, from the smallest on until the loss rises, by three-fold cross-validation of the "
    "log loss (of numbers: the squared error) inside the training rows; "
    "classes weigh the same, and probabilities are calibrated out of fold."
)
MAX_ROWS = 5_000
MAX_CLASSES = MANY_CLASSES  # each pair of classes has a machine of its own
OPTIONS: tuple[Option, ...] = (
    Option("kernel", str, f"One of {', '.join(KERNELS)}.  [default: rbf]", "NAME"),
    Option("C", float, "Cost of a unit of slack; inf allows none.  [default: by cross-validation]", "C"),
    Option("gamma", parse_number_or_word, "Of the kernel: a number, scale or auto.  [default: scale]", "G"),
    Option("degree", int, "Of the kernel poly.  [default: 3]"),
)
READS_WORDS = dict.fromkeys(BOTH, "tfidf")
VALUES = (0.1, 1.0, 10.0)  # of C


def make_estimator(spec: TaskSpec, options: Mapping[str, Any]) -> Any:
    from hedgerow.estimators import SVC, SVR

    check_cost(spec, options)
    _check_kernel(options)
    model = SVC(class_weight="balanced", **options) if spec.is_classification else SVR(**options)
    model.set_params(n_jobs=spec.n_jobs)
    return make_svm(model, VALUES, spec, options)


def _check_kernel(options: Mapping[str, Any]) -> None:
    """A parameter that the kernel does not read is a mistake."""
    kernel = check_choice("kernel", options.get("kernel", "rbf"), KERNELS)
    if "gamma" in options and kernel not in GAMMA_KERNELS:
        raise ParameterError("{gamma} has no effect with {kernel}. Leave it out.", kernel=kernel)
    if "degree" in options and kernel not in DEGREE_KERNELS:
        known = ", ".join(DEGREE_KERNELS)
        raise ParameterError(f"{{degree}} goes with the kernel {known}, not with {{kernel}}.", kernel=kernel)
    if options.get("degree", 1) < 1:
        raise ParameterError("{degree} is out of range. Give at least 1.", degree=options["degree"])


def describe(fitted: Any) -> str:
    return describe_svm("a support vector machine", fitted)


def importances(fitted: Any) -> list[tuple[str, float]]:
    return []


facts, draw = svm_facts, draw_svm
