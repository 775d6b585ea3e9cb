"""Slow twins of a forest's native parts: the random numbers, the draws, the weights of one tree."""

import numpy as np

GOLDEN = 0x9E3779B97F4A7C15
MASK = 2**64 - 1
FOR_DRAWING, FOR_GROWING = 0xA0761D6478BD642F, 0xE7037ED1A0B428DB


def mix(x):
    x = (x + GOLDEN) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def units(key):
    """Endless numbers in [0, 1)."""
    counter = 0
    while True:
        yield (mix((key + GOLDEN * counter) & MASK) >> 11) * 2.0**-53
        counter += 1


def tree_seed(seed, tree):
    return mix((mix(seed ^ FOR_GROWING) + tree) & MASK)


def counts(draws, tree):
    """How often each row is drawn."""
    out = np.zeros(draws.n_rows, np.uint32)
    if draws.how == "all":
        out[draws.order] = 1
        return out
    random = units(mix((mix(draws.seed ^ FOR_DRAWING) + tree) & MASK))
    by_weight = draws.weight is not None and not draws.carries_weight
    ends = np.cumsum(draws.weight[draws.order] if by_weight else np.ones(len(draws.order)))
    if draws.how == "bootstrap":
        for _ in range(draws.size):
            place = np.searchsorted(ends, next(random) * ends[-1], side="right")
            out[draws.order[min(place, len(ends) - 1)]] += 1
        return out
    wanted, left = draws.size, len(draws.order)
    for row in draws.order:
        if wanted == 0:
            break
        if next(random) * left < wanted:
            out[row] = 1
            wanted -= 1
        left -= 1
    return out


def row_hash(row):
    """Numbers only."""
    hashed = 0
    for x in row:
        x = np.float64("nan") if np.isnan(x) else np.float64(x) + 0.0
        hashed = mix(hashed ^ int(np.array(x).view(np.uint64)))
    return hashed
