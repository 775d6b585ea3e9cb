"""Colours of nodes.   In: LabeledTree, a node.   Out: "#rrggbb".

Classes take Okabe and Ito's colours, which people with any colour vision tell apart; a leaf is the stronger
in colour the surer it is. Numbers run from pale to deeper blue. Nothing is said by colour alone.
"""

import numpy as np

from hedgerow.tree.labels import LabeledTree
from hedgerow.tree.wording import decided_class

CLASSES = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#8c8c8c")
PALE, DEEP = "#eef5fc", "#5b9bd5"  # INK is read easily on both (contrast 5 or more)
PAPER, INK, SOFT, LINE, EDGE = "#ffffff", "#1f2933", "#52606d", "#cbd2d9", "#b3bdc7"


def class_colour(k: int) -> str:
    return CLASSES[k % len(CLASSES)]


def mix(start: str, end: str, t: float) -> str:
    """The colour a part t of the way from start to end."""
    pairs = [(int(start[i : i + 2], 16), int(end[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * t):02x}" for a, b in pairs)


def certainty(words: LabeledTree, node: int) -> float:
    """0 where every class is as likely, 1 where one is certain."""
    many, most = words.tree.n_outputs, float(words.tree.value[node].max())
    return 1.0 if many < 2 else min(max((most - 1 / many) / (1 - 1 / many), 0.0), 1.0)


def height_of(words: LabeledTree, node: int) -> float:
    """Where the node's number lies between the least (0) and the largest (1) in the tree."""
    value = words.tree.value[:, 0]
    low, high = float(value.min()), float(value.max())
    span = high / 2 - low / 2  # halves: the difference of two huge numbers may not be a float
    return float(np.clip((float(value[node]) / 2 - low / 2) / span, 0, 1)) if span > 0 else 0.5


def fill_of(words: LabeledTree, node: int) -> str:
    """The colour of a leaf's card."""
    if words.shares:
        return mix(PAPER, class_colour(decided_class(words, node)), 0.14 + 0.4 * certainty(words, node))
    return mix(PALE, DEEP, height_of(words, node)) if words.tree.n_outputs == 1 else PALE
