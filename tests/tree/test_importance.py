import numpy as np
import pytest
from hypothesis import given

from hedgerow.tree.importance import decrease, importance
from hedgerow.tree.tree import LEAF, Tree

from . import naive
from .examples import houses, single_leaf
from .strategies import trees


@given(trees())
def test_agrees_with_a_loop_over_nodes(tree: Tree) -> None:
    gain = np.zeros(tree.n_nodes)
    total = np.zeros(tree.n_features)
    for node in np.flatnonzero(tree.kind != LEAF).tolist():
        load = tree.weight[node] * tree.impurity[node]
        load -= sum(tree.weight[k] * tree.impurity[k] for k in naive.children(tree, node))
        gain[node] = load / tree.weight[0] if tree.weight[0] else 0.0
        total[tree.feature[node]] += gain[node]
    np.testing.assert_allclose(decrease(tree), gain, atol=1e-12)
    wanted = total / total.sum() if total.sum() > 0 else 0 * total
    np.testing.assert_allclose(importance(tree), wanted, atol=1e-9)


def test_sums_to_one_and_a_single_leaf_has_none() -> None:
    assert importance(houses()[0]).sum() == pytest.approx(1)
    assert importance(single_leaf()[0]).tolist() == [0.0]


def test_agrees_with_scikit_learn() -> None:
    sklearn_tree = pytest.importorskip("sklearn.tree")
    random = np.random.default_rng(3)
    X = random.normal(size=(157, 4))
    y = (X[:, 1] + X[:, 2] * X[:, 0] > 0).astype(int)
    model = sklearn_tree.DecisionTreeClassifier(max_depth=5, random_state=0).fit(X, y)
    np.testing.assert_allclose(importance(converted(model.tree_)), model.feature_importances_)


def converted(theirs: object) -> Tree:
    """scikit-learn's tree (depth first) as ours (siblings adjacent)."""
    order, place = [0], {0: 0}
    for node in order:
        if theirs.children_left[node] >= 0:  # type: ignore[attr-defined]
            for child in (theirs.children_left[node], theirs.children_right[node]):  # type: ignore[attr-defined]
                place[int(child)] = len(order)
                order.append(int(child))
    t = {
        name: getattr(theirs, name)[order]
        for name in ("children_left", "feature", "threshold", "impurity", "n_node_samples")
    }
    inner = t["children_left"] >= 0
    first = np.array([place.get(int(c), -1) for c in t["children_left"]])
    none = np.full(len(order), -1)
    return Tree(
        feature=np.where(inner, t["feature"], -1),
        kind=inner,
        threshold=np.where(inner, t["threshold"], np.nan),
        subset_start=none,
        first_child=first,
        n_children=2 * inner,
        missing_child=first,
        value=theirs.value[order, 0],  # type: ignore[attr-defined]
        weight=t["n_node_samples"],
        n_rows=t["n_node_samples"],
        impurity=t["impurity"],
        subset_bits=np.zeros(0),
        n_levels=np.zeros(theirs.n_features),  # type: ignore[attr-defined]
    )
