"""Random valid trees, and rows to send through them, for hypothesis."""

from random import Random

import numpy as np
from hypothesis import strategies as st

from hedgerow.tree.tree import NONE, Tree
from hedgerow.types import Float

from .examples import Builder

LEVELS = (0, 0, 3, 0, 1, 70, 64)  # numbers, and categories of one, few and more levels than a word has bits


@st.composite
def trees(draw: st.DrawFn, most_splits: int = 12, spread: bool = True) -> Tree:
    """A valid tree: any kinds of node, any order of splits; with `spread`, missing cells may go to all."""
    random = draw(st.randoms(use_true_random=False))
    b = Builder(tuple(random.choice(LEVELS) for _ in range(draw(st.integers(1, 5)))))
    n_outputs = draw(st.integers(1, 3))
    b.root(_value(random, n_outputs), random.randint(0, 500))
    leaves = [0]
    for _ in range(draw(st.integers(0, most_splits))):
        node = leaves.pop(random.randrange(len(leaves)))
        first = _split(b, random, node, n_outputs, spread)
        leaves += range(first, len(b.rows))
    return b.tree()


def rows_for(tree: Tree, random: Random, n: int = 17, missing: float = 0.2) -> Float:
    """Rows with cells at, beside and far from the thresholds; levels seen and unseen; missing cells."""
    X = np.empty((n, tree.n_features))
    for column in range(tree.n_features):
        levels = int(tree.n_levels[column])
        at = tree.threshold[(tree.feature == column) & np.isfinite(tree.threshold)].tolist()
        for row in range(n):
            near = [random.uniform(-9, 9), *at, *(np.nextafter(t, np.inf) for t in at)]
            X[row, column] = random.randint(0, levels) if levels else random.choice(near)
            if random.random() < missing:
                X[row, column] = np.nan
    return X


def _split(b: Builder, random: Random, node: int, n_outputs: int, spread: bool) -> int:
    column = random.randrange(len(b.n_levels))
    levels = b.n_levels[column]
    multiway = levels > 0 and random.random() < 0.5
    many = levels if multiway else 2
    missing = NONE if spread and random.random() < 0.4 else random.randrange(many)
    children = _children(b, random, node, many, n_outputs, missing == NONE)
    if multiway:
        return b.multiway(node, column, children, missing)
    if levels:
        return b.subset(
            node, column, {k for k in range(levels + 1) if random.random() < 0.5}, children, missing
        )
    threshold = random.choice([np.inf, 0.5, random.uniform(-9, 9), round(random.uniform(-9, 9), 1)])
    return b.threshold(node, column, threshold, children, missing)


def _children(b: Builder, random: Random, node: int, many: int, n_outputs: int, spread: bool) -> list:
    """(value, rows, weight) of each child. Sums are the parent's, but not of rows where cells spread."""
    rows, weight = int(b.rows[node]["n_rows"]), float(b.rows[node]["weight"])  # type: ignore[call-overload, arg-type]
    ends = sorted(random.randint(0, rows) for _ in range(many - 1))
    parts = np.diff([0, *ends, rows]).tolist()
    shares = [0.01 + random.random() for _ in range(many)]
    weights = [weight * s / sum(shares) for s in shares]
    if spread:
        parts = [random.randint(part, rows) for part in parts]
    return [(_value(random, n_outputs), part, w) for part, w in zip(parts, weights, strict=True)]


def _value(random: Random, n_outputs: int) -> list[float]:
    raw = [0.01 + random.random() for _ in range(n_outputs)]
    return [v / sum(raw) for v in raw] if n_outputs > 1 else [random.uniform(-99, 99)]
