from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from hedgerow.tree.conditions import Choice, Span, conditions
from hedgerow.tree.labels import Brief, LabeledTree, Labels, label_tree
from hedgerow.tree.tree import LEAF, Tree
from hedgerow.tree.wording import (
    branch_in_words,
    condition_in_words,
    question_in_words,
    shorten,
    spreads_missing,
    way_in_words,
)

from .examples import Builder, hostile, houses, restaurant, titanic
from .strategies import trees


def said(words: LabeledTree, node: int) -> list[str]:
    many = int(words.tree.n_children[node])
    ways = [way_in_words(words, node, place) for place in range(many)]
    return [
        question_in_words(words, node),
        *ways,
        *(branch_in_words(words, node, place) for place in range(many)),
    ]


def test_each_kind_of_test() -> None:
    ship, town, food = (label_tree(*example()) for example in (titanic, houses, restaurant))
    assert said(ship, 0) == ["sex = male", "yes", "no", "sex = male", "sex = female"]
    assert said(ship, 1) == ["age <= 9.5", "yes", "no, missing", "age <= 9.5", "age > 9.5 or missing"]
    assert said(ship, 2) == ["pclass in {1st, 2nd}", "yes", "no", "pclass in {1st, 2nd}", "pclass = 3rd"]
    assert said(ship, 4) == [""]
    assert said(town, 3) == ["bedrooms is known?", "yes", "no", "bedrooms is known", "bedrooms is missing"]
    assert said(town, 6) == ["near ocean?", "no", "yes", "near ocean = no", "near ocean = yes"]
    assert said(food, 0)[:4] == ["patrons?", "None", "Some", "Full"]
    assert said(food, 0)[4:] == ["patrons = None", "patrons = Some", "patrons = Full"]


def test_missing_is_said_where_it_matters() -> None:
    tree, labels = titanic()
    assert branch_in_words(label_tree(tree, replace(labels, missing=None)), 0, 0) == "sex = male or missing"
    assert branch_in_words(label_tree(tree, replace(labels, missing=frozenset())), 1, 1) == "age > 9.5"
    tree, labels = restaurant()
    assert not spreads_missing(label_tree(tree, labels))
    assert spreads_missing(label_tree(tree, replace(labels, missing=frozenset({0}))))


def test_long_lists_are_shortened_or_turned_round() -> None:
    words = label_tree(*houses())
    assert branch_in_words(words, 2, 0) == "town not in {Lodi, Galt, Ione, Jackson, +1 more}"
    assert branch_in_words(words, 2, 1, Brief(levels=1)) == "town in {Lodi, +4 more}"
    assert condition_in_words(words, Choice(2, tuple(range(11)), True, False)) == "town != Brea"
    assert condition_in_words(words, Choice(2, (), False, False)) == "town is none of its levels"
    assert condition_in_words(words, Choice(2, tuple(range(12)), True, False)) == "town is any of its levels"


def test_levels_with_commas_are_quoted() -> None:
    tree, labels = titanic()
    labels = replace(labels, levels=(("female", "a, b"), (), ("{x}", "2nd", "3rd"), ()))
    assert branch_in_words(label_tree(tree, labels), 0, 0) == 'sex = "a, b"'
    assert branch_in_words(label_tree(tree, labels), 2, 0) == 'pclass in {"{x}", 2nd}'


@pytest.mark.parametrize(
    ("span", "text"),
    [
        (Span(0, 2.0, 5.25, False), "2 < median income <= 5.25"),
        (Span(0, 2.0, np.inf, True), "median income > 2"),
        (Span(1, -np.inf, 3.0, True), "bedrooms <= 3 or missing"),
        (Span(1, np.inf, np.inf, True), "bedrooms is missing"),
        (Span(1, -np.inf, np.inf, False), "bedrooms is known"),
        (Span(3, 0.5, np.inf, False), "near ocean = yes"),
        (Span(3, -np.inf, 0.5, False), "near ocean = no"),
    ],
)
def test_spans(span: Span, text: str) -> None:
    assert condition_in_words(label_tree(*houses()), span) == text


def test_names_get_shorter_but_signs_and_thresholds_stay() -> None:
    words = label_tree(*hostile())
    for most in (60, 40, 25, 15):
        output = shorten(
            lambda brief: branch_in_words(words, 1, 0, brief), lambda text, most=most: len(text) <= most
        )
        assert output.endswith(" <= 0.3")
        assert len(output) <= most


def test_close_thresholds_are_told_apart() -> None:
    b = Builder((0,))
    b.root([0.0], 4)
    b.threshold(0, 0, 0.1234567890, [([0.0], 2), ([0.0], 2)])
    b.threshold(1, 0, 0.1234567891, [([0.0], 1), ([0.0], 1)])
    words = label_tree(b.tree(), Labels(("x",), ((),)))
    assert question_in_words(words, 0) != question_in_words(words, 1)


def test_labels_of_another_tree_are_refused() -> None:
    tree, labels = titanic()
    with pytest.raises(ValueError, match=r"labels name 3 columns .* the tree has 4"):
        label_tree(tree, replace(labels, features=labels.features[:3]))
    with pytest.raises(ValueError, match=r"labels list 1 levels for column 0 \(sex\); the tree has 2"):
        label_tree(tree, replace(labels, levels=(("x",), (), ("1st", "2nd", "3rd"), ())))


@given(trees())
def test_every_valid_tree_can_be_told(tree: Tree) -> None:
    names = tuple(f"x{k}" for k in range(tree.n_features))
    levels = tuple(tuple(f"l{k}" for k in range(many)) for many in tree.n_levels)
    words = label_tree(tree, Labels(names, levels, booleans=frozenset({0})))
    for node in range(tree.n_nodes):
        assert all(said(words, node)) or tree.kind[node] == LEAF
        assert all(condition_in_words(words, condition) for condition in conditions(tree, node))
