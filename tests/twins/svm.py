"""Slow twins of the kernel machine: kernels by their formulas, SMO one pair at a time, objectives term by term."""

import numpy as np


def kernel(name, X, Z, gamma=1.0, coef0=0.0, degree=3):
    if name == "linear":
        return X @ Z.T
    if name == "rbf":
        return np.exp(-gamma * ((X[:, None, :] - Z[None, :, :]) ** 2).sum(axis=2))
    inner = gamma * (X @ Z.T) + coef0
    return inner**degree if name == "poly" else np.tanh(inner)


def products_in_order(X, Z):
    """One sum a value, over the columns in order, each product rounded before it is added."""
    total = np.zeros((len(X), len(Z)), X.dtype)
    for k in range(X.shape[1]):
        total += X[:, k, None] * Z[None, :, k]
    return total


def smo(K, c, low, high, tol=1e-6, steps=200_000):
    """minimise 1/2 b'Kb - c'b, low <= b <= high, sum(b) = 0: the most violating pair, again and again."""
    b, slope = np.zeros(len(c)), c.astype(float).copy()
    for _ in range(steps):
        rising = np.where(b < high, slope, -np.inf)
        falling = np.where(b > low, slope, np.inf)
        i, j = int(np.argmax(rising)), int(np.argmin(falling))
        if not rising[i] - falling[j] > tol:
            break
        curvature = max(K[i, i] + K[j, j] - 2 * K[i, j], 1e-12)
        step = min((slope[i] - slope[j]) / curvature, high[i] - b[i], b[j] - low[j])
        b[i] += step
        b[j] -= step
        slope -= step * (K[:, i] - K[:, j])
    return b


def smo_steps(K, c, low, high, tol):
    """The same with the partner of the largest second-order gain, as the solver has it: (rises, falls, by) a step."""
    b, slope, steps = np.zeros(len(c)), c.astype(float).copy(), []
    while True:
        rising = np.where(b < high, slope, -np.inf)
        i = int(np.argmax(rising))
        apart = np.where(b > low, rising[i] - slope, 0.0)
        if not apart.max() > tol:
            return steps
        curvature = np.maximum(K[i, i] + np.diag(K) - 2 * K[i], 1e-12)
        j = int(np.argmax(np.maximum(apart, 0) ** 2 / curvature))
        by = min(apart[j] / curvature[j], high[i] - b[i], b[j] - low[j])
        b[i] += by
        b[j] -= by
        slope -= by * (K[:, i] - K[:, j])
        steps.append((i, j, by))


def dual(K, c, b):
    return float(c @ b - 0.5 * b @ K @ b)


def primal_classes(K, y, b, intercept, upper):
    """1/2 |w|^2 + sum of upper times hinge, row by row."""
    cost = 0.5 * float(b @ K @ b)
    for i in range(len(y)):
        score = sum(b[j] * K[j, i] for j in range(len(y))) + intercept
        cost += upper[i] * max(0.0, 1.0 - y[i] * score)
    return cost


def primal_numbers(K, target, coef, intercept, epsilon, upper):
    cost = 0.5 * float(coef @ K @ coef)
    for i in range(len(target)):
        score = sum(coef[j] * K[j, i] for j in range(len(target))) + intercept
        cost += upper[i] * max(0.0, abs(target[i] - score) - epsilon)
    return cost
