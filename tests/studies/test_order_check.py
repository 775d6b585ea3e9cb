"""Neighbouring rows that are near copies: said where rows of other stretches are predicted clearly worse."""

import numpy as np
import pytest

from hedgerow import RandomForestClassifier
from hedgerow.errors import spell_as_option
from hedgerow.evaluation.data import make_data
from hedgerow.studies.order_check import check_order, find_counter, find_stretches
from hedgerow.table import to_table


def windows(seed: int = 0) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Twelve machines, 50 windows each: what is measured drifts, and a fault lasts for many of them."""
    random = np.random.default_rng(seed)
    machine = np.repeat(np.arange(12), 50)
    drift = np.cumsum(random.normal(size=(600, 3)), axis=0) * 0.1 + random.normal(0, 3, (12, 3))[machine]
    fault = np.repeat(random.random(24) < 0.4, 25)
    return {f"sensor{k}": drift[:, k] for k in range(3)}, fault.astype(float)


def forest() -> RandomForestClassifier:
    return RandomForestClassifier(n_estimators=20, random_state=0)


def test_windows_of_one_recording():
    rows, fault = windows()
    table = to_table(rows)
    found = find_stretches(table, fault)
    assert found is not None
    stretches, share = found
    assert len(np.unique(stretches)) == 20
    assert share > 0.5
    labels = np.where(fault > 0, "fault", "fine")
    model = forest()
    (finding,) = check_order(
        model, make_data([model], table, labels), *found, find_counter(table), spell_as_option, 0
    )
    assert finding.message.startswith("Rows next to each other in the table are alike")
    assert "--groups NAME, a column that names it, or --time NAME keeps" in finding.message
    assert finding.severe


def test_a_column_that_counts_the_rows_is_named_as_the_time():
    rows, fault = windows()
    table = to_table(rows)
    assert find_counter(table) is None
    assert find_counter(to_table({**rows, "minute": np.arange(600.0) // 2})) == "minute"
    found, model = find_stretches(table, fault), forest()
    assert found is not None
    data = make_data([model], table, np.where(fault > 0, "fault", "fine"))
    (finding,) = check_order(model, data, *found, "minute", spell_as_option, 0)
    assert "or --time minute keeps" in finding.message


@pytest.mark.parametrize("seed", range(5))
def test_the_same_rows_in_no_order(seed):
    rows, fault = windows(seed)
    order = np.random.default_rng(seed).permutation(600)
    table = to_table({name: cells[order] for name, cells in rows.items()})
    assert find_stretches(table, fault[order]) is None


def test_neighbours_that_say_nothing_about_the_target():
    rows, _ = windows()
    table = to_table(rows)
    found = find_stretches(table, np.random.default_rng(1).normal(size=600))
    assert found is not None
    labels = np.random.default_rng(1).choice(["a", "b"], 600)
    model = forest()
    assert (
        check_order(model, make_data([model], table, labels), *found, find_counter(table), spell_as_option, 0)
        == ()
    )


def test_a_table_that_is_sorted():
    """By its target, or by a column and otherwise in no order: neighbours are no copies."""
    rows, _ = windows()
    random = np.random.default_rng(0)
    cells = random.normal(size=(600, 3))
    sorted_by_one = {"x": np.sort(cells[:, 0]), "y": cells[:, 1], "z": cells[:, 2]}
    assert find_stretches(to_table(sorted_by_one), random.normal(size=600)) is None
    by_place = {"city": np.repeat([f"c{k}" for k in range(30)], 20), "y": cells[:, 1], "z": cells[:, 2]}
    assert find_stretches(to_table(by_place), random.normal(size=600)) is None
    assert find_stretches(to_table(rows), np.arange(600.0)) is None


def test_few_rows_are_not_looked_at():
    rows, fault = windows()
    assert find_stretches(to_table(rows).take(np.arange(150)), fault[:150]) is None
