"""Every command, whatever it is given: one sentence on standard error, exit code 2, nothing written, no traceback."""

import errno
import gzip
import json
import os
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.cli.run import Runner

N = 60
RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=N).round(2)
FRAME = pl.DataFrame({"x": X, "town": RANDOM.choice(["oak", "ash"], N), "y": np.where(X > 0, "yes", "no")})
CSV = FRAME.write_csv()
LEARNING = ("study", "fit", "prune", "rules", "evaluate", "compare")
FILES = {
    "empty.csv": (b"", "is empty"),
    "blank.csv": (b"\n\n\n", "is empty"),
    "header.csv": (b"x,town,y\n", "holds no rows"),
    "japanese.csv": (CSV.replace("yes", "\u65e5\u672c\u8a9e").encode("shift_jis"), "iconv -f SHIFT_JIS"),
    "ragged.csv": ((CSV + "1,2\n").encode(), "line 62: 2 cells, but the header names 3"),
    "book.xlsx": (b"PK\x03\x04", "cannot be read as a workbook"),
    "book.csv": (b"PK\x03\x04\x00\xff\xfe" * 99, "a ZIP archive or a spreadsheet"),
    "cut.csv.gz": (gzip.compress(CSV.encode())[:90], "cannot be read as CSV"),
    "bytes.parquet": (b"PAR1 but not really", "cannot be read as Parquet"),
    "bytes.feather": (b"ARROW1 but not really", "cannot be read as"),
    "bad.jsonl": (b'{"x": 1, "y": 2}\nno json\n', "cannot be read as JSON lines"),
    "doc.pdf": (b"%PDF", "unknown ending"),
}
TARGETS = {
    "one_class.csv": (b"x,y\n" + b"1,a\n2,a\n" * 30, "'a' in every row"),
    "no_target.csv": (b"x,y\n" + b"1,\n2,NA\n" * 30, "0 rows have a target in 'y'"),
    "two.csv": (b"x,y\n1,a\n2,b\n", "At least 4 are wanted"),
    "names.csv": (
        b"x,y\n" + b"".join(b"%d,n%d\n" % (k % 7, k) for k in range(N)),
        "looks like an identifier",
    ),
    "same.csv": (b"x,y\n" + b"1,a\n1,b\n" * 30, "'x', the same in every row"),
    "all_missing.csv": (b"x,y\n" + b",a\n,b\n" * 30, "no cell has a value"),
}


def refused(ran, words: str, folder: Path, before: list[str]) -> None:
    code, out, err = ran
    assert (code, out) == (2, "")
    assert err.startswith("Error: ")
    assert words in err
    assert "Traceback" not in err
    assert "\x1b" not in err
    assert err.count("\n") <= 2
    assert sorted(os.listdir(folder)) == before


@pytest.fixture
def model(hedgerow: Runner, tmp_path: Path) -> str:
    (tmp_path / "t.csv").write_text(CSV)
    words = ("--target", "y", "--save", "m.hedgerow", "--picture", "t.svg")
    assert hedgerow("fit", "t.csv", *words).code == 0
    return "m.hedgerow"


@pytest.mark.parametrize("as_json", [(), ("--json",)], ids=["page", "json"])
@pytest.mark.parametrize("command", [*LEARNING, "show"])
@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_table(hedgerow: Runner, tmp_path: Path, name: str, command: str, as_json) -> None:
    content, words = FILES[name]
    (tmp_path / name).write_bytes(content)
    target = () if command == "show" else ("--target", "y")
    refused(hedgerow(command, name, *target, *as_json), words, tmp_path, [name])


@pytest.mark.parametrize("name", sorted(set(FILES) - {"header.csv"}))  # no rows, no predictions
def test_new_rows_that_are_no_table(hedgerow: Runner, tmp_path: Path, model: str, name: str) -> None:
    content, words = FILES[name]
    (tmp_path / name).write_bytes(content)
    before = sorted(os.listdir(tmp_path))
    refused(hedgerow("predict", model, name), words, tmp_path, before)
    refused(hedgerow("evaluate", name, "--model", model), words, tmp_path, before)


@pytest.mark.parametrize("command", LEARNING)
@pytest.mark.parametrize("name", TARGETS)
def test_a_target_that_teaches_nothing(hedgerow: Runner, tmp_path: Path, name: str, command: str) -> None:
    content, words = TARGETS[name]
    (tmp_path / name).write_bytes(content)
    refused(hedgerow(command, name, "--target", "y"), words, tmp_path, [name])


WRONG = {
    ("--target", "yy"): "Did you mean 'y'?",
    ("--drop", "q"): "which is no column",
    ("--drop", "y"): "which is the target",
    ("--drop", "x,town"): "No column is left",
    ("--categories", "q"): "which is no column",
    ("--random-state", "-1"): "--random-state -1 is out of range",
    ("--random-state", "one"): "--random-state one cannot be read. Give a whole number.",
    ("--n-jobs", "0"): "--n-jobs 0",
    ("--memory", "-1"): "--memory -1",
    ("--nonsense",): "No such option: --nonsense",
}


@pytest.mark.parametrize("command", LEARNING)
@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_wrong_options(hedgerow: Runner, tmp_path: Path, command: str, words: tuple[str, ...]) -> None:
    (tmp_path / "t.csv").write_text(CSV)
    target = () if "--target" in words else ("--target", "y")
    refused(hedgerow(command, "t.csv", *target, *words), WRONG[words], tmp_path, ["t.csv"])


@pytest.mark.parametrize("command", [*LEARNING, "show"])
def test_a_path_that_is_not_there_or_is_a_folder(hedgerow: Runner, tmp_path: Path, command: str) -> None:
    (tmp_path / "houses.csv").mkdir()
    for given, words in (("house.csv", "No file"), ("titanik", "titanic"), ("houses.csv", "is a folder")):
        refused(hedgerow(command, given), words, tmp_path, ["houses.csv"])


MODELS = {
    ("study", "--models", "forrest"): "Did you mean 'forest'?",
    ("fit", "--model", "forrest"): "Did you mean 'forest'?",
    ("evaluate", "--model", "forrest"): "Did you mean 'forest'?",
    ("compare", "--models", "tree,forrest"): "Did you mean 'forest'?",
    ("evaluate", "--cv", "1000"): "--cv 1000 is more than the 57 different rows",
    ("evaluate", "--cv", "1"): "--cv 1 is out of range",
    ("evaluate", "--repeats", "0"): "--repeats 0 is out of range",
    ("evaluate", "--groups", "town", "--cv", "5"): "more than the 2 groups",
    ("evaluate", "--model", "./none.hedgerow"): "No model at './none.hedgerow'",
    ("compare", "--cv", "1000"): "Give at most --cv 57",
    ("compare", "--models", "tree"): "Name two or more, or: hedgerow evaluate",
    ("evaluate", "--groups", "q"): "--groups q is no column",
    ("compare", "--groups", "toun"): "Did you mean 'town'?",
    ("compare", "--scoring", "acuracy"): "Did you mean 'accuracy'?",
    ("compare", "--test", "t"): "--test t is unknown. Known: bayes, combined_5x2cv_f, corrected_t",
    ("compare", "--prefer", "least"): "--prefer least is unknown. Known: accurate",
    ("evaluate", "--positive", "maybe"): "--positive maybe is no class",
    ("evaluate", "--cv", "2.5"): "--cv 2.5 is out of range",
    ("evaluate", "--picture", "no/c.png"): "there is no folder 'no'",
    ("compare", "--picture", "c.gif"): "must end in .svg or .png",
    ("rules", "--estimate", "held-out"): "held_out",
    ("rules", "--output", "r.pdf"): "must end in .txt or .json",
}


@pytest.mark.parametrize("words", MODELS, ids=" ".join)
def test_a_word_typed_wrong(hedgerow: Runner, tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "t.csv").write_text(CSV)
    command, *more = words
    refused(hedgerow(command, "t.csv", "--target", "y", *more), MODELS[words], tmp_path, ["t.csv"])


def test_weights_that_are_text(hedgerow: Runner, tmp_path: Path) -> None:
    FRAME.with_columns(w=pl.lit("much")).write_csv(tmp_path / "t.csv")
    ran = hedgerow("study", "t.csv", "--target", "y", "--weights", "w")
    refused(
        ran, "--weights w holds text such as 'much'. Expected: numbers of 0 or more.", tmp_path, ["t.csv"]
    )


def test_negative_weights(hedgerow: Runner, tmp_path: Path) -> None:
    FRAME.with_columns(w=pl.lit(-1.0)).write_csv(tmp_path / "t.csv")
    ran = hedgerow("study", "t.csv", "--target", "y", "--weights", "w")
    refused(ran, "--weights w has missing, negative or only zero weights", tmp_path, ["t.csv"])


@pytest.mark.slow
def test_more_folds_than_rows_is_a_fold_a_row_in_a_study(hedgerow: Runner, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(CSV)
    words = ("--target", "y", "--models", "stump", "--repeats", "1", "--folds", "1000", "--json")
    code, out, _ = hedgerow("study", "t.csv", *words)
    assert code == 0
    assert json.loads(out)["question"]["folds"] == 46  # 48 rows, two of them equal to others


@pytest.mark.parametrize(
    "words",
    [
        ("predict", "m.hedgerow", "t.csv", "-o", "out.csv"),
        ("report", "t-study", "-o", "out.html"),
        ("rules", "t.csv", "--target", "y", "-o", "out.txt"),
        ("export", "m.hedgerow", "-o", "out.txt"),
    ],
    ids=" ".join,
)
def test_a_disk_that_is_full(
    hedgerow: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str, words: tuple[str, ...]
) -> None:
    study_if_named(hedgerow, words)
    monkeypatch.setattr(os, "fsync", lambda place: fail_as_full())
    code, _, err = hedgerow(*words)
    assert code == 2
    assert f"'{words[-1]}' cannot be written: the disk is full" in err
    assert "Traceback" not in err
    assert not list(tmp_path.glob("*out.*"))


def fail_as_full() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def study_if_named(hedgerow: Runner, words: tuple[str, ...]) -> None:
    if "t-study" in words:
        quick = ("--models", "stump", "--folds", "2", "--repeats", "1")
        assert hedgerow("study", "t.csv", "--target", "y", *quick).code == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
@pytest.mark.parametrize(
    "words",
    [
        ("predict", "m.hedgerow", "t.csv", "-o", "/dev/full"),
        ("report", "t-study", "-o", "/dev/full"),
        ("export", "m.hedgerow", "-o", "/dev/full"),
    ],
    ids=" ".join,
)
def test_a_device_is_not_replaced(hedgerow: Runner, model: str, words: tuple[str, ...]) -> None:
    study_if_named(hedgerow, words)
    code, _, err = hedgerow(*words)
    assert code == 2
    assert "'/dev/full' is no regular file, and is not replaced. Give another name." in err
    assert "Traceback" not in err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_link_is_replaced_and_not_followed(hedgerow: Runner, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(CSV)
    (tmp_path / "full.txt").symlink_to("/dev/full")
    assert hedgerow("rules", "t.csv", "--target", "y", "-o", "full.txt").code == 0
    assert (tmp_path / "full.txt").is_file()
    assert not (tmp_path / "full.txt").is_symlink()
