"""A small table with all that a stream must keep: numbers with gaps, a category with gaps, a yes-no column, weights."""

import numpy as np
import polars as pl

N = 3_001  # rows: no multiple of any block


def mixed(n=N, seed=8):
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=(n, 3))
    level = rng.integers(0, 23, n)
    score = numbers[:, 0] + (level % 3) + rng.normal(size=n)
    numbers[rng.random((n, 3)) < 0.1] = np.nan
    town = [None if gone else f"t{k}" for k, gone in zip(level, rng.random(n) < 0.05, strict=True)]
    return pl.DataFrame(
        {f"x{j}": pl.Series(numbers[:, j]).fill_nan(None) for j in range(3)}
        | {
            "few": rng.integers(0, 5, n),
            "town": town,
            "flag": rng.random(n) < 0.5,
            "weight": rng.uniform(0.5, 2.0, n).round(3),
            "two": np.where(score > 1, "yes", "no"),
            "seven": np.digitize(score, [-1, 0, 0.5, 1, 1.5, 2.5]),
            "number": score,
        }
    )


TARGETS = ("two", "seven", "number")


def only(frame, target):
    """The table with one of its targets."""
    return frame.drop([name for name in TARGETS if name != target])
