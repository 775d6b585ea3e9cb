"""Where rows come from.   In: a number of rows, a generator.   Out: X, y.   The truth is known to any precision."""

import numpy as np

Rows = tuple[np.ndarray, np.ndarray]


def classes(n: int, random: np.random.Generator, shift: float = 0.0, columns: int = 8) -> Rows:
    """Two classes: a line, an interaction and a step, and noise. `shift` makes the second class rarer."""
    X = random.normal(size=(n, columns))
    f = 1.2 * X[:, 0] + X[:, 1] * X[:, 2] + 0.8 * (X[:, 3] > 0) - 0.4 - shift
    return X, (random.random(n) < 1 / (1 + np.exp(-f))).astype(int)


def numbers(n: int, random: np.random.Generator) -> Rows:
    X = random.normal(size=(n, 8))
    return X, X[:, 0] + np.abs(X[:, 1]) + 0.7 * random.standard_t(8, size=n)


def twins(n: int, random: np.random.Generator, columns: int = 4) -> Rows:
    """The first and the second half of the columns know equally much of y, each in its own way."""
    X = random.normal(size=(n, 2 * columns))
    f = X[:, 0] + X[:, columns] + 0.5 * X[:, 1] + 0.5 * X[:, columns + 1]
    return X, (random.random(n) < 1 / (1 + np.exp(-f))).astype(int)


def share(hits: int | float, n: int) -> str:
    """93.5 ± 0.8"""
    p = hits / n
    return f"{100 * p:.1f} ± {100 * np.sqrt(p * (1 - p) / n):.1f}"
