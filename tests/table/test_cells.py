import datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from hedgerow.table.cells import from_cells

from .same import cells


@pytest.mark.parametrize(
    ("given", "kind", "read"),
    [
        ([1, 2.5, None], "number", [1.0, 2.5, None]),
        ([1, float("nan")], "number", [1.0, None]),
        ([np.int8(1), np.float32(0.5)], "number", [1.0, 0.5]),
        ([Decimal("1.5"), Fraction(1, 4), None], "number", [1.5, 0.25, None]),
        ([True, 2], "number", [1.0, 2.0]),
        ([True, None, np.False_], "boolean", [True, None, False]),
        (["b", None, "a", float("nan")], "category", ["b", None, "a", None]),
        ([np.str_("b"), ""], "category", ["b", ""]),
        ([None, float("nan")], "number", [None, None]),
        ([None], "number", [None]),
        ([2**60, 1], "number", [float(2**60), 1.0]),
    ],
)
def test_kinds(given: list[object], kind: str, read: list[object]) -> None:
    column = from_cells("c", given)
    assert column.kind == kind
    assert cells(column) == read


def test_pandas_missing() -> None:
    pd = pytest.importorskip("pandas")
    assert cells(from_cells("c", [pd.NA, 1])) == [None, 1.0]
    assert cells(from_cells("c", [pd.NA, "a", pd.NaT])) == [None, "a", None]
    assert cells(from_cells("c", [pd.NA, True])) == [None, True]


@pytest.mark.parametrize("cell", [{"a": 1}, [1], (1,), b"a", object(), np.zeros(2), {1}])
def test_other_cells_are_refused_in_scikit_learns_words(cell: object) -> None:
    with pytest.raises(TypeError, match=r"argument must be .* string.* number.*column 'c' holds .* in row 2"):
        from_cells("c", [1, None, cell])


def test_text_and_numbers_mixed() -> None:
    with pytest.raises(
        TypeError, match=r"'c' mixes text and numbers: 'abc' in row 2, 1\.5 in row 1.*Ways out"
    ):
        from_cells("c", [None, 1.5, "abc", "d"])


def test_text_and_booleans_mixed() -> None:
    with pytest.raises(TypeError, match="'yes' in row 0, True in row 1"):
        from_cells("c", ["yes", True])


@pytest.mark.parametrize(
    "cell",
    [
        datetime.date(2024, 1, 2),
        datetime.datetime(2024, 1, 2),
        datetime.time(3),
        datetime.timedelta(1),
        np.datetime64("2024-01-02"),
        np.timedelta64(1, "D"),
    ],
)
def test_times_are_refused(cell: object) -> None:
    with pytest.raises(TypeError, match=r"'c' holds dates, times or durations.*year, month"):
        from_cells("c", [None, cell])


@pytest.mark.parametrize("cell", [1j, np.complex64(1)])
def test_complex_is_refused(cell: object) -> None:
    with pytest.raises(ValueError, match="Complex data not supported: column 'c'"):
        from_cells("c", [1, cell])


def test_infinity_is_refused() -> None:
    with pytest.raises(ValueError, match="'c' holds inf in row 1"):
        from_cells("c", [1, float("inf")])


def test_a_number_too_large() -> None:
    with pytest.raises(ValueError, match="'c' holds a number that a 64-bit float cannot hold"):
        from_cells("c", [10**400])


def test_decimal_too_large_is_an_infinity() -> None:
    with pytest.raises(ValueError, match="infinity"):
        from_cells("c", [Decimal("1e400")])
