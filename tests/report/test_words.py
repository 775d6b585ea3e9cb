"""Sentences and numbers of the page; the words that tell most."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from tests.report.example import example

from hedgerow.features import class_outcome, learn_features
from hedgerow.features.words import as_text
from hedgerow.report.charts.frame import tick_text
from hedgerow.report.sections.words import summarize
from hedgerow.report.words import (
    answer_sentence,
    baseline_sentence,
    cost_sentence,
    folds_words,
    format_interval,
    format_score,
    format_share,
    format_value,
    interval_sentence,
    operating_point_sentence,
    seal_sentence,
)
from hedgerow.studies.records import IntervalRecord
from hedgerow.table import Table, to_table
from hedgerow.tree.formatting import number


@pytest.mark.parametrize(
    ("share", "words"),
    [(0, "0%"), (0.0015, "<1%"), (0.0149, "1%"), (0.994, "99%"), (0.9967, ">99%"), (1, "100%")],
)
def test_what_is_not_all_or_nothing_is_not_written_so(share, words):
    assert format_share(share) == words


def test_of_several_classes_each_word_names_its_own():
    texts = ["goal cup", "a goal cup", "vote law", "a vote law", "cells gene", "a cells gene"]
    classes, codes = np.unique(["sport", "sport", "law", "law", "science", "science"], return_inverse=True)
    read = to_table({"body": texts})
    table = Table((as_text(read.columns[0]),), read.n_rows, True)
    learned = learn_features(table, class_outcome(codes, classes))
    trained = SimpleNamespace(
        features=learned,
        loaded=SimpleNamespace(goal=SimpleNamespace(classes=classes), target="section"),
        rows=SimpleNamespace(target=codes),
    )
    words = dict(summarize(trained)["texts"][0]["sides"][0]["words"])
    assert {"goal (sport)", "vote (law)", "cells gene (science)"} <= set(words)


def test_of_two_classes_words_speak_of_the_class_of_interest():
    texts = ["it never arrived", "never again", "thank you", "thank you all"] * 6
    classes, codes = np.unique(["complaint", "complaint", "ok", "ok"] * 6, return_inverse=True)
    read = to_table({"body": texts})
    table = Table((as_text(read.columns[0]),), read.n_rows, True)
    learned = learn_features(table, class_outcome(codes, classes))
    trained = SimpleNamespace(
        features=learned,
        loaded=SimpleNamespace(goal=SimpleNamespace(classes=classes), target="kind"),
        benchmark=SimpleNamespace(data=SimpleNamespace(classes=classes[::-1])),
        rows=SimpleNamespace(target=codes),
    )
    found = summarize(trained)
    assert found["outcome"] == "the share of complaint is higher"
    higher = dict(found["texts"][0]["sides"][0]["words"])
    assert "never" in higher
    assert "thank" not in higher


def test_better_than_the_baseline_is_said_by_the_difference_row_by_row():
    """Of a rare class the interval of one score holds the baseline's, though the model is better row by row."""
    result = example()
    score = replace(result.holdout.scores[0], low=0.55, high=0.9, baseline=0.62, difference=0.18)
    for found, words in (
        (
            (0.1, 0.18, 0.26),
            "62.0%: the model is better by 18.0 points (95 % interval 10.0 points to 26.0 points)",
        ),
        ((-0.1, 0.18, 0.26), "on these rows the model is better by 18.0 points, which may be chance"),
        (
            (-0.1, -0.02, 0.06),
            "by 2.0 points, which may be chance (95 % interval -6.0 points to 10.0 points)",
        ),
        ((-0.1, -0.05, -0.01), "62.0%: the model is worse by 5.0 points"),
        ((-0.1, 0.0, 0.1), "on these rows the model is no better (95 %"),
    ):
        low, difference, high = found
        changed = replace(score, difference=difference, difference_low=low, difference_high=high)
        holdout = replace(result.holdout, scores=(changed, *result.holdout.scores[1:]))
        assert words in baseline_sentence(replace(result, holdout=holdout))


def test_rows_that_are_all_right_do_not_promise_that_none_is_wrong():
    """The log loss of such rows has an interval of no width."""
    result = example()
    every = result.holdout.scores
    assert "wrongly" not in operating_point_sentence(result)
    right = tuple(replace(one, value=1.0, low=0.845) if one.name == "accuracy" else one for one in every)
    words = operating_point_sentence(replace(result, holdout=replace(result.holdout, scores=right)))
    assert words.endswith(
        "No row of the hold-out is predicted wrongly; of new rows up to 15.5% may be (95 % interval)."
    )


@pytest.mark.parametrize(
    ("saved", "words"),
    [
        (
            (0.02, 0.1, 0.18),
            "costs 0.100 less a row than always predicting survived (95 % interval 0.020 to 0.180)",
        ),
        (
            (-0.02, 0.1, 0.22),
            "less a row than always predicting survived, which may be chance (95 % interval",
        ),
        ((-0.3, -0.1, 0.1), "costs 0.100 more a row than always predicting survived, which may be chance"),
        ((0.0, 0.0, 0.0), "always predicting survived 0.500."),
    ],
)
def test_costs_are_compared_with_the_cheapest_guess_row_by_row(saved, words):
    result = example()
    point = result.holdout.operating_point
    low, value, high = saved
    cost = replace(point.cost, cheapest=0.5, saved_low=low, saved=value, saved_high=high)
    holdout = replace(result.holdout, operating_point=replace(point, cost=cost))
    assert words in cost_sentence(replace(result, holdout=holdout))


@pytest.mark.parametrize(("high", "is_narrow"), [(0.885, True), (0.905, False)])
def test_intervals_that_hold_significantly_fewer_rows_are_called_too_narrow(high, is_narrow):
    result = example()
    intervals = (IntervalRecord(0.9, 0.845, 0.79, high, 12.0),)
    words = interval_sentence(replace(result, holdout=replace(result.holdout, intervals=intervals)))
    assert "84.5%" in words
    assert ("too narrow" in words) == is_narrow


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.25, "0.250"),
        (0.0054, "0.0054"),
        (-5.6e-6, "-0.0000056"),
        (4.12e-5, "0.000041"),
        (-1e-9, "0"),
        (0, "0.000"),
    ],
)
def test_small_numbers_have_no_exponent(value, words):
    assert format_score(value) == words


@pytest.mark.parametrize(
    ("description", "verb"),
    [("1 boosted stump", "predicts"), ("12 boosted stumps", "predict"), ("a tree", "predicts")],
)
def test_the_verb_agrees_with_the_number_of_models(description, verb):
    result = example()
    chosen = result.verdict.chosen
    candidates = tuple(
        replace(one, description=description) if one.name == chosen else one for one in result.candidates
    )
    result = replace(result, candidates=candidates, verdict=replace(result.verdict, is_recommended=True))
    assert f"{description} {verb} " in answer_sentence(result).replace("A tree", "a tree")


def test_models_that_all_guess_were_compared_all_the_same():
    result = example()
    kept = replace(result.verdict, chosen="baseline", most_accurate="baseline", is_recommended=False)
    guess = replace(result, verdict=kept)
    assert answer_sentence(guess).startswith("Nothing here is shown to predict")
    without = tuple(one if one.name == "baseline" else replace(one, scores=()) for one in result.candidates)
    assert answer_sentence(replace(guess, candidates=without)).startswith("No model could be compared")


def test_a_class_that_is_called_like_its_column_is_named_once():
    """A column called dead, of dead and alive: not "dead = dead"."""
    result = example()
    point = SimpleNamespace(
        positive="dead", threshold=0.3, aim="accuracy", n_alarms=20, recall=0.9, precision=0.5, cost=None
    )
    changed = SimpleNamespace(
        verdict=result.verdict,
        question=SimpleNamespace(target="Dead"),
        holdout=SimpleNamespace(operating_point=point, n_rows=50, scores=()),
    )
    words = operating_point_sentence(changed)
    assert words.startswith("dead is predicted from a probability of 0.300 on")
    assert words.endswith("That finds 90% of all rows that are dead.")


def test_a_year_is_no_sum_of_money():
    """Numbers below 10,000 stand without a separator, wherever cells are shown: 1990."""
    assert [number(1990.0), number(9999), number(10000), number(-1234567.8)] == [
        "1990",
        "9999",
        "10,000",
        "-1,234,568",
    ]
    assert [tick_text(1990), tick_text(20_000)] == ["1990", "20,000"]


@pytest.mark.parametrize(("given", "sealed", "folds"), [
    ({}, "262 rows were drawn with random state 0, each class in proportion, and sealed.", " rows"),
    ({"time": "day"}, "The last 262 rows by day were sealed.", "each fold by models of the rows before it in day"),
    ({"groups": "pig"}, "262 rows were drawn with random state 0, whole groups of pig, and sealed.",
     "in whole groups of pig"),
])  # fmt: skip
def test_how_rows_were_held_out_and_tested_is_said_as_it_was(given, sealed, folds):
    question = replace(example().question, repeats=1, n_holdout=262, random_state=0, **given)
    assert seal_sentence(question) == sealed
    assert folds_words(question).endswith(folds)


def test_an_error_of_rounding_alone_is_none():
    score = replace(
        example().holdout.scores[0], is_percentage=False, baseline=173.5, value=9e-7, low=8e-7, high=1.1e-6
    )
    assert (format_value(score), format_interval(score)) == ("0.000", "0.000 to 0.000")
    result = example()
    narrow = IntervalRecord(0.9, 0.78, 0.73, 0.83, 1.3e-6)
    holdout = replace(result.holdout, scores=(score,), intervals=(narrow,))
    assert "too narrow" not in interval_sentence(replace(result, holdout=holdout))
    wrong = replace(holdout, scores=(replace(score, value=80.0),))  # nearly all rows are 0, some far from it
    assert "too narrow" in interval_sentence(replace(result, holdout=wrong))
    small = replace(score, baseline=1e-6)  # in the units of a small target it is much
    assert (format_value(small), format_interval(small)) == ("0.00000090", "0.00000080 to 0.0000011")
