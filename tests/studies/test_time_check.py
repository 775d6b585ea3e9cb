"""Would a random split flatter? Said where later rows are predicted clearly worse, also where a few rows rule the
squared error."""

from dataclasses import replace

import numpy as np

from hedgerow import DecisionTreeRegressor, LinearSVC, LinearSVR
from hedgerow.errors import spell_as_parameter
from hedgerow.evaluation.data import make_data
from hedgerow.studies.row_losses import Losses
from hedgerow.studies.time_check import check_time, find_time_column
from hedgerow.table import to_table


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


def test_a_class_that_only_later_rows_have():
    """Models refuse rows of one class: the check failed, in Python's words, where time says most."""
    time = np.arange(300.0)
    cells = np.random.default_rng(0).normal(size=(300, 2))
    data = make_data([LinearSVC()], np.column_stack([time, cells]), np.where(time < 260, "no", "yes"))
    (found,) = check_time(LinearSVC(), data, time, "day", spell_as_parameter, is_named=False, random_state=0)
    assert "66.7% wrong on rows that come later" in found.message


def test_a_few_rows_without_a_date_do_not_hide_the_time():
    random = np.random.default_rng(0)
    time = np.arange(400.0)
    model, y = DecisionTreeRegressor(min_samples_leaf=3), 0.1 * time + random.normal(size=400)
    data = make_data([model], time[:, None], y)
    time[::50] = np.nan
    assert check_time(model, data, time, "day", spell_as_parameter, is_named=False, random_state=0)
    assert find_time_column(_dated(time)) == "day"
    assert find_time_column(_dated(np.where(np.arange(400) % 10 == 0, np.nan, time))) is None


def _dated(days):
    table = to_table({"day": days})
    return replace(table, columns=(replace(table.columns[0], kind="date"),))


def test_of_a_target_that_is_computed_rounding_is_no_trend():
    """Rentals are those of members and of others: 2.4 millionths of an error later, and 1.0 in mixed rows."""
    random = np.random.default_rng(0)
    later, mixed = 2.4e-6 * (1 + random.random((2, 40)))
    assert not Losses(later, mixed / 2.4, 80.0, "").is_clearly_worse(1e-8)
    many = Losses(later * 1e7, mixed * 1e7 / 2.4, 80.0, "")
    assert many.is_clearly_worse(0.1)
    assert not many.is_clearly_worse(10.0)  # it may be chance


def test_the_dust_of_a_model_without_errors_is_no_finding():
    """The sum of two columns, to the last digit: later rows are "worse" by rounding alone."""
    time = np.arange(400.0)
    model = LinearSVR(C=100.0)
    cells = np.column_stack([time, np.cos(time)])
    data = make_data([model], cells, cells.sum(axis=1))
    assert check_time(model, data, time, "day", spell_as_parameter, is_named=False, random_state=0) == ()
    few, many = np.full(80, 1e-7), np.full(80, 9e-7)
    assert not Losses(many, few, 100.0, "").is_clearly_worse(1e-9)
    assert Losses(many * 1e7, few * 1e7, 100.0, "").is_clearly_worse(1e-2)


def test_an_error_of_large_numbers_has_no_exponent():
    errors = np.array([54321.0])
    assert Losses(errors, errors, 1.0, "a mean absolute error").new_words == "a mean absolute error of 54,321"


def test_a_column_of_years_is_the_time_where_there_is_no_date():
    """Oil sold from 1979 on, month by month: later rows are predicted worse, and no column is a date."""
    year, month = np.repeat(np.arange(1979.0, 2000.0), 12), np.tile(np.arange(12.0), 21)
    assert find_time_column(to_table({"Year": year, "month": month})) == "Year"
    assert find_time_column(to_table({"year": year - 1979, "month": month})) is None  # years of work
    assert find_time_column(to_table({"year": year + 0.5, "month": month})) is None
    assert find_time_column(to_table({"birth_year": year, "month": month})) is None
    assert find_time_column(to_table({"year": 1990 + month % 3, "month": month})) is None  # a few
