"""One of several targets.   In: the state of a model.   Out: that of the same trees with its values alone."""

from dataclasses import replace
from typing import Any

import numpy as np

from hedgerow.ensemble.trees import Trees
from hedgerow.store.kinds import bagging, forest
from hedgerow.store.state import ModelState
from hedgerow.tree.tree import Tree


def select_target(state: ModelState, k: int) -> ModelState:
    ends = np.cumsum([1 if classes is None else len(classes) for classes in state.outputs])
    values = slice(int(ends[k - 1]) if k else 0, int(ends[k]))
    return replace(state, body=_select(state.body, k, values), classes=state.outputs[k], outputs=())


def _select(body: Any, k: int, values: slice) -> Any:
    if isinstance(body, Tree):
        return replace(body, value=body.value[:, values])
    if isinstance(body, forest.Body):
        trees = Trees(_select(tree, k, values) for tree in body.forest.trees)
        return replace(body, forest=replace(body.forest, trees=trees))
    assert isinstance(body, bagging.Bag)
    return replace(body, members=tuple(select_target(member, k) for member in body.members))
