"""A stored forest takes 16 bytes a node and a table of its leaves; nothing else grows with it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hedgerow import (
    BaggingClassifier,
    ExtraTreesClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
    save,
)

RANDOM = np.random.default_rng(0)
X, Y = RANDOM.normal(size=(600, 5)), RANDOM.normal(size=600)
WORDS = {"word": [f"w{k}" for k in RANDOM.integers(0, 60, 600)], "number": X[:, 0]}
FORESTS: dict[str, Any] = {
    "two classes": lambda: RandomForestClassifier(30, random_state=0).fit(X, Y > 0),
    "seven classes": lambda: RandomForestClassifier(30, random_state=0).fit(
        X, np.digitize(Y, np.linspace(-1.5, 1.5, 6))
    ),
    "weights": lambda: RandomForestClassifier(30, random_state=0).fit(X, Y > 0, RANDOM.uniform(1, 2, 600)),
    "entropy": lambda: ExtraTreesClassifier(30, criterion="entropy", random_state=0).fit(X, Y > 0),
    "words": lambda: RandomForestClassifier(30, random_state=0).fit(WORDS, Y > 0),
    "numbers": lambda: RandomForestRegressor(30, random_state=0).fit(X, Y),
    "bag": lambda: BaggingClassifier(n_estimators=30, random_state=0).fit(X, Y > 0),
}


@pytest.mark.parametrize("name", FORESTS)
def test_sixteen_bytes_a_node_and_a_table_of_leaves(name: str, tmp_path: Path) -> None:
    model = FORESTS[name]()
    save(model, tmp_path / "m.hedgerow")
    data = (tmp_path / "m.hedgerow").read_bytes()
    header = 8 + int.from_bytes(data[:8], "little")
    trees = model.forest_.trees
    nodes, leaves = sum(tree.n_nodes for tree in trees), sum(tree.n_leaves for tree in trees)
    table = leaves * 8 * (trees[0].n_outputs + 3)  # value, weight, number of rows, impurity
    starts = 4 * 8 * (len(trees) + 1)
    inside = 12_000 if name == "bag" else 0  # the forest in it has a header of its own
    assert nodes > 2000
    assert len(data) - header <= 16 * nodes + table + starts + 4 * 5 + inside
