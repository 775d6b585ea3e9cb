"""Each mistake: one clear message on standard error, exit code 2, no traceback, and nothing written."""

import json
import os
from pathlib import Path

import pytest
from tests.cli.run import Runner
from tests.report.example import example

from hedgerow.cli.commands import fit

MISTAKES = {
    ("fti", "titanic"): "No such command 'fti'. Did you mean 'fit'?",
    ("titanic",): "To study it: hedgerow study titanic",
    ("houses.csv",): "To study it: hedgerow study houses.csv",
    ("fit",): "Missing argument 'DATA'",
    ("fit", "titanc"): "No data set is named 'titanc'.",
    ("fit", "hous.csv"): "In that folder there is 'houses.csv'",
    ("fit", "houses.csv"): "Perhaps: --target price",
    ("fit", "houses.csv", "--target", "prize"): "Did you mean 'price'?",
    ("fit", "houses.csv", "--target", "house"): "looks like an identifier",
    ("fit", "houses.csv", "--target", "town", "--task", "regression"): "Use --task classification",
    ("fit", "houses.csv", "--target", "price", "--task", "classification"): "or use --task regression",
    ("fit", "titanic", "--task", "regresion"): "Did you mean 'regression'?",
    ("fit", "titanic", "--criterion", "ginni"): "Did you mean 'gini'?",
    ("fit", "titanic", "--criterion", "squared_error"): "Known: gini, entropy, misclassification, ",
    ("fit", "titanic", "--max-depth", "0"): "--max-depth 0 is out of range",
    ("fit", "titanic", "--max-depth", "99999999999"): "Give at most 2,147,483,647.",
    ("fit", "titanic", "--max-depth", "two"): "--max-depth two cannot be read. Give a whole number.",
    ("fit", "titanic", "--max-leaf-nodes", "1"): "--max-leaf-nodes 1 is out of range",
    ("fit", "titanic", "--min-samples-leaf", "0"): "--min-samples-leaf 0 is out of range",
    ("fit", "titanic", "--n-jobs", "0"): "--n-jobs 0 is out of range",
    ("fit", "titanic", "--ccp-alpha", "-1"): "--ccp-alpha -1 is out of range",
    ("fit", "titanic", "--ccp-alpha", "nan"): "--ccp-alpha nan is out of range",
    ("fit", "titanic", "--test-share", "1"): "--test-share 1 is out of range",
    ("fit", "titanic", "--drop", "survived"): "--drop names 'survived', which is the target",
    ("fit", "titanic", "--drop", "aeg"): "Did you mean 'age'?",
    ("fit", "titanic", "--drop", "pclass,sex,age,sibsp,parch"): "No column is left",
    ("fit", "titanic", "--categories", "agee"): "Did you mean 'age'?",
    ("fit", "titanic", "--picture", "tree.gif"): "must end in .svg or .png",
    ("fit", "titanic", "--picture", "no/tree.svg"): "there is no folder 'no'",
    ("fit", "titanic", "--save", "model.pkl"): "must end in .hedgerow",
    ("fit", "titanic", "--modle", "m"): "No such option: --modle",
    (
        "study",
        "houses.csv",
        "--target",
        "price",
        "--cost",
        "a:b=1",
    ): "--cost a:b=1 is for classes, but the target holds numbers. Leave it out.",
    ("fit", "same.csv", "--target", "y"): "is 'yes' in every row",
    ("fit", "two.csv", "--target", "y"): "At least 4 are wanted",
    ("fit", "ragged.csv", "--target", "y"): "line 3: 2 cells, but the header names 3 columns",
    ("fit", "titanic", "--model", "c54"): "Did you mean 'c45'?",
    (
        "fit",
        "houses.csv",
        "--target",
        "price",
        "--model",
        "c45",
    ): "--model c45 is for classification, but price",
    (
        "fit",
        "titanic",
        "--model",
        "c45",
        "--max-leaf-nodes",
        "9",
    ): "--max-leaf-nodes is no option of --model c45. It has: --criterion, --max-depth, ",
    (
        "fit",
        "titanic",
        "--model",
        "forest",
        "--confidence",
        "0.1",
    ): "--confidence is no option of --model forest",
    (
        "fit",
        "titanic",
        "--model",
        "c45",
        "--significance",
        "0.1",
    ): "--significance is a setting of chi_square, but the pruning is pessimistic. Add --prune chi_square",
    ("fit", "titanic", "--criterion", "gain_ratio", "--max-leaf-nodes", "9"): "do not go together",
    ("fit", "titanic", "--prune", "pesimistic"): "reduced_error; or none. Did you mean 'pessimistic'?",
    (
        "fit",
        "titanic",
        "--prune",
        "pessimistic",
        "--confidence",
        "0.9",
    ): "Error: --confidence 0.9 is out of range.",
    ("fit", "titanic", "--prune", "chi_square", "--significance", "nan"): "Give a number from 0 to 1",
    ("fit", "titanic", "--prune", "chi_square", "--confidence", "0.1"): "Add --prune pessimistic",
    (
        "fit",
        "titanic",
        "--significance",
        "0.1",
    ): "--significance is a setting of chi_square, but the pruning is cost_complexity. Add --prune chi_square",
    ("fit", "titanic", "--prune", "none", "--no-raising"): "but the pruning is none. Add --prune pessimistic",
    ("fit", "titanic", "--prune", "none", "--ccp-alpha", "0.1"): "--ccp-alpha is for cost_complexity",
    (
        "fit",
        "titanic",
        "--ccp-alpha",
        "0.1",
        "--folds",
        "3",
    ): "--folds has no effect where --ccp-alpha is given. Give one of them.",
    (
        "fit",
        "titanic",
        "--prune",
        "cost_complexity",
        "--folds",
        "1",
    ): "--folds 1 of 982 rows: cross-validation wants at least 2",
    ("fit", "titanic", "--prune", "cost_complexity", "--choose", "2se"): "Did you mean '1se'?",
    ("fit", "titanic", "--prune", "leaf_limit", "--leaves", "0"): "or leave it out to have it chosen",
    ("fit", "houses.csv", "--target", "price", "--prune", "chi_square"): "For regression: cost_complexity",
    ("prune", "titanic", "--validation-fraction", "0"): "--validation-fraction 0 is out of range",
    ("prune", "titanic", "--validation-fraction", "0.7"): "leave no rows to grow a tree on",
    ("prune", "titanic", "--picture", "chart.pdf"): "must end in .svg or .png",
    ("prune", "titanic", "--recipe", "cort"): "Did you mean 'cart'?",
    ("prune", "nine.csv", "--target", "y"): "want at least 10",
    ("show", "titanc"): "Did you mean 'titanic'?",
    ("show", "none.hedgerow"): "No such file or directory: 'none.hedgerow'",
    ("show", "bad.hedgerow"): "'bad.hedgerow' is not a model file, or is cut short",
    ("show", "titanic", "--depth", "2"): "--picture, --depth and --merged are for a model",
    ("predict", "bad.hedgerow", "houses.csv"): "Expected: a .hedgerow file",
    ("fit", "titanic", "--random-state=x"): "Error: --random-state x cannot be read. Give a whole number.",
    ("study", "titanic", "--budget", "x"): "Error: --budget x cannot be read. Give a number.",
    (
        "compare",
        "titanic",
        "--scoring",
        "acuracy",
    ): "Error: --scoring acuracy is unknown. Known: accuracy,",
    (
        "compare",
        "titanic",
        "--prefer",
        "first",
    ): "Error: --prefer first is unknown. Known: accurate, simple.",
    ("evaluate", "titanic", "--cv", "x"): "a share to hold out, or time.",
    ("fit", "titanic", "--model", "forest", "--max-features", "x"): "0.0 and 1.0, sqrt, log2 or all.",
    ("fit", "titanic", "--model", "svm", "--kernel", "rfb"): "poly, rbf, sigmoid. Did you mean 'rbf'?",
    ("fit", "titanic", "--model", "adaboost", "--estimator", "x"): "linear, neuron.\n",
    ("fit", "titanic", "--model", "gradient_boosting", "--loss", "x"): "log_loss, exponential.\n",
    (
        "fit",
        "houses.csv",
        "--target",
        "price",
        "--model",
        "gradient_boosting",
        "--loss",
        "quantile",
    ): "Only Python has it (quantile=0.9); the median is --loss absolute_error.\n",
    ("fit", "titanic", "--seed", "1"): "No such option: --seed. Did you mean --random-state?",
    ("fit", "titanic", "--threads", "1"): "Did you mean --n-jobs?",
    ("study", "titanic", "--metric", "f1"): "Did you mean --scoring?",
    ("predict", "none.hedgerow"): "Missing argument 'ROWS'",
}


@pytest.fixture
def tables(houses: Path, tmp_path: Path) -> None:
    (tmp_path / "same.csv").write_text("a,y\n" + "1,yes\n" * 9)
    (tmp_path / "two.csv").write_text("a,y\n1,yes\n2,no\n")
    (tmp_path / "nine.csv").write_text("a,y\n" + "1,yes\n2,no\n3,no\n" * 3)
    (tmp_path / "ragged.csv").write_text("a,b,y\n1,2,3\n1,2\n")
    (tmp_path / "bad.hedgerow").write_bytes(b"PK\x03\x04")


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize("words", MISTAKES, ids=" ".join)
def test_mistake(words: tuple[str, ...], hedgerow: Runner, tmp_path: Path) -> None:
    before = sorted(os.listdir(tmp_path))
    code, out, err = hedgerow(*words)
    assert code == 2
    assert out == ""
    assert err.startswith("Error: ")
    assert MISTAKES[words] in err
    assert "Traceback" not in err
    assert err.count("\n") <= 2
    assert sorted(os.listdir(tmp_path)) == before


def test_a_traceback_for_those_who_ask(hedgerow: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEDGEROW_TRACEBACK", "1")
    monkeypatch.setattr("sys.argv", ["hedgerow", "fit", "titanc"])
    from hedgerow.cli import main

    with pytest.raises(ValueError, match="titanc"):
        main()


def test_ctrl_c(hedgerow: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(fit, "fit", interrupted)
    assert hedgerow("fit", "titanic") == (130, "", "Stopped.\n")
    assert not list(tmp_path.iterdir())


def test_a_defect_of_ours_is_told_apart(hedgerow: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(fit, "fit", broken)
    code, _, err = hedgerow("fit", "titanic")
    assert code == 1
    assert "hedgerow failed with ZeroDivisionError: oh" in err


def test_targets_near_the_end_of_float64_are_refused_in_words(hedgerow: Runner, tmp_path: Path) -> None:
    """No raw warning of NumPy's before it."""
    table = tmp_path / "big.csv"
    lines = [f"{k % 7},{(1e308, -1e308, 5e307)[k % 3]}" for k in range(60)]
    table.write_text("\n".join(["a,y", *lines]))
    for words in (("fit", table), ("evaluate", table, "--model", "tree")):
        code, _, err = hedgerow(*words, "--target", "y")
        assert code == 2
        assert err.startswith("Error: The target holds numbers as large as 1e+308")


def test_a_result_of_nested_lists_is_refused_in_words(hedgerow: Runner, tmp_path: Path) -> None:
    (tmp_path / "result.json").write_text("[" * 100_000)
    code, out, err = hedgerow("report", tmp_path)
    assert (code, out) == (2, "")
    assert "is no result of a study" in err


@pytest.mark.parametrize("number", ["1" + "0" * 400, "1" + "0" * 5000, "[]", '"x"'])
def test_a_result_with_an_impossible_number_is_refused_in_words(
    number: str, hedgerow: Runner, tmp_path: Path
) -> None:
    content = json.loads(json.dumps(example().to_dict()))
    content["holdout"]["scores"][0]["value"] = "HERE"
    (tmp_path / "result.json").write_text(json.dumps(content).replace('"HERE"', number))
    code, out, err = hedgerow("report", tmp_path)
    assert (code, out) == (2, "")
    assert "is no result of a study" in err


def test_no_drop_is_blamed_where_none_was_given(hedgerow: Runner, tmp_path: Path) -> None:
    (tmp_path / "ids.csv").write_text("\n".join(["id,y", *(f"k{i},{i % 2}" for i in range(60))]))
    code, _, err = hedgerow("fit", tmp_path / "ids.csv", "--target", "y")
    assert code == 2
    assert "--drop" not in err
    assert "No column is left to learn from" in err
