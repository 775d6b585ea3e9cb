"""hedgerow evaluate and hedgerow compare: what they print, write and refuse."""

import json
import re
from pathlib import Path

import pytest
from tests.cli.run import Runner

from hedgerow import DecisionTreeClassifier, datasets, evaluate


def test_the_recipes_are_those_of_the_book():
    from hedgerow.candidate import candidate_names
    from hedgerow.recipe_book import RECIPES

    assert set(RECIPES) <= set(candidate_names())


def test_scores_with_intervals(hedgerow: Runner) -> None:
    code, out, err = hedgerow("evaluate", "titanic", "--model", "stump", "--cv", 5)
    assert (code, err) == (0, "")
    for said in (
        "titanic  to predict survived",
        "5 stratified folds",
        "95 % interval",
        "area under ROC",
        "baseline",
    ):
        assert said in out


def test_json_has_the_numbers_of_python(hedgerow: Runner) -> None:
    found = json.loads(
        hedgerow("evaluate", "titanic", "--model", "stump", "--cv", 5, "--random-state", 3, "--json").out
    )
    data = datasets.titanic()
    known = evaluate(DecisionTreeClassifier(max_depth=1), data.table, data.target, cv=5, random_state=3)
    assert [s["value"] for s in found["scores"]] == [s.value for s in known.scores]
    assert found["target"] == "survived"


def test_a_hold_out_with_its_curves(hedgerow: Runner, tmp_path: Path) -> None:
    """The picture replaces a link that stands there; it does not write to where it leads."""
    (tmp_path / "private").write_text("kept")
    (tmp_path / "c.png").symlink_to(tmp_path / "private")
    code, out, _ = hedgerow("evaluate", "heart", "--cv", 0.3, "--picture", tmp_path / "c.png")
    assert code == 0
    assert "30 % of the rows held out" in out
    assert (tmp_path / "c.png").stat().st_size > 10_000
    assert (tmp_path / "private").read_text() == "kept"


def test_models_side_by_side(hedgerow: Runner, tmp_path: Path) -> None:
    (tmp_path / "private").write_text("kept")
    (tmp_path / "c.svg").symlink_to(tmp_path / "private")
    code, out, err = hedgerow(
        "compare", "heart", "--models", "stump,full-tree,c45", "--cv", 5, "--picture", tmp_path / "c.svg"
    )
    assert (code, err) == (0, "")
    assert "3 models by log loss: 303 rows, 5 stratified folds" in out
    assert "Take " in out
    assert (tmp_path / "c.svg").read_text().startswith("<?xml")
    assert (tmp_path / "private").read_text() == "kept"
    plain = json.loads(
        hedgerow("compare", "heart", "--models", "stump,full_tree", "--test", "mcnemar", "--json").out
    )
    assert plain["test"] == "mcnemar"
    assert len(plain["pairs"]) == 1


def test_groups_and_time(hedgerow: Runner) -> None:
    assert (
        "whole groups" in hedgerow("evaluate", "heart", "--groups", "age", "--model", "stump", "--cv", 3).out
    )
    assert "in the order of the rows" in hedgerow("evaluate", "heart", "--cv", "time", "--model", "stump").out
    assert (
        "positive class: died"
        in hedgerow("evaluate", "titanic", "--positive", "died", "--model", "stump").out
    )


@pytest.mark.parametrize(
    "command", [("evaluate", "--model", "stump"), ("compare", "--models", "stump,full_tree")]
)
def test_rows_without_weight_have_no_place_in_time(
    command: tuple[str, ...], hedgerow: Runner, tmp_path: Path
) -> None:
    rows = [f"{k},{k % 7},{k % 2},{int(k % 5 > 0)}" for k in range(100)]
    (tmp_path / "rows.csv").write_text("\n".join(["day,x,y,w", *rows]))
    name, *models = command
    code, out, err = hedgerow(
        name, str(tmp_path / "rows.csv"), *models, "--target", "y", "--time", "day", "--weights", "w"
    )
    assert (code, err) == (0, "")
    assert "80 rows" in out


def test_repeats_of_compare_draw_the_folds_of_a_study(hedgerow: Runner) -> None:
    out = hedgerow("compare", "heart", "--models", "stump,full_tree", "--repeats", 3).out
    assert "5 stratified folds, 3 times" in out


@pytest.mark.parametrize("width", [40, 80])
def test_no_line_is_wider_than_the_terminal(
    width: int, hedgerow: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    out = hedgerow("compare", "heart", "--models", "stump,full_tree", "--cv", 3).out
    assert max(map(len, out.splitlines())) <= width


def test_columns_of_a_narrow_page_stand_closer(hedgerow: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = hedgerow("compare", "heart", "--models", "svm,default_boosting", "--cv", 3).out
    assert re.search(r" ms +\d+ support vectors\n", out)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("compare", "heart", "--models", "stump,stmp"), "Did you mean 'stump'?"),
        (("compare", "heart", "--models", "stump"), "Name two or more"),
        (("compare", "heart", "--models", "stump,blend"), "a blend is made of others"),
        (("compare", "heart", "--test", "delog"), "--test delog is unknown"),
        (("compare", "heart", "--test", "delog"), "Did you mean 'delong'?"),
        (("compare", "heart", "--prefer", "first"), "--prefer first is unknown"),
        (("compare", "heart", "--scoring", "acuracy"), "Did you mean 'accuracy'?"),
        (("compare", "heart", "--models", "stump,tree", "--rope", "-1"), "--rope -1 is out of range"),
        (
            ("compare", "heart", "--models", "stump,tree", "--test", "mcnemar", "--cv", "3"),
            "give --cv 0.3",
        ),
        (("evaluate", "heart", "--model", "forrest"), "Did you mean 'forest'?"),
        (("evaluate", "heart", "--cv", "999"), "--cv 999 is more than the 303 rows"),
        (("evaluate", "heart", "--cv", "1"), "--cv 1 is out of range"),
        (("evaluate", "heart", "--cv", "1.5"), "--cv 1.5 is out of range"),
        (("evaluate", "heart", "--repeats", "0"), "--repeats 0 is out of range"),
        (("evaluate", "heart", "--groups", "agee"), "Did you mean 'age'?"),
        (("evaluate", "titanic", "--positive", "x"), "is no class"),
        (("evaluate", "titanic", "--picture", "x.gif"), "must end in .svg or .png"),
    ],
)
def test_mistakes(words: tuple[str, ...], said: str, hedgerow: Runner) -> None:
    code, out, err = hedgerow(*words)
    assert (code, out) == (2, "")
    assert said in err
    assert "cv=" not in err


def documented(heading: str) -> set[str]:
    """The fields that docs/commands.md lists under a heading."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")
    part = re.split(r"^## ", page, flags=re.MULTILINE)
    output = next(one for one in part if one.startswith(heading + "\n"))
    return set(re.findall(r"^\| `(\w+)` \|", output, flags=re.MULTILINE))


@pytest.mark.parametrize(
    "words",
    [
        ("evaluate", "heart", "--model", "stump", "--cv", "3"),
        ("evaluate", "titanic", "--model", "stump", "--cv", "0.2"),
        ("compare", "heart", "--models", "stump,full_tree", "--cv", "3"),
        ("compare", "heart", "--models", "stump,full_tree", "--test", "bayes", "--cv", "3"),
        ("compare", "heart", "--models", "stump,full_tree", "--test", "combined_5x2cv_f"),
        ("compare", "heart", "--models", "stump,full_tree", "--cv", "time"),
    ],
    ids=" ".join,
)
def test_json_is_json_and_has_the_fields_that_are_documented(
    words: tuple[str, ...], hedgerow: Runner
) -> None:
    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    code, out, err = hedgerow(*words, "--json")
    assert (code, err) == (0, "")
    assert set(json.loads(out, parse_constant=refuse)) == documented(words[0])


def test_rows_without_a_target_and_few_of_a_class(hedgerow: Runner, tmp_path: Path) -> None:
    lines = [f"{k},{'' if k == 3 else 'odd' if k == 5 else 'ab'[k % 2]}" for k in range(60)]
    (tmp_path / "t.csv").write_text("x,y\n" + "\n".join(lines) + "\n")
    code, out, err = hedgerow("evaluate", "t.csv", "--target", "y", "--model", "stump", "--cv", 5, "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["left_out"]
    assert any(one["check"] == "few_of_a_class" for one in found["findings"])
    assert hedgerow("compare", "t.csv", "--target", "y", "--models", "stump,full_tree", "--cv", 5).code == 0
