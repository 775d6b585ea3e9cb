"""Would a random split flatter? Said where later rows are predicted clearly worse, also where a few rows rule the
squared error."""

import numpy as np

from hedgerow import DecisionTreeRegressor
from hedgerow.errors import spell_as_parameter
from hedgerow.evaluation.data import make_data
from hedgerow.studies.time_check import check_time


def test_a_trend_with_heavy_tails():
    random = np.random.default_rng(0)
    time = np.arange(400.0)
    noise = random.standard_t(3, 400)
    noise[350] += 90.0  # among the later rows; it rules their squared error
    rising = 0.1 * time + noise
    found = [
        check_time(
            DecisionTreeRegressor(min_samples_leaf=3), make_data([DecisionTreeRegressor()], time[:, None], y), time,
            "day", spell_as_parameter, is_named=False, random_state=0,
        )
        for y in (rising, noise)
    ]  # fmt: skip
    assert "A random split would flatter: a mean absolute error of " in found[0][0].message
    assert found[1] == ()
