import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from hedgerow.tree.labels import Labels
from hedgerow.tree.picture.cards import PAD, SMALL, TITLE
from hedgerow.tree.picture.measure import text_width
from hedgerow.tree.picture.picture import Picture, picture
from hedgerow.tree.tree import Tree

from ..examples import EXAMPLES, bushy, houses, titanic
from ..strategies import trees


def check_picture(drawn: Picture) -> None:
    """Everything inside, nothing on top of another, all text inside its box."""
    boxes = [(p.x - p.card.width / 2, p.y, p.x + p.card.width / 2, p.y + p.card.height) for p in drawn.cards]
    for left, top, right, bottom in boxes:
        assert 0 <= left < right <= drawn.width
        assert 0 <= top < bottom <= drawn.height
    for a, b in itertools.combinations(boxes, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    for placed in drawn.cards:
        card, room = placed.card, placed.card.width - 2 * PAD + 0.2
        assert text_width(card.title, TITLE if card.right else SMALL, card.bold) <= room
        assert text_width(card.left, SMALL) + text_width(card.right, SMALL) <= room
        assert sum(part for part, _ in card.bar) == pytest.approx(1) or not card.bar
    ends = [
        (e.x1 - text_width(e.label, SMALL) / 2, e.x1 + text_width(e.label, SMALL) / 2, e.y1)
        for e in drawn.edges
    ]
    for one, other in itertools.combinations(ends, 2):
        assert one[2] != other[2] or one[1] <= other[0] or other[1] <= one[0]
    assert drawn.legend.end <= drawn.width


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_are_well_drawn(example: Any) -> None:
    check_picture(picture(*example()))


@given(trees())
def test_every_valid_tree_is_well_drawn(tree: Tree) -> None:
    names = tuple(f"a rather long name of column {k}" for k in range(tree.n_features))
    levels = tuple(tuple(f"level {k}" for k in range(many)) for many in tree.n_levels)
    classes = tuple(f"class {k}" for k in range(tree.n_outputs)) if tree.n_outputs > 1 else ()
    check_picture(picture(tree, Labels(names, levels, classes=classes, target="y")))


def test_titanic_says_what_the_lecture_says() -> None:
    root, men = picture(*titanic()).cards[:2]
    assert (root.card.title, root.card.left, root.card.right) == ("sex = male", "0.62 | 0.38", "100%")
    assert (men.card.left, men.card.right) == ("0.81 | 0.19", "65%")


def test_extreme_values_have_a_place_on_the_scale() -> None:
    tree, labels = houses()
    value = np.linspace(-1, 1, tree.n_nodes)[:, None] * 1.7e308
    marks = [p.card.mark for p in picture(replace(tree, value=value), labels, 9).cards]
    assert min(m for m in marks if m is not None) == 0
    assert max(m for m in marks if m is not None) == 1
    check_picture(picture(replace(tree, value=np.full_like(value, 5.0)), labels))


def test_more_classes_than_colours() -> None:
    drawn = picture(*bushy(2, 26))
    assert drawn.legend.captions[-1].text.endswith("(+18 more, named at leaves)")
    check_picture(drawn)
