"""C4.5's estimate of errors against published numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from hedgerow.prune.methods.pessimistic import extra_errors, upper_limit
from twins.pruning import added_errors as twin


@pytest.mark.parametrize(("wrong", "rows", "limit"), [(0, 6, 0.206), (0, 9, 0.143), (0, 1, 0.750)])
def test_quinlans_limits_without_errors(wrong, rows, limit):
    """C4.5: Programs for Machine Learning, 4.2: the worked example of the congressional votes."""
    assert upper_limit(wrong, rows, 0.25) == pytest.approx(limit, abs=5e-4)


def test_quinlans_limits_with_errors():
    """His book prints the exact binomial limit; C4.5 and J48 compute it by the normal approximation."""
    assert upper_limit(1, 16, 0.25) == pytest.approx(0.157, abs=0.003)
    assert upper_limit(1, 168, 0.25) == pytest.approx(0.016, abs=0.001)
    for wrong, rows in [(1, 16), (3, 40), (10, 60), (50, 200)]:
        exact = beta.ppf(0.75, wrong + 1, rows - wrong)
        assert upper_limit(wrong, rows, 0.25) == pytest.approx(exact, rel=0.035)


def test_quinlans_example_is_replaced():
    """Leaves with 6, 9 and 1 rows without an error: 3.273 errors expected; as one leaf, 16 rows with 1: 2.512."""
    below = sum(n * upper_limit(0, n, 0.25) for n in (6, 9, 1))
    assert below == pytest.approx(3.273, abs=0.01)
    assert 16 * upper_limit(1, 16, 0.25) < below


@given(
    rows=st.floats(0.1, 1e6),
    share=st.floats(0, 1),
    confidence=st.sampled_from([0.5, 0.25, 0.1, 0.01]),
)
def test_the_estimate_is_j48s(rows, share, confidence):
    wrong = rows * share
    ours = float(extra_errors(np.array([rows]), np.array([wrong]), confidence)[0])
    assert ours == pytest.approx(twin(rows, wrong, confidence), rel=1e-9, abs=1e-9)


def test_no_rows_no_errors():
    assert extra_errors(np.zeros(2), np.zeros(2), 0.25).tolist() == [0.0, 0.0]
