"""Small weighted problems that several tests share."""

import numpy as np

from hedgerow.boost import BoostInput, BoostOptions, boost, rows_of_matrix, signs_of


def problem(seed, n=57, d=5, noise=0.7):
    """Rows, signs and weights that sum to one; a few rows carry most of the weight."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d))
    signs = np.where(x[:, 0] - 0.5 * x[:, d - 1] + noise * rng.normal(size=n) > 0.2, 1.0, -1.0)
    weight = rng.random(n) ** 3 + 1e-3
    return x, signs, weight / weight.sum()


def corners(n, seed=0):
    """Two classes that no plane tells apart: same sign, or not."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1, 1, size=(n, 2))
    return x, (x[:, 0] * x[:, 1] > 0).astype(np.int32)


def boosted(learner, x, codes, n_rounds=12, seed=0, **choices) -> tuple:
    """Rounds, and the rows they were boosted on."""
    rows: BoostInput = rows_of_matrix(x)
    target = signs_of(np.asarray(codes, np.int32), int(np.max(codes)) + 1)
    base = np.full(len(x), 1 / len(x))
    done = boost(
        learner, rows, target, base, BoostOptions(n_rounds=n_rounds, **choices), np.random.default_rng(seed)
    )
    return done, rows
