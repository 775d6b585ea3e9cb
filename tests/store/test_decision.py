"""Decisions in model files: round trips, files of an earlier form, damage."""

import json

import pytest

from hedgerow.decision import Decision, ProbabilityCalibrator
from hedgerow.store.decision import decision_from, decision_to
from hedgerow.store.errors import InvalidModelFile

KNOTS = ((-9.0, -2.0), (0.5, 0.0), (9.0, 1.0))
FORMS = {
    "as it is": ProbabilityCalibrator((1.0, 1.0), (0.0, 0.0), 1e-4),
    "temperature": ProbabilityCalibrator((0.7, 0.7), (0.0, 0.0), 1e-4),
    "platt": ProbabilityCalibrator((0.7, 0.7), (0.1, -0.1), 0.0, 2.5),
    "beta": ProbabilityCalibrator((0.7, 1.1), (0.1, -0.1), 1e-3),
    "isotonic": ProbabilityCalibrator((1.0, 1.0), (0.0, 0.0), 1e-3, knots=KNOTS),
}


@pytest.mark.parametrize("form", FORMS)
def test_there_and_back(form):
    written = json.loads(json.dumps(decision_to(Decision(FORMS[form]))))
    assert FORMS[form].form == form
    assert decision_from(written, 2) == Decision(FORMS[form])


def test_one_slope_for_all_classes_as_files_once_had_it():
    old = {"slope": 0.7, "intercept": [0.1, -0.1, 0.2], "floor": 0.01, "unit": 1.0}
    found = decision_from({"calibrator": old, "point": None, "intervals": None}, 3)
    assert found == Decision(ProbabilityCalibrator((0.7, 0.7, 0.7), (0.1, -0.1, 0.2), 0.01))


@pytest.mark.parametrize(
    "damage",
    [
        {"slope": [0.7, 0.0]}, {"slope": 0.7}, {"slope": [0.7]}, {"intercept": [0.1, "a"]}, {"floor": -1.0},
        {"knots": None}, {"knots": [[0.0, 1.0]]}, {"knots": [[0.0, 1.0], [0.0, 2.0]]},
        {"knots": [[0.0, 1.0], [1.0, 0.5]]}, {"knots": [[0.0, 1.0], [1.0]]}, {"more": 1},
    ],
    ids=str,
)  # fmt: skip
def test_damage_is_refused(damage):
    written = json.loads(json.dumps(decision_to(Decision(FORMS["beta"]))))
    written["calibrator"] |= damage
    with pytest.raises(InvalidModelFile):
        decision_from(written, 2)


def test_knots_are_for_two_classes():
    written = json.loads(json.dumps(decision_to(Decision(FORMS["isotonic"]))))
    written["calibrator"] |= {"slope": [1.0] * 3, "intercept": [0.0] * 3}
    with pytest.raises(InvalidModelFile, match="knots"):
        decision_from(written, 3)
