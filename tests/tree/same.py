"""Are two trees the same, array by array?"""

from dataclasses import fields, replace
from typing import Any

import numpy as np

from hedgerow.tree.tree import Tree


def assert_same(one: Tree, other: Tree) -> None:
    for field in fields(Tree):
        np.testing.assert_array_equal(
            getattr(one, field.name), getattr(other, field.name), err_msg=field.name
        )


def changed(tree: Tree, field: str, where: Any, value: Any) -> Tree:
    """A copy of the tree with one entry of one array changed."""
    array = getattr(tree, field).copy()
    array[where] = value
    return replace(tree, **{field: array})
