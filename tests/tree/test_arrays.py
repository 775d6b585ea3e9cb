"""The list of a Tree's arrays, which whatever copies or saves them all goes by."""

from dataclasses import fields

import numpy as np

from hedgerow import DecisionTreeClassifier
from hedgerow.datasets import titanic
from hedgerow.tree.tree import ARRAYS, PER_NODE, PER_SURROGATE, Tree, take_nodes, take_surrogates, to_arrays
from tree.same import assert_same


def grown() -> Tree:
    data = titanic()
    return (
        DecisionTreeClassifier(missing="surrogate", max_depth=4).fit(data.table, data.target).hedgerow_tree_
    )


def test_every_field_is_listed_with_its_dtype_and_length():
    tree = grown()
    lengths = {"node": tree.n_nodes, "column": tree.n_features, "surrogate": len(tree.surrogate_node)}
    assert tuple(ARRAYS) == tuple(field.name for field in fields(Tree))
    for name, spec in ARRAYS.items():
        array = getattr(tree, name)
        assert (array.dtype, array.ndim) == (np.dtype(spec.dtype), spec.rank)
        assert spec.per == "word" or len(array) == lengths[spec.per]
    assert {spec.code for spec in ARRAYS.values()} == {"I32", "I64", "U8", "U64", "F64"}


def test_all_arrays_make_the_same_tree():
    tree = grown()
    assert_same(Tree(**to_arrays(tree)), tree)


def test_some_nodes_and_some_surrogates():
    tree, some = grown(), np.array([4, 0, 3])
    nodes, surrogates = take_nodes(tree, some), take_surrogates(tree, some[:2])
    assert (tuple(nodes), tuple(surrogates)) == (PER_NODE, PER_SURROGATE)
    np.testing.assert_array_equal(nodes["value"], tree.value[some])
    np.testing.assert_array_equal(surrogates["surrogate_node"], tree.surrogate_node[[4, 0]])
