"""hedgerow rules: what it prints and writes, and that these are the rules Python would learn."""

import json
import shlex
from pathlib import Path

import numpy as np
import pytest
from tests.cli.run import Runner

from hedgerow import datasets
from hedgerow.estimators.rules import RuleListClassifier
from hedgerow.rules import from_json, parse
from hedgerow.table.split import hold_out


def test_first_look_says_everything(hedgerow: Runner, tmp_path: Path) -> None:
    code, out, err = hedgerow("rules", "titanic")
    assert (code, err) == (0, "")
    for said in (
        "titanic  1,309 rows, 5 columns to predict survived from",
        "survived: died 809, survived 500",
        "982 rows to learn from, 327 held out, each class in proportion; random state 0",
        "estimated pessimistically, at confidence 0.25",
        "95 % interval",
        "always died",
        "the first that holds decides",
        "sex = female and pclass = 1st",
        "otherwise",
        "hedgerow rules titanic --target survived --random-state 0",
    ):
        assert said in " ".join(out.split("\n          ")), said
    assert "\x1b" not in out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["restaurant", "ten_points", "heart"])
@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_line_is_wider_than_the_terminal(
    name: str, width: int, hedgerow: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    code, out, err = hedgerow("rules", name)
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= width


def test_the_printed_command_repeats_it(hedgerow: Runner) -> None:
    options = (
        "--max-rules",
        4,
        "--estimate",
        "held_out",
        "--drop",
        "age,thal",
        "--random-state",
        5,
        "--json",
    )
    first = json.loads(hedgerow("rules", "heart", *options).out)
    again = json.loads(hedgerow(*shlex.split(first["command"])[1:], "--json").out)
    assert {**again, "seconds": 0} == {**first, "seconds": 0}
    assert len(first["rules"]["rules"]) <= 4


@pytest.mark.parametrize("ending", ["txt", "json"])
def test_they_are_the_rules_python_learns(ending: str, hedgerow: Runner, tmp_path: Path) -> None:
    out = json.loads(
        hedgerow("rules", "titanic", "--min-samples-leaf", 3, "-o", f"found.{ending}", "--json").out
    )
    text = (tmp_path / f"found.{ending}").read_text(encoding="utf-8")
    written = parse(text) if ending == "txt" else from_json(text)
    titanic = datasets.titanic()
    codes = np.unique(titanic.target, return_inverse=True)[1]
    train, test = hold_out(codes, 0.25, 0)
    model = RuleListClassifier(min_samples_leaf=3).fit(titanic.table.take(train), titanic.target[train])
    assert written.rules == model.rules_.rules
    assert out["rules"] == written.to_dict()
    score = model.score(titanic.table.take(test), titanic.target[test])
    assert out["scores"][0]["value"] == pytest.approx(score)


MISTAKES = {
    ("rules",): "Missing argument 'DATA'",
    ("rules", "titanc"): "No data set is named 'titanc'.",
    (
        "rules",
        "houses.csv",
        "--target",
        "price",
    ): "Rules predict classes, but price holds 87 different whole numbers",
    ("rules", "titanic", "--confidence", "2"): "--confidence 2 is out of range",
    ("rules", "titanic", "--estimate", "heldout"): "Did you mean 'held_out'?",
    ("rules", "titanic", "--max-rules", "0"): "--max-rules 0 is out of range",
    ("rules", "titanic", "--criterion", "ginni"): "Did you mean 'gini'?",
    ("rules", "titanic", "--output", "rules.pdf"): "must end in .txt or .json",
    ("rules", "titanic", "--output", "nowhere/rules.txt"): "there is no folder 'nowhere'",
}


@pytest.mark.parametrize("words", MISTAKES)
def test_each_mistake_has_one_clear_message(words: tuple[str, ...], hedgerow: Runner, houses: Path) -> None:
    code, out, err = hedgerow(*words)
    assert (code, out) == (2, "")
    assert MISTAKES[words] in " ".join(err.split())
    assert "Traceback" not in err


def test_nothing_to_learn_is_said(hedgerow: Runner, tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    rows = "\n".join(f"{random.normal():.3f},{'ab'[k % 2]}" for k in range(40))
    (tmp_path / "noise.csv").write_text(f"x,y\n{rows}\n")
    code, out, _ = hedgerow("rules", "noise.csv", "--target", "y", "--confidence", "0.001")
    assert code == 0
    assert "these rows do not show" in out or "there are no rules" in out
