"""A power law with an offset, for learning curves.   In: sizes, errors, their standard errors.   Out: PowerLaw.

    error(n) = floor + gain x n^-rate        floor >= 0, gain >= 0, 0.05 <= rate <= 2

Errors at several sizes of one table are not independent, and the law is only about true; so what it says of a size
comes with an interval made by fitting it again to errors drawn around the fitted ones, and by the distance of the
points from the law. For a fixed rate the other two are a weighted straight line, so the rate is searched on a
grid: no start value, no failed fit.
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.types import Float

RATES = np.concatenate([np.linspace(0.05, 1.0, 39), np.linspace(1.05, 2.0, 20)])
DRAWS = 200


@dataclass(frozen=True, eq=False)
class PowerLaw:
    floor: float
    gain: float
    rate: float
    drawn: Float  # draws x 3: the same, for errors that could have been seen

    def error(self, n: float | Float) -> Float:
        return self.floor + self.gain * np.asarray(n, np.float64) ** -self.rate

    def interval(self, n: float, level: float) -> tuple[float, float]:
        all_of_them = self.drawn[:, 0] + self.drawn[:, 1] * float(n) ** -self.drawn[:, 2]
        low, high = np.quantile(all_of_them, [(1 - level) / 2, (1 + level) / 2])
        return float(low), float(high)

    def rows_for(self, error: float) -> float:
        """Training rows after which the error is at most this; infinity if never."""
        if error <= self.floor or self.gain == 0:
            return 0.0 if error >= self.floor + self.gain else np.inf
        return float((self.gain / (error - self.floor)) ** (1 / self.rate))


def fit_power_law(sizes: Float, errors: Float, std_errors: Float, *, seed: int = 0) -> PowerLaw:
    if len(np.unique(sizes)) < 3:
        raise ValueError(
            f"{len(np.unique(sizes))} training sizes: a power law with an offset wants at least 3."
        )
    known = std_errors[np.isfinite(std_errors) & (std_errors > 0)]
    usual = float(np.median(known)) if len(known) else max(1e-12, 0.05 * float(np.abs(errors).mean()))
    spread = np.where(np.isfinite(std_errors) & (std_errors > 0), std_errors, usual)
    weight = 1 / spread**2
    best = _fit(sizes, errors[None, :], weight)[0]
    fitted = best[0] + best[1] * sizes ** -best[2]
    off = float(np.sqrt(np.mean((errors - fitted) ** 2 / spread**2) * len(sizes) / max(1, len(sizes) - 3)))
    random = np.random.default_rng(seed)
    # What all sizes share (the test rows) moves the curve up and down; what they do not bends it.
    shared = random.standard_normal((DRAWS, 1)) * spread
    own = random.standard_normal((DRAWS, len(sizes))) * spread * max(off, 0.5)
    drawn = _fit(sizes, np.maximum(fitted + shared + own, 0), weight)
    return PowerLaw(float(best[0]), float(best[1]), float(best[2]), drawn)


def _fit(sizes: Float, errors: Float, weight: Float) -> Float:
    """For each line of errors the best of all rates; a line with a negative floor or gain is fitted without it."""
    best_loss = np.full(len(errors), np.inf)
    best = np.zeros((len(errors), 3))
    total = weight.sum()
    for rate in RATES:
        x = sizes**-rate
        mean_x, mean_y = float(weight @ x) / total, errors @ weight / total
        spread = float(weight @ (x - mean_x) ** 2)
        gain = (errors - mean_y[:, None]) @ (weight * (x - mean_x)) / spread
        gain = np.maximum(gain, 0)
        floor = mean_y - gain * mean_x
        no_floor = np.maximum(errors @ (weight * x) / float(weight @ x**2), 0)
        gain, floor = np.where(floor < 0, no_floor, gain), np.maximum(floor, 0)
        loss = ((errors - floor[:, None] - gain[:, None] * x) ** 2) @ weight
        better = loss < best_loss
        best_loss = np.where(better, loss, best_loss)
        best[better] = np.column_stack([floor, gain, np.full(len(gain), rate)])[better]
    return best
