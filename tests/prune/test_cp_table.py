"""The complexity table: rpart's numbers, its choices, its print-out."""

import json

import numpy as np
import pytest

from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor
from hedgerow.encode import encode, matrix
from hedgerow.grow import Classes, Limits, Numbers, grow
from hedgerow.prune import CostComplexity, PruningData, cp_table, cut_path
from hedgerow.prune.sequence import cut_alphas, node_risk
from hedgerow.table import to_table
from hedgerow.tree.check import check
from hedgerow.tree.cut import cut
from hedgerow.tree.tree import LEAF
from prune.rpart import STORED, cp_table_of_rpart, installed, sets
from prune.samples import case_of, data_of

SETS = ("spam", "heart", "three classes", "numbers")


def grown(X, y, method, threads=1):
    rows = encode(to_table(X))
    if method == "class":
        classes, codes = np.unique(y, return_inverse=True)
        target, criterion = Classes(codes.astype(np.int32), len(classes)), "gini"
    else:
        target, criterion = Numbers(np.asarray(y, float)), "squared_error"
    limits = Limits(max_features=len(rows.codes), min_rows_split=20, min_rows_leaf=7)

    def regrow(weight):
        return grow(rows, type(target)(*_without_weight(target), weight), criterion, limits)

    tree = grow(rows, target, criterion, limits)
    return tree, PruningData(matrix(rows.schema, rows.table), target, criterion, regrow, threads)


def _without_weight(target):
    return (target.codes, target.n_classes) if isinstance(target, Classes) else (target.values,)


def columns(table):
    return np.column_stack([table.cp, table.nsplit, table.rel_error, table.xerror, table.xstd])


def ours(name):
    X, y, method, cp = sets()[name]
    tree, data = grown(X, y, method)
    return tree, cp_table(tree, data, folds=np.arange(len(y)) % 10, cp=cp)


@pytest.mark.parametrize("name", SETS)
def test_the_table_is_rparts(name):
    tree, table = ours(name)
    np.testing.assert_allclose(columns(table), json.loads(STORED.read_text())["tables"][name], atol=1e-12)
    for row in range(len(table)):
        small = table.cut(tree, row)
        check(small)
        assert small.n_leaves == table.nsplit[row] + 1
        loss = node_risk(small, "misclassification")
        assert loss[small.kind == LEAF].sum() / loss[0] == pytest.approx(table.rel_error[row])


@pytest.mark.parametrize("name", SETS)
def test_the_stored_table_is_what_rpart_says_today(name):
    if not installed():
        pytest.skip("R with the package rpart is not installed")
    theirs = cp_table_of_rpart(*sets()[name])
    np.testing.assert_allclose(theirs, json.loads(STORED.read_text())["tables"][name], atol=1e-12)


def test_choices():
    _, table = ours("spam")
    best, kept = table.choose_by("min"), table.choose_by("1se")
    assert best.chosen == table.best
    assert best.xerror[best.chosen] == best.xerror.min()
    assert kept.chosen <= best.chosen
    assert kept.xerror[kept.chosen] <= table.bound
    assert (table.xerror[: kept.chosen] > table.bound).all()
    with pytest.raises(ValueError, match=r"choose='2se' is unknown. Known: 1se, min"):
        table.choose_by("2se")


def test_it_prints_itself():
    _, table = ours("heart")
    text = str(table)
    assert text == repr(table)
    assert "10-fold cross-validation" in text
    assert text.count("\n* ") == 2  # the row, and what the mark means
    assert all(len(line) < 100 for line in text.splitlines()[:-1])
    html = table._repr_html_()
    assert html.count("<tr") == len(table) + 1
    assert html.count('class="chosen"') == 1
    plain = table.to_dict()
    assert json.loads(json.dumps(plain))["cp"] == table.cp.tolist()
    assert plain["chosen"] == table.chosen


def test_long_tables_are_shortened():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(900, 3)), rng.normal(size=900)
    tree, data = grown(X, y + X[:, 0], "anova")
    table = cp_table(tree, data)
    assert len(table) > 45
    assert str(table).count("\n") < 45
    assert "..." in str(table)


def test_threads_change_nothing_and_the_seed_does():
    X, y, method, _ = sets()["three classes"]
    tables = [cp_table(*grown(X, y, method, threads)) for threads in (1, 2, 3, 8)]
    for other in tables[1:]:
        np.testing.assert_array_equal(columns(tables[0]), columns(other))
    tree, data = grown(X, y, method)
    assert (cp_table(tree, data, random_state=1).xerror != tables[0].xerror).any()


@pytest.mark.parametrize("risk", ["misclassification", "impurity"])
def test_exact_links_are_the_weakest(risk):
    case = case_of("plain", 3, "gini", n=211)
    tree = case.grown()
    exact = cut_alphas(tree, node_risk(tree, risk), "exact") / tree.weight[0]
    rpart = cut_alphas(tree, node_risk(tree, risk), "rpart") / tree.weight[0]
    if risk == "impurity":
        path = cut_path(tree)
        apart = np.diff(path.alpha) > 1e-9  # nearer ones are equal but for rounding
        for alpha in ((path.alpha[1:] + path.alpha[:-1]) / 2)[apart]:
            assert cut(tree, exact <= alpha).n_leaves == cut(tree, path.mask(alpha)).n_leaves
    some = np.isfinite(exact)
    assert (rpart[some] <= exact[some] + 1e-12).all()
    assert np.isfinite(rpart[tree.kind != LEAF]).all()


def test_alpha_given_is_ccp_alpha():
    case = case_of("plain", 4, "gini", n=211)
    tree = case.grown()
    for alpha in np.quantile(cut_path(tree).alpha, [0.2, 0.5, 0.9]):
        expected = cut(tree, cut_path(tree).mask(alpha))
        assert CostComplexity(alpha=float(alpha)).prune(tree).n_nodes == expected.n_nodes


def test_a_fold_for_each_row_or_an_error():
    case = case_of("plain", 5)
    tree, data = case.grown(), data_of(case)
    assert cp_table(tree, data, folds=np.arange(len(case.y)) % 3).n_folds == 3
    with pytest.raises(ValueError, match=r"folds has the shape \(2,\)"):
        cp_table(tree, data, folds=[0, 1])
    with pytest.raises(ValueError, match="at least 2"):
        cp_table(tree, data, folds=1)
    with pytest.raises(ValueError, match="regrow is None"):
        cp_table(tree, data.take(np.arange(20)))


def test_rows_without_weight_take_no_part():
    case = case_of("plain", 6, n=150)
    weight = (np.arange(150) % 4 > 0).astype(float)
    X, y = case.X, case.y
    with_zero = DecisionTreeClassifier(prune="cost_complexity").fit(X, y, weight)
    without = DecisionTreeClassifier(prune="cost_complexity").fit(X[weight > 0], y[weight > 0])
    np.testing.assert_allclose(columns(with_zero.cp_table_), columns(without.cp_table_))


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
def test_regressions_are_cross_validated_by_their_own_loss(criterion):
    case = case_of("plain", 7, criterion, n=211)
    model = DecisionTreeRegressor(criterion=criterion, prune="cost_complexity").fit(case.X, case.y)
    table = model.cp_table_
    assert table.rel_error[0] == pytest.approx(1.0)
    assert 0.9 < table.xerror[0] < 1.1
    assert (np.diff(table.rel_error) <= 1e-12).all()
    assert model.get_n_leaves() == table.nsplit[table.chosen] + 1
