"""Calibrated probabilities.   In: scores of rows the model has not learned from, and their classes.   Out: a
ProbabilityCalibrator: softmax(slope of the class * score + intercept of the class).

    probabilities   score = log((p + floor) / (1 + K floor)): a probability of 0 is no certainty
    decision        score = distance from the boundary, in units of its mean size

Five forms, of which the one with the least log loss on parts of the rows that it was not fitted to is taken:

    as it is        slopes 1, intercepts 0 (probabilities only)
    temperature     one slope, intercepts 0
    platt           one slope and intercepts; of two classes Platt's sigmoid, on log-odds
    beta            a slope and an intercept of each of two classes (probabilities only): Kull, Silva Filho, Flach 2017
    isotonic        of two classes, any rising line (isotonic.py)

The order of rows of two classes stays as it was. What is free is the likeliest, drawn a little towards "as it is",
which counts as much as one row. The first four are convex problems: Newton's method. The floor is the best of FLOORS.

Of more than MANY classes, most of which have few rows, one slope is all that is learned.

Of n rows that are all right, one more may still be wrong: the truth of a row counts 1 - 1 / (n + 2), the other
classes share the rest (Laplace's rule, as in Platt's targets); and "as it is" is not taken where it is surer than that.
"""

from dataclasses import dataclass, replace

import numpy as np

from hedgerow.decision.isotonic import Knots, bend, fit_knots
from hedgerow.types import Count, Float

FLOORS = (1e-6, 1e-4, 1e-3, 1e-2)
MOST_ROWS = 10_000  # that are learned from; two numbers need no more
FEW_ROWS = 2_000  # that the floor and the form are chosen by
PARTS = 3  # of these, each left out once to judge the forms
MOST_SIZE = 30.0  # of a decision value, in units: a class that the training rows lacked stands far out
LEAST_SLOPE = 1e-3  # above 0, so that the order of rows is kept
MOST_STEPS = 50
MANY = 100  # classes
ROWS_FOR_ISOTONIC = 500  # of fewer, its steps follow single rows


@dataclass(frozen=True)
class ProbabilityCalibrator:
    slope: tuple[float, ...]  # of each class
    intercept: tuple[float, ...]
    floor: float  # added to probabilities; 0: the model gives decision values
    unit: float = 1.0  # of decision values
    knots: Knots = ()  # isotonic: log-odds of the second of two classes as they are, and calibrated

    @property
    def form(self) -> str:
        if self.knots:
            return "isotonic"
        if len(set(self.slope)) > 1:
            return "beta"
        if any(self.intercept):
            return "platt"
        return "as it is" if self.slope[0] == 1.0 else "temperature"

    def calibrate(self, given: Float) -> Float:
        """Rows x classes: probabilities, or decision values where the floor is 0 -> probabilities."""
        scores = self._scores(given)
        if self.knots:
            log_odds = bend(self.knots, scores[:, 1] - scores[:, 0])
            return _softmax(np.column_stack([np.zeros(len(scores)), log_odds]))
        return _softmax(np.asarray(self.slope) * scores + np.asarray(self.intercept))

    def reorder(self, order: Count) -> "ProbabilityCalibrator":
        """For classes in another order, or fewer of them."""
        places = [int(k) for k in order]
        slope, intercept = (tuple(one[k] for k in places) for one in (self.slope, self.intercept))
        knots = self.knots if len(places) > 1 else ()
        if knots and places[0] == 1:
            knots = tuple((-x, -y) for x, y in reversed(knots))
        return replace(self, slope=slope, intercept=intercept, knots=knots)

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
    form: str | None = None,
) -> ProbabilityCalibrator:
    """`start`: of nearly the same rows; its floor, unit and form are kept. `form`: not to be chosen."""
    rows = _spread(len(codes), MOST_ROWS)
    given, codes, weight = given[rows], codes[rows], weight[rows] / weight[rows].mean()
    if start is None and form is None:
        start = _choose_form(given, codes, weight, is_proba)
    elif start is None:
        start = _choose_floor(given, codes, weight, is_proba)
    return _fit_form(form or start.form, start, given, codes, weight)


def _spread(n_rows: int, most: int) -> Count:
    """So many of the rows, equally far apart."""
    return np.unique(np.linspace(0, n_rows - 1, min(n_rows, most)).round().astype(np.int64))


def _choose_form(given: Float, codes: Count, weight: Float, is_proba: bool) -> ProbabilityCalibrator:
    few = _spread(len(codes), FEW_ROWS)
    given, codes, weight = given[few], codes[few], weight[few]
    start, parts = _choose_floor(given, codes, weight, is_proba), np.arange(len(codes)) % PARTS

    def judge(form: str) -> float:
        """The loss on each part, of the calibrator of the others."""
        loss = 0.0
        for k in range(PARTS):
            rest, part = parts != k, parts == k
            found = _fit_form(form, start, given[rest], codes[rest], weight[rest])
            loss += float(weight[part] @ _losses(found.calibrate(given[part]), codes[part]))
        return loss

    is_modest = is_proba and 1 - float(start.calibrate(given).max()) >= _doubt(weight)
    forms = ["as it is"] * is_modest + ["temperature"] + ["platt"] * (given.shape[1] <= MANY)
    if given.shape[1] == 2:
        forms += ["beta"] * is_proba + ["isotonic"] * (len(codes) >= ROWS_FOR_ISOTONIC)
    return _fit_form(min(forms, key=judge), start, given, codes, weight)


def _choose_floor(given: Float, codes: Count, weight: Float, is_proba: bool) -> ProbabilityCalibrator:
    """As it is, with the floor that is best for Platt's form, or the unit of decision values."""
    ones, none = (1.0,) * given.shape[1], (0.0,) * given.shape[1]
    if not is_proba:
        near = np.abs(given[np.abs(given) < 1e300])  # a class that the training rows lacked has none
        return ProbabilityCalibrator(ones, none, 0.0, float(near.mean()) if near.any() else 1.0)

    def loss(start: ProbabilityCalibrator) -> float:
        return float(
            weight @ _losses(_fit_form("platt", start, given, codes, weight).calibrate(given), codes)
        )

    return min((ProbabilityCalibrator(ones, none, floor) for floor in FLOORS), key=loss)


def _doubt(weight: Float) -> float:
    """The probability that one row more is wrong, where all of these are right."""
    return 1 / (float(weight.sum()) + 2)


def _fit_form(
    form: str, start: ProbabilityCalibrator, given: Float, codes: Count, weight: Float
) -> ProbabilityCalibrator:
    """With the floor and the unit of `start`."""
    n_classes = len(start.slope)
    form = "temperature" if form == "platt" and n_classes > MANY else form
    plain = replace(start, slope=(1.0,) * n_classes, intercept=(0.0,) * n_classes, knots=())
    if form == "as it is":
        return plain
    if form == "isotonic":
        usual = plain if start.floor > 0 else _fit_form("platt", plain, given, codes, weight)
        scores = plain._scores(given)
        log_odds, guess = scores[:, 1] - scores[:, 0], usual.calibrate(given)[:, 1]
        return replace(plain, knots=fit_knots(log_odds, codes == 1, weight, guess))
    return _maximize(start if start.form == form else plain, given, codes, weight, _free(form, n_classes))


def _free(form: str, n_classes: int) -> Float:
    """Slopes and intercepts, a row each, by what the form leaves free, a column each."""
    each, none, one = np.eye(n_classes), np.zeros((n_classes, n_classes)), np.ones((n_classes, 1))
    return {
        "temperature": np.vstack([one, 0 * one]),
        "platt": np.block([[one, none], [0 * one, each]]),
        "beta": np.block([[each, none], [none, each]]),
    }[form]


def _losses(proba: Float, codes: Count) -> Float:
    return -np.log(np.maximum(proba[np.arange(len(codes)), codes], 1e-300))


def _maximize(
    start: ProbabilityCalibrator, given: Float, codes: Count, weight: Float, free: Float
) -> ProbabilityCalibrator:
    """Newton's method from `start`, in what is free; a step that does not help is halved."""
    scores, doubt = np.ascontiguousarray(start._scores(given).T), _doubt(weight)
    truth = np.full(scores.shape, doubt / max(1, len(scores) - 1))
    truth[codes, np.arange(len(codes))] = 1 - doubt
    truth *= weight
    is_slope = free[: len(scores)].any(axis=0)
    usual = is_slope.astype(float)
    theta = free.T @ np.append(start.slope, start.intercept) / free.sum(axis=0)

    def judge(at: Float) -> tuple[float, Float]:
        """The objective, and the probabilities: classes x rows."""
        slope, intercept = np.split((free @ at)[:, None], 2)
        proba = slope * scores + intercept
        proba = np.exp(proba - proba.max(axis=0))
        proba /= proba.sum(axis=0)
        loss = -np.sum(truth * np.log(np.maximum(proba, 1e-300)))
        return float(loss + 0.5 * np.sum((at - usual) ** 2)), proba

    value, proba = judge(theta)
    for _ in range(MOST_STEPS):
        if len(theta) == 1:
            gradient, hessian = _derivatives_of_one_slope(proba, scores, truth, weight)
        else:
            gradient, hessian = _derivatives(proba, scores, truth, weight)
            gradient, hessian = free.T @ gradient, free.T @ hessian @ free
        step = np.linalg.solve(hessian + np.eye(len(theta)), -(gradient + theta - usual))
        size = 1.0
        while size > 1e-6:
            after = theta + size * step
            after[is_slope] = np.maximum(after[is_slope], LEAST_SLOPE)
            reached, proba = judge(after)
            if reached < value:
                break
            size /= 2
        else:
            break
        gain, theta, value = value - reached, after, reached
        if gain < 1e-9 * (1 + abs(value)):
            break
    slope, intercept = np.split(free @ theta, 2)
    return replace(start, slope=tuple(slope.tolist()), intercept=tuple(intercept.tolist()))


def _derivatives(proba: Float, scores: Float, truth: Float, weight: Float) -> tuple[Float, Float]:
    """Of the loss, by the slope and then the intercept of each class. All are classes x rows."""
    weighted = proba * weight
    wrong = weighted - truth
    gradient = np.append((wrong * scores).sum(axis=1), wrong.sum(axis=1))
    each = np.vstack([proba * scores, proba])
    hessian = -(each * weight) @ each.T
    by_slope = weighted * scores
    mixed = np.diag(by_slope.sum(axis=1))
    own = np.block(
        [[np.diag((by_slope * scores).sum(axis=1)), mixed], [mixed, np.diag(weighted.sum(axis=1))]]
    )
    return gradient, hessian + own


def _derivatives_of_one_slope(
    proba: Float, scores: Float, truth: Float, weight: Float
) -> tuple[Float, Float]:
    """The same where all classes share one slope and have no intercepts."""
    expected = np.einsum("kn,kn->n", proba, scores)
    squares = np.einsum("kn,kn,kn->n", proba, scores, scores)
    gradient = weight @ expected - np.einsum("kn,kn->", truth, scores)
    return np.array([gradient]), np.array([[weight @ (squares - expected**2)]])


def _softmax(scores: Float) -> Float:
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))
