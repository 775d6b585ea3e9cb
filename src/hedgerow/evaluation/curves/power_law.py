"""A power law with an offset, for learning curves.   In: sizes, errors, their covariance.   Out: PowerLaw.

    error(n) = level + drop x shape(n)        shape is n^-rate, shifted and scaled: 1 at the first size, 0 at the last
    errors   ~ normal, with the covariance of the points: the sizes are tested on the same rows
    drop     = 0 (the curve is flat) or above it, rate from 0.1 to 1.5 with the prior median 0.5

The errors of one table rarely determine the rate, and often not even whether there is a slope. So the law is averaged
over a posterior: all laws of a grid (and the flat line among them) are weighted by their marginal likelihood, and the
prediction for a size is the median of theirs, with the interval of their quantiles. The variance that training sets add
to single points, over that of the test rows, is averaged over in the same way.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from hedgerow.types import Float

RATES = np.geomspace(0.1, 1.5, 41)
RATE_WIDTH = 0.7  # of the logarithm of the rate, around 0.5
FLAT = 0.1  # prior probability of a flat curve
NOISE = (0.3, 0.6, 1.2, 2.5, 5.0)  # standard deviation by training sets, in standard errors of a point
# Of its variance at the last size, the share common to all sizes: they are drawn from one table.
ALL_SIZES = 0.4
DRAWS = 1000
FARTHEST = 1e15  # rows


@dataclass(frozen=True, eq=False)
class PowerLaw:
    floor: float  # these three: of the most likely law
    gain: float
    rate: float
    drawn: Float  # draws x 3: floor, gain and rate, drawn from the posterior

    def error(self, n: float) -> float:
        return float(np.median(self._errors(n)))

    def interval(self, n: float, confidence_level: float) -> tuple[float, float]:
        low, high = np.quantile(self._errors(n), [(1 - confidence_level) / 2, (1 + confidence_level) / 2])
        return float(low), float(high)

    def rows_for(self, error: float) -> float:
        """Training rows after which the error is at most this; infinity if never."""
        if self.error(FARTHEST) > error:
            return np.inf
        low, high = 0.0, np.log(FARTHEST)
        while high - low > 1e-6:
            middle = (low + high) / 2
            low, high = (low, middle) if self.error(np.exp(middle)) <= error else (middle, high)
        return float(np.exp(high))

    def _errors(self, n: float) -> Float:
        floor, gain, rate = self.drawn.T
        return np.asarray(np.maximum(0.0, floor + gain * float(n) ** -rate))


def fit_power_law(sizes: Float, errors: Float, covariance: Float) -> PowerLaw:
    if len(np.unique(sizes)) < 3:
        raise ValueError(
            f"{len(np.unique(sizes))} training sizes: a power law with an offset wants at least 3."
        )
    covariance = _regularize(covariance, errors)
    unit = float(np.median(np.diag(covariance)))
    shared = ALL_SIZES + np.diag(sizes[-1] / sizes)
    laws = [
        _law(sizes, errors, covariance + noise**2 * unit * shared, rate)
        for noise in NOISE
        for rate in (None, *RATES)
    ]
    weight = np.array([law.weight for law in laws])
    share = np.exp(weight - weight.max())
    share /= share.sum()
    random = np.random.default_rng(0)
    counts = random.multinomial(DRAWS, share)
    drawn = np.concatenate([law.draw(n, random) for law, n in zip(laws, counts, strict=True)])
    best = laws[int(np.argmax(share))]
    floor, gain, rate = best.middle.tolist()
    return PowerLaw(floor, gain, rate, drawn)


def _regularize(covariance: Float, errors: Float) -> Float:
    """A covariance in which no point has much less variance than the others: an error of nil is a matter of luck."""
    spread = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    known = spread[np.isfinite(spread) & (spread > 0)]
    usual = float(np.median(known)) if len(known) else max(1e-9, 0.05 * float(np.abs(errors).mean()))
    together = covariance / np.maximum(np.outer(spread, spread), 1e-300)
    together = np.where(np.isfinite(together), np.clip(together, -1, 1), 0.0)
    np.fill_diagonal(together, 1.0)
    wide = np.maximum(np.where(np.isfinite(spread), spread, usual), usual / 2)
    return np.asarray(together * np.outer(wide, wide))


@dataclass(frozen=True, eq=False)
class _Law:
    """One rate and one noise; level and drop are normal, the drop truncated at zero."""

    weight: float  # the logarithm of its marginal likelihood and prior
    rate: float
    scale: tuple[float, float]  # shape(n) = (n^-rate - scale 0) / scale 1
    mean: Float  # level, drop
    covariance: Float

    @property
    def middle(self) -> Float:
        return np.asarray(self._laws(self.mean[None, :1], np.maximum(self.mean[None, 1:], 0.0))[0])

    def draw(self, n: int, random: np.random.Generator) -> Float:
        spread = np.sqrt(self.covariance[1, 1])
        uniform, normal = random.uniform(size=(n, 1)), random.standard_normal((n, 1))
        if spread == 0:
            drop = np.zeros((n, 1))
            return self._laws(self.mean[0] + np.sqrt(self.covariance[0, 0]) * normal, drop)
        least = ndtr(-self.mean[1] / spread)
        drop = np.maximum(0.0, self.mean[1] + spread * ndtri(least + uniform * (1 - least)))
        slope = self.covariance[0, 1] / self.covariance[1, 1]
        rest = np.sqrt(max(0.0, self.covariance[0, 0] - slope * self.covariance[0, 1]))
        return self._laws(self.mean[0] + slope * (drop - self.mean[1]) + rest * normal, drop)

    def _laws(self, level: Float, drop: Float) -> Float:
        gain = drop / self.scale[1]
        return np.column_stack([level - gain * self.scale[0], gain, np.full(len(gain), self.rate)])


def _law(sizes: Float, errors: Float, covariance: Float, rate: float | None) -> _Law:
    """Generalized least squares of the level and, with a rate, of the drop; the likelihood, marginal over both."""
    certain = np.linalg.pinv(covariance, hermitian=True)
    ones = np.ones(len(sizes))
    plain = -np.linalg.slogdet(covariance)[1] / 2
    if rate is None:
        inside = float(ones @ certain @ ones)
        level = float(ones @ certain @ errors) / inside
        off = errors - level
        weight = plain - np.log(inside) / 2 - off @ certain @ off / 2 + np.log(FLAT)
        return _Law(weight, 1.0, (0.0, 1.0), np.array([level, 0.0]), np.diag([1 / inside, 0.0]))
    powers = sizes**-rate
    last, height = float(powers[-1]), float(powers[0] - powers[-1])
    design = np.column_stack([ones, (powers - last) / height])
    usual = max(float(np.abs(errors).mean()) / 2, 1e-12)  # prior scale of the drop
    inside_both = design.T @ certain @ design + np.diag([0.0, usual**-2])
    spread = np.linalg.inv(inside_both)
    mean = spread @ design.T @ certain @ errors
    off = errors - design @ mean
    loss = off @ certain @ off + (mean[1] / usual) ** 2
    above = max(float(ndtr(mean[1] / np.sqrt(spread[1, 1]))), 1e-300)
    weight = plain - np.linalg.slogdet(inside_both)[1] / 2 - np.log(usual) - loss / 2 + np.log(2 * above)
    prior = np.exp(-((np.log(RATES / 0.5) / RATE_WIDTH) ** 2) / 2)
    weight += np.log((1 - FLAT) / prior.sum()) - (np.log(rate / 0.5) / RATE_WIDTH) ** 2 / 2
    return _Law(float(weight), rate, (last, height), mean, spread)
