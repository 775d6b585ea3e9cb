"""Every file of a method against its Protocol, and what holds for all of them."""

from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hedgerow.prune
from hedgerow.prune import ChiSquare, Evidence, Method, Pessimistic, method_of, methods
from hedgerow.prune.method import name_of, settings_of
from hedgerow.tree.check import check
from hedgerow.tree.decide import value_of
from prune.samples import KINDS, case_of, evidence_of

NAMES = tuple(methods())
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
    folder = Path(hedgerow.prune.__file__).parent
    assert all((folder / f"{name}.py").exists() for name in NAMES)


@each_method
def test_a_method_is_its_settings(name):
    method = methods()[name]()
    assert isinstance(method, Method)
    assert is_dataclass(method)
    assert method.needs in ("nothing", "training", "held_out")
    assert set(method.tasks) <= {"classification", "regression"}
    assert method.__doc__
    assert all(field.name in method.__doc__ for field in fields(method))
    with pytest.raises(AttributeError):
        method.alpha = 1  # frozen
    assert method_of(name) == method
    assert method_of(method) is method
    assert method_of(settings_of(method)) == method
    assert name_of(method) == name


@each_kind
@each_method
@settings(max_examples=8)
@given(seed=st.integers(0, 10**6))
def test_it_never_enlarges_and_the_tree_is_whole(name, kind, seed):
    case = case_of(kind, seed, weights="uneven" if seed % 2 else "none")
    tree, other = case.grown(), evidence_of(case_of(kind, seed + 1))
    method = methods()[name]()
    small = method.pruned(tree, other if method.needs == "held_out" else evidence_of(case))
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
    tree, evidence = case.grown(), evidence_of(case)
    method = Pessimistic(raising=False) if name == "pessimistic" else methods()[name]()
    sizes = [one.pruned(tree, evidence).n_leaves for one in method.over_a_range(tree)]
    assert sizes == sorted(sizes, reverse=True)


@each_method
def test_a_single_leaf_stays_one(name):
    case = case_of("plain", 1, limits={"max_depth": 0})
    tree = case.grown()
    assert methods()[name]().pruned(tree, evidence_of(case)).n_nodes == 1


@each_method
def test_the_same_every_time(name):
    case = case_of("spread", 5)
    tree, evidence = case.grown(), evidence_of(case)
    one, two = (methods()[name]().pruned(tree, evidence) for _ in range(2))
    for field in fields(one):
        np.testing.assert_array_equal(getattr(one, field.name), getattr(two, field.name))


@each_method
@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
def test_regressions_are_pruned_or_refused(name, criterion):
    case = case_of("plain", 3, criterion)
    tree, evidence, method = case.grown(), evidence_of(case), methods()[name]()
    if "regression" in method.tasks:
        small = method.pruned(tree, evidence)
        check(small)
        assert small.n_leaves <= tree.n_leaves
    else:
        with pytest.raises(ValueError, match=r"a regression has none.*cost_complexity"):
            method.pruned(tree, evidence)


@each_method
def test_what_it_needs_it_asks_for(name):
    tree, method = case_of("plain", 2).grown(), methods()[name]()
    if method.needs == "nothing":
        method.pruned(tree)
    else:
        with pytest.raises(ValueError, match=f"{name} needs rows"):
            method.pruned(tree)


def test_unknown_names_and_settings_are_refused_with_a_way_out():
    with pytest.raises(ValueError, match=r"prune='pesimistic' is unknown.*Did you mean 'pessimistic'\?"):
        method_of("pesimistic")
    with pytest.raises(ValueError, match=r"no setting 'confidense'.*Did you mean 'confidence'\?"):
        method_of({"method": "pessimistic", "confidense": 0.1})
    with pytest.raises(ValueError, match="is unknown"):
        method_of(3)
    with pytest.raises(ValueError, match=r"confidence=0.7 is out of range. Give a number from"):
        Pessimistic(confidence=0.7)
    with pytest.raises(ValueError, match="significance='a'"):
        ChiSquare(significance="a")
    with pytest.raises(ValueError, match="depth=-1"):
        method_of({"method": "depth_limit", "depth": -1})
    with pytest.raises(ValueError, match=r"choose='2se' is unknown. Known: 1se, min"):
        method_of({"method": "cost_complexity", "choose": "2se"})
    with pytest.raises(ValueError, match="neither True nor False"):
        Pessimistic(raising="yes")


def test_evidence_of_some_rows():
    case = case_of("plain", 4, weights="uneven")
    some = np.array([5, 3, 11])
    part = evidence_of(case).take(some)
    np.testing.assert_array_equal(part.rows, case.X[some])
    np.testing.assert_array_equal(part.target.codes, case.y[some])
    np.testing.assert_array_equal(part.weight, case.w[some])
    assert isinstance(part, Evidence)
