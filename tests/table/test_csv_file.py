import gzip
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.table import read_frame, to_table
from hedgerow.table.csv_file import MISSING, scan_csv
from hedgerow.table.read import read_file

from .same import assert_same, cells


def write(folder: Path, content: str | bytes, name: str = "t.csv") -> Path:
    file = folder / name
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def column(folder: Path, *rows: str) -> pl.Series:
    return read_frame(write(folder, "c,end\n" + "".join(f"{row},1\n" for row in rows)))["c"]


@pytest.mark.parametrize("spelling", MISSING)
def test_missing_spellings(tmp_path: Path, spelling: str) -> None:
    assert column(tmp_path, "1", spelling, "3").to_list() == [1, None, 3]
    assert column(tmp_path, "x", f" {spelling} ", "y").to_list() == ["x", None, "y"]


def test_the_word_none_is_a_level(tmp_path: Path) -> None:
    assert column(tmp_path, "None", "Some").to_list() == ["None", "Some"]


@pytest.mark.parametrize(
    ("rows", "dtype"),
    [
        (["1", "-2", "+3"], pl.Int64),
        (["1", "2.5"], pl.Float64),
        (["1e3", "1"], pl.Float64),
        (["99999999999999999999", "1"], pl.String),  # a float would change it
        (["100000000000000000000", "1"], pl.Float64),
        (["True", "false", "TRUE"], pl.Boolean),
        (["true", "NA"], pl.Boolean),
        (["true", "1"], pl.String),
        (["1", "x"], pl.String),
        (["NA", "?", "."], pl.Int64),
        (["2024-01-02", "2024-01-03"], pl.String),
        ([" 1", "2 "], pl.Int64),
    ],
)
def test_types(tmp_path: Path, rows: list[str], dtype: pl.DataType) -> None:
    assert column(tmp_path, *rows).dtype == dtype


@pytest.mark.parametrize(("last", "dtype"), [("2.5", pl.Float64), ("x", pl.String), ("true", pl.String)])
def test_the_last_row_counts_as_much_as_the_first(tmp_path: Path, last: str, dtype: pl.DataType) -> None:
    assert column(tmp_path, *["1"] * 2000, last).dtype == dtype


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separators(tmp_path: Path, separator: str) -> None:
    frame = read_frame(write(tmp_path, f"a{separator}b\n1{separator}x\n"))
    assert frame.to_dict(as_series=False) == {"a": [1], "b": ["x"]}


def test_tab_separated_may_hold_commas(tmp_path: Path) -> None:
    assert read_frame(write(tmp_path, "a,b,c\td\n1\t2\n", "t.tsv")).columns == ["a,b,c", "d"]


def test_compressed(tmp_path: Path) -> None:
    file = write(tmp_path, gzip.compress(b"a,b\n1,\n2,x\n"), "t.csv.gz")
    assert_same(to_table(file), to_table({"a": [1, 2], "b": [None, "x"]}))


def test_compressed_and_broken(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"t\.csv\.gz' cannot be read as CSV"):
        read_frame(write(tmp_path, b"not gzip", "t.csv.gz"))


@pytest.mark.parametrize(
    ("content", "line", "found"),
    [("a,b\n1,2\n3\n4,5\n", 3, 1), ("a,b\n1,2,3\n", 2, 3), ("a,b,c\n1,2,3\n\n4,5\n", 4, 2)],
)
def test_ragged_rows(tmp_path: Path, content: str, line: int, found: int) -> None:
    with pytest.raises(ValueError, match=rf"t\.csv', line {line}: {found} cells, but the header names"):
        read_frame(write(tmp_path, content))


@pytest.mark.parametrize(
    "content", ["a,b\n1,2\n\n3,4\n\n", "\n\na,b\r\n1,2\r\n\r\n3,4\r\n", "a,b\n1,2\n   \n3,4"]
)
def test_blank_lines_are_no_rows(tmp_path: Path, content: str) -> None:
    assert read_frame(write(tmp_path, content)).to_dict(as_series=False) == {"a": [1, 3], "b": [2, 4]}


def test_rows_of_nothing_but_missing_cells_are_rows(tmp_path: Path) -> None:
    assert read_frame(write(tmp_path, "a,b\n1,2\n,\n\n3,4\n"))["a"].to_list() == [1, None, 3]


def test_names_twice(tmp_path: Path) -> None:
    found = read_file(write(tmp_path, "a,b,a,a_2\n1,2,3,4\n"))
    assert found.frame.columns == ["a", "b", "a_3", "a_2"]
    assert "'a' already: this one is called 'a_3'" in found.notes[0]


def test_a_header_only(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"t\.csv' holds no rows \(2 columns\)"):
        read_frame(write(tmp_path, "a,b\n"))


def test_blank_only(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"t\.csv' is empty"):
        read_frame(write(tmp_path, "\n \n"))


def test_no_header(tmp_path: Path) -> None:
    with pytest.raises(
        ValueError, match=r"look like a row and not like column names.*put a line of column names"
    ):
        read_frame(write(tmp_path, "1.5,2\n3,4\n"))


def test_positions_are_names(tmp_path: Path) -> None:
    assert read_frame(write(tmp_path, "0,1\n3,4\n")).columns == ["0", "1"]


def test_a_name_left_out(tmp_path: Path) -> None:
    assert read_frame(write(tmp_path, ",b\n0,4\n")).columns == ["column_1", "b"]


def test_byte_order_mark_and_spaces_around_names(tmp_path: Path) -> None:
    assert read_frame(write(tmp_path, b"\xef\xbb\xbfa , b\n1,2\n")).columns == ["a", "b"]


def test_names_and_cells_with_line_breaks(tmp_path: Path) -> None:
    frame = read_frame(write(tmp_path, '"a\nb",c\n"x, ""y""\nz",2\n'))
    assert frame.to_dict(as_series=False) == {"a\nb": ['x, "y"\nz'], "c": [2]}


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_its_mark(tmp_path: Path, encoding: str) -> None:
    found = read_frame(write(tmp_path, "a,b\n1,\xe4\n".encode(encoding)))
    assert found.to_dict(as_series=False) == {"a": [1], "b": ["\xe4"]}


def test_lines_that_end_in_carriage_returns(tmp_path: Path) -> None:
    assert read_frame(write(tmp_path, b"a,b\r1,x\r2,y\r")).to_dict(as_series=False) == {
        "a": [1, 2],
        "b": ["x", "y"],
    }


def test_codes_keep_their_zeros(tmp_path: Path) -> None:
    text = "zip,month,n\n02139,01,001\n10115,12,12\n,,3\n"
    frame = read_frame(write(tmp_path, text))
    assert frame["zip"].to_list() == ["02139", "10115", None]
    assert frame["month"].to_list() == [1, 12, None]  # of two digits
    assert frame["n"].to_list() == [1, 12, 3]  # of several lengths
    assert scan_csv(tmp_path / "t.csv").collect().equals(frame)


def test_errors_of_spreadsheets_are_missing(tmp_path: Path) -> None:
    assert read_frame(write(tmp_path, "a,b\n1,#N/A\n#DIV/0!,x\n")).null_count().row(0) == (1, 1)


def test_the_null_of_mysql_is_missing(tmp_path: Path) -> None:
    assert read_frame(write(tmp_path, "a,b\n1,\\N\n\\N,x\n")).null_count().row(0) == (1, 1)


def test_windows_1252_is_read_with_a_note(tmp_path: Path) -> None:
    file = write(tmp_path, "K\xe4ufer;Preis\nM\xfcller;1.234,50 \x80\n".encode("latin-1"))
    found = read_file(file)
    assert found.frame.to_dict(as_series=False) == {"K\xe4ufer": ["M\xfcller"], "Preis": [1234.5]}
    assert any("Windows-1252" in note for note in found.notes)


def test_money_and_shares_between_semicolons(tmp_path: Path) -> None:
    frame = read_frame(write(tmp_path, "a;b;c\n1.234,50 \u20ac;12,5 %;1.5 kg\n(7,00 \u20ac);3 %;2\n;;\n"))
    assert frame.to_dict(as_series=False) == {
        "a": [1234.5, -7.0, None],
        "b": [12.5, 3.0, None],
        "c": ["1.5 kg", "2", None],
    }


@pytest.mark.parametrize("content", [b"a,b\n\xff\x81,1\n", "a,b\n\u65e5\u672c\u8a9e,2\n".encode("shift_jis")])
def test_not_utf8(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(ValueError, match=r"t\.csv' is not UTF-8 text .* iconv"):
        read_frame(write(tmp_path, content))


def test_a_quote_left_open(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"t\.csv'.*quote"):
        read_frame(write(tmp_path, 'a,b\n"x,1\n2,3\n'))


def test_infinity_is_refused_by_the_table(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'a' holds inf in row 1"):
        to_table(write(tmp_path, "a,b\n1,2\ninf,3\n"))


@given(st.binary(max_size=40) | st.text('ab1,;"\n\r\t ?', max_size=40).map(str.encode))
def test_any_bytes_are_a_table_or_an_error_that_names_the_file(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    file = write(tmp_path_factory.mktemp("csv"), content)
    message = ""
    try:
        assert read_frame(file).height > 0
    except ValueError as error:
        message = str(error)
    assert not message or "t.csv" in message


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.none() | st.integers(), st.none() | st.text(min_size=1, max_size=4)), min_size=1)
)
def test_what_polars_writes_comes_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int | None, str | None]]
) -> None:
    file = tmp_path_factory.mktemp("csv") / "t.csv"
    words = [
        None if word is None else "w" + word.replace("\r", "").replace("\0", "") + "w" for _, word in rows
    ]
    numbers = [None if number is None else float(number) for number, _ in rows]
    pl.DataFrame(
        {"number": numbers, "word": words}, schema={"number": pl.Float64, "word": pl.String}
    ).write_csv(file)
    table = to_table(file)
    assert cells(table.column("number")) == numbers
    assert cells(table.column("word")) == words


def test_utf16_with_its_mark(tmp_path: Path) -> None:
    for encoding in ("utf-16-le", "utf-16-be"):
        (tmp_path / "t.csv").write_bytes("\ufeffname\tn\nZoë\t1\n".encode(encoding))
        assert read_frame(tmp_path / "t.csv").to_dicts() == [{"name": "Zoë", "n": 1}]


def test_decimal_commas_where_semicolons_part_the_cells(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a;b;c\n1,5;1.234,5;x,y\n-2;7;z\n;3,25;z\n")
    frame = read_frame(tmp_path / "t.csv")
    assert frame["a"].to_list() == [1.5, -2.0, None]
    assert frame["b"].to_list() == [1234.5, 7.0, 3.25]
    assert frame["c"].to_list() == ["x,y", "z", "z"]


def test_points_between_thousands_where_commas_stand_before_fractions(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a;b;c;d\n1,5;1.234;0.125;x,y\n-2,25;950;12.500;z\n;12.000;3.250;z\n")
    found = read_file(tmp_path / "t.csv")
    assert found.frame["b"].to_list() == [1234, 950, 12000]
    assert found.frame["c"].to_list() == [0.125, 12.5, 3.25]
    assert found.notes == (
        "Points stand between thousands in 'b', for commas stand before fractions elsewhere.",
    )
    (tmp_path / "t.csv").write_text("a;b\n1.5;1.234\n2;950\n")
    assert read_frame(tmp_path / "t.csv")["b"].to_list() == [1.234, 950.0]


def test_other_formats_under_a_wrong_name(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"PK\x03\x04\x00\xff\xfe" * 9)
    with pytest.raises(ValueError, match="begins like a ZIP archive or a spreadsheet"):
        read_frame(tmp_path / "t.csv")


def test_a_gzip_file_that_is_cut_short(tmp_path: Path) -> None:
    text = "a,b\n" + "".join(f"{k},{k * k}\n" for k in range(500))
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(text.encode())[:300])
    with pytest.raises(ValueError, match=r"t\.csv\.gz' cannot be read as CSV"):
        read_frame(tmp_path / "t.csv.gz")


def test_a_first_line_without_an_end_is_not_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hedgerow.table.csv_file.LONGEST_LINE", 1000)
    with pytest.raises(ValueError, match="a first line of more than 1,000 characters"):
        read_frame(write(tmp_path, "a" * 5000))
    with pytest.raises(ValueError, match="a first line of more than 1,000 characters"):
        read_frame(write(tmp_path, gzip.compress(b"a" * 5000), "t.csv.gz"))
    assert read_frame(write(tmp_path, "a" * 999 + "\n1\n")).height == 1


def test_utf16_with_half_a_character_at_its_end(tmp_path: Path) -> None:
    for rows in ("", "1,2\n" * 5000):
        with pytest.raises(ValueError, match="begins like UTF-16 text, but not all of it is"):
            read_frame(write(tmp_path, f"a,b\n1,2\n{rows}".encode("utf-16") + b"A"))
