"""A name that nothing has is refused from the header of the table, before scikit-learn or the rows are read."""

import subprocess
import sys

import pytest

from hedgerow.intake import ColumnOptions
from hedgerow.intake.columns import check_header
from hedgerow.intake.types_file import TypeOptions

TABLE = "size,age,grade,y\n" + "".join(f"{k},{k % 7},{k % 3},{'yes' if k % 2 else 'no'}\n" for k in range(40))
RUN = """
import sys
from hedgerow.cli import main
sys.argv = ["hedgerow", *sys.argv[1:]]
try:
    main()
finally:
    print("loaded" if "sklearn" in sys.modules else "light")
"""
MISTAKES = {
    ("--target", "z", "--drop", "size"): "--target z is no column",
    ("--target", "y", "--drop", "sise"): "Did you mean 'size'?",
    ("--target", "y", "--groups", "agee"): "Did you mean 'age'?",
    ("--target", "y", "--time", "agee"): "Did you mean 'age'?",
    ("--target", "y", "--weights", "agee"): "Did you mean 'age'?",
    ("--target", "y", "--types", "agee=category"): "Did you mean 'age'?",
    ("--target", "y", "--models", "forst"): "Did you mean 'forest'?",
    ("--target", "y", "--scoring", "roc_acu"): "Did you mean 'roc_auc'?",
    ("--target", "y", "--positive", "yess"): "Did you mean 'yes'?",
}


@pytest.mark.parametrize(("words", "message"), MISTAKES.items(), ids=lambda value: " ".join(value[-2:]))
def test_a_mistyped_name_is_refused_before_anything_slow_is_loaded(tmp_path, words, message):
    (tmp_path / "some.csv").write_text(TABLE)
    command = [sys.executable, "-c", RUN, "study", "some.csv", *words]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 2
    assert message in ran.stderr
    assert ran.stdout.endswith("light\n")
    assert [one.name for one in tmp_path.iterdir()] == ["some.csv"]


@pytest.mark.parametrize("command", ["compare", "evaluate"])
def test_so_it_is_in_the_other_commands_that_judge(tmp_path, command):
    (tmp_path / "some.csv").write_text(TABLE)
    ran = subprocess.run(
        [sys.executable, "-c", RUN, command, "some.csv", "--target", "z"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 2
    assert ran.stdout.endswith("light\n")


@pytest.mark.parametrize("ending", ["csv", "parquet", "feather"])
def test_the_rows_need_not_be_read(tmp_path, ending):
    import polars as pl

    file = tmp_path / f"some.{ending}"
    frame = pl.DataFrame({"size": [1, 2], "y": ["a", "b"]})
    {"csv": frame.write_csv, "parquet": frame.write_parquet, "feather": frame.write_ipc}[ending](file)
    check_header(file, ColumnOptions("y", types=TypeOptions({"size": "number"})))
    with pytest.raises(ValueError, match="Did you mean 'size'"):
        check_header(str(file), ColumnOptions("sise"))


def test_where_the_header_cannot_be_read_alone_nothing_is_refused():
    check_header("no such file.xlsx", ColumnOptions("y"))
    check_header({"y": [1]}, ColumnOptions("z"))
