import numpy as np
from tests.ensemble.forests import forest_of
from tests.ensemble.test_forest import some_forest

from hedgerow.ensemble.pack import pack
from hedgerow.tree.tree import LEAF


def parts(packed):
    return packed.nodes.nbytes, packed.table.nbytes + packed.start.nbytes


def test_a_node_takes_8_bytes_for_float32_rows_and_16_otherwise():
    forest = some_forest()
    nodes = sum(tree.n_nodes for tree in forest.trees)
    assert pack(forest, narrow=True).nodes.nbytes == 8 * nodes
    assert pack(forest, narrow=False).nodes.nbytes == 16 * nodes


def test_the_whole_takes_at_most_16_bytes_a_node_and_the_table():
    for forest in (some_forest(), forest_of()[0], forest_of(task="numbers")[0]):
        nodes = sum(tree.n_nodes for tree in forest.trees)
        words = sum(tree.subset_bits.nbytes for tree in forest.trees)
        for narrow in (True, False):
            packed = pack(forest, narrow=narrow)
            assert packed.n_bytes <= 16 * nodes + packed.table.nbytes + words + 8 * (len(forest.trees) + 1)


def test_each_leaf_value_stands_once_in_the_table():
    forest = some_forest()
    said = np.concatenate([tree.value[tree.kind == LEAF] for tree in forest.trees])
    table = pack(forest, narrow=False).table
    assert len(table) == len(np.unique(said, axis=0)) == len(np.unique(table, axis=0))
    assert len(table) < len(said) / 10  # grown to the end: little more than one a class


def test_categories_are_never_narrow():
    assert pack(forest_of()[0], narrow=True).feature_bits == 0
