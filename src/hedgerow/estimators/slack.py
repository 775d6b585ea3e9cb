"""Every training row of a fitted SVM: alpha and slack.   In: the rows it was fitted on.   Out: SlackTable."""

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hedgerow.estimators.svm_params import check_row_weight
from hedgerow.fitting.target import compute_class_weights
from hedgerow.svm.certificates import Certificates
from hedgerow.svm.classes import sides
from hedgerow.svm.slack import SlackTable, slack_table
from hedgerow.types import Count, Float

# Of the margin: a linear machine with the hinge keeps no alpha, and the score does not say it here.
NEAR = 1e-3


class SlackMixin:
    """Mixed into SVC, SVR, LinearSVC and LinearSVR."""

    C: float
    certificate_: Certificates

    def slacks(self, X: Any, y: Any, *, machine: int = 0, sample_weight: Any = None) -> SlackTable:
        """Alpha and slack of each training row.

        Returns
        -------
        SlackTable
            Row, target, score, slack, alpha and where the row lies, as arrays; it prints itself, and `to_dict()` gives
            plain lists. LinearSVC and LinearSVR keep no alpha: it follows from the slack, except of the rows on the
            margin with loss="hinge" (or "epsilon_insensitive"), where it is NaN.
        """
        name, row, target, upper = self._binary(y, machine, sample_weight)
        if hasattr(self, "classes_"):
            score, epsilon = self._scores(X)[row, machine], None  # type: ignore[attr-defined]
            excess = 1 - target * score
        else:
            score, epsilon = np.asarray(self.predict(X))[row], float(self.epsilon)  # type: ignore[attr-defined]
            excess = np.abs(target - score) - epsilon
        alpha = self._alphas(machine, row, excess, upper)
        return slack_table(name, row, target, score, alpha, upper, epsilon)

    def _binary(self, y: Any, machine: int, sample_weight: Any) -> tuple[str, Count, Float, Float]:
        """Of a binary SVM its name, its rows, their targets (-1 and 1, or numbers) and the bound of each alpha."""
        check_is_fitted(self)
        names = self.certificate_.names
        if not 0 <= machine < len(names):
            raise ValueError(
                f"machine={machine} is out of range: there are {len(names)} binary SVMs, 0 to {len(names) - 1}."
            )
        fitted = getattr(self, "shape_fit_", (len(y),))[0]
        if len(y) != fitted:
            raise ValueError(
                f"y has {len(y)} entries, but the model was fitted on {fitted}. Give the rows of fit."
            )
        weight = check_row_weight(sample_weight, len(y))
        upper: Float = self.C * (np.ones(len(y)) if weight is None else weight)
        if not hasattr(self, "classes_"):
            row = np.flatnonzero(upper > 0)
            return "", row, np.asarray(y, np.float64)[row], upper[row]
        strategy = getattr(self, "multi_class", "ovr")
        if strategy == "crammer_singer":
            raise ValueError(
                "multi_class='crammer_singer' has one slack for all classes. Fit multi_class='ovr'."
            )
        classes: Any = self.classes_
        codes = np.searchsorted(classes, np.asarray(y))
        by_class = compute_class_weights(self.class_weight, classes, codes, weight)  # type: ignore[attr-defined]
        upper = upper * by_class[codes]
        positive, negative = list(sides(len(classes), strategy))[machine]
        part = (codes == positive) | (codes == negative) if negative >= 0 else np.ones(len(y), np.bool_)
        row = np.flatnonzero(part & (upper > 0))
        return names[machine], row, np.where(codes == positive, 1.0, -1.0)[row], upper[row]

    def _alphas(self, machine: int, row: Count, excess: Float, upper: Float) -> Float:
        """One a row; of numbers, with the sign of the pull. `excess`: the slack before it is cut at 0."""
        if hasattr(self, "support_"):
            every = np.zeros(self.shape_fit_[0])  # type: ignore[attr-defined]
            every[self.support_] = self._coef[:, machine]  # type: ignore[attr-defined]
            alpha: Float = every[row]
            return alpha if not hasattr(self, "classes_") else np.abs(alpha)
        if "squared" in self.loss:  # type: ignore[attr-defined]
            return 2 * upper * np.maximum(excess, 0.0)
        return np.where(excess > NEAR, upper, np.where(excess < -NEAR, 0.0, np.nan))
