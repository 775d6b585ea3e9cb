"""Features in exports: parts of dates, rates of levels, words of text, as the model itself makes them."""

import json
from datetime import datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.export.test_program import MODELS

from hedgerow.estimators.saving import extract_state
from hedgerow.export import InvalidProgram
from hedgerow.export.program.prove import make_program
from hedgerow.export.program.runtime import date_part, predict, run_dates, run_rates, split_words
from hedgerow.export.program.scoring import parse_program
from hedgerow.export.program.steps import STEPS
from hedgerow.features.dates import FARTHEST, PARTS, take_part
from hedgerow.table.texts import split_words as split_all

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
ALPHABET = st.characters(
    exclude_categories=("Cs", "Cn")
)  # letters that are new in Unicode are not known to all


@given(st.floats(-1.1 * FARTHEST, 1.1 * FARTHEST) | st.integers(-FARTHEST, FARTHEST).map(float))
def test_parts_are_those_of_the_model(days):
    for part in PARTS:
        np.testing.assert_equal(date_part(days, part), take_part(np.array([days]), part)[0])


@given(st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31)).map(lambda at: at.replace(microsecond=0)))
def test_parts_are_those_of_the_calendar(moment):
    days = (moment - datetime(1970, 1, 1)) / timedelta(days=1)
    wanted = [moment.year, moment.month - 1, moment.weekday(), moment.hour]
    assert [date_part(days, part) for part in PARTS] == wanted


def test_no_day_has_no_parts_and_no_distance():
    step = {"parts": [{"column": 0, "part": part} for part in PARTS], "spans": [[0, 1], [1, 0]]}
    for day in (np.nan, np.inf, -np.inf):
        assert np.isnan(run_dates(step, [day, 3.0], [])).all()
    assert run_dates(step, [2.0, 3.5], [])[4:] == [1.5, -1.5]


def test_levels_never_seen_have_the_overall_rate():
    step = {"columns": [{"column": 1, "values": [[0.1, 0.2], [0.3, 0.4]], "overall": [0.5, 0.6]}]}
    found = [run_rates(step, [0.0, level], []) for level in (0.0, 1.0, 2.0, np.nan)]
    assert found == [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6], [0.5, 0.6]]


@given(st.text(ALPHABET, max_size=30))
def test_words_are_those_of_the_model(text):
    tokens = split_all([text])
    assert split_words(text) == [tokens.words[k] for k in tokens.word]


def test_test_rows_try_the_calendar_and_the_levels():
    program = make_program(extract_state(MODELS["dates and rates"][0]))
    assert {"take", "dates", "rates", "join"} <= {step["do"] for step in program["steps"]} <= set(STEPS)
    names = [column["name"] for column in program["columns"]]
    born = {test["cells"][names.index("born")] for test in program["tests"]} - {None}
    for part, many in (("month", 12), ("weekday", 7)):
        assert len({date_part(day, part) for day in born} - {np.nan}) >= many
    assert any(abs(day) >= FARTHEST for day in born)
    assert len({test["cells"][names.index("place")] for test in program["tests"]}) > 40


def test_text_goes_to_the_step_of_words_alone():
    program = make_program(extract_state(MODELS["words for a tree"][0]))
    assert predict(program, {"said": "GOOD film; good plot", "born": 9000})["value"]
    tree = next(step for step in program["steps"] if step["do"] == "trees")
    tree["of"] = -1
    with pytest.raises(InvalidProgram, match="text that the step `words` alone reads"):
        parse_program(json.dumps(program))


@pytest.mark.parametrize(
    ("do", "change"),
    [
        ("dates", {"spans": [[0, 99]]}),
        ("dates", {"parts": [{"column": 2, "part": "century"}]}),
        ("rates", {"columns": [{"column": 1, "values": [[1.0]], "overall": [1.0]}]}),
        ("join", {"sources": [-1]}),
        ("join", {"widths": [1]}),
        ("words", {"columns": [{"column": 2, "form": "counts", "terms": [], "idf": None}]}),
    ],
)
def test_what_is_no_step(do, change):
    program = make_program(extract_state(MODELS["words for a tree"][0]))
    next(step for step in program["steps"] if step["do"] == do).update(change)
    with pytest.raises(InvalidProgram):
        parse_program(json.dumps(program))
