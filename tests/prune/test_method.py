"""Every file of a method against its Protocol, and what holds for all of them."""

import sys
from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hedgerow.prune
import hedgerow.prune.methods as folder
from hedgerow import DecisionTreeClassifier
from hedgerow.prune import ChiSquare, Method, Pessimistic, PruningData, load_methods, make_method
from hedgerow.prune.method import Setting, class_name, method_name, method_settings, offered_settings
from hedgerow.tree.check import check
from hedgerow.tree.decide import value_of
from prune.samples import KINDS, case_of, data_of

NAMES = tuple(load_methods())
each_method = pytest.mark.parametrize("name", NAMES)
each_kind = pytest.mark.parametrize("kind", KINDS)


def test_all_of_them_are_found():
    assert set(NAMES) >= {
        "chi_square",
        "cost_complexity",
        "depth_limit",
        "leaf_limit",
        "minimum_description_length",
        "pessimistic",
        "reduced_error",
    }
    folder = Path(hedgerow.prune.__file__).parent / "methods"
    assert {file.stem for file in folder.glob("*.py")} - {"__init__"} == set(NAMES)


@each_method
def test_its_class_is_a_name_of_the_package(name):
    assert getattr(hedgerow.prune, class_name(name)) is load_methods()[name]
    assert class_name(name) in dir(hedgerow.prune)
    with pytest.raises(AttributeError, match="no attribute 'Pesimistic'"):
        hedgerow.prune.Pesimistic  # noqa: B018


NEW = '''
from dataclasses import dataclass
from typing import ClassVar

from hedgerow.prune.method import BOTH, CuttingMethod, setting


@dataclass(frozen=True)
class RootOnly(CuttingMethod):
    """keep : a number"""

    keep: int | None = setting(None, "Of nothing.")
    tasks: ClassVar[tuple[str, ...]] = BOTH

    def nodes_to_cut(self, tree, data=None):
        return tree.depth == 0
'''


def test_a_new_method_is_one_new_file(tmp_path, monkeypatch):
    (tmp_path / "root_only.py").write_text(NEW)
    monkeypatch.setattr(folder, "__path__", [*folder.__path__, str(tmp_path)])
    monkeypatch.delitem(sys.modules, "hedgerow.prune.methods.root_only", raising=False)
    case = case_of("plain", 2)
    assert DecisionTreeClassifier(prune="root_only").fit(case.X, case.y).get_n_leaves() == 1
    assert hedgerow.prune.RootOnly(keep=3) == make_method({"method": "root_only", "keep": 3})
    offered = [one for one in offered_settings() if one.method == "root_only"]
    assert offered == [Setting("keep", "root_only", int, None, "Of nothing.")]
    with pytest.raises(ValueError, match=r"is unknown. Known: .*root_only"):
        make_method("rot_only")


def test_a_file_without_its_class_is_an_error(tmp_path, monkeypatch):
    (tmp_path / "half_done.py").write_text("class HalfDone:\n    tasks = ()\n")
    monkeypatch.setattr(folder, "__path__", [*folder.__path__, str(tmp_path)])
    with pytest.raises(
        TypeError, match="half_done is no pruning: its class HalfDone lacks needs, prune, strengths"
    ):
        load_methods()


def test_settings_that_commands_offer():
    offered = {one.name: one for one in offered_settings()}
    assert {name: (one.method, one.type, one.default) for name, one in offered.items()} == {
        "significance": ("chi_square", float, 0.05),
        "choose": ("cost_complexity", str, "1se"),
        "folds": ("cost_complexity", int, 10),
        "depth": ("depth_limit", int, None),
        "leaves": ("leaf_limit", int, None),
        "price": ("minimum_description_length", float, 1.0),
        "confidence": ("pessimistic", float, 0.25),
        "raising": ("pessimistic", bool, True),
    }
    assert offered["choose"].choices == ("1se", "min")
    assert all(one.help for one in offered.values())


@each_method
def test_a_method_is_its_settings(name):
    method = load_methods()[name]()
    assert isinstance(method, Method)
    assert is_dataclass(method)
    assert method.needs in ("nothing", "training", "held_out")
    assert set(method.tasks) <= {"classification", "regression"}
    assert method.__doc__
    assert all(field.name in method.__doc__ for field in fields(method))
    with pytest.raises(AttributeError):
        method.alpha = 1  # frozen
    assert make_method(name) == method
    assert make_method(method) is method
    assert make_method(method_settings(method)) == method
    assert method_name(method) == name


@each_kind
@each_method
@settings(max_examples=8)
@given(seed=st.integers(0, 10**6))
def test_it_never_enlarges_and_the_tree_is_whole(name, kind, seed):
    case = case_of(kind, seed, weights="uneven" if seed % 2 else "none")
    tree, other = case.grown(), data_of(case_of(kind, seed + 1))
    method = load_methods()[name]()
    small = method.prune(tree, other if method.needs == "held_out" else data_of(case))
    check(small)
    assert small.n_nodes <= tree.n_nodes
    assert small.n_leaves <= tree.n_leaves
    assert small.max_depth <= tree.max_depth
    np.testing.assert_allclose(small.value[0], tree.value[0])
    assert np.isfinite(value_of(small, case.X)).all()


@each_kind
@each_method
@settings(max_examples=6)
@given(seed=st.integers(0, 10**6))
def test_stronger_leaves_no_more(name, kind, seed):
    """Raised branches may grow by new rows' splits being kept, so pessimism is asked without raising."""
    case = case_of(kind, seed)
    tree, data = case.grown(), data_of(case)
    method = Pessimistic(raising=False) if name == "pessimistic" else load_methods()[name]()
    sizes = [one.prune(tree, data).n_leaves for one in method.strengths(tree)]
    assert sizes == sorted(sizes, reverse=True)


@each_method
def test_a_single_leaf_stays_one(name):
    case = case_of("plain", 1, limits={"max_depth": 0})
    tree = case.grown()
    assert load_methods()[name]().prune(tree, data_of(case)).n_nodes == 1


@each_method
def test_the_same_every_time(name):
    case = case_of("spread", 5)
    tree, data = case.grown(), data_of(case)
    one, two = (load_methods()[name]().prune(tree, data) for _ in range(2))
    for field in fields(one):
        np.testing.assert_array_equal(getattr(one, field.name), getattr(two, field.name))


@each_method
@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
def test_regressions_are_pruned_or_refused(name, criterion):
    case = case_of("plain", 3, criterion)
    tree, data, method = case.grown(), data_of(case), load_methods()[name]()
    if "regression" in method.tasks:
        small = method.prune(tree, data)
        check(small)
        assert small.n_leaves <= tree.n_leaves
    else:
        with pytest.raises(ValueError, match=r"a regression has none.*cost_complexity"):
            method.prune(tree, data)


@each_method
def test_what_it_needs_it_asks_for(name):
    tree, method = case_of("plain", 2).grown(), load_methods()[name]()
    if method.needs == "nothing":
        method.prune(tree)
    else:
        with pytest.raises(ValueError, match=f"{name} needs rows"):
            method.prune(tree)


def test_unknown_names_and_settings_are_refused_with_a_way_out():
    with pytest.raises(ValueError, match=r"prune='pesimistic' is unknown.*Did you mean 'pessimistic'\?"):
        make_method("pesimistic")
    with pytest.raises(ValueError, match=r"no setting 'confidense'.*Did you mean 'confidence'\?"):
        make_method({"method": "pessimistic", "confidense": 0.1})
    with pytest.raises(ValueError, match="is unknown"):
        make_method(3)
    with pytest.raises(ValueError, match=r"confidence=0.7 is out of range. Give a number from"):
        Pessimistic(confidence=0.7)
    with pytest.raises(ValueError, match="significance='a'"):
        ChiSquare(significance="a")
    with pytest.raises(ValueError, match="depth=-1"):
        make_method({"method": "depth_limit", "depth": -1})
    with pytest.raises(ValueError, match=r"choose='2se' is unknown. Known: 1se, min"):
        make_method({"method": "cost_complexity", "choose": "2se"})
    with pytest.raises(ValueError, match="neither True nor False"):
        Pessimistic(raising="yes")


def test_data_of_some_rows():
    case = case_of("plain", 4, weights="uneven")
    some = np.array([5, 3, 11])
    part = data_of(case).take(some)
    np.testing.assert_array_equal(part.rows, case.X[some])
    np.testing.assert_array_equal(part.target.codes, case.y[some])
    np.testing.assert_array_equal(part.weight, case.w[some])
    assert isinstance(part, PruningData)
