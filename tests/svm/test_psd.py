"""Kernel matrices that are no inner products are found, explained, and never loop for ever."""

import numpy as np
import pytest
from tests.svm.samples import two_classes

from hedgerow import SVC
from hedgerow.svm.psd import KernelWarning, explain


def test_words_only_below_zero():
    assert explain(0.0) is None
    assert explain(-1e-9) is None
    assert "not positive semidefinite" in (explain(-0.1) or "")


def test_sigmoid_says_so():
    X, y = two_classes(0, 120)
    with pytest.warns(KernelWarning, match="not positive semidefinite"):
        model = SVC(kernel="sigmoid", gamma=2.0, coef0=1.0, C=100).fit(X, y)
    assert "not positive semidefinite" in str(model.certificate_)


@pytest.mark.filterwarnings("error")
def test_inner_products_say_nothing():
    X, y = two_classes(0, 120)
    for kernel in ("linear", "poly", "rbf"):
        SVC(kernel=kernel, gamma=0.5, coef0=1.0).fit(X, y)


@pytest.mark.parametrize("C", [1e-3, 1.0, 1e4, np.inf])
def test_minus_identity_ends(C):
    _, y = two_classes(1, 40)
    if np.isinf(C):
        with pytest.raises(ValueError, match="C=inf"):
            SVC(C=C, kernel="precomputed").fit(-np.eye(40), y)
    else:
        with pytest.warns(KernelWarning):
            SVC(C=C, kernel="precomputed").fit(-np.eye(40), y)


@pytest.mark.filterwarnings("error")
def test_a_weight_of_nothing_but_rounding_says_nothing():
    """Labels that no plane tells apart: w is 0, and its squared length may come out as -1e-15."""
    X = np.random.default_rng(3).normal(size=(70, 3))
    y = np.random.default_rng(5).integers(0, 3, 70) > 0
    assert SVC(kernel="linear").fit(X, y).certificate_.curvature == 0
    assert SVC(kernel="precomputed").fit(X @ X.T, y).certificate_.curvature == 0
