"""Whatever `hedgerow study` is given: an answer, or a sentence with a way out; no traceback, nothing left behind."""

import gzip
import json
import os
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.cli.run import Runner

QUICK = ("--models", "stump", "--folds", "2", "--repeats", "1")
RANDOM = np.random.default_rng(0)
N = 60
X = RANDOM.normal(size=N).round(2)
FRAME = pl.DataFrame({"x": X, "town": RANDOM.choice(["oak", "ash"], N), "y": np.where(X > 0, "yes", "no")})
CSV = FRAME.write_csv()
HOSTILE = "<script>alert(1)</script>\"'{{7*7}}\n\U0001f600" + "z" * 300

REFUSED = {
    "empty.csv": (b"", "is empty (0 bytes)"),
    "blank.csv": (b"\n\n\n", "is empty"),
    "header.csv": (b"x,y\n", "holds no rows"),
    "one_class.csv": (b"x,y\n" + b"1,a\n2,a\n" * 30, "'a' in every row"),
    "no_target.csv": (b"x,y\n" + b"1,\n2,NA\n" * 30, "0 rows have a target in 'y'"),
    "japanese.csv": (CSV.replace("yes", "\u65e5\u672c\u8a9e").encode("shift_jis"), "iconv -f SHIFT_JIS"),
    "ragged.csv": ((CSV + "1,2\n").encode(), "line 62: 2 cells, but the header names 3"),
    "long.csv": ((CSV + "1,2,3,4\n").encode(), "line 62: 4 cells"),
    "two.csv": (b"x,y\n1,a\n2,b\n", "At least 4 are wanted"),
    "few.csv": (b"x,y\n" + b"1,a\n2,b\n" * 10, "A study wants at least 30"),
    "names.csv": (
        b"x,y\n" + b"".join(b"%d,n%d\n" % (k % 7, k) for k in range(N)),
        "looks like an identifier",
    ),
    "book.xlsx": (b"PK\x03\x04", "cannot be read as a workbook"),
    "book.csv": (b"PK\x03\x04\x00\xff\xfe" * 99, "begins like a ZIP archive or a spreadsheet"),
    "bad.jsonl": (b'{"x": 1, "y": 2}\nno json\n', "cannot be read as JSON lines"),
    "cut.csv.gz": (gzip.compress(CSV.encode())[:90], "'cut.csv.gz' cannot be read as CSV"),
    "quote.csv": (b'x,y\n"1,a\n2,b\n' * 9, "quote"),
    "bytes.parquet": (b"PAR1 but not really", "cannot be read as Parquet"),
    "doc.pdf": (b"%PDF", "unknown ending"),
    "same.csv": (b"x,y\n" + b"1,a\n1,b\n" * 30, "'x', the same in every row"),
}
TAKEN = {
    "twice.csv": CSV.replace("x,town,y", "x,x,y", 1).encode(),
    "titled.csv": f"Trees of the valley,,\n\n{CSV}".encode(),
    "utf16.csv": CSV.encode("utf-16"),
    "mark.csv": CSV.encode("utf-8-sig"),
    "semicolons.csv": CSV.replace(",", ";").encode(),
    "tabs.csv": CSV.replace(",", "\t").encode(),
    "commas.csv": CSV.replace(",", ";").replace(".", ",").encode(),
    "spaces.csv": CSV.replace("x,town,y", " x , town , y ", 1).encode(),
    "packed.csv.gz": gzip.compress(CSV.encode()),
    "lines.jsonl": "\n".join(map(json.dumps, FRAME.to_dicts())).encode(),
    "list.json": json.dumps(FRAME.to_dicts()).encode(),
    "gaps.csv": (CSV + "0.1,oak,NaN\n0.2,ash,\n").encode(),
    "truths.csv": CSV.replace("yes", "true").replace("no", "false").encode(),
    "three.csv": FRAME.with_columns(y=pl.Series(np.digitize(X, [-0.5, 0.5]))).write_csv().encode(),
    "rare.csv": (CSV + "9,oak,rare\n").encode(),
    "infinite.csv": (CSV + "inf,oak,yes\n-inf,oak,no\n").encode(),
    "empty_column.csv": FRAME.with_columns(nothing=pl.lit(None, pl.String)).write_csv().encode(),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(hedgerow: Runner, tmp_path: Path, name: str) -> None:
    content, words = REFUSED[name]
    (tmp_path / name).write_bytes(content)
    code, out, err = hedgerow("study", name, "--target", "y", *QUICK)
    assert (code, out) == (2, "")
    assert err.startswith("Error: ")
    assert words in err
    assert err.count("\n") <= 2
    assert os.listdir(tmp_path) == [name]


@pytest.mark.slow
@pytest.mark.parametrize("name", TAKEN)
def test_taken(hedgerow: Runner, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(TAKEN[name])
    code, out, err = hedgerow("study", name, "--target", "y", *QUICK, "--json")
    assert (code, err) == (0, "")
    output = json.loads(out)
    x = next(column for column in output["profile"]["columns"] if column["name"] == "x")
    assert x["kind"] == "number"
    assert x["used"]
    assert output["question"]["task"] == "classification"


def test_what_was_done_to_cells_is_said(hedgerow: Runner, tmp_path: Path) -> None:
    days = [f"2024-01-{1 + k % 28:02}" for k in range(N)]
    odd = FRAME.with_columns(
        day=pl.Series(days), price=pl.Series([f"${k % 9},000.50" for k in range(N)]), k=pl.lit(5)
    )
    odd.write_csv(tmp_path / "odd.csv")
    code, out, _ = hedgerow("study", "odd.csv", "--target", "y", *QUICK)
    assert code == 0
    assert "day: dates, read by day, year, month and weekday" in out
    assert "price: numbers in $" in out
    assert "k: the same in every row" in out
    assert "target    y: 2 classes" in out
    odd.head(3).write_csv(tmp_path / "rows.csv")
    code, out, _ = hedgerow(
        "predict", "odd-study/model.hedgerow", "rows.csv"
    )  # the same cells, understood again
    assert code == 0
    assert len(out.splitlines()) == 4


@pytest.mark.parametrize("where", ["target", "column"])
def test_hostile_names(hedgerow: Runner, tmp_path: Path, where: str) -> None:
    FRAME.rename({"y" if where == "target" else "x": HOSTILE}).write_csv(tmp_path / "t.csv")
    code, out, err = hedgerow("study", "t.csv", "--target", HOSTILE if where == "target" else "y", *QUICK)
    assert (code, err) == (0, "")
    assert "\x1b" not in out
    assert "<script>alert" not in (tmp_path / "t-study" / "report.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_ten_thousand_columns(hedgerow: Runner, tmp_path: Path) -> None:
    wide = RANDOM.integers(0, 9, size=(40, 10_000))
    frame = pl.DataFrame(wide, schema=[f"c{k}" for k in range(10_000)])
    frame.with_columns(y=pl.Series(np.where(wide[:, 7] > 4, "a", "b"))).write_parquet(
        tmp_path / "wide.parquet"
    )
    code, _, _ = hedgerow("study", "wide.parquet", "--target", "y", *QUICK)
    assert code == 0
    assert (tmp_path / "wide-study" / "report.html").stat().st_size < 3_000_000


@pytest.mark.slow
def test_larger_than_the_memory(hedgerow: Runner, tmp_path: Path) -> None:
    pl.concat([FRAME] * 40).write_csv(tmp_path / "t.csv")
    code, out, _ = hedgerow("study", "t.csv", "--target", "y", *QUICK, "--memory", "0.0001")
    assert code == 0
    assert "too large for the memory there is" in " ".join(out.split())


WRONG = {
    ("--folds", "0"): "--folds 0 is out of range",
    ("--folds", "two"): "--folds two cannot be read. Give a whole number.",
    ("--holdout", "0"): "--holdout 0 is out of range",
    ("--holdout", "0.99"): "leaves 1 of 60 rows to learn from",
    ("--repeats", "0"): "--repeats 0 is out of range",
    ("--random-state", "-1"): "--random-state -1 is out of range",
    ("--budget", "0"): "--budget 0 is out of range",
    ("--memory", "-1"): "--memory -1 is out of range",
    ("--n-jobs", "0"): "--n-jobs 0 has no meaning",
    ("--task", "clas"): "--task clas is unknown",
    ("--task", "regression"): "Use --task classification",
    ("--scoring", "rmse"): "--scoring rmse is unknown for a classification",
    ("--models", "trees"): "Did you mean 'tree'?",
    ("--models", ","): "names no model",
    ("--positive", "maybe"): "--positive maybe is no class",
    ("--groups", "g"): "--groups g is no column",
    ("--groups", "y"): "--groups y is the target",
    ("--weights", "y"): "--weights y is the target",
    ("--weights", "town"): "numbers of 0 or more",
    ("--drop", "y"): "which is the target",
    ("--drop", "q"): "which is no column",
    ("--drop", "x,town"): "No column is left",
    ("--target", "Y"): "Did you mean 'y'?",
    ("--folder", "t.csv"): "it is a file. Name another",
    ("--folder", "/proc/nowhere"): "Nothing can be written to the folder '/proc/nowhere'",
    ("--nonsense",): "No such option: --nonsense",
}


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_wrong_options(hedgerow: Runner, tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "t.csv").write_text(CSV)
    usual = {"--target": "y", "--models": "stump", "--folds": "2"}
    rest = [word for pair in usual.items() if pair[0] not in words for word in pair]
    code, out, err = hedgerow("study", "t.csv", *rest, *words)
    assert (code, out) == (2, "")
    assert err.startswith("Error: ")
    assert WRONG[words] in err
    assert os.listdir(tmp_path) == ["t.csv"]


@pytest.mark.parametrize("place", [".", "folder.csv"])
def test_a_folder_is_no_table(hedgerow: Runner, tmp_path: Path, place: str) -> None:
    """Not even if a folder in it has Parquet files."""
    (tmp_path / "folder.csv" / "inner").mkdir(parents=True)
    (tmp_path / "folder.csv" / "inner" / "t.parquet").touch()
    code, _, err = hedgerow("study", place, "--target", "y")
    assert code == 2
    assert "is a folder. Name one file in it" in err


def test_which_column(hedgerow: Runner, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(CSV)
    code, _, err = hedgerow("study", "t.csv")
    assert code == 2
    assert "Which column is to be predicted? Columns of 't.csv': 'x', 'town', 'y'." in err
    assert "Perhaps: --target y" in err


@pytest.mark.slow
def test_a_second_target_has_its_own_folder(hedgerow: Runner, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(CSV)
    assert hedgerow("study", "t.csv", "--target", "y", *QUICK).code == 0
    first = (tmp_path / "t-study" / "result.json").read_bytes()
    for _ in range(2):
        assert hedgerow("study", "t.csv", "--target", "town", *QUICK).code == 0
    assert (tmp_path / "t-study" / "result.json").read_bytes() == first
    assert sorted(os.listdir(tmp_path)) == ["t-study", "t-town-study", "t.csv"]


def test_a_folder_with_something_in_it_keeps_it(hedgerow: Runner, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(CSV)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("keep")
    assert hedgerow("study", "t.csv", "--target", "y", *QUICK, "--folder", "mine").code == 0
    assert (tmp_path / "mine" / "notes.txt").read_text() == "keep"
    assert hedgerow("study", "t.csv", "--target", "z", "--folder", "mine").code == 2
    assert (tmp_path / "mine" / "report.html").exists()


@pytest.mark.slow
def test_other_options_have_their_own_folder(hedgerow: Runner, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(CSV)
    words = ("study", "t.csv", "--target", "y", *QUICK)
    assert hedgerow(*words).code == 0
    first = (tmp_path / "t-study" / "result.json").read_bytes()
    code, out, err = hedgerow(*words, "--scoring", "log_loss")
    assert code == 0
    assert err.splitlines()[0] == "Going on: 4 of 4 fits are there already."
    assert err.splitlines()[1] == "t-study holds another study: this one went to t-study-2."
    assert "t-study-2/model.hedgerow" in out
    assert hedgerow(*words, "--random-state", "1").code == 0
    assert hedgerow(*words, "--scoring", "log_loss").code == 0  # the second again, not a fourth
    assert hedgerow(*words, "--budget", "1000", "--n-jobs", "1").code == 0  # the first again
    assert sorted(os.listdir(tmp_path)) == ["t-study", "t-study-2", "t-study-3", "t.csv"]
    assert (
        json.loads((tmp_path / "t-study" / "result.json").read_bytes())["notes"] == json.loads(first)["notes"]
    )
    code, out, err = hedgerow(*words, "--random-state", "7", "--folder", "t-study")
    assert (code, out) == (2, "")
    assert "'t-study' holds another study (hedgerow study t.csv --target y" in err
