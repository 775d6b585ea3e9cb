"""Calibrated probabilities.   In: scores of rows the model has not learned from, and their classes.   Out: a
ProbabilityCalibrator: softmax(slope * score + intercept of the class).

    probabilities   score = log((p + floor) / (1 + K floor)): a probability of 0 is no certainty
    decision        score = distance from the boundary, in units of its mean size

Two classes: the sigmoid of Platt, on log-odds; the order of rows stays as it was. The slope and the intercepts are the
likeliest, drawn a little towards "as it is" (slope 1, intercept 0), which counts as much as one row. The problem is
convex: Newton's method. The floor is the best of FLOORS.
"""

from dataclasses import dataclass, replace

import numpy as np

from hedgerow.types import Count, Float

FLOORS = (1e-6, 1e-4, 1e-3, 1e-2)
MOST_ROWS = 10_000  # that are learned from; two numbers need no more
FEW_ROWS = 2_000  # that the floor is chosen by
MOST_SIZE = 30.0  # of a decision value, in units: a class that the training rows lacked stands far out
LEAST_SLOPE = 1e-3  # above 0, so that the order of rows is kept
MOST_STEPS = 50


@dataclass(frozen=True)
class ProbabilityCalibrator:
    slope: float
    intercept: tuple[float, ...]  # of each class
    floor: float  # added to probabilities; 0: the model gives decision values
    unit: float = 1.0  # of decision values

    def calibrate(self, given: Float) -> Float:
        """Rows x classes: probabilities, or decision values where the floor is 0 -> probabilities."""
        return _softmax(self.slope * self._scores(given) + np.asarray(self.intercept))

    def reorder(self, order: Count) -> "ProbabilityCalibrator":
        """For classes in another order, or fewer of them."""
        return replace(self, intercept=tuple(self.intercept[int(k)] for k in order))

    def _scores(self, given: Float) -> Float:
        if self.floor == 0:
            far = MOST_SIZE * self.unit
            return np.asarray(np.clip(given, -far, far) / self.unit)
        return np.asarray(np.log((given + self.floor) / (1 + given.shape[1] * self.floor)))


def fit_calibrator(
    given: Float,
    codes: Count,
    weight: Float,
    *,
    is_proba: bool,
    start: ProbabilityCalibrator | None = None,
) -> ProbabilityCalibrator:
    """`start`: of nearly the same rows; its floor and unit are kept."""
    rows = _spread(len(codes), MOST_ROWS)
    given, codes, weight = given[rows], codes[rows], weight[rows] / weight[rows].mean()
    if start is None:
        start = _choose_form(given, codes, weight, is_proba)
    return _maximize(start, given, codes, weight)


def _spread(n_rows: int, most: int) -> Count:
    """So many of the rows, equally far apart."""
    return np.unique(np.linspace(0, n_rows - 1, min(n_rows, most)).round().astype(np.int64))


def _choose_form(given: Float, codes: Count, weight: Float, is_proba: bool) -> ProbabilityCalibrator:
    none = (0.0,) * given.shape[1]
    if not is_proba:
        near = np.abs(given[np.abs(given) < 1e300])  # a class that the training rows lacked has none
        return ProbabilityCalibrator(1.0, none, 0.0, float(near.mean()) if near.any() else 1.0)
    few = _spread(len(codes), FEW_ROWS)
    tried = [
        _maximize(ProbabilityCalibrator(1.0, none, floor), given[few], codes[few], weight[few])
        for floor in FLOORS
    ]
    losses = [float(weight[few] @ _losses(one.calibrate(given[few]), codes[few])) for one in tried]
    return tried[int(np.argmin(losses))]


def _losses(proba: Float, codes: Count) -> Float:
    return -np.log(np.maximum(proba[np.arange(len(codes)), codes], 1e-300))


def _maximize(
    start: ProbabilityCalibrator, given: Float, codes: Count, weight: Float
) -> ProbabilityCalibrator:
    """Newton's method from `start`; a step that does not help is halved."""
    scores, usual = start._scores(given), np.append(1.0, np.zeros(given.shape[1]))
    theta = np.append(start.slope, start.intercept)

    def objective(at: Float) -> float:
        proba = _softmax(at[0] * scores + at[1:])
        return float(weight @ _losses(proba, codes) + 0.5 * np.sum((at - usual) ** 2))

    value = objective(theta)
    for _ in range(MOST_STEPS):
        gradient, hessian = _derivatives(theta, scores, codes, weight)
        step = np.linalg.solve(hessian + np.eye(len(theta)), -(gradient + theta - usual))
        size = 1.0
        while size > 1e-6:
            after = theta + size * step
            after[0] = max(after[0], LEAST_SLOPE)
            reached = objective(after)
            if reached < value:
                break
            size /= 2
        else:
            break
        gain, theta, value = value - reached, after, reached
        if gain < 1e-9 * (1 + abs(value)):
            break
    return replace(start, slope=float(theta[0]), intercept=tuple(theta[1:].tolist()))


def _derivatives(theta: Float, scores: Float, codes: Count, weight: Float) -> tuple[Float, Float]:
    """Of the loss, by the slope and each intercept."""
    proba = _softmax(theta[0] * scores + theta[1:])
    weighted, mean = proba * weight[:, None], (proba * scores).sum(axis=1)
    wrong = weighted.copy()
    wrong[np.arange(len(codes)), codes] -= weight
    gradient = np.append((wrong * scores).sum(), wrong.sum(axis=0))
    hessian = np.empty((len(theta), len(theta)))
    hessian[1:, 1:] = np.diag(weighted.sum(axis=0)) - weighted.T @ proba
    hessian[0, 1:] = hessian[1:, 0] = (weighted * (scores - mean[:, None])).sum(axis=0)
    hessian[0, 0] = (weighted * scores**2).sum() - weight @ mean**2
    return gradient, hessian


def _softmax(scores: Float) -> Float:
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))
