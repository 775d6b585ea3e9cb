"""The table of parameters is the estimators' own."""

import pytest

import hedgerow
from hedgerow.store.kind import load_kind, model_tags
from hedgerow.store.kinds.tree import DEFAULTS
from hedgerow.store.parameters import from_plain, to_plain


@pytest.mark.parametrize("tag", list(model_tags()))
def test_defaults_are_those_of_the_estimator(tag: str) -> None:
    kind = load_kind(tag)
    estimator = getattr(hedgerow, kind.ESTIMATORS[tag])
    made = estimator([]) if tag.startswith("voting") else estimator()
    names = getattr(kind, "STORED_AS", {})
    assert kind.DEFAULTS[tag] == {names.get(name, name): value for name, value in made.get_params().items()}


@pytest.mark.parametrize(
    "value", [None, True, 3, 0.1, "sqrt", [1, 0, -1], {"age": 1}, {0: 1.5, 1: 2.0}, float("inf")]
)
def test_plain_and_back(value: object) -> None:
    plain = {"class_weight": to_plain("class_weight", value)}
    assert from_plain("DecisionTreeClassifier", DEFAULTS["tree classifier"], plain)["class_weight"] == value


@pytest.mark.parametrize("value", [float("nan"), float("-inf")])
def test_numbers_json_does_not_have(value: float) -> None:
    with pytest.raises(ValueError, match=r"ccp_alpha=.*finite"):
        to_plain("ccp_alpha", value)


def test_a_pruning_saved_when_random_state_was_called_seed() -> None:
    saved = {"pairs": [["method", "cost_complexity"], ["seed", 3]]}
    read = from_plain("tree classifier", DEFAULTS["tree classifier"], {"prune": saved})
    assert read["prune"] == {"method": "cost_complexity", "random_state": 3}
