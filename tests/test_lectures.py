"""The lectures' numbers on impurities, binary trees and pruning, as the library's own trees give them."""

from itertools import product

import numpy as np
import pytest

from hedgerow import DecisionTreeClassifier, datasets, recipe
from hedgerow.prune import cut_path
from hedgerow.prune.sequence import weighted_impurity
from hedgerow.tree.cut import cut
from hedgerow.tree.tree import LEAF


def root_impurity(counts, criterion):
    y = np.repeat(np.arange(len(counts)), counts)
    model = DecisionTreeClassifier(criterion=criterion, max_depth=1).fit(np.zeros((len(y), 1)), y)
    return model.hedgerow_tree_.impurity[0]


def test_entropy_of_coins():
    assert root_impurity([50, 50], "entropy") == pytest.approx(1)
    assert root_impurity([99, 1], "entropy") == pytest.approx(0.08, abs=0.005)
    assert root_impurity([7], "entropy") == 0  # 0 log 0 = 0


@pytest.mark.parametrize("classes", [2, 3, 5, 26])
def test_entropy_of_equal_classes(classes):
    """ln C, in bits: log2 C."""
    assert root_impurity([4] * classes, "entropy") * np.log(2) == pytest.approx(np.log(classes))


def after_split(criterion, left, right):
    """Weighted impurity of the two children of a tree's only split."""
    y = np.concatenate([np.repeat([0, 1], side) for side in (left, right)])
    X = np.repeat([0.0, 1.0], [sum(left), sum(right)])[:, None]
    tree = DecisionTreeClassifier(criterion=criterion, max_depth=1).fit(X, y).hedgerow_tree_
    assert tree.n_nodes == 3
    return float((tree.weight * tree.impurity)[1:].sum() / tree.weight[0])


def test_two_splits_of_eighty_rows():
    """(40, 40) into (30, 10) and (10, 30), or into (20, 40) and (20, 0)."""
    one, two = ((30, 10), (10, 30)), ((20, 40), (20, 0))
    assert after_split("misclassification", *one) == pytest.approx(0.25)
    assert after_split("misclassification", *two) == pytest.approx(0.25)
    assert after_split("gini", *one) == pytest.approx(0.375)
    assert after_split("gini", *two) == pytest.approx(1 / 3)
    assert after_split("entropy", *two) < after_split("entropy", *one)


@pytest.mark.parametrize(("criterion", "chosen"), [("misclassification", 0), ("gini", 1), ("entropy", 1)])
def test_the_tree_prefers_the_pure_leaf_unless_it_counts_errors(criterion, chosen):
    """Both splits offered side by side. Misclassification sees a tie and takes the first."""
    y = np.repeat([0, 1], 40)
    first = np.concatenate([np.repeat([0, 1], [30, 10]), np.repeat([0, 1], [10, 30])])
    second = np.concatenate([np.repeat([0, 1], [20, 20]), np.repeat([0, 1], [40, 0])])
    X = np.column_stack([first, second]).astype(float)
    assert (
        DecisionTreeClassifier(criterion=criterion, max_depth=1).fit(X, y).hedgerow_tree_.feature[0] == chosen
    )


def test_restaurant():
    """One bit at the root. None, Some and Full of Patrons remain with 0.459 bits; two of them in a binary tree."""
    X, y, names = restaurant()
    model = DecisionTreeClassifier(criterion="entropy", max_depth=1, trace=True).fit(X, y)
    assert model.hedgerow_tree_.impurity[0] == pytest.approx(1)
    assert names[model.hedgerow_tree_.feature[0]].lower().startswith("pat")
    gain = model.trace_.gain[0] / len(y)
    kind = next(k for k, name in enumerate(names) if name.lower() == "type")
    assert gain[kind] == pytest.approx(
        0, abs=1e-9
    )  # every type half and half: nothing to gain, however parted
    full = DecisionTreeClassifier(criterion="entropy").fit(X, y)
    assert (full.predict(X) == y).all()


def test_restaurant_patrons_remainder():
    """Two binary splits on Patrons make the lecture's three branches: 0.459 bits remain, 0.541 are gained."""
    X, y, names = restaurant()
    patrons = next(name for name in names if name.lower().startswith("pat"))
    tree = DecisionTreeClassifier(criterion="entropy").fit(X[[patrons]], y).hedgerow_tree_
    leaves = tree.kind == LEAF
    assert leaves.sum() == 3
    assert (tree.weight * tree.impurity)[leaves].sum() / 12 == pytest.approx(0.459, abs=0.0005)


def test_restaurant_by_id3():
    """Three branches at once: gain 0.541, remainder 0.459; Type gains nothing; nothing beats Patrons."""
    X, y, names = restaurant()
    model = recipe("id3", trace=True).fit(X, y)
    gain = dict(zip(names, model.trace_.gain[0] / len(y), strict=True))
    assert gain["Pat"] == pytest.approx(0.541, abs=0.0005)
    assert model.hedgerow_tree_.impurity[0] - gain["Pat"] == pytest.approx(0.459, abs=0.0005)
    assert gain["Type"] == pytest.approx(0, abs=1e-9)
    assert max(gain, key=gain.get) == names[model.hedgerow_tree_.feature[0]] == "Pat"


def restaurant():
    data = datasets.restaurant()
    X = data.frame().drop(data.target_name)
    return X, data.target, X.columns


def test_titanic_of_the_lecture():
    """Root 0.38; men 65 % with 0.19, women 35 % with 0.74; women by class: 0.95 and, in the third, 0.50."""
    data = datasets.titanic_891()
    model = DecisionTreeClassifier(max_depth=2).fit(data.table, data.target)
    tree, names = model.hedgerow_tree_, data.table.names
    survived, share = tree.value[:, 1], tree.n_rows / tree.n_rows[0]
    women, men = sorted((int(tree.first_child[0]), int(tree.first_child[0]) + 1), key=lambda k: -survived[k])
    third, other = sorted(
        (int(tree.first_child[women]), int(tree.first_child[women]) + 1), key=lambda k: survived[k]
    )
    assert (names[tree.feature[0]], names[tree.feature[women]]) == ("sex", "pclass")
    assert [f"{survived[node]:.2f}" for node in (0, men, women, other, third)] == [
        "0.38", "0.19", "0.74", "0.95", "0.50",
    ]  # fmt: skip
    assert [f"{share[node]:.0%}" for node in (0, men, women)] == ["100%", "65%", "35%"]


def test_titanic_embedded():
    """All 1309 passengers tell the same story."""
    data = datasets.titanic()
    X, y = data.frame().drop(data.target_name), data.target
    model = DecisionTreeClassifier(max_depth=2).fit(X, y)
    tree = model.hedgerow_tree_
    yes = [str(label).lower() in ("1", "yes", "true", "survived") for label in model.classes_].index(True)
    assert len(y) == 1309
    assert tree.value[0, yes] == pytest.approx(0.38, abs=0.005)
    assert X.columns[tree.feature[0]].lower() == "sex"
    assert tree.value[1:3, yes].min() == pytest.approx(0.19, abs=0.005)


def test_cost_complexity_keeps_the_cheapest_subtree():
    """C_alpha(T) = sum of leaf errors + alpha |T|: for each alpha the nested sequence holds the minimum over all T."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    y = ((X[:, 0] > 0) ^ (X[:, 1] > 0.5)).astype(int)
    tree = DecisionTreeClassifier(criterion="misclassification", max_leaf_nodes=9).fit(X, y).hedgerow_tree_
    path, error = cut_path(tree), weighted_impurity(tree)
    everything = subtrees(tree, 0)
    last = tree.n_leaves + 1
    for alpha in np.append((path.alpha[1:] + path.alpha[:-1]) / 2, 1.0):
        kept = cut(tree, path.mask(alpha))
        cost = error_of(kept) + alpha * kept.n_leaves
        assert cost == pytest.approx(
            min(error[list(leaves)].sum() + alpha * len(leaves) for leaves in everything)
        )
        assert kept.n_leaves <= last  # nested
        last = kept.n_leaves
    assert last == 1


def error_of(tree):
    return float(weighted_impurity(tree)[tree.kind == LEAF].sum())


def subtrees(tree, node):
    """Every pruned subtree below a node, as the tuple of its leaves."""
    if tree.kind[node] == LEAF:
        return [(node,)]
    first = int(tree.first_child[node])
    return [(node,), *(a + b for a, b in product(subtrees(tree, first), subtrees(tree, first + 1)))]
