"""Numbers for models that know nothing else: against scikit-learn's preparation, and by hand."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from hedgerow.encode import numbers, prepare
from hedgerow.table import to_table

USUAL = {"standardize": True, "max_levels": 100}
PEOPLE = {"age": [10.0, None, 30.0, 50.0], "sex": ["f", "m", None, "m"], "paid": [True, False, True, True]}


def people(**changes):
    return to_table(pl.DataFrame({**PEOPLE, **changes}))


def test_by_hand():
    preparation = prepare(people(), None, **USUAL)
    assert preparation.names == ("age", "age is missing", "sex=f", "sex=m", "sex is missing", "paid")
    spread = np.std([10, 30, 50])
    expected = [
        [-20 / spread, 0, 1, 0, 0, 0.25 / np.std([1, 0, 1, 1])],
        [0, 1, 0, 1, 0, -0.75 / np.std([1, 0, 1, 1])],
        [0, 0, 0, 0, 1, 0.25 / np.std([1, 0, 1, 1])],
        [20 / spread, 0, 0, 1, 0, 0.25 / np.std([1, 0, 1, 1])],
    ]
    assert np.allclose(numbers(preparation, people()), expected)


def test_an_unseen_level_is_zero_everywhere():
    preparation = prepare(people(), None, **USUAL)
    out = numbers(preparation, people(sex=["x", "f", "m", None]))
    assert out[0, 2:5].tolist() == [0, 0, 0]
    assert out[3, 2:5].tolist() == [0, 0, 1]


def test_the_most_frequent_levels():
    table = to_table({"colour": ["red", "blue", "blue", "green", "green", "pink"]})
    assert prepare(table, None, standardize=True, max_levels=2).names == ("colour=blue", "colour=green")
    weight = np.array([9.0, 1, 1, 1, 1, 0])
    assert prepare(table, weight, standardize=True, max_levels=2).names == ("colour=red", "colour=blue")[::-1]


@given(st.integers(2, 40), st.integers(0, 10**6))
def test_as_scikit_learn_prepares(n, seed):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 3)) * [1, 1e6, 1e-6] + [0, 5e6, 0]
    X[0] = 1.0
    X[1:][random.random((n - 1, 3)) < 0.2] = np.nan
    table = to_table(X)
    found = numbers(prepare(table, None, **USUAL), table)
    wanted = StandardScaler().fit_transform(X)
    values = [k for k, name in enumerate(prepare(table, None, **USUAL).names) if "missing" not in name]
    assert np.allclose(found[:, values], np.nan_to_num(wanted), atol=1e-6)


def test_levels_as_scikit_learn_encodes():
    random = np.random.default_rng(0)
    frame = pl.DataFrame({"a": random.choice(["x", "y", "z"], 50), "b": random.choice(["p", "q"], 50)})
    table = to_table(frame)
    wanted = make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(sparse_output=False))
    assert np.array_equal(
        numbers(prepare(table, None, **USUAL), table), wanted.fit_transform(frame.to_pandas())
    )


def test_weight_zero_is_a_row_that_is_not_there():
    random = np.random.default_rng(1)
    X, weight = random.normal(size=(30, 2)), random.integers(0, 3, 30).astype(float)
    weighted = prepare(to_table(X), weight, **USUAL)
    repeated = prepare(to_table(X.repeat(weight.astype(int), axis=0)), None, **USUAL)
    assert np.allclose(weighted.centre, repeated.centre)
    assert np.allclose(weighted.scale, repeated.scale)


@pytest.mark.parametrize("size", [1e300, 1e-300, 1.7e308, 5e-324])
def test_huge_and_tiny_numbers_stay_numbers(size):
    X = np.array([[-1.0], [1.0], [0.5]]) * size
    table = to_table(X)
    out = numbers(prepare(table, None, **USUAL), table)
    assert np.isfinite(out).all()
    other = numbers(prepare(table, None, **USUAL), to_table(np.array([[1.7e308], [-1.7e308], [0.0]])))
    assert np.isfinite(other).all()


def test_a_constant_and_an_empty_column():
    X = np.column_stack([np.full(4, 7.0), np.full(4, np.nan)])
    table = to_table(X)
    assert numbers(prepare(table, None, **USUAL), table).tolist() == [[0, 0, 1]] * 4
