"""Calibrated probabilities.   In: scores of rows the model has not learned from, and their classes.   Out: a
ProbabilityCalibrator: softmax(slope * score + intercept of the class).

    probabilities   score = log((p + floor) / (1 + K floor)): a probability of 0 is no certainty
    decision        score = distance from the boundary, in units of its mean size

Three forms, of which the one with the least log loss on parts of the rows that it was not fitted to is taken:

    as it is        slope 1, intercepts 0 (probabilities only)
    temperature     one slope, intercepts 0
    Platt           a slope and intercepts; of two classes Platt's sigmoid, on log-odds

The order of rows of two classes stays as it was. What is free is the likeliest, drawn a little towards "as it is",
which counts as much as one row. The problem is convex: Newton's method. The floor is the best of FLOORS.
"""

from dataclasses import dataclass, replace

import numpy as np

from hedgerow.types import Count, Float, Mask

FLOORS = (1e-6, 1e-4, 1e-3, 1e-2)
MOST_ROWS = 10_000  # that are learned from; two numbers need no more
FEW_ROWS = 2_000  # that the floor and the form are chosen by
PARTS = 3  # of these, each left out once to judge the forms
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
    """`start`: of nearly the same rows; its floor, unit and form are kept."""
    rows = _spread(len(codes), MOST_ROWS)
    given, codes, weight = given[rows], codes[rows], weight[rows] / weight[rows].mean()
    if start is None:
        start = _choose_form(given, codes, weight, is_proba)
    return _maximize(start, given, codes, weight, _free(start))


def _spread(n_rows: int, most: int) -> Count:
    """So many of the rows, equally far apart."""
    return np.unique(np.linspace(0, n_rows - 1, min(n_rows, most)).round().astype(np.int64))


def _choose_form(given: Float, codes: Count, weight: Float, is_proba: bool) -> ProbabilityCalibrator:
    few = _spread(len(codes), FEW_ROWS)
    given, codes, weight = given[few], codes[few], weight[few]
    n_classes = given.shape[1]
    as_it_is, platt = _choose_floor(given, codes, weight, is_proba)
    parts = np.arange(len(codes)) % PARTS

    def judge(start: ProbabilityCalibrator, free: Mask) -> float:
        """The loss on each part, of the calibrator of the others."""
        loss = 0.0
        for k in range(PARTS):
            rest, part = parts != k, parts == k
            found = _maximize(start, given[rest], codes[rest], weight[rest], free)
            loss += float(weight[part] @ _losses(found.calibrate(given[part]), codes[part]))
        return loss

    slope_alone = np.arange(n_classes + 1) == 0
    temperature = _maximize(as_it_is, given, codes, weight, slope_alone)
    losses = [judge(temperature, slope_alone), judge(platt, np.ones(n_classes + 1, bool))]
    if is_proba and float(weight @ _losses(as_it_is.calibrate(given), codes)) <= min(losses):
        return as_it_is
    return temperature if losses[0] <= losses[1] else platt


def _choose_floor(
    given: Float, codes: Count, weight: Float, is_proba: bool
) -> tuple[ProbabilityCalibrator, ProbabilityCalibrator]:
    """As it is, and Platt's form; with the best floor, or the unit of decision values."""
    none, every = (0.0,) * given.shape[1], np.ones(given.shape[1] + 1, bool)
    if is_proba:
        starts = [ProbabilityCalibrator(1.0, none, floor) for floor in FLOORS]
    else:
        near = np.abs(given[np.abs(given) < 1e300])  # a class that the training rows lacked has none
        starts = [ProbabilityCalibrator(1.0, none, 0.0, float(near.mean()) if near.any() else 1.0)]
    tried = [_maximize(start, given, codes, weight, every) for start in starts]
    best = int(np.argmin([float(weight @ _losses(one.calibrate(given), codes)) for one in tried]))
    return starts[best], tried[best]


def _free(known: ProbabilityCalibrator) -> Mask:
    """What its form leaves free: the slope, and each intercept."""
    if any(known.intercept):
        return np.ones(len(known.intercept) + 1, bool)
    return np.asarray((np.arange(len(known.intercept) + 1) == 0) & (known.slope != 1.0))


def _losses(proba: Float, codes: Count) -> Float:
    return -np.log(np.maximum(proba[np.arange(len(codes)), codes], 1e-300))


def _maximize(
    start: ProbabilityCalibrator, given: Float, codes: Count, weight: Float, free: Mask
) -> ProbabilityCalibrator:
    """Newton's method from `start`, in what is free; a step that does not help is halved."""
    if not free.any():
        return start
    scores, usual = start._scores(given), np.append(1.0, np.zeros(given.shape[1]))
    theta = np.append(start.slope, start.intercept)

    def objective(at: Float) -> float:
        proba = _softmax(at[0] * scores + at[1:])
        return float(weight @ _losses(proba, codes) + 0.5 * np.sum((at - usual) ** 2))

    value = objective(theta)
    for _ in range(MOST_STEPS):
        gradient, hessian = _derivatives(theta, scores, codes, weight)
        step = np.zeros_like(theta)
        curved = hessian[np.ix_(free, free)] + np.eye(int(free.sum()))
        step[free] = np.linalg.solve(curved, -(gradient + theta - usual)[free])
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
