"""The model card: numbers without exponents, and how rows were held out."""

from dataclasses import replace

from tests.report.example import example

from hedgerow.studies.card import write_card


def test_numbers_of_a_card_have_no_exponents():
    result = example()
    spot = {**result.extra["slices"]["slices"][0], "loss": 76211.4, "others": 41124.2}
    spots = {**result.extra["slices"], "title": "absolute error", "slices": [spot]}
    columns = tuple(replace(one, value=104932.1) for one in result.explanation.importance)
    card = write_card(
        replace(
            result,
            question=replace(result.question, is_percentage=False, time="sold_on"),
            extra={**result.extra, "slices": spots},
            explanation=replace(result.explanation, importance=columns),
        )
    )
    assert "absolute error 76,211 in 40 rows, 41,124 in the others" in card
    assert ": 104,932" in card
    assert "rows by sold\\_on were sealed." in card
