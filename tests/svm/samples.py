"""Random problems for the kernel machine."""

import numpy as np
from hypothesis import strategies as st

from hedgerow.svm.kernel import Kernel

KERNELS = [
    Kernel("linear"),
    Kernel("poly", gamma=0.5, coef0=1.0, degree=2),
    Kernel("poly", gamma=0.2, coef0=0.5, degree=5),
    Kernel("rbf", gamma=0.3),
    Kernel("sigmoid", gamma=0.05, coef0=-0.2),
]


def shape_of(kernel):
    return {"gamma": kernel.gamma, "coef0": kernel.coef0, "degree": kernel.degree}


def two_classes(seed, n=37, d=3, twins=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.where(X[:, 0] * X[:, -1] + 0.7 * rng.normal(size=n) > 0, 1.0, -1.0)
    y[:2] = [1.0, -1.0]
    for k in range(twins):  # equal rows with opposite labels
        X[2 * k + 1], y[2 * k], y[2 * k + 1] = X[2 * k], 1.0, -1.0
    return X, y


seeds = st.integers(0, 10_000)
costs = st.sampled_from([1e-3, 0.1, 1.0, 30.0])
