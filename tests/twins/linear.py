"""The linear machine as a quadratic program, by a general solver; and its objective, written out again."""

import numpy as np
from scipy.optimize import minimize


def primal(X, target, cost, side, epsilon, squared, w, b):
    total = 0.5 * float(np.dot(w, w))
    for x, t, c, s in zip(X, target, cost, side, strict=True):
        r = t - float(np.dot(w, x)) - b
        hurt = abs(r) if s == 0 else s * r
        e = max(0.0, hurt - epsilon)
        total += c * (e * e if squared else e)
    return total


def smallest(X, target, cost, side, epsilon, squared, intercept):
    """The optimum, from the dual: SLSQP over (up, down) >= 0, beta = up - down."""
    n = len(target)
    K = X @ X.T

    def value(v):
        up, down = v[:n], v[n:]
        beta = up - down
        f = 0.5 * beta @ K @ beta - target @ beta + epsilon * v.sum()
        grad = K @ beta - target
        g = np.concatenate([grad + epsilon, -grad + epsilon])
        if squared:
            f += (up**2 / cost).sum() / 4 + (down**2 / cost).sum() / 4
            g += np.concatenate([up / (2 * cost), down / (2 * cost)])
        return f, g

    top = np.full(n, np.inf) if squared else cost
    bounds = [(0, top[i] if side[i] >= 0 else 0) for i in range(n)]
    bounds += [(0, top[i] if side[i] <= 0 else 0) for i in range(n)]
    balance = np.concatenate([np.ones(n), -np.ones(n)])
    equal = [{"type": "eq", "fun": lambda v: balance @ v, "jac": lambda v: balance}] if intercept else []
    found = minimize(
        value,
        np.zeros(2 * n),
        jac=True,
        bounds=bounds,
        constraints=equal,
        method="SLSQP",
        options={"maxiter": 2000, "ftol": 1e-14},
    )
    return -found.fun
