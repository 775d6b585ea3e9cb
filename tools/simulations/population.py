"""Where rows come from.   In: a number of rows, a generator.   Out: X, y.   The truth is known to any precision."""

import numpy as np

Rows = tuple[np.ndarray, np.ndarray]
NOISE = 0.7


def probability(X: np.ndarray, shift: float = 0.0) -> np.ndarray:
    """Of the second class: a line, an interaction and a step. `shift` makes it rarer."""
    f = 1.2 * X[:, 0] + X[:, 1] * X[:, 2] + 0.8 * (X[:, 3] > 0) - 0.4 - shift
    return np.asarray(1 / (1 + np.exp(-f)))


def classes(n: int, random: np.random.Generator, shift: float = 0.0, columns: int = 8) -> Rows:
    X = random.normal(size=(n, columns))
    return X, (random.random(n) < probability(X, shift)).astype(int)


def middle(X: np.ndarray) -> np.ndarray:
    """The mean of the number, given X."""
    return np.asarray(X[:, 0] + np.abs(X[:, 1]))


def numbers(n: int, random: np.random.Generator) -> Rows:
    X = random.normal(size=(n, 8))
    return X, middle(X) + NOISE * random.standard_t(8, size=n)


def twins(n: int, random: np.random.Generator, columns: int = 4) -> Rows:
    """The first and the second half of the columns know equally much of y, each in its own way."""
    X = random.normal(size=(n, 2 * columns))
    f = X[:, 0] + X[:, columns] + 0.5 * X[:, 1] + 0.5 * X[:, columns + 1]
    return X, (random.random(n) < 1 / (1 + np.exp(-f))).astype(int)


def step_twins(n: int, random: np.random.Generator) -> Rows:
    """The same with steps and an interaction, and the second class rarer."""
    X = random.uniform(-1, 1, size=(n, 8))
    return X, (random.random(n) < step_probability(X)).astype(int)


def step_probability(X: np.ndarray) -> np.ndarray:
    f = sum(1.6 * (a > 0.2) - 1.2 * (b < -0.3) + (c > 0) * (a > 0) for a, b, c in (X.T[:3], X.T[4:7])) - 1.2
    return np.asarray(1 / (1 + np.exp(-1.3 * f)))


def tied_twins(n: int, random: np.random.Generator) -> Rows:
    """Columns of three values, again two halves that know equally much: which one a stump asks for is nearly chance."""
    X = random.integers(0, 3, size=(n, 8)).astype(float)
    return X, (random.random(n) < tied_probability(X)).astype(int)


def tied_probability(X: np.ndarray) -> np.ndarray:
    f = 0.7 * (X[:, 0] - 1) + 0.7 * (X[:, 4] - 1) + 0.6 * (X[:, 1] == 2) + 0.6 * (X[:, 5] == 2) - 0.4
    return np.asarray(1 / (1 + np.exp(-f)))


def noisy(n: int, random: np.random.Generator) -> Rows:
    """Two columns know of y, six are noise."""
    X = random.normal(size=(n, 8))
    return X, (random.random(n) < 1 / (1 + np.exp(-1.3 * X[:, 0] - X[:, 0] * X[:, 1]))).astype(int)


def share(hits: int | float, n: int) -> str:
    """93.5 ± 0.8"""
    p = hits / n
    return f"{100 * p:.1f} ± {100 * np.sqrt(p * (1 - p) / n):.1f}"
