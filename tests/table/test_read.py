import json
from pathlib import Path

import polars as pl
import pytest

from hedgerow.table import read_frame, to_table

from .same import assert_same

FRAME = pl.DataFrame(
    {"a": [1, None, 3], "b": ["x", "y", None], "c": [True, False, None], "d": [0.5, 1.5, 2.5]}
)


@pytest.mark.parametrize(
    "ending", ["parquet", "feather", "arrow", "ipc", "jsonl", "ndjson", "csv", "tsv", "txt", "CSV"]
)
def test_every_format_gives_the_same_table(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"t.{ending}"
    match ending:
        case "parquet":
            FRAME.write_parquet(file)
        case "feather" | "arrow" | "ipc":
            FRAME.write_ipc(file)
        case "jsonl" | "ndjson":
            FRAME.write_ndjson(file)
        case _:
            FRAME.write_csv(file, separator="\t" if ending == "tsv" else ",")
    assert_same(to_table(file), to_table(FRAME))


def test_a_frame_is_returned(tmp_path: Path) -> None:
    FRAME.write_parquet(tmp_path / "t.parquet")
    assert read_frame(tmp_path / "t.parquet").equals(FRAME)


def test_a_mistyped_folder_has_no_ending(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"No file '.*titanic-stdy'"):
        read_frame(tmp_path / "titanic-stdy")


def test_unknown_ending(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"t\.doc' has an unknown ending. Known: \.csv.*\.parquet.*Way out"):
        read_frame(tmp_path / "t.doc")


def test_a_list_of_objects_is_json_too(tmp_path: Path) -> None:
    rows = [{"a": 1, "b": "x"}, {"a": 2, "b": None}]
    for name in ("t.json", "t.jsonl"):
        (tmp_path / name).write_text(json.dumps(rows))
        assert read_frame(tmp_path / name).to_dicts() == rows


def test_no_such_file_suggests(tmp_path: Path) -> None:
    (tmp_path / "titanic.csv").write_text("a\n1\n")
    with pytest.raises(FileNotFoundError, match=r"titanik\.csv'.*there is 'titanic\.csv': did you mean"):
        read_frame(tmp_path / "titanik.csv")


def test_no_such_file_and_nothing_near(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"No file '.*t\.csv'\.$"):
        read_frame(tmp_path / "t.csv")


def test_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="does not exist either"):
        read_frame(tmp_path / "nowhere" / "t.csv")


def test_a_folder(tmp_path: Path) -> None:
    (tmp_path / "t.csv").mkdir()
    with pytest.raises(IsADirectoryError, match="is a folder"):
        read_frame(tmp_path / "t.csv")


@pytest.mark.parametrize("ending", ["csv", "parquet", "feather", "jsonl"])
def test_empty_file(tmp_path: Path, ending: str) -> None:
    (tmp_path / f"t.{ending}").touch()
    with pytest.raises(ValueError, match=rf"t\.{ending}' is empty \(0 bytes\)"):
        read_frame(tmp_path / f"t.{ending}")


@pytest.mark.parametrize("ending", ["parquet", "feather", "arrow", "jsonl"])
@pytest.mark.parametrize("content", [b"garbage", b"PAR1 cut short PAR1", b"ARROW1\0\0", b"{\n"])
def test_broken_file(tmp_path: Path, ending: str, content: bytes) -> None:
    (tmp_path / f"t.{ending}").write_bytes(content)
    with pytest.raises(ValueError, match=rf"t\.{ending}' cannot be read as"):
        read_frame(tmp_path / f"t.{ending}")


@pytest.mark.parametrize("ending", ["parquet", "feather"])
def test_file_cut_short(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"t.{ending}"
    FRAME.write_parquet(file) if ending == "parquet" else FRAME.write_ipc(file)
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(ValueError, match=rf"t\.{ending}' cannot be read as"):
        read_frame(file)


def test_no_rows(tmp_path: Path) -> None:
    FRAME.clear().write_parquet(tmp_path / "t.parquet")
    with pytest.raises(ValueError, match=r"t\.parquet' holds no rows \(4 columns\)"):
        read_frame(tmp_path / "t.parquet")


def test_a_late_float_in_json_lines(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"a": 1}\n' * 500 + '{"a": 2.5}\n')
    assert to_table(tmp_path / "t.jsonl").columns[0].values[-1] == 2.5


def test_a_name_with_a_star_is_one_file(tmp_path: Path) -> None:
    for name in ("a*.csv", "ab.csv"):
        (tmp_path / name).write_text("a\n1\n")
    assert read_frame(tmp_path / "a*.csv").height == 1


def test_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    (tmp_path / "t.csv").write_text("a\n1\n")
    assert read_frame("~/t.csv").height == 1
