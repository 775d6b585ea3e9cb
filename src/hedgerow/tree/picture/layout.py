"""Where things stand.   In: who hangs under whom, how wide each is.   Out: the middle of each, left to right.

Reingold and Tilford's idea without recursion: from the last to the first, each subtree keeps its outline (how
far left and right it reaches at each depth below it); siblings are pushed together until their outlines
touch, and the parent stands in the middle above them.

        [  a  ]                 outline of a:   left   -4  -9  -9
       /       \\                               right   4   9   2
     [b]       [c]
    /   \\
  [d]   [e]        c may stand above e: only things of the same depth can touch
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.types import Float


@dataclass(frozen=True, eq=False)
class _Outline:
    """How far a subtree reaches to both sides of its root's middle, by depth."""

    left: Float
    right: Float


def middles(up: list[int], width: list[float], gap: float) -> list[float]:
    """The middle of each thing; the least edge is 0. `up[i] < i` is its parent, -1 for the first."""
    under: list[list[int]] = [[] for _ in up]
    for i, parent in enumerate(up[1:], start=1):
        under[parent].append(i)
    outlines: list[_Outline | None] = [None] * len(up)
    offset = np.zeros(len(up))
    left_most = 0.0
    for i in reversed(range(len(up))):
        children = [outline for k in under[i] if (outline := outlines[k]) is not None]
        outlines[i], offset[under[i]] = _joined(children, width[i], gap)
        for k in under[i]:
            outlines[k] = None  # a chain's outlines would fill memory
    if (root := outlines[0]) is not None:
        left_most = float(root.left.min())
    for i, parent in enumerate(up[1:], start=1):
        offset[i] += offset[parent]
    return [float(x) - left_most for x in offset]


def _joined(children: list[_Outline], width: float, gap: float) -> tuple[_Outline, Float]:
    """The outline of a parent above its children, and how far each child stands from the parent's middle."""
    own = np.array([width / 2])
    if not children:
        return _Outline(-own, own), np.zeros(0)
    left, right = children[0].left, children[0].right
    places = [0.0]
    for child in children[1:]:
        common = min(len(right), len(child.left))
        push = float((right[:common] - child.left[:common]).max()) + gap
        places.append(push)
        right = np.concatenate([child.right + push, right[len(child.right) :]])
        left = np.concatenate([left, child.left[len(left) :] + push])
    middle = places[-1] / 2
    outline = _Outline(np.concatenate([-own, left - middle]), np.concatenate([own, right - middle]))
    return outline, np.array(places) - middle
