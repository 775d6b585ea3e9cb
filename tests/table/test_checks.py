import re

import numpy as np
import pytest

from hedgerow.table.checks import check_finite, check_size, check_unique, text_names


def test_no_rows() -> None:
    with pytest.raises(
        ValueError, match=r"0 sample\(s\) \(shape=\(0, 3\)\) while a minimum of 1 is required\."
    ):
        check_size(0, 3)


def test_no_columns() -> None:
    with pytest.raises(
        ValueError, match=r"0 feature\(s\) \(shape=\(\d*, 0\)\) while a minimum of \d* is required."
    ):
        check_size(7, 0)


def test_string_names_are_names() -> None:
    assert text_names(["a", "b"]) == (("a", "b"), True)


def test_other_names_are_none() -> None:
    assert text_names([0, ("a", 1)]) == (("0", "('a', 1)"), False)


def test_mixed_names_are_refused_as_in_scikit_learn() -> None:
    with pytest.raises(TypeError, match=re.escape("only supported if all input features have string names")):
        text_names(["a", 1])


def test_names_twice_are_named() -> None:
    with pytest.raises(ValueError, match=r"more than one column named 'a', 'c'"):
        check_unique(["a", "b", "a", "c", "c"])


def test_names_that_differ_only_before_they_are_text() -> None:
    with pytest.raises(ValueError, match="'1'"):
        text_names([1, np.int64(1)])


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinity_is_named_by_column_and_row(value: float) -> None:
    block = np.zeros((7, 3))
    block[5, 1] = value
    with pytest.raises(ValueError, match=f"infinity: column 'b' holds {value} in row 5"):
        check_finite(block, ["a", "b", "c"])


def test_infinity_beside_nan_and_its_opposite() -> None:
    block = np.array([[np.nan, 1.0], [2.0, np.inf], [-np.inf, np.nan]])
    with pytest.raises(ValueError, match=r"column 'b' holds inf in row 1.*numpy\.clip"):
        check_finite(block, ["a", "b"])


def test_finite_numbers_whose_sum_overflows_are_welcome() -> None:
    check_finite(np.full((7, 3), 1e308), ["a", "b", "c"])
    check_finite(np.full(7, 3e38, np.float32), ["a"])


def test_nan_is_welcome() -> None:
    check_finite(np.array([1.0, np.nan]), ["a"])
