"""What a study is judged by."""

from types import SimpleNamespace

import numpy as np
import pytest

from hedgerow.studies.benchmark import _choose_scoring

COUNTS = {
    "alike": ([400, 400], "accuracy", "similar size"),
    "rare": ([900, 100], "balanced_accuracy", "10.0% of the rows"),
    "rare and few": (
        [95, 5],
        "balanced_accuracy",
        "5.0% of the rows",
    ),  # always guessing the first looks good
    "many classes": ([90, 80, 70, 60, 50, 40, 30], "balanced_accuracy", "7.1% of the rows"),
    "too few of one": ([90, 80, 70, 60, 50, 40, 6], "accuracy", "has 6 training rows: too few"),
}


@pytest.mark.parametrize("name", COUNTS)
def test_the_metric_is_one_the_rows_can_support(name):
    counts, metric, words = COUNTS[name]
    y = np.repeat(np.arange(len(counts)), counts)
    found, why = _choose_scoring(
        None, SimpleNamespace(classes=np.arange(len(counts)), y=y, n_rows=len(y)), 0.2
    )
    assert found == metric
    assert words in why
