"""Dates are days to all that learns, and dates to whoever reads: trees, rules, boosting, tables, model files."""

from datetime import date, datetime, timedelta

import numpy as np
import polars as pl
import pytest

from hedgerow import AdaBoostClassifier, DecisionTreeClassifier, RuleListClassifier, load, save
from hedgerow.core.dates import write_date
from hedgerow.intake.clean import coerce_types, mark_dates
from hedgerow.table import describe, to_table


def table_of_dates():
    """The class changes after the 15th of September 2013."""
    days = [date(2013, 1, 1) + timedelta(days=3 * k) for k in range(200)]
    moments = [datetime(2013, 1, 1, 6) + timedelta(hours=5 * (k * 37 % 200)) for k in range(200)]
    frame, remarks = coerce_types(pl.DataFrame({"day": days, "when": moments}))
    target = np.array(["early" if day <= date(2013, 9, 15) else "late" for day in days])
    return mark_dates(to_table(frame), remarks), target


def test_kinds_and_ranges():
    table, _ = table_of_dates()
    assert [column.kind for column in table.columns] == ["date", "datetime"]
    assert "2013-01-01 to 2014-08-21" in describe(table)
    assert "2013-01-01 06:00 to" in describe(table)


@pytest.mark.parametrize("kind", [DecisionTreeClassifier, RuleListClassifier, AdaBoostClassifier])
def test_models_say_dates(kind, tmp_path):
    table, target = table_of_dates()
    model = kind().fit(table, target)
    save(model, tmp_path / "model.hedgerow")
    for one in (model, load(tmp_path / "model.hedgerow")):
        words = str(one.diagnostics_) if kind is AdaBoostClassifier else str(one.export("text"))
        assert "2013-09-1" in words
        assert (one.predict(table) == target).all()


def test_days_beyond_the_calendar():
    assert write_date(0.75) == "1970-01-01"
    assert write_date(0.75, with_time=True) == "1970-01-01 18:00"
    assert write_date(1e12) == "day 1e+12 since 1970"
