"""Coefficients of members, learned.   In: what each member says of rows it has not been trained on.   Out: weights,
none negative, of sum one, that minimise the loss of the weighted mean; and a proof of how good they are.

    log loss        -sum_i w_i log(sum_m a_m p_mi)          p_mi: probability member m gives the row's class
    squared error    sum_i w_i (y_i - sum_m a_m f_mi)^2     also of votes, written as 0 and 1
    absolute error   sum_i w_i |y_i - sum_m a_m f_mi|       near zero a parabola: sqrt(r^2 + s^2) - s instead of |r|,
                                                            which is at most s below it; s is SMOOTH of the mean |r|

All are convex. Newton's method: each step minimises the quadratic model over the simplex (active set), then goes as
far towards it as the loss falls. The certificate is the duality gap  g . a - min_m g_m  (g: gradient): the loss is
above the best one possible by no more than that.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hedgerow.types import Float, Mask

MOST_STEPS = 200
SMOOTH = 0.01  # of the mean absolute error of equal weights
TINY = 1e-15  # smaller probabilities count as this: ruling the truth out would otherwise cost infinitely much


@dataclass(frozen=True, eq=False)
class Coefficients:
    weight: Float
    loss: float
    gap: float  # the loss is at most this much above the smallest possible
    equal_loss: float  # with all weights equal
    n_rows: int
    loss_name: str

    def __str__(self) -> str:
        return (
            f"{self.loss_name} {self.loss:.6g} (equal weights: {self.equal_loss:.6g}) on {self.n_rows:,} rows; no "
            f"other weights are better by more than {self.gap:.2g}"
        )

    __repr__ = __str__


def by_log_loss(proba: Float, weight: Float | None = None) -> Coefficients:
    """proba : rows x members, the probability each member gives the row's true class."""
    p = np.maximum(proba, TINY)
    w = _shares(weight, len(p))

    def loss(a: Float) -> float:
        return float(-(w * np.log(p @ a)).sum())

    def slopes(a: Float) -> tuple[Float, Float]:
        ratio = p / (p @ a)[:, None]
        return -(w @ ratio), (ratio * w[:, None]).T @ ratio

    return _minimised(loss, slopes, p, "log loss")


def by_squared_error(predicted: Float, truth: Float, weight: Float | None = None) -> Coefficients:
    """predicted : rows x members.   truth : rows. Votes on several classes are as many rows."""
    w = _shares(weight, len(predicted))
    scale = float(np.abs(truth).max()) or 1.0  # numbers near 1, whatever the unit
    f, y = predicted / scale, truth / scale
    inner = (f * w[:, None]).T @ f

    def loss(a: Float) -> float:
        return float((w * (f @ a - y) ** 2).sum())

    def slopes(a: Float) -> tuple[Float, Float]:
        return 2 * ((w * (f @ a - y)) @ f), 2 * inner

    found = _minimised(loss, slopes, f, "squared error")
    square = scale * scale
    return Coefficients(
        found.weight,
        found.loss * square,
        found.gap * square,
        found.equal_loss * square,
        len(f),
        found.loss_name,
    )


def by_absolute_error(predicted: Float, truth: Float, weight: Float | None = None) -> Coefficients:
    """predicted : rows x members.   truth : rows."""
    w = _shares(weight, len(predicted))
    equal = float(w @ np.abs(predicted.mean(axis=1) - truth))
    scale = equal or 1.0  # errors near 1, whatever the unit
    errors = (predicted - truth[:, None]) / scale  # weights sum to one: of the mean, the mean of these

    def loss(a: Float) -> float:
        return float(w @ (np.hypot(errors @ a, SMOOTH) - SMOOTH))

    def slopes(a: Float) -> tuple[Float, Float]:
        r = errors @ a
        size = np.hypot(r, SMOOTH)
        return (w * r / size) @ errors, (errors * (w * SMOOTH**2 / size**3)[:, None]).T @ errors

    found = _minimised(loss, slopes, errors, "absolute error")
    reached = float(w @ np.abs(errors @ found.weight))
    gap = reached - found.loss + found.gap
    return Coefficients(found.weight, reached * scale, gap * scale, equal, len(truth), found.loss_name)


def _shares(weight: Float | None, n: int) -> Float:
    return np.full(n, 1 / n) if weight is None else np.asarray(weight / weight.sum())


def _minimised(
    loss: Callable[[Float], float],
    slopes: Callable[[Float], tuple[Float, Float]],
    predicted: Float,
    name: str,
) -> Coefficients:
    a = np.full(predicted.shape[1], 1 / predicted.shape[1])
    equal = now = loss(a)
    gradient, curve = slopes(a)
    for _ in range(MOST_STEPS):
        if _gap(a, gradient) <= 1e-14 * max(1.0, abs(now)):
            break
        step = simplex_minimum(curve, gradient - curve @ a) - a
        length, slope = 1.0, float(gradient @ step)
        rounding = 1e-15 * max(1.0, abs(now))
        while (after := loss(a + length * step)) > now + 1e-4 * length * slope + rounding and length > 1e-12:
            length /= 2
        there = _on_simplex(a + length * step)
        next_gradient, next_curve = slopes(there)
        # The loss is flat to the last bit long before its slope is: go on as long as the gap falls.
        if after >= now - rounding and _gap(there, next_gradient) >= _gap(a, gradient):
            break
        a, now, gradient, curve = there, after, next_gradient, next_curve
    return Coefficients(a, loss(a), _gap(a, gradient), equal, len(predicted), name)


def _gap(a: Float, gradient: Float) -> float:
    return max(0.0, float(gradient @ a - gradient.min()))


def _on_simplex(a: Float) -> Float:
    a = np.maximum(a, 0.0)
    return np.asarray(a / a.sum())


def simplex_minimum(curve: Float, linear: Float) -> Float:
    """The a of the simplex that minimises 1/2 a . curve a + linear . a; curve is positive semidefinite.

    Members come in one at a time, the steepest first; those whose weight would fall below zero go out again.
    """
    m = len(linear)
    ridge = 1e-14 * max(float(np.trace(curve)) / m, 1e-300)
    curve = curve + ridge * np.eye(m)  # two members that always agree: any split of their weight will do
    a = np.zeros(m)
    first = int(np.argmin(np.diag(curve) / 2 + linear))
    a[first] = 1.0
    used = a > 0
    for _ in range(20 * m + 20):
        a, used = _inside(curve, linear, a, used)
        gradient = curve @ a + linear
        level = float(gradient @ a)
        rest = np.where(used, np.inf, gradient)
        if rest.min() >= level - 1e-14 * (1 + abs(level)):
            break
        used = used.copy()
        used[int(np.argmin(rest))] = True
    return a


def _inside(curve: Float, linear: Float, a: Float, used: Mask) -> tuple[Float, Mask]:
    """The minimum over the members used, each at least zero: those that hit zero on the way go out."""
    while True:
        at = np.flatnonzero(used)
        k = len(at)
        system = np.ones((k + 1, k + 1))  # curve a + level = -linear, sum of a = 1
        system[:k, :k] = curve[np.ix_(at, at)]
        system[k, k] = 0.0
        best = np.linalg.lstsq(system, np.append(-linear[at], 1.0), rcond=None)[0][:k]
        if best.min() >= 0:
            out = np.zeros(len(a))
            out[at] = best
            return _on_simplex(out), used
        falls = np.flatnonzero(best < 0)
        ratio = a[at[falls]] / (a[at[falls]] - best[falls])
        length = float(ratio.min())
        moved = a.copy()
        moved[at] += length * (best - a[at])
        gone = at[falls[ratio <= length]]
        moved[gone] = 0.0
        used = used.copy()
        used[gone] = False
        a = _on_simplex(moved)
