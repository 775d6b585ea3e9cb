"""A column that is called like the target and may be made from it is asked about; a weak or a good one is not."""

import numpy as np
import pytest

from hedgerow import DecisionTreeRegressor
from hedgerow.errors import spell_as_option
from hedgerow.evaluation.data import make_data
from hedgerow.studies.namesake import check_namesakes
from hedgerow.table import to_table


def births(seed: int = 0) -> tuple[dict, np.ndarray]:
    random = np.random.default_rng(seed)
    age, smokes = random.integers(16, 45, 600) * 1.0, random.random(600) < 0.3
    grams = 3300 + 8 * (age - 30) - 200 * smokes + 500 * random.normal(size=600)
    return {"age": age, "smokes": smokes * 1.0}, grams


def found(cells: dict, y: np.ndarray, target: str = "bweight") -> list[str]:
    data = make_data([DecisionTreeRegressor()], to_table(cells), y)
    return [one.message for one in check_namesakes(data, target, spell_as_option)]


@pytest.mark.parametrize("name", ["lbweight", "low_b_weight", "BWeight.low"])
def test_a_part_of_the_target_by_name(name):
    cells, y = births()
    (words,) = found({**cells, name: (y < 2900) * 1.0}, y)
    assert words.startswith(f"{name} is called like bweight and alone explains ")
    assert f"--drop {name} leaves it out" in words


def test_other_columns_are_not_asked_about():
    cells, y = births()
    random = np.random.default_rng(1)
    assert found({**cells, "is_light": (y < 2900) * 1.0}, y) == []  # called otherwise
    assert found({**cells, "bweight_scale": random.normal(size=600)}, y) == []  # says nothing
    assert found({**cells, "by": (y < 2900) * 1.0}, y, "y") == []  # a letter is in many a name
    before = y + 300 * random.normal(size=600)  # another column says as much
    assert found({**cells, "bweight_scan": before, "length": before + random.normal(size=600)}, y) == []
