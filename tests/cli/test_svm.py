"""hedgerow fit --model svm and linear_svm: fitted, scored, certified, drawn, saved; and asked again."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.cli.run import Runner

from hedgerow import datasets
from hedgerow.estimators.saving import load


@pytest.fixture
def plane(tmp_path: Path) -> Path:
    """Two columns of numbers, three classes or two."""
    rows = np.random.default_rng(0).normal(size=(90, 2))
    three = np.array(["a", "b", "c"])[np.clip((rows[:, 0] * 2 + rows[:, 1] ** 2).astype(int), 0, 2)]
    frame = pl.DataFrame({"east": rows[:, 0] * 40, "north": rows[:, 1], "three": three, "two": three != "a"})
    frame.write_csv(tmp_path / "plane.csv")
    return tmp_path / "plane.csv"


@pytest.mark.parametrize(
    "options",
    [
        ("svm",),
        ("svm", "--kernel", "rbf", "--C", "10", "--gamma", "0.01"),
        ("svm", "--kernel", "poly", "--degree", "2", "--gamma", "auto"),
        ("svm", "--kernel", "linear", "--C", "0.1"),
        ("linear_svm", "--C", "0.5"),
        ("linear-svm",),
    ],
)
def test_fit_and_predict(hedgerow: Runner, tmp_path: Path, options: tuple[str, ...]) -> None:
    code, out, err = hedgerow("fit", "heart", "--model", *options)
    assert code == 0, err
    for words in (
        "support vector machine",
        "duality gap at most",
        "KKT violation at most",
        "margin",
        "(C = ",
    ):
        assert words in " ".join(out.split())
    heart = datasets.heart()
    heart.frame().write_csv(tmp_path / "rows.csv")
    code, _, _ = hedgerow("predict", "heart.hedgerow", "rows.csv", "-o", "answers.csv")
    assert code == 0
    model = load(tmp_path / "heart.hedgerow")
    output = pl.read_csv(tmp_path / "answers.csv")["prediction"].to_list()
    assert output == model.predict(heart.frame().drop(heart.target_name)).tolist()
    assert "duality gap" in hedgerow("show", "heart.hedgerow").out
    assert not (tmp_path / "heart-svm.svg").exists()  # more than two columns


@pytest.mark.parametrize("model", ["svm", "linear_svm"])
def test_numbers(hedgerow: Runner, houses: Path, model: str) -> None:
    code, out, _ = hedgerow("fit", houses, "--target", "price", "--model", model, "--json")
    output = json.loads(out)
    assert code == 0
    assert output["model"] == model
    assert output["picture"] is None
    assert "two columns of numbers predict classes" in output["no_picture"]
    assert "duality gap" in output["facts"]["certificate"]


@pytest.mark.parametrize(("target", "other"), [("two", "three"), ("three", "two")])
def test_two_columns_are_drawn(
    hedgerow: Runner, tmp_path: Path, plane: Path, target: str, other: str
) -> None:
    code, out, err = hedgerow("fit", plane, "--target", target, "--drop", other, "--model", "svm", "--C", "5")
    assert code == 0, err
    assert "plane-svm.svg" in out
    drawn = (tmp_path / "plane-svm.svg").read_text(encoding="utf-8")
    assert "<svg" in drawn


def test_hard_margin(hedgerow: Runner, plane: Path, tmp_path: Path) -> None:
    words = ("fit", plane, "--target", "two", "--drop", "three", "--model", "svm", "--C", "inf")
    code, out, err = hedgerow(*words, "--gamma", "300")
    assert code == 0, err
    assert "--C inf" in out
    assert np.isinf(load(tmp_path / "plane.hedgerow")[-1].C)
    code, _, err = hedgerow(*words, "--kernel", "linear")
    assert code == 2
    assert "rows prove it" in " ".join(err.split())


def test_what_it_has_not(hedgerow: Runner, houses: Path) -> None:
    for words, output in (
        (("heart", "--kernel", "radial"), "--kernel radial is unknown. Known: linear, poly, rbf, sigmoid"),
        (("heart", "--C", "0"), "--C 0 is out of range. Give a number above 0, or inf"),
        (("heart", "--C", "nan"), "--C nan is out of range"),
        (("heart", "--gamma", "big"), "--gamma big is unknown"),
        (("heart", "--gamma", "-1"), "--gamma -1 is"),
        (("heart", "--kernel", "linear", "--gamma", "1"), "--gamma has no effect with --kernel linear"),
        (("heart", "--degree", "2"), "--degree goes with the kernel poly, not with --kernel rbf"),
        (("heart", "--kernel", "poly", "--degree", "0"), "--degree 0 is out of range"),
        (("heart", "--max-depth", "3"), "--max-depth is no option of --model svm. It has: --kernel, --C"),
        (
            (houses, "--target", "price", "--C", "inf"),
            "--C inf is out of range. Give a number above 0.",
        ),
    ):
        code, _, err = hedgerow("fit", *words, "--model", "svm")
        assert code == 2
        assert output in " ".join(err.split())
    code, _, err = hedgerow("fit", "heart", "--model", "linear_svm", "--kernel", "rbf")
    assert code == 2
    assert "--kernel is no option of --model linear_svm. It has: --C" in " ".join(err.split())


BAD = {
    "one.csv": ("a,b,y\n" + "1,2,yes\n" * 12, "is 'yes' in every row"),
    "empty.csv": ("a,b,y\n", "no row"),
    "huge.csv": ("a,b,y\n" + "".join(f"{k}e300,{k},{'yn'[k % 2]}\n" for k in range(12)), None),
    "inf.csv": (
        "a,b,y\n" + "".join(f"{'inf' if k == 3 else k},{k},{'yn'[k % 2]}\n" for k in range(12)),
        None,
    ),
    "gaps.csv": ("a,b,y\n" + "".join(f"{'' if k == 3 else k},{k},{'yn'[k % 2]}\n" for k in range(12)), None),
    "same.csv": ("a,b,y\n" + "".join(f"1,1,{'yn'[k % 2]}\n" for k in range(12)), None),
    "far.csv": ("a,b,y\n" + "".join(f"{k}e-9,{k % 5}e9,{'yn'[k % 2]}\n" for k in range(12)), None),
}


@pytest.mark.parametrize("model", ["svm", "linear_svm"])
@pytest.mark.parametrize("name", BAD)
def test_bad_tables(hedgerow: Runner, tmp_path: Path, name: str, model: str) -> None:
    """A message that says what is wrong, or an answer; never a traceback or a warning of NumPy."""
    text, output = BAD[name]
    (tmp_path / name).write_text(text)
    code, out, err = hedgerow("fit", name, "--target", "y", "--model", model)
    said = " ".join(err.split())
    assert "Traceback" not in err
    if output is not None:
        assert code == 2
        assert output in said
    elif code == 0:
        assert "support vector machine" in out
    else:
        assert code == 2, err
        assert "a" in said.split()  # names the column, or says what to do
        assert len(said) > 40


@pytest.mark.parametrize("model", ["svm", "linear_svm"])
@pytest.mark.parametrize("cost", ["0", "-1", "nan"])
def test_bad_costs(hedgerow: Runner, model: str, cost: str) -> None:
    code, _, err = hedgerow("fit", "heart", "--model", model, f"--C={cost}")
    assert code == 2
    assert f"--C {cost} is out of range" in " ".join(err.split())


def test_linear_machine_of_two_columns_is_drawn(hedgerow: Runner, tmp_path: Path, plane: Path) -> None:
    code, _, err = hedgerow(
        "fit", plane, "--target", "two", "--drop", "three", "--model", "linear_svm", "--picture", "p.png"
    )
    assert code == 0, err
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
