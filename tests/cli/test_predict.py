"""hedgerow predict: by name, in any order, as the model in Python predicts."""

import subprocess
import sys
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.cli.run import Runner

from hedgerow import datasets
from hedgerow.estimators.saving import load


@pytest.fixture
def people(hedgerow: Runner, tmp_path: Path) -> pl.DataFrame:
    hedgerow("fit", "titanic")
    frame = datasets.titanic().frame()
    frame.select(reversed(frame.columns)).write_csv(tmp_path / "people.csv")
    return frame.drop("survived")


def test_columns_go_by_name(hedgerow: Runner, people: pl.DataFrame, tmp_path: Path) -> None:
    code, out, err = hedgerow("predict", "titanic.hedgerow", "people.csv")
    assert code == 0
    not_used, seen = err.splitlines()
    assert not_used == "Not used, the model does not know them: 'survived'"
    assert seen == "The model was trained on 1,173 of these 1,309 rows, or on rows equal to them."
    answers, model = pl.read_csv(StringIO(out)), load(tmp_path / "titanic.hedgerow")
    assert answers.columns == ["prediction", "probability_died", "probability_survived"]
    assert answers["prediction"].to_list() == model.predict(people).tolist()
    np.testing.assert_array_equal(answers[:, 1:].to_numpy(), model.predict_proba(people))


def test_to_a_file(hedgerow: Runner, people: pl.DataFrame, tmp_path: Path) -> None:
    code, out, err = hedgerow("predict", "titanic.hedgerow", "people.csv", "--output", "answers.csv")
    assert (code, out) == (0, "")
    assert "1,309 predictions written to answers.csv" in err
    assert pl.read_csv(tmp_path / "answers.csv").height == 1309


def test_missing_columns_and_unseen_levels_are_said_once(
    hedgerow: Runner, people: pl.DataFrame, tmp_path: Path
) -> None:
    less = people.drop("age").rename({"parch": "parchs"}).with_columns(sex=pl.lit("not known"))
    less.write_csv(tmp_path / "less.csv")
    code, out, err = hedgerow("predict", "titanic.hedgerow", "less.csv")
    assert code == 0
    assert len(out.splitlines()) == 1310
    assert "2 columns missing, taken as missing cells: 'age', 'parch'." in err
    assert "1,309 cells with a level the model has not seen: sex (1,309)." in err
    (tmp_path / "none.csv").write_text("a,b\n1,2\n")
    code, out, err = hedgerow("predict", "titanic.hedgerow", "none.csv")
    assert (code, out) == (2, "")
    assert "which the model needs" in err


def test_what_stands_beside_the_predictions(hedgerow: Runner, people: pl.DataFrame, tmp_path: Path) -> None:
    some = people.head(7).with_columns(who=pl.int_range(7))
    some.write_csv(tmp_path / "some.csv")
    code, out, _ = hedgerow("predict", "titanic.hedgerow", "some.csv", "--id", "who", "--reasons", 2)
    assert code == 0
    found = pl.read_csv(StringIO(out))
    assert found["who"].to_list() == list(range(7))
    shown = [found[f"reason_{k}"].str.extract(r": ([-+.e0-9]+)$").cast(float).fill_null(0.0) for k in (1, 2)]
    total = found["base"] + shown[0] + shown[1] + found["other_reasons"]
    np.testing.assert_allclose(total, found["score"], atol=1e-3)
    _, out, _ = hedgerow("predict", "titanic.hedgerow", "some.csv", "--keep")
    assert pl.read_csv(StringIO(out)).columns[: some.width] == some.columns
    code, _, err = hedgerow("predict", "titanic.hedgerow", "some.csv", "--id", "whom")
    assert code == 2
    assert "--id whom is no column" in err


def test_no_rows_give_no_rows(hedgerow: Runner, people: pl.DataFrame, tmp_path: Path) -> None:
    people.head(0).write_csv(tmp_path / "none.csv")
    code, out, err = hedgerow("predict", "titanic.hedgerow", "none.csv", "--reasons", 1)
    assert code == 0
    assert out.splitlines() == [
        "prediction,probability_died,probability_survived,score,base,reason_1,other_reasons"
    ]
    assert "has not seen" not in err


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_standard_input(
    hedgerow: Runner, people: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    some = people.head(5)
    text = some.write_csv() if form == "csv" else some.write_ndjson()
    some.write_csv(tmp_path / "some.csv")
    wanted = hedgerow("predict", "titanic.hedgerow", "some.csv").out
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(text.encode())))
    assert hedgerow("predict", "titanic.hedgerow", "-").out == wanted


def test_text_where_numbers_were(hedgerow: Runner, people: pl.DataFrame, tmp_path: Path) -> None:
    people.with_columns(age=pl.lit("old")).write_csv(tmp_path / "text.csv")
    code, _, err = hedgerow("predict", "titanic.hedgerow", "text.csv")
    assert code == 2
    assert "Column 'age' was numbers in training" in err


def test_cells_that_are_no_numbers_are_spoken_of(
    hedgerow: Runner, people: pl.DataFrame, tmp_path: Path
) -> None:
    """But for words that stand for a missing cell: those are as usual."""
    ages = pl.Series("age", ["old", "n.a.", "41", "-", "3O"] + ["30"] * (len(people) - 5))
    people.with_columns(ages).write_csv(tmp_path / "mixed.csv")
    code, _, err = hedgerow("predict", "titanic.hedgerow", "mixed.csv")
    assert code == 0
    assert "2 cells that are no number or date, taken as missing: age (2)." in err


@pytest.mark.usefixtures("houses")
def test_numbers_that_are_names(hedgerow: Runner, tmp_path: Path) -> None:
    hedgerow("fit", "houses.csv", "--target", "price", "--categories", "zip", "--ccp-alpha", 0)
    (tmp_path / "new.csv").write_text("zip,garden,town,area\n3,true,Ash,88\n9,false,Oak,\n")
    code, out, err = hedgerow("predict", "houses.hedgerow", "new.csv")
    assert code == 0
    assert "2 cells with a level the model has not seen: town (1), zip (1)." in err
    prices = pl.read_csv(StringIO(out))["prediction"].to_list()
    rows = {"area": [88, None], "town": ["Ash", "Oak"], "garden": [True, False], "zip": [3, 9]}
    assert prices == load(tmp_path / "houses.hedgerow").predict(pl.DataFrame(rows)).tolist()


@pytest.mark.usefixtures("people")
def test_without_scikit_learn(tmp_path: Path) -> None:
    code = (
        "import sys; sys.argv = ['hedgerow', 'predict', 'titanic.hedgerow', 'people.csv']\n"
        "from hedgerow.cli.main import main\ntry:\n    main()\n"
        "finally:\n    assert not {'sklearn', 'scipy', 'rich', 'matplotlib'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True)


@pytest.mark.parametrize("output", ["answers.parquet", "answers.csv"])
def test_parquet_goes_block_by_block(
    hedgerow: Runner, people: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str
) -> None:
    """The same answers as at once, and notes once."""
    from hedgerow.stream import TableStream

    monkeypatch.setitem(TableStream.__init__.__kwdefaults__, "block_rows", 200)
    rows = people.with_row_index("number").with_columns(extra=pl.lit(1), sex=pl.lit("not known"))
    rows.write_parquet(tmp_path / "rows.parquet")
    code, out, err = hedgerow(
        "predict", "titanic.hedgerow", "rows.parquet", "--out", output, "--id", "number"
    )
    assert (code, out) == (0, "")
    assert err.count("Not used") == 1
    assert "1,309 cells with a level the model has not seen: sex (1,309)." in err
    assert "1,309 predictions written" in err
    read = pl.read_parquet if output.endswith("parquet") else pl.read_csv
    answers, model = read(tmp_path / output), load(tmp_path / "titanic.hedgerow")
    assert answers["number"].to_list() == list(range(1309))
    wanted = model.predict_proba(rows.drop("number", "extra"))
    np.testing.assert_array_equal(answers[:, 2:].to_numpy(), wanted)
    assert not list(tmp_path.glob(".hedgerow-*"))


@pytest.mark.parametrize("age", ["in numbers", "as text"])
def test_a_large_csv_goes_block_by_block(
    hedgerow: Runner, people: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, age: str
) -> None:
    """The same answers as at once; numbers written as text are read by all cells, so at once."""
    from hedgerow.cli import inputs
    from hedgerow.stream import TableStream

    rows = people if age == "in numbers" else people.with_columns(pl.format("${}", "age").alias("age"))
    rows.with_row_index("number").write_csv(tmp_path / "rows.csv")
    sizes: list[int] = []
    whole = hedgerow("predict", "titanic.hedgerow", "rows.csv", "--id", "number", "--reasons", "1")
    monkeypatch.setattr(inputs, "LARGE", 0)
    monkeypatch.setitem(TableStream.__init__.__kwdefaults__, "block_rows", 200)
    match = inputs.match_columns
    monkeypatch.setattr(
        inputs, "match_columns", lambda *given: sizes.append(given[1].height) or match(*given)
    )
    assert hedgerow("predict", "titanic.hedgerow", "rows.csv", "--id", "number", "--reasons", "1") == whole
    assert (whole[0], sum(sizes)) == (0, 1309)
    assert (max(sizes) <= 200) == (age == "in numbers")


def test_booleans_are_one_word(hedgerow: Runner, tmp_path: Path) -> None:
    lines = [f"{k},{'true' if k > 20 else 'false'}" for k in range(40)]
    (tmp_path / "late.csv").write_text("\n".join(["x,late", *lines]))
    assert hedgerow("fit", "late.csv", "--target", "late", "--save", "late.hedgerow")[0] == 0
    _, out, _ = hedgerow("predict", "late.hedgerow", "late.csv")
    assert out.splitlines()[0] == "prediction,probability_false,probability_true"
    assert out.splitlines()[-1].startswith("true,")


def test_a_parquet_file_without_rows(hedgerow: Runner, people: pl.DataFrame, tmp_path: Path) -> None:
    people.head(0).write_parquet(tmp_path / "none.parquet")
    code, out, _ = hedgerow("predict", "titanic.hedgerow", "none.parquet")
    assert (code, out) == (0, "prediction,probability_died,probability_survived\n")


def test_free_text(hedgerow: Runner, tmp_path: Path) -> None:
    """Fitted, shown, predicted with reasons, exported as a picture and refused as a program."""
    random = np.random.default_rng(0)
    liked = random.integers(0, 2, 90)
    words = np.array([["dull", "awful"], ["great", "lovely"]])
    said = [
        f"the film was {random.choice(words[k])} with scene {random.integers(0, 99)} of it" for k in liked
    ]
    pl.DataFrame({"said": said, "liked": np.where(liked, "yes", "no")}).write_csv(tmp_path / "said.csv")
    code, out, err = hedgerow("fit", "said.csv", "--target", "liked", "--model", "tree")
    assert code == 0, err
    assert "free text, read by its words" in out
    code, out, err = hedgerow("predict", "said.hedgerow", "said.csv", "--reasons", "1")
    assert code == 0, err
    answers = pl.read_csv(StringIO(out))
    total = answers["base"] + answers["other_reasons"]
    total += answers["reason_1"].str.extract(r"([-+][\d.e-]+)$").cast(float).fill_null(0.0)
    np.testing.assert_allclose(total, answers["score"], atol=1e-3)
    assert hedgerow("show", "said.hedgerow").code == 0
    assert hedgerow("export", "said.hedgerow", "--to", "text").code == 0
    code, _, err = hedgerow("export", "said.hedgerow", "--to", "c")
    assert code == 2
    assert "counts words of free text" in err
    assert hedgerow("export", "said.hedgerow", "--to", "python").code == 0
