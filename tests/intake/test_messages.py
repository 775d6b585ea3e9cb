"""Every message of intake, to a Python caller of parameters, to a command of options."""

from typing import Any

import numpy as np
import polars as pl
import pytest

import hedgerow
from hedgerow.errors import ParameterError, spell_as_option
from hedgerow.intake import ColumnOptions, prepare_data, read_source
from hedgerow.intake.columns import why_useless
from hedgerow.table import to_table

N = 40
FRAME = pl.DataFrame(
    {
        "x": [float(k % 7) for k in range(N)],
        "town": ["oak", "ash"] * (N // 2),
        "price": [k + 0.5 for k in range(N)],
        "ticket": [f"T{k}" for k in range(N)],
        "id": list(range(N)),
        "one": ["a"] * N,
        "weight": [1.0] * (N - 1) + [-1.0],
        "lists": [[1, 2]] * N,
    }
)
MESSAGES: dict[str, tuple[dict[str, Any], str, str]] = {
    "no target": ({}, "Perhaps: target='lists'", "Perhaps: --target lists"),
    "unknown target": (
        {"target": "twn"},
        "target='twn' is no column. Columns: 'x', 'town'",
        "--target twn is no column. Columns: 'x', 'town'",
    ),
    "unknown column to drop": (
        {"target": "town", "drop": ("xx",)},
        "drop names 'xx', which is no column",
        "--drop names 'xx', which is no column",
    ),
    "the target dropped": (
        {"target": "town", "drop": ("town",)},
        "drop names 'town', which is the target",
        "--drop names 'town', which is the target",
    ),
    "unknown category": (
        {"target": "town", "categories": ("y",)},
        "categories names 'y', which is no column",
        "--categories names 'y', which is no column",
    ),
    "all dropped": (
        {"target": "town", "drop": tuple(name for name in FRAME.columns if name != "town")},
        "Left out: all of them, by drop.",
        "Left out: all of them, by --drop.",
    ),
    "all useless": (
        {"target": "town", "drop": ("x", "price", "weight")},
        "(categories='ticket' keeps it)",
        "(--categories ticket keeps it)",
    ),
    "unknown task": (
        {"target": "town", "task": "clustering"},
        "task='clustering' is unknown. Known: auto, classification, regression.",
        "--task clustering is unknown. Known: auto, classification, regression.",
    ),
    "text is no number": (
        {"target": "town", "task": "regression"},
        "task='regression' wants numbers, but the target 'town' is text such as 'ash'. Use task='classification'.",
        "--task regression wants numbers, but the target 'town' is text such as 'ash'. Use --task classification.",
    ),
    "one value": ({"target": "one"}, "Name another target.", "Name another --target."),
    "an identifier": (
        {"target": "ticket"},
        "Name another target, or rename",
        "Name another --target, or rename",
    ),
    "numbers as classes": (
        {"target": "price", "task": "classification"},
        "Name another target, or use task='regression'.",
        "Name another --target, or use --task regression.",
    ),
    "groups by the target": (
        {"target": "town", "groups": "town"},
        "groups='town' is the target",
        "--groups town is the target",
    ),
    "unknown groups": (
        {"target": "town", "groups": "g"},
        "groups='g' is no column",
        "--groups g is no column",
    ),
    "groups of lists": (
        {"target": "town", "groups": "lists"},
        "groups='lists' holds List(Int64). Expected: plain cells.",
        "--groups lists holds 'List(Int64)'. Expected: plain cells.".replace("'", ""),
    ),
    "weights of text": (
        {"target": "town", "weights": "ticket"},
        "weights='ticket' holds text such as 'T0'",
        "--weights ticket holds text such as 'T0'",
    ),
    "negative weights": (
        {"target": "town", "weights": "weight"},
        "weights='weight' has missing, negative",
        "--weights weight has missing, negative",
    ),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_both_spellings(name: str) -> None:
    options, python, command = MESSAGES[name]
    with pytest.raises(ParameterError) as caught:
        prepare_data(read_source(FRAME), ColumnOptions(**options))
    assert python in str(caught.value)
    assert "--" not in str(caught.value)
    assert command in caught.value.render(spell_as_option)


def test_a_class_that_is_none() -> None:
    target = prepare_data(read_source(FRAME), ColumnOptions("town")).target
    with pytest.raises(ParameterError, match=r"positive='elm' is no class. Classes: ash, oak.") as caught:
        target.find_class("elm")
    assert caught.value.render(spell_as_option).startswith("--positive elm is no class")


def test_remarks_that_name_parameters() -> None:
    reason = why_useless(to_table(FRAME.select("ticket")).columns[0])
    assert str(reason) == "text that differs in every row (categories='ticket' keeps it)"
    target = prepare_data(read_source(FRAME), ColumnOptions("price", "regression", drop=("x",)))
    assert str(target.target.reason) == "set by task='regression'"
    assert [str(why) for what, why in target.left_out if what == "x"] == ["drop"]


def test_a_study_in_python_says_parameters() -> None:
    with pytest.raises(ValueError, match=r"^target='nope' is no column"):
        hedgerow.study(FRAME, target="nope")


def test_a_table_of_the_target_alone_does_not_speak_of_drop() -> None:
    frame = pl.DataFrame({"y": [0.5 * k for k in range(40)], "x": [k % 7 for k in range(40)]})
    with pytest.raises(ParameterError, match="no column but the target"):
        prepare_data(read_source(frame.select("y")), ColumnOptions("y"))
    with pytest.raises(ParameterError, match="Left out: all of them, by drop") as left:
        prepare_data(read_source(frame), ColumnOptions("y", drop=("x",)))
    assert "--drop" in left.value.render(spell_as_option)


def test_a_target_whose_squares_are_infinite_is_refused_in_words() -> None:
    frame = pl.DataFrame({"y": [1e308, -1e308, 0.5] * 13, "x": list(range(39))})
    with pytest.raises(ValueError, match=r"as large as 1e\+308.*Divide it"):
        hedgerow.study(frame, "y")
    model = hedgerow.DecisionTreeRegressor().fit(frame.select("x"), frame["y"])  # trees scale them
    assert np.isfinite(model.predict(frame.select("x"))).all()
