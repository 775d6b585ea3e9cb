"""The trace: what each column offered, against the twin's list of all splits."""

import numpy as np
import pytest

from hedgerow import DecisionTreeClassifier, datasets, recipe
from hedgerow.display.tables import html_of
from hedgerow.grow import grow_traced, offers
from hedgerow.grow.trace import display_tables, path_to_text, to_text
from hedgerow.tree.labels import Labels
from hedgerow.tree.tree import LEAF
from tree.same import assert_same
from twins.cases import random_case
from twins.grower import rows_of
from twins.loss import CLASSES, NUMBERS
from twins.split import scored


@pytest.mark.parametrize("criterion", [*CLASSES, *NUMBERS])
@pytest.mark.parametrize("seed", range(4))
def test_each_column_offers_its_best(criterion, seed):
    limits = {"max_depth": 3, "min_rows_leaf": 2}
    case = random_case(
        seed,
        criterion,
        n=37,
        numbers=2,
        categories=1,
        missing=0.1,
        weights="uneven",
        ties=False,
        limits=limits,
    )
    tree, trace = grow_traced(case.encoded(), case.target(), criterion, case.limits)
    assert trace.gain.shape == trace.threshold.shape == (tree.n_nodes, 3)
    for node, rows in enumerate(rows_of(tree, case)):
        if tree.kind[node] == LEAF:
            continue
        found = scored(case, rows)
        for column in range(3):
            mine = [s.gain for s in found if s.column == column]
            if mine:
                assert trace.gain[node, column] == pytest.approx(max(mine), rel=1e-9, abs=1e-9)
            else:
                assert np.isnan(trace.gain[node, column])
        assert trace.threshold[node, tree.feature[node]] == pytest.approx(tree.threshold[node], nan_ok=True)


@pytest.mark.parametrize("criterion", [*CLASSES, *NUMBERS])
@pytest.mark.parametrize("max_leaves", [0, 6])
def test_looking_does_not_change_the_tree(criterion, max_leaves):
    case = random_case(
        3, criterion, n=61, numbers=2, categories=1, missing=0.1, limits={"max_leaves": max_leaves}
    )
    tree, trace = grow_traced(case.encoded(), case.target(), criterion, case.limits)
    assert_same(tree, case.grown())
    assert len(trace.gain) == tree.n_nodes


def test_offers_come_best_first_with_the_chosen_one_at_the_top():
    case = random_case(3, "gini", n=61, numbers=3, ties=False)
    tree, trace = grow_traced(case.encoded(), case.target(), "gini", case.limits)
    for node in np.flatnonzero(tree.kind != LEAF):
        listed = offers(tree, trace, int(node))
        assert [o.decrease for o in listed] == sorted((o.decrease for o in listed), reverse=True)
        assert listed[0].decrease >= next(o for o in listed if o.chosen).decrease - 1e-9
        assert sum(o.chosen for o in listed) == 1


def test_a_leaf_offers_nothing():
    case = random_case(3, "gini", n=61, numbers=3, limits={"max_depth": 1})
    tree, trace = grow_traced(case.encoded(), case.target(), "gini", case.limits)
    assert offers(tree, trace, 1) == []


def test_as_text():
    case = random_case(3, "gini", n=61, numbers=2, categories=1, limits={"max_depth": 1})
    tree, trace = grow_traced(case.encoded(), case.target(), "gini", case.limits)
    labels = Labels(
        ("height", "weight", "town"), ((), (), tuple("abcde")), frozenset(), ("no", "yes", "maybe")
    )
    text = to_text(tree, trace, labels)
    assert text.startswith("node 0: all rows · 61 rows")
    assert text.count("->") == 1
    assert all(name in text for name in ("height", "weight", "town"))


def restaurant():
    data = datasets.restaurant()
    model = recipe("id3", trace=True).fit(data.frame().drop(data.target_name), data.target)
    return model.hedgerow_tree_, model.trace_, model.labels_


def test_the_restaurant_s_root_in_words():
    """Every attribute with its gain and what remains."""
    lines = to_text(*restaurant()).splitlines()
    assert lines[0] == "node 0: all rows · 12 rows, impurity 1"
    assert lines[1].split() == ["gain", "remainder"]
    output = [
        (line[:3].strip(), line[4:].split(":")[0].split("?")[0], *line.split()[-2:]) for line in lines[2:]
    ]
    assert output == [
        ("->", "Pat", "0.541", "0.459"),
        ("", "Est", "0.208", "0.792"),
        ("", "Hun", "0.196", "0.804"),
        ("", "Price", "0.196", "0.804"),
        ("", "Fri", "0.0207", "0.979"),
        ("", "Res", "0.0207", "0.979"),
        ("", "Alt", "0.000", "1.000"),
        ("", "Bar", "0.000", "1.000"),
        ("", "Rain", "0.000", "1.000"),
        ("", "Type", "0.000", "1.000"),
    ]
    assert "Pat: None / Some / Full" in lines[2]


def test_from_root_to_leaf():
    tree, trace, labels = restaurant()
    parts = path_to_text(tree, trace, labels, tree.n_nodes - 1).split("\n\n")
    assert [part.splitlines()[0].split(" · ")[0].split(": ")[1] for part in parts] == [
        "all rows",
        "Pat = Full",
        "Pat = Full and Hun = yes",
        "Pat = Full and Hun = yes and Type = Thai",
        "Pat = Full and Hun = yes and Type = Thai and Fri = yes",
    ]
    assert all(part.count("->") == 1 for part in parts[:-1])
    assert parts[-1].endswith("decides Yes")


def test_the_whole_tree():
    tree, trace, labels = restaurant()
    text = "\n".join(to_text(tree, trace, labels, node) for node in range(tree.n_nodes))
    assert text.count("node ") == tree.n_nodes
    assert text.count("->") == tree.n_nodes - tree.n_leaves
    assert text.count("decides") == tree.n_leaves


def test_gain_ratio_is_shown_where_it_decided():
    data = datasets.titanic()
    model = recipe("c45", prune=None, trace=True).fit(data.frame().drop(data.target_name), data.target)
    assert to_text(model.hedgerow_tree_, model.trace_, model.labels_).splitlines()[1].split()[-1] == "ratio"
    best = offers(model.hedgerow_tree_, model.trace_, 0)
    average = np.mean([offer.decrease for offer in best]) - 1e-3
    chosen = next(offer for offer in best if offer.chosen)
    assert chosen.ratio == max(offer.ratio for offer in best if offer.decrease >= average)


def test_html_is_escaped_and_marks_one_row_a_table():
    case = random_case(3, "gini", n=61, numbers=2, categories=1, limits={"max_depth": 1})
    tree, trace = grow_traced(case.encoded(), case.target(), "gini", case.limits)
    nasty = ("<b>height</b>", "a\"&'", "</table><script>")
    labels = Labels(nasty, ((), (), tuple("<>&\"'")), frozenset(), ("<i>", "yes", "&amp;"))
    page = html_of(*display_tables(tree, trace, labels, range(tree.n_nodes)))
    assert page.count("<table>") == page.count("</table>") == tree.n_nodes
    assert page.count('class="chosen"') == 1
    assert "<script>" not in page
    assert "<b>" not in page
    assert "<i>" not in page
    assert len(display_tables(tree, trace, labels, [0])) == 1


def traced():
    data = datasets.restaurant()
    X = data.frame().drop(data.target_name)
    return recipe("id3", trace=True).fit(X, data.target), X


def test_a_fitted_model_tells_its_trace():
    model, _ = traced()
    text = str(model.trace_)
    assert text == repr(model.trace_)
    assert text.startswith("node 0: all rows")
    assert (
        text.count("->")
        == text.count("node ")
        == model.hedgerow_tree_.n_nodes - model.hedgerow_tree_.n_leaves
    )
    assert model.trace_.to_text() == to_text(model.hedgerow_tree_, model.trace_, model.labels_)
    page = model.trace_._repr_html_()
    assert page.count("<table>") == model.hedgerow_tree_.n_nodes - model.hedgerow_tree_.n_leaves
    assert model.trace_.to_page(leaf=11).count("<table>") == 5
    with pytest.raises(ValueError, match=r"node=99 is not there: this tree has nodes 0 to 11"):
        model.trace_.path_to_text(99)


def test_the_way_of_a_row():
    model, X = traced()
    output = model.trace_of(X)
    assert len(output) == 12
    assert output[1].count("node ") == 5  # the second guest waits for a table at a Thai restaurant
    assert [part.splitlines()[0].split(": ", 1)[1].split(" ·")[0] for part in output[1].split("\n\n")][
        -1
    ] == ("Pat = Full and Hun = yes and Type = Thai and Fri = no")
    assert output[1].endswith("decides No")
    with pytest.raises(ValueError, match=r"kept no trace. Fit it with trace=True"):
        recipe("id3").fit(X, [0, 1] * 6).trace_of(X)


def test_long_traces_are_shortened():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 2)), rng.integers(0, 2, 400)
    text = str(DecisionTreeClassifier(trace=True).fit(X, y).trace_)
    assert text.count("node ") == 40
    assert text.splitlines()[-1].endswith("path_to_text(leaf) a way.")


def test_a_threshold_is_not_rounded_away():
    """Rows that differ in the eighth digit are distinguished by what is printed."""
    x = np.array([1.00000011, 1.00000022, 1.00000033, 1.00000044])[:, None]
    model = DecisionTreeClassifier(trace=True).fit(x, [0, 0, 1, 1])
    printed = float(str(model.trace_).partition("x0 <= ")[2].split()[0])
    assert 1.00000022 <= printed < 1.00000033


def test_c45_has_a_trace_of_the_tree_before_branches_were_raised():
    data = datasets.titanic()
    model = recipe("c45", trace=True).fit(data.table, data.target)
    assert len(model.trace_.gain) == model.trace_.tree.n_nodes > model.hedgerow_tree_.n_nodes
    assert model.trace_.to_text().startswith("node 0: all rows")
    known = data.frame().drop(data.target_name).drop_nulls()[:40]
    assert all("decides" in way for way in model.trace_of(known))


def test_missing_against_all_others_in_bins():
    x = np.array([1.0, 2.0, 3.0, np.nan, np.nan])[:, None]
    model = DecisionTreeClassifier(trace=True, max_bins=255).fit(x, [0, 0, 0, 1, 1])
    assert model.trace_.threshold[0, 0] == np.inf
