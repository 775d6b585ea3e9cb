"""What every test shares: how hypothesis searches, and where larger data may lie."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

CHECKOUT = Path(__file__).resolve().parents[1]

# The same examples on every run: a red test means a change, not bad luck. hypothesis also tries numbers that it
# finds in whatever modules are loaded by then, which differ with the order of tests: off. HYPOTHESIS_PROFILE=thorough
# searches longer and anew each time; run it before a release and turn what it finds into a plain test.
settings.register_profile(
    "steady",
    derandomize=True,
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile(
    "thorough", parent=settings.get_profile("steady"), derandomize=False, max_examples=1000
)
if hasattr(providers, "_get_local_constants"):
    providers._get_local_constants = lambda: providers._local_constants
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


@pytest.fixture(autouse=True)
def seeded() -> None:
    """Estimators with random_state=None draw from NumPy's global state: the same in every run and order."""
    np.random.seed(0)  # noqa: NPY002


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """A folder of larger real data sets beside the checkout; tests that want one skip where there is none."""
    folder = CHECKOUT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("no folder ../shared/data beside the checkout")
    return folder
