"""Forests on a cluster: those of one machine, to the bit."""

import numpy as np
import pytest
from tests.cluster.test_fit import model_bytes
from tests.stream.tables import mixed, only

import hedgerow

dask = pytest.importorskip("dask")
dd = pytest.importorskip("dask.dataframe")
on_dask = pytest.importorskip("hedgerow.dask")

KINDS = {
    "RandomForestClassifier": ("seven", {"oob_score": True, "n_estimators": 20}),
    "RandomForestRegressor": ("number", {"min_samples_leaf": 5, "max_samples": 0.5}),
    "ExtraTreesClassifier": ("two", {"class_weight": "balanced", "criterion": "entropy"}),
    "ExtraTreesRegressor": ("number", {}),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_forest_is_that_of_one_machine(client, tmp_path, kind):
    target, given = KINDS[kind]
    settings = {"n_estimators": 5, "random_state": 1} | given
    parts = dd.from_pandas(only(mixed(301), target).to_pandas(), npartitions=4, sort=False)
    parts = parts.partitions[[2, 0, 3, 1]]
    frame = parts.compute()
    expected = getattr(hedgerow, kind)(**settings)
    rows, weight = frame.drop(columns=[target, "weight"]), frame["weight"].to_numpy()
    expected.fit(rows, frame[target], weight)
    model = getattr(on_dask, kind)(**settings).fit(parts, target, "weight")
    assert model_bytes(model.to_local(), tmp_path) == model_bytes(expected, tmp_path)
    found = model.predict(dd.from_pandas(rows, npartitions=3, sort=False))
    assert hasattr(found, "compute")
    np.testing.assert_array_equal(found.compute(), expected.predict(rows))
    if settings.get("oob_score"):
        assert model.oob_score_ == pytest.approx(expected.oob_score_, abs=1e-12)


@pytest.mark.slow
def test_arrays_and_several_targets(client, tmp_path):
    import dask.array as da

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(120, 3)), rng.normal(size=(120, 2))
    expected = hedgerow.RandomForestRegressor(3, random_state=0).fit(X, y)
    model = on_dask.RandomForestRegressor(3, random_state=0)
    model.fit(da.from_array(X, chunks=(50, 2)), da.from_array(y, chunks=(50, 2)))
    np.testing.assert_array_equal(model.predict(X), expected.predict(X))


def test_too_little_memory_says_how_much_is_wanted():
    from tests.cluster.in_turn import InTurn

    from hedgerow.dask.trees.fit import fit_forest

    rows = only(mixed(300), "number").to_pandas()
    frame = dd.from_pandas(rows, npartitions=2, sort=False)
    parts = [(dask.delayed(rows), "number", None)]
    with (
        pytest.warns(
            UserWarning, match=r"300 rows of 8 columns want 0.00 GB on each worker.*largest of 2 has"
        ),
        pytest.raises(
            MemoryError,
            match=r"300 rows of 7 columns want 0.00 GB of memory on the workers \(1 bytes a cell and 128 a row",
        ),
    ):
        fit_forest(hedgerow.RandomForestRegressor(), InTurn(2, memory_limit=10_000), frame, None, None, parts)


def test_what_needs_one_machine_is_refused():
    from hedgerow.dask.trees.fit import fit_forest

    with pytest.raises(ValueError, match="all trees are grown at once"):
        fit_forest(hedgerow.RandomForestRegressor(stop="oob"), None, None, None, None, [])
