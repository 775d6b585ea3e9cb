"""Titles, units and repeated names of files as people have them; workbooks; several files of one form."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.table.layout import find_layout, name_columns
from hedgerow.table.read import FileOptions, read_file

ROWS = [["oak", "1.5", "20"], ["ash", "2.5", "30"], ["elm", "", "40"]]
NAMES = ["tree", "height", "age"]


def as_csv(records: list[list[str]], separator: str = ",") -> str:
    return "".join(separator.join(record) + "\n" for record in records)


@pytest.mark.parametrize(
    "above", [[], [["Trees of the valley"]], [["Trees", "", ""], ["", "", ""], ["2023", "", ""]]]
)
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_titles_are_no_rows(tmp_path: Path, above: list[list[str]], separator: str) -> None:
    file = tmp_path / "t.csv"
    file.write_text(as_csv([*above, NAMES, *ROWS], separator))
    found = read_file(file)
    assert found.frame.columns == NAMES
    assert found.frame["height"].to_list() == [1.5, 2.5, None]
    assert len(found.notes) == bool(above)


@pytest.mark.parametrize(
    ("units", "is_units"),
    [
        (["", "m", "years"], True),
        (["name", "(m)", "[a]"], True),
        (["yew", "unknown", "50"], False),
        (["yew", "tall", "old"], False),
        (["yew", "", ""], False),
    ],
)
def test_units_are_no_row(units: list[str], is_units: bool) -> None:
    found = find_layout([NAMES, units, *ROWS])
    assert bool(found.units) == is_units
    assert found.first_row == 1 + is_units


def test_comments_are_no_names() -> None:
    comments = [["# measured by hand"], ["# wind", " rain", " sun"]]
    found = find_layout([*comments, NAMES, *ROWS])
    assert (found.header, found.names) == (2, tuple(NAMES))
    assert find_layout([["#", *NAMES[1:]], *[[str(k), *row[1:]] for k, row in enumerate(ROWS)]]).header == 0


def test_names_over_several_columns_are_titles() -> None:
    rows = [[str(k), "1", "2", "oak"] for k in range(5)]
    found = find_layout([["size", "", "other", ""], ["height", "width", "age", "kind"], *rows])
    assert found.names == ("height", "width", "age", "kind")
    found = find_layout([["2022", "", "2023", ""], ["height", "kind", "height", "kind"], *rows])
    assert found.names == ("2022 height", "2022 kind", "2023 height", "2023 kind")


def test_rows_with_a_cell_more_than_names(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(as_csv([NAMES, *[[*row, ""] for row in ROWS]]))
    found = read_file(file)
    assert found.frame.columns == [*NAMES, "column_4"]
    assert found.notes == ("Rows have one cell more than there are names: the last is called 'column_4'.",)
    file.write_text(as_csv([NAMES, *[[str(k), *row] for k, row in enumerate(ROWS)]]))
    found = read_file(file)
    assert found.frame.columns == ["row", *NAMES]
    assert found.frame["tree"].to_list() == ["oak", "ash", "elm"]


def test_notes_below_the_last_row(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(as_csv([NAMES, *ROWS, [], ["Source: the forester"], ["2023"]]))
    found = read_file(file)
    assert found.frame.height == len(ROWS)
    assert found.notes == ("Below the last row: 2 lines of notes, not part of the table.",)
    file.write_text(as_csv([NAMES, ["oak"], *ROWS]))  # in the middle it is a row that is cut short
    with pytest.raises(ValueError, match="line 2: 1 cells"):
        read_file(file)


TOTALS = [["Total", "4.0", ""], ["Average:", "2.0", ""]]


def test_totals_are_no_rows(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(as_csv([NAMES, *ROWS[:2], TOTALS[0]]))
    found = read_file(file)
    assert found.frame["height"].to_list() == [1.5, 2.5]
    assert found.notes == ("The last row, 'Total', is a total, not part of the table.",)
    file.write_text(as_csv([NAMES, *ROWS[:2], *ROWS[:2], *TOTALS], ";"))
    found = read_file(file)
    assert found.frame.height == 4
    assert found.notes == ("The last 2 rows, 'Total', 'Average:', are totals, not part of the table.",)


@pytest.mark.parametrize(
    "rows",
    [
        [*ROWS, *ROWS, ["total", "9.0", "90"]],  # a tree of that name, with all that is known of the others
        [["total", "", "20"], *ROWS, TOTALS[0]],  # a level
        [*ROWS, ["Totalis", "4.0", ""]],
        [*ROWS, ["Total", "", ""]],
    ],
)
def test_rows_that_are_no_totals(tmp_path: Path, rows: list[list[str]]) -> None:
    file = tmp_path / "t.csv"
    file.write_text(as_csv([NAMES, *rows]))
    assert read_file(file).frame.height == len(rows)


def test_a_table_without_names_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(as_csv([["oak", "1.5", "20"], ["ash", "2.5", "30"], ["oak", "3.5", "40"]]))
    with pytest.raises(ValueError, match="look like a row"):
        read_file(file)


def test_a_first_row_with_a_gap_is_a_row() -> None:
    assert find_layout([["x", "y"], ["", "a"], ["1", "b"], ["2", "a"]]).first_row == 1
    assert find_layout([["x", ""], ["1", "2"], ["1", "2"], ["3", "4"]]).names == ("x", "column_2")


@given(st.lists(st.sampled_from(["a", "a_2", "a_3", "b", ""]), min_size=1, max_size=7))
def test_names_differ_and_the_first_of_a_name_keeps_it(cells: list[str]) -> None:
    names, renamed = name_columns(cells)
    assert len(set(names)) == len(cells)
    for name in {cell for cell in cells if cell}:
        assert names[cells.index(name)] == name
    assert set(renamed) == {new for new, old in zip(names, cells, strict=True) if old and new != old}


def test_the_line_of_names_can_be_said(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("a b,c d,e\nx,y,z\n1,2,3\n")
    assert read_file(file).frame.columns == ["a b", "c d", "e"]
    assert read_file(file, FileOptions(header=2)).frame.to_dicts() == [{"x": 1, "y": 2, "z": 3}]


def test_files_of_one_form_are_one_table(tmp_path: Path) -> None:
    (tmp_path / "s-1.csv").write_text("a,b\n1,x\n")
    (tmp_path / "s-2.csv").write_text("b,a\ny,2.5\n")
    assert read_file(tmp_path / "s-*.csv").frame.rows() == [(1.0, "x"), (2.5, "y")]
    (tmp_path / "s-3.csv").write_text("a,c\n1,x\n")
    with pytest.raises(
        ValueError, match=r"s-3\.csv' has other columns than .*'b', 'c' are in one of them only"
    ):
        read_file(tmp_path / "s-*.csv")
    with pytest.raises(FileNotFoundError, match="named like"):
        read_file(tmp_path / "q-*.csv")


@pytest.fixture
def book(tmp_path: Path) -> Path:
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("fastexcel")
    made = openpyxl.Workbook()
    for sheet, year in ((made.active, 2022), (made.create_sheet("second"), 2023)):
        for record in (
            ["Sales of the north"],
            [f"exported {year}"],
            ["day", "price", "price", "shop"],
            [None, "EUR", "EUR", None],
            *([date(year, 1, day), day / 2, None, "x" if day % 2 else "NA"] for day in range(1, 6)),
        ):
            sheet.append(record)
    notes = made.create_sheet("notes")
    for record in (["who", "what"], ["me", "this"]):
        notes.append(record)
    made.save(tmp_path / "sales.xlsx")
    return tmp_path / "sales.xlsx"


def test_a_workbook(book: Path) -> None:
    found = read_file(book)
    assert found.frame.columns == ["day", "price", "price_2", "shop"]
    assert found.frame["price"].to_list() == [0.5, 1.0, 1.5, 2.0, 2.5] * 2
    assert found.frame["day"].dt.year().unique().sort().to_list() == [2022, 2023]
    assert found.frame["shop"].to_list()[:2] == ["x", None]
    assert any("'notes' has other columns" in note for note in found.notes)
    assert read_file(book, FileOptions(sheet="second")).frame.height == 5
    assert read_file(book, FileOptions(sheet="notes")).frame.rows() == [("me", "this")]
    with pytest.raises(ValueError, match=r"has no sheet 'secnd'.*Did you mean 'second'"):
        read_file(book, FileOptions(sheet="secnd"))


def test_an_empty_workbook(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("fastexcel")
    openpyxl.Workbook().save(tmp_path / "empty.xlsx")
    with pytest.raises(ValueError, match="no sheet with a table"):
        read_file(tmp_path / "empty.xlsx")


@pytest.mark.parametrize("error", ["#N/A", "#NAME?", "#DIV/0!"])
def test_errors_of_a_workbook_are_missing_cells(tmp_path: Path, error: str) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("fastexcel")
    made = openpyxl.Workbook()
    for record in (["price", "day", "shop"], [1.5, date(2024, 1, 2), "x"], [error, date(2024, 1, 3), "y"]):
        made.active.append(record)
    made.save(tmp_path / "errors.xlsx")
    found = read_file(tmp_path / "errors.xlsx").frame
    assert found["price"].to_list() == [1.5, None]
    assert found["shop"].to_list() == ["x", "y"]


def test_totals_of_a_workbook_are_no_rows(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    pytest.importorskip("fastexcel")
    made = openpyxl.Workbook()
    for record in (
        ["shop", "day", "profit", "notes"],
        ["x", 1, 3.5, ""],
        ["x", 2, 1.5, ""],
        ["Total", None, 5.0, ""],
    ):
        made.active.append(record)
    made.save(tmp_path / "totals.xlsx")
    found = read_file(tmp_path / "totals.xlsx")
    assert found.frame["profit"].to_list() == [3.5, 1.5]
    assert found.notes == ("The last row, 'Total', is a total, not part of the table.",)
    assert not caplog.records  # of an empty column fastexcel warns
