"""Classes or numbers: counts and grades are taken for classes, and it is said; codes of classes are left in peace."""

import numpy as np
import pytest

from hedgerow.errors import spell_as_option
from hedgerow.intake.task import read_target
from hedgerow.table import to_table


def doubt(values, task="auto"):
    found = read_target(to_table({"visits": np.asarray(values, np.float64)}).columns[0], task).doubt
    return found.render(spell_as_option) if found else ""


COUNTS = {
    "visits to a doctor": [4141, 782, 174, 30, 24, 9, 12, 12, 5, 1],  # 9 before 12 is chance
    "stars": [40, 90, 300, 500, 200],
    "children": [2127, 1544, 2338, 1474, 790, 376, 208, 100, 163],  # none; 8 or more
    "grades from 3": [0, 0, 0, 10, 53, 681, 638, 199, 18],
}
CODES = {
    "digits, as many of each": [178, 182, 177, 183, 181, 182, 181, 179, 174, 180],
    "a glass": [70, 76, 17, 0, 13, 9, 29],  # no row of the fourth
    "kinds of cover": [2100, 2830, 350, 27, 95, 173, 205],
    "two classes": [900, 100],
    "three": [900, 100, 20],
}


@pytest.mark.parametrize("name", COUNTS)
def test_counts_and_grades_may_be_numbers(name):
    values = np.repeat(np.arange(len(COUNTS[name])), COUNTS[name])
    said = doubt(values)
    least, most = values.min(), values.max()
    assert said.startswith(
        f"visits holds whole numbers from {least} to {most}, taken as {most - least + 1} classes"
    )
    assert "--task regression predicts the number itself" in said
    assert doubt(values, "classification") == ""
    assert doubt(values, "regression") == ""


@pytest.mark.parametrize("name", CODES)
def test_codes_of_classes_are_no_counts(name):
    assert doubt(np.repeat(np.arange(len(CODES[name])), CODES[name])) == ""


@pytest.mark.parametrize(
    ("values", "is_said"),
    [
        ((0, 1, 2, 3, 7, 12), True),  # affairs in a year
        ((0, 1, 2, 3, 4, 6), True),  # visits; one of five is missing
        ((0, 1, 2, 3, 4, 7), True),  # bids; two numbers are missing
        ((2, 3, 4, 5, 6, 8), False),
        ((1, 2, 3, 5, 6, 7), False),  # kinds of glass
        ((1, 2, 3, 4, 5, 9), True),  # grades; two did not answer
        ((10, 20, 30, 40, 50), False),
        ((0, 5, 10, 15, 20), False),  # steps of one size
    ],
)
def test_counts_may_leave_out_some(values, is_said):
    said = doubt(np.repeat(values, [450, 134, 37, 19, 12, 2][: len(values)]))
    assert bool(said) == is_said
    assert not said or said.startswith(
        f"visits holds whole numbers from {values[0]} to {values[-1]}, taken as 6"
    )


def test_classes_that_may_be_one_are_doubted():
    found = read_target(to_table({"paid": ["Yes", "yes", "yes ", "no", "No", "late"] * 4}).columns[0]).doubt
    said = found.render(spell_as_option)
    assert "'No' and 'no'; 'Yes', 'yes' and 'yes '. They are taken as different classes" in said
    assert read_target(to_table({"paid": ["yes", "no"] * 4}).columns[0]).doubt == ""
