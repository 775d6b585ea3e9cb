"""On a cluster: the model of one machine, to the bit, for any number of workers and any cutting of the rows."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest
from tests.cluster.in_turn import InTurn
from tests.stream.tables import mixed, only

import hedgerow
from hedgerow import save
from hedgerow.gradient import penalties as rule

dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")
on_dask = pytest.importorskip("hedgerow.dask")

CASES = {
    "two classes": ("two", {}),
    "seven classes": ("seven", {"max_iter": 2}),
    "rare classes": ("rare", {"max_leaf_nodes": 9}),
    "some rows of two classes": ("two", {"subsample": 0.5}),
    "numbers": ("number", {}),
    "subsampling": ("number", {"subsample": 0.5, "max_features": 0.7, "max_features_tree": 0.8}),
    "stopping early": ("two", {"early_stopping": True, "max_iter": 12, "n_iter_no_change": 2}),
    "numbers as categories": ("two", {"categorical_features": ["few"]}),
    "balanced": ("seven", {"class_weight": "balanced", "max_iter": 2}),
    "constraints": ("number", {"monotonic_cst": {"x0": 1}, "interaction_cst": "pairwise"}),
    "level by level": ("number", {"growth": "level", "max_depth": 4}),
    "absolute error": ("number", {"loss": "absolute_error", "max_leaf_nodes": 9}),
    "a quantile of some rows": (
        "number",
        {"loss": "quantile", "quantile": 0.3, "subsample": 0.5, "max_leaf_nodes": 9},
    ),
    "huber": ("number", {"loss": "huber", "max_leaf_nodes": 9, "max_iter": 2}),
    "no limit of leaves": ("number", {"max_leaf_nodes": None, "max_depth": 5}),
}


def model_bytes(model, folder):
    save(model, folder / "model.hedgerow")
    return (folder / "model.hedgerow").read_bytes()


def make(case, module):
    target, given = CASES[case]
    settings = {"max_iter": 3, "random_state": 3, "early_stopping": False} | given
    kind = "HistGradientBoostingRegressor" if target == "number" else "HistGradientBoostingClassifier"
    return target, getattr(module, kind)(**settings)


def rows_of(target):
    frame = only(mixed(1_201), "number" if target == "rare" else target).to_pandas()
    if target == "rare":
        frame["rare"] = np.digitize(frame.pop("number"), [-1.5, 4.0])
    return frame


def fit_here(case):
    target, model = make(case, hedgerow)
    frame = rows_of(target)
    return frame, model.fit(frame.drop(columns=[target, "weight"]), frame[target], frame["weight"].to_numpy())


@pytest.mark.parametrize("case", CASES)
def test_cuts_and_lost_shards_do_not_change_a_bit(tmp_path, one_thread, case):
    import dask

    from hedgerow.dask.boosting.fit import fit_on_cluster

    frame, model = fit_here(case)
    expected = model_bytes(model, tmp_path)
    ways = [(1, (0, 1201), (), 1), (2, (0, 100, 101, 700, 1201), range(40, 400, 17), 1)]
    if not {"subsample", "early_stopping"} & set(CASES[case][1]):  # rows are drawn by their position
        ways.append((3, (0, 300, 310, 1000, 1201), (), -1))
    for n_workers, cuts, forgets, order in ways:
        target, spread = make(case, hedgerow)
        parts = [(dask.delayed(frame.iloc[a:b]), target, "weight") for a, b in pairwise(cuts)]
        fit_on_cluster(spread, InTurn(n_workers, forgets), parts[::order])
        assert model_bytes(spread, tmp_path) == expected, cuts


@pytest.mark.parametrize(
    ("case", "forgets"),
    [("two classes", ()), ("seven classes", range(40, 400, 17)), ("some rows of two classes", ())],
)
def test_rows_are_left_out_as_on_one_machine(tmp_path, one_thread, monkeypatch, case, forgets):
    """Where rows are nearly fitted, which is from the first round on here."""
    import dask

    from hedgerow.dask.boosting.fit import fit_on_cluster

    monkeypatch.setattr(rule, "LEFT_OUT_BELOW", 2.0)
    for name in ("ONE_OUTPUT", "SEVERAL_OUTPUTS"):
        monkeypatch.setattr(rule, name, rule.Easing(below=2.0, least_hessian=0.02, guarded_step=0.5))
    frame, here = fit_here(case)
    expected = model_bytes(here, tmp_path)
    target, spread = make(case, hedgerow)
    parts = [(dask.delayed(frame.iloc[a:b]), target, "weight") for a, b in pairwise((0, 100, 700, 1201))]
    fit_on_cluster(spread, InTurn(2, forgets), parts)
    assert model_bytes(spread, tmp_path) == expected


@pytest.mark.parametrize(
    "case",
    ["two classes", "seven classes", "balanced", "subsampling", "constraints", "numbers as categories"],
)
def test_sums_that_a_word_has_no_room_for(tmp_path, one_thread, monkeypatch, case):
    """As of 2^30 rows and more, with limits made small: the same bits for any cut, and all but the model of fewer."""
    import dask

    from hedgerow.dask.boosting import wide
    from hedgerow.dask.boosting.fit import fit_on_cluster

    monkeypatch.setattr(wide, "FROM_ROWS", 100)
    monkeypatch.setattr(wide, "ROWS_OF_A_WORD", 4)  # 2^38 units: sums of a node are rounded by eight bits
    frame, here = fit_here(case)
    found = set()
    for n_workers, cuts, forgets in ((1, (0, 1201), ()), (3, (0, 300, 310, 1000, 1201), range(40, 400, 17))):
        target, spread = make(case, hedgerow)
        parts = [(dask.delayed(frame.iloc[a:b]), target, "weight") for a, b in pairwise(cuts)]
        fit_on_cluster(spread, InTurn(n_workers, forgets), parts)
        found.add(model_bytes(spread, tmp_path))
    assert len(found) == 1
    rows = frame.drop(columns=[target, "weight"])
    predict = "predict_proba" if hasattr(here, "classes_") else "predict"
    np.testing.assert_allclose(getattr(spread, predict)(rows), getattr(here, predict)(rows), atol=1e-7)


def test_ten_billion_rows_have_units():
    """Of sums as they would be: a row has about a thousand units, and the sums of all have room in 64 bits."""
    from hedgerow.dask.boosting.wide import BLOCK, find_units

    n = 10**10
    extent = (0.5, 0.25, 0.25, True)
    coarse = (n * 2**30, n * 2**30, n * 2**29)  # every row has the largest gradient
    units, of_leaves = find_units(extent, coarse, n)
    assert of_leaves is not None
    a_row = extent[0] / units[0]
    assert 500 < a_row < BLOCK
    assert n * a_row < 2**62
    assert n * extent[0] / of_leaves[0] * 2**20 < 2**62  # leaves' sums (native/gradient/leaf_values.cpp)


def test_blocks_have_room():
    from hedgerow.dask.boosting.wide import BLOCK, cut_blocks, split_words

    rng = np.random.default_rng(0)
    words = (rng.integers(-(2**28), 2**28, 500) << 32) + rng.integers(0, 2**28, 500)
    rows = rng.permutation(500)[:400].astype(np.uint32)
    blocks = cut_blocks(words, rows)
    np.testing.assert_array_equal(np.concatenate(blocks), rows)
    for block in blocks:
        gradient, hessian = split_words(words[block])
        assert max(np.abs(gradient).sum(), hessian.sum()) < 2 * BLOCK
        total = split_words(np.array([words[block].sum()]))[:, 0]
        np.testing.assert_array_equal(total, [gradient.sum(), hessian.sum()])


def test_too_little_memory_says_how_much_is_wanted(one_thread):
    import dask

    from hedgerow.dask.boosting.fit import fit_on_cluster

    frame = only(mixed(300), "number").to_pandas()
    model = hedgerow.HistGradientBoostingRegressor(early_stopping=False)
    with pytest.raises(MemoryError, match=r"300 rows of 6 columns want 0.00 GB.*2 workers"):
        fit_on_cluster(model, InTurn(2, memory_limit=100), [(dask.delayed(frame), "number", "weight")])


def fit_there(case, frame, many, order=1):
    target, spread = make(case, on_dask)
    rows = dd.from_pandas(frame, npartitions=many, sort=False)
    return spread.fit(rows.partitions[list(range(rows.npartitions))[::order]], target, "weight").to_local()


@pytest.mark.slow
def test_processes_do_not_change_a_bit(tmp_path):
    """One to four; partitions in another order where rows are not drawn by their position."""
    cases = {4: ("two classes", -1), 3: ("seven classes", -1), 2: ("subsampling", 1), 1: ("huber", -1)}
    with (
        distributed.LocalCluster(
            n_workers=4, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        for workers, (case, order) in cases.items():
            there = sorted(client.scheduler_info(n_workers=-1)["workers"])
            if len(there) > workers:
                client.retire_workers(there[workers:])
            frame, model = fit_here(case)
            found = fit_there(case, frame, 5, order)
            assert model_bytes(found, tmp_path) == model_bytes(model, tmp_path), case


@pytest.mark.slow
def test_two_fits_at_once_take_turns(client, tmp_path):
    cases = ("two classes", "numbers")
    here = {case: fit_here(case) for case in cases}
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda case: fit_there(case, here[case][0], 3), cases))
    for case, model in zip(cases, found, strict=True):
        assert model_bytes(model, tmp_path) == model_bytes(here[case][1], tmp_path), case


@pytest.mark.slow
def test_predictions_are_lazy_and_those_of_the_local_model(client):
    frame = only(mixed(300), "two").drop("weight").to_pandas()
    model = on_dask.HistGradientBoostingClassifier(max_iter=2)
    model.fit(dd.from_pandas(frame, npartitions=2, sort=False), "two")
    rows = frame.drop(columns="two")
    found = model.predict(dd.from_pandas(rows, npartitions=3, sort=False))
    assert hasattr(found, "compute")
    np.testing.assert_array_equal(found.compute(), model.to_local().predict(rows))


def test_without_a_client_an_error_says_what_to_do():
    with pytest.raises((RuntimeError, TypeError), match=r"Make one first|Expected: a Dask"):
        on_dask.HistGradientBoostingRegressor().fit([[1.0], [2.0]], [1.0, 2.0])


def test_a_loss_that_is_an_object_is_refused():
    from hedgerow.dask.boosting.fit import fit_on_cluster

    with pytest.raises(ValueError, match=r"is an object.*give the name of a loss: squared_error"):
        fit_on_cluster(hedgerow.HistGradientBoostingRegressor(loss=object()), None, [])


@pytest.mark.slow
def test_without_dask_a_sentence_says_what_to_install():
    code = (
        "import sys; sys.modules['distributed'] = None\n"
        "try: import hedgerow.dask\n"
        "except ImportError as reason: print(reason)\n"
        "sys.argv = ['hedgerow', 'study', 'titanic', '--cluster', 'local:2']\n"
        "from hedgerow.cli import main; main()"
    )
    ended = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    words = "hedgerow.dask needs Dask, which is not installed. Install it: pip install 'hedgerow[dask]'"
    assert words in ended.stdout
    assert words in " ".join(ended.stderr.split())
    assert ended.returncode == 2
