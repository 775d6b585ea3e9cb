"""Messages from below the commands: Python reads of parameters, somebody who typed a command of options."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cli.run import Runner

import hedgerow as library
from hedgerow.errors import ParameterError, spell_as_option
from hedgerow.estimators import DecisionTreeClassifier, DecisionTreeRegressor
from hedgerow.fitting.params import validate_rules, validate_tree
from hedgerow.prune import make_method
from hedgerow.recipe_book import named

X = np.arange(14.0).reshape(7, 2)
Y = np.array(["a", "b", "a", "b", "a", "b", "b"])
TREE = DecisionTreeClassifier()


def tree(**given: Any) -> Callable[[], Any]:
    return lambda: validate_tree("classification", given)


def evaluate(**given: Any) -> Callable[[], Any]:
    return lambda: library.evaluate(TREE, X, Y, **given)


def compare(**given: Any) -> Callable[[], Any]:
    return lambda: library.compare([TREE, TREE], X, Y, **given)


BOTH = [
    (
        tree(max_depth=0),
        "max_depth=0 is out of range. Give a whole number of at least 1, or None for no limit.",
        "--max-depth 0 is out of range. Give a whole number of at least 1, or leave it out for no limit.",
    ),
    (
        tree(criterion="ginni"),
        "criterion='ginni' is unknown. Known: ",
        "--criterion ginni is unknown. Known: ",
    ),
    (
        tree(ccp_alpha=-1.0),
        "ccp_alpha=-1.0 is out of range. Give a number of at least 0.",
        "--ccp-alpha -1 is out of range. Give a number of at least 0.",
    ),
    (
        tree(criterion="gain_ratio", max_leaf_nodes=9),
        "criterion='gain_ratio' and max_leaf_nodes=9 do not go together.",
        "--criterion gain_ratio and --max-leaf-nodes 9 do not go together.",
    ),
    (
        tree(ccp_alpha=0.1, prune="chi_square"),
        "ccp_alpha=0.1 and prune='chi_square' are two prunings.",
        "--ccp-alpha 0.1 and --prune chi_square are two prunings.",
    ),
    (
        lambda: validate_tree("regression", {"prune": "chi_square"}),
        "prune='chi_square' is not for regression. For regression: cost_complexity",
        "--prune chi_square is not for regression. For regression: cost_complexity",
    ),
    (
        lambda: validate_rules({"max_rules": 0}),
        "max_rules=0 is out of range. Give a whole number of at least 1, or None for no limit.",
        "--max-rules 0 is out of range. Give a whole number of at least 1, or leave it out for no limit.",
    ),
    (
        lambda: make_method({"method": "pessimistic", "confidence": 0.9}),
        "Pessimistic: confidence=0.9 is out of range. Give a number from 1e-09 to 0.5.",
        "--confidence 0.9 is out of range. Give a number from 1e-09 to 0.5.",
    ),
    (
        lambda: make_method({"method": "leaf_limit", "leaves": 0}),
        "LeafLimit: leaves=0 is out of range. Give a whole number of at least 1, or None to have it chosen on ",
        "--leaves 0 is out of range. Give a whole number of at least 1, or leave it out to have it chosen on ",
    ),
    (
        lambda: make_method({"method": "cost_complexity", "choose": "2se"}),
        "CostComplexity: choose='2se' is unknown. Known: 1se, min. Did you mean '1se'?",
        "--choose 2se is unknown. Known: 1se, min. Did you mean '1se'?",
    ),
    (
        lambda: DecisionTreeClassifier(prune={"method": "cost_complexity", "folds": 1}).fit(X, Y),
        "folds=1 of 7 rows: cross-validation wants at least 2 of each.",
        "--folds 1 of 7 rows: cross-validation wants at least 2 of each.",
    ),
    (
        lambda: DecisionTreeRegressor(criterion="poisson").fit(X, np.arange(-3.0, 4.0)),
        "criterion='poisson' is for counts, but y has the minimum -3",
        "--criterion poisson is for counts, but y has the minimum -3",
    ),
    (lambda: named("cort"), "recipe='cort' is unknown. Known: id3", "--recipe cort is unknown. Known: id3"),
    (
        evaluate(cv=1),
        "cv=1 is out of range. Give at least 2 folds",
        "--cv 1 is out of range. Give at least 2 folds",
    ),
    (evaluate(cv=1.5), "cv=1.5 is out of range. Give a share", "--cv 1.5 is out of range. Give a share"),
    (evaluate(cv="tiem"), "cv='tiem' is unknown.", "--cv tiem is unknown."),
    (evaluate(repeats=0), "repeats=0 is out of range.", "--repeats 0 is out of range."),
    (
        evaluate(repeats=2, cv="time"),
        "repeats=2 goes with a number of folds or a share;",
        "--repeats 2 goes with a number of folds or a share;",
    ),
    (
        evaluate(scoring="rmse"),
        "scoring='rmse' is unknown for a classification.",
        "--scoring rmse is unknown for a classification.",
    ),
    (evaluate(positive="c"), "positive='c' is no class.", "--positive c is no class."),
    (
        evaluate(confidence_level=95),
        "confidence_level=95 is out of range. Give such as 0.95.",
        "--confidence-level 95 is out of range. Give such as 0.95.",
    ),
    (
        compare(test="mcnemar", scoring="log_loss"),
        "test='mcnemar' compares accuracy, not log_loss. Use test='rowwise_t' for that.",
        "--test mcnemar compares accuracy, not log_loss. Use --test rowwise_t for that.",
    ),
    (compare(prefer="first"), "prefer='first' is unknown.", "--prefer first is unknown."),
    (compare(rope=-1), "rope=-1 is out of range.", "--rope -1 is out of range."),
]


@pytest.mark.parametrize(("mistake", "python", "option"), BOTH, ids=[python for _, python, _ in BOTH])
def test_both_spellings(mistake: Callable[[], Any], python: str, option: str) -> None:
    with pytest.raises(ParameterError) as caught:
        mistake()
    assert str(caught.value).startswith(python)
    assert caught.value.render(spell_as_option).startswith(option)


@pytest.mark.usefixtures("houses")
def test_a_parameter_that_is_no_option_of_the_command_keeps_its_name(
    hedgerow: Runner, tmp_path: Path
) -> None:
    """The recipe sets it; nobody could leave out an option --missing."""
    words = ("fit", "houses.csv", "--target", "price", "--model", "cart", "--criterion", "absolute_error")
    code, _, err = hedgerow(*words)
    assert code == 2
    assert err.startswith("Error: missing surrogate and --criterion absolute_error do not go together.")
