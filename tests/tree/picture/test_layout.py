import itertools
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.tree.picture.layout import middles

GAP = 3.0


@given(st.integers(1, 40), st.randoms(use_true_random=False))
def test_nothing_of_the_same_depth_touches(n: int, random: Random) -> None:
    up, depth = [-1], [0]
    for i in range(1, n):  # each subtree in one piece: hang it on the last thing, or on one above it
        parent = i - 1
        while parent and random.random() < 0.5:
            parent = up[parent]
        up.append(parent)
        depth.append(depth[parent] + 1)
    width = [random.uniform(1, 30) for _ in range(n)]
    x = middles(up, width, GAP)
    assert min(a - w / 2 for a, w in zip(x, width, strict=True)) == pytest.approx(0, abs=1e-9)
    for i, j in itertools.combinations(range(n), 2):
        if depth[i] == depth[j]:
            assert x[j] - width[j] / 2 >= x[i] + width[i] / 2 + GAP - 1e-6  # and left to right
    for i in range(n):
        under = [x[k] for k in range(n) if up[k] == i]
        assert not under or x[i] == pytest.approx((under[0] + under[-1]) / 2, abs=1e-6)


def test_a_chain_needs_no_more_room_than_a_thing() -> None:
    assert middles([-1, *range(2_000)], [4.0] * 2_001, GAP) == [2.0] * 2_001


def test_siblings_stand_side_by_side() -> None:
    assert middles([-1, 0, 0], [4.0, 10.0, 6.0], GAP) == [10.5, 5.0, 16.0]
