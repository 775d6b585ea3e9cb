"""Trees by sums, where no worker has room for all rows: those of one machine, to the bit."""

from dataclasses import asdict
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cluster.in_turn import InTurn
from tests.cluster.test_fit import model_bytes
from tests.stream.tables import mixed, only

import hedgerow
from hedgerow.core import native
from hedgerow.grow import Limits

dask = pytest.importorskip("dask")
dd = pytest.importorskip("dask.dataframe")
pytest.importorskip("distributed")

FOREST, EXTRA, TREE = "RandomForestClassifier", "ExtraTreesClassifier", "DecisionTreeClassifier"
NUMBERS, EXTRA_NUMBERS, NUMBER_TREE = "RandomForestRegressor", "ExtraTreesRegressor", "DecisionTreeRegressor"
CASES = {
    "seven classes": (FOREST, "seven", None, {"n_estimators": 10}),
    "drawn by weight": (FOREST, "two", "weight", {"criterion": "entropy"}),
    "some draws, large leaves": (FOREST, "two", None, {"max_samples": 0.4, "min_samples_leaf": 3}),
    "drawn once": (
        FOREST,
        "two",
        None,
        {"max_samples": 0.4, "bootstrap": False, "max_features": 1, "redraw": False},
    ),
    "random thresholds": (EXTRA, "two", None, {}),
    "whole weights": (EXTRA, "seven", "whole", {"min_samples_leaf": 4, "max_depth": 6}),
    "equal weights": (EXTRA, "two", "equal", {"min_impurity_decrease": 0.002}),
    "a tree": (TREE, "two", "whole", {}),
    "a tree that is cut": (TREE, "seven", None, {"max_features": 2, "ccp_alpha": 0.003}),
    "a tree of random thresholds": (
        TREE,
        "two",
        None,
        {"splitter": "random", "min_weight_fraction_leaf": 0.01},
    ),
    "fractional weights": (EXTRA, "seven", "weight", {"min_weight_fraction_leaf": 0.01}),
    "fractional weights, drawn once": (FOREST, "two", "weight", {"bootstrap": False, "max_samples": 0.6}),
    "a tree of weighted classes": (TREE, "seven", "weight", {"class_weight": "balanced"}),
    "classes without weight": (TREE, "seven", None, {"class_weight": {2: 0, 3: 1.7}}),
    "a forest of weighted classes": (FOREST, "seven", "weight", {"class_weight": "balanced"}),
    "classes weighed in each tree": (
        EXTRA,
        "seven",
        "weight",
        {"class_weight": "balanced_subsample", "min_weight_fraction_leaf": 0.01},
    ),
    "a forest without some classes": (
        FOREST,
        "seven",
        None,
        {"class_weight": {2: 0, 3: 1.7}, "criterion": "entropy"},
    ),
    "draws, large gains": (FOREST, "seven", None, {"criterion": "entropy", "min_impurity_decrease": 0.001}),
    "numbers": (NUMBERS, "number", None, {"n_estimators": 9}),
    "numbers, some columns": (NUMBERS, "number", None, {"max_features": 2, "min_samples_leaf": 3}),
    "numbers drawn by weight": (NUMBERS, "number", "weight", {"max_features": 0.5}),
    "numbers drawn once": (NUMBERS, "number", "weight", {"bootstrap": False, "max_samples": 0.5}),
    "numbers, random thresholds": (EXTRA_NUMBERS, "number", "weight", {"max_features": 3}),
    "numbers, random thresholds of all columns": (EXTRA_NUMBERS, "number", None, {}),
    "counts": (NUMBERS, "count", "whole", {"criterion": "poisson", "max_features": 2}),
    "a tree of numbers": (NUMBER_TREE, "number", "weight", {}),
    "a tree of counts": (NUMBER_TREE, "count", None, {"criterion": "poisson", "max_depth": 6}),
    "a tree of huge numbers that is cut": (NUMBER_TREE, "huge", None, {"ccp_alpha": 1e48, "max_features": 3}),
    "pruned by its errors": (
        TREE,
        "two",
        None,
        {"prune": hedgerow.prune.Pessimistic(raising=False), "max_bins": 40},
    ),
}


def make(case, **more):
    kind, target, weight, given = CASES[case]
    given = {"random_state": 1} | given | more
    if kind not in (TREE, NUMBER_TREE):
        given = {"n_estimators": 3} | given
    return getattr(hedgerow, kind)(**given), target, weight


def rows_of(target, weight, n=1_201):
    column = "number" if target in ("count", "huge") else target
    frame = only(mixed(n), column).to_pandas()
    if target == "count":
        frame[column] = np.floor(np.exp(frame[column]))
    elif target == "huge":
        frame[column] *= 1e25
    frame = frame.rename(columns={column: target})
    frame["whole"], frame["equal"] = (2 * frame["weight"]).round(), np.where(frame["x0"] > 1, 0.0, 3.0)
    return frame.drop(columns=[name for name in ("weight", "whole", "equal") if name != weight])


def fit_here(case, frame):
    model, target, weight = make(case)
    model.set_params(max_bins=model.max_bins or 255)
    X = frame.drop(columns=[target] if weight is None else [target, weight])
    model.fit(X, frame[target], None if weight is None else frame[weight].to_numpy())
    return model.set_params(max_bins=make(case)[0].max_bins)


def fit_spread(model, client, parts):
    from hedgerow.dask.trees import fit as trees

    fit = trees.fit_tree if hasattr(model, "splitter") else trees.fit_forest
    collection = dd.from_delayed([part[0] for part in parts], verify_meta=False)
    with pytest.warns(UserWarning, match="Trees are grown by sums from all workers: those of max_bins="):
        fit(model, client, collection, None, None, parts)


@pytest.fixture
def in_turn(monkeypatch, one_thread):
    """No worker has room for all rows, and nodes of more than 150 are split by counts."""
    from hedgerow.dask.trees import fit, spread

    monkeypatch.setattr(spread, "rows_in_one_place", lambda client, n_columns: 150)
    monkeypatch.setattr(fit, "BYTES_PER_CELL", 10**9)
    return lambda n_workers, forgets=(): InTurn(n_workers, forgets)


@pytest.mark.parametrize("case", CASES)
def test_cuts_and_lost_shards_do_not_change_a_bit(tmp_path, in_turn, case):
    _, target, weight = make(case)
    frame = rows_of(target, weight)
    expected = model_bytes(fit_here(case, frame), tmp_path)
    for n_workers, cuts, forgets in [
        (1, (0, 1201), ()),
        (2, (0, 100, 101, 700, 1201), range(20, 100, 7)),
        (3, (0, 300, 310, 1000, 1201), ()),
    ]:
        model = make(case)[0]
        parts = [(dask.delayed(frame.iloc[a:b]), target, weight) for a, b in pairwise(cuts)]
        fit_spread(model, in_turn(n_workers, forgets), parts)
        assert model_bytes(model, tmp_path) == expected, cuts


def test_the_whole_tree_by_sums(tmp_path, in_turn, monkeypatch):
    """No node is small enough for one place."""
    from hedgerow.dask.trees import spread

    monkeypatch.setattr(spread, "rows_in_one_place", lambda client, n_columns: 0)
    frame = rows_of("two", None, 301)
    model = make("a tree")[0]
    fit_spread(
        model, in_turn(2), [(dask.delayed(frame.iloc[a:b]), "two", None) for a, b in pairwise((0, 200, 301))]
    )
    expected = hedgerow.DecisionTreeClassifier(random_state=1, max_bins=255).fit(
        frame.drop(columns="two"), frame["two"]
    )
    assert model_bytes(model, tmp_path) == model_bytes(expected.set_params(max_bins=None), tmp_path)


@pytest.mark.slow
def test_workers_that_have_room_for_a_part(client, tmp_path, monkeypatch):
    from hedgerow.dask.trees import fit, spread

    monkeypatch.setattr(spread, "rows_in_one_place", lambda client, n_columns: 150)
    monkeypatch.setattr(fit, "BYTES_PER_CELL", 10**9)
    on_dask = pytest.importorskip("hedgerow.dask")
    frame = rows_of("seven", None)
    expected = fit_here("seven classes", frame)
    settings = make("seven classes")[0].get_params()
    with pytest.warns(UserWarning, match="grown by sums"):
        model = on_dask.RandomForestClassifier(**settings).fit(
            dd.from_pandas(frame, npartitions=5, sort=False), "seven"
        )
    assert model_bytes(model.to_local(), tmp_path) == model_bytes(expected, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["DecisionTreeClassifier", "DecisionTreeRegressor"])
def test_a_tree_of_one_worker(client, tmp_path, kind):
    on_dask = pytest.importorskip("hedgerow.dask")
    target = "two" if kind == TREE else "number"
    frame = rows_of(target, None)
    model = getattr(on_dask, kind)(max_depth=4).fit(dd.from_pandas(frame, npartitions=3, sort=False), target)
    expected = getattr(hedgerow, kind)(max_depth=4).fit(frame.drop(columns=target), frame[target])
    assert model_bytes(model.to_local(), tmp_path) == model_bytes(expected, tmp_path)


@pytest.mark.filterwarnings("ignore:.*grown by sums")
@pytest.mark.parametrize(
    ("kind", "given", "words"),
    [
        (FOREST, {"oob_score": True}, "oob_score=True does not go along with"),
        (NUMBER_TREE, {"criterion": "absolute_error"}, "asks for medians"),
        (TREE, {"max_leaf_nodes": 5}, "Give max_leaf_nodes=None, or workers more memory"),
        (TREE, {"prune": "reduced_error"}, "without a pruning that judges branches by rows"),
    ],
)
def test_what_sums_cannot_do_is_refused(in_turn, kind, given, words):
    from hedgerow.dask.trees import fit as trees

    target = "number" if kind == NUMBER_TREE else "two"
    frame = rows_of(target, "weight", 60)
    parts = [(dask.delayed(frame), target, "weight")]
    fit = trees.fit_tree if kind in (TREE, NUMBER_TREE) else trees.fit_forest
    model = getattr(hedgerow, kind)(**given)
    with pytest.raises(ValueError, match=words):
        fit(model, in_turn(2), dd.from_delayed([parts[0][0]], verify_meta=False), None, None, parts)


@given(st.data())
def test_places_draw_what_all_rows_draw(data):
    n = data.draw(st.integers(1, 200))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    how = data.draw(st.sampled_from(["bootstrap", "subsample"]))
    size = data.draw(st.integers(1, n))
    weight = rng.uniform(0.1, 3.0, n) if how == "bootstrap" and data.draw(st.booleans()) else None
    line = np.empty(0) if weight is None else np.cumsum(weight)
    order = np.arange(n, dtype=np.uint32)
    expected = native.draw_counts(how, n, size, order, line, 5, 2)
    there = np.sort(rng.permutation(n)[: data.draw(st.integers(0, n))])
    ends = line[there] if len(line) else line
    begins = np.append(0.0, line)[there] if len(line) else line
    end = float(line[-1]) if len(line) else 0.0
    found = native.draw_counts_of_places(how, n, size, 5, 2, there, begins, ends, end)
    np.testing.assert_array_equal(found, expected[there])


def test_counts_that_were_drawn_elsewhere():
    counts = np.array([3, 0, 1, 7], np.uint32)
    np.testing.assert_array_equal(native.draw_counts("given", 4, 4, counts, np.empty(0), 0, 0), counts)
    with pytest.raises(ValueError, match="counts has 4 entries, but there are 5 rows"):
        native.draw_counts("given", 5, 5, counts, np.empty(0), 0, 0)


@given(st.integers(0, 10**6))
def test_codes_are_counted(seed):
    rng = np.random.default_rng(seed)
    n, n_codes, n_classes = rng.integers(1, 50, 3)
    codes = rng.integers(0, n_codes + 1, n).astype(rng.choice([np.uint8, np.uint16, np.uint32]))
    classes = rng.integers(0, n_classes, n).astype(np.int32)
    weight = rng.integers(1, 9, n) / 4
    rows = rng.permutation(n)[: rng.integers(0, n + 1)].astype(np.uint32)
    expected = np.zeros((n_codes + 1, n_classes + 1))
    for row in rows:
        expected[codes[row], classes[row]] += weight[row]
        expected[codes[row], n_classes] += 1
    found = native.count_codes(codes, int(n_codes), rows, classes, weight, int(n_classes))
    np.testing.assert_array_equal(found.reshape(expected.shape), expected)


@given(st.integers(0, 10**6))
def test_numbers_are_summed_by_code_and_in_all(seed):
    rng = np.random.default_rng(seed)
    n, n_codes = rng.integers(1, 50, 2)
    codes = rng.integers(0, n_codes + 1, n).astype(np.uint8)
    target, weight = rng.normal(5, 2, n), rng.uniform(0.1, 2, n)
    rows = rng.permutation(n)[: rng.integers(1, n + 1)].astype(np.uint32)
    y, w = target[rows], weight[rows]
    facts = np.array([w.sum(), len(rows), y.min(), y.max()])
    middle = y.min() + (y.max() - y.min()) / 2
    cells = native.sum_codes(codes, int(n_codes), rows, target, weight, "squared_error", facts).reshape(-1, 5)
    for code in range(n_codes + 1):
        here = codes[rows] == code
        expected = [w[here].sum(), here.sum(), (w * (y - middle))[here].sum()]
        np.testing.assert_allclose(cells[code, :3], expected, atol=1e-11)
        if here.any():
            assert cells[code, 3:].tolist() == [y[here].min(), y[here].max()]
    rest, loss = native.sum_node(rows, target, weight, "squared_error", facts)
    parts = [native.sum_node(part, target, weight, "squared_error", facts) for part in (rows[:5], rows[5:])]
    assert (rest, loss) == tuple(np.sum(parts, axis=0))
    assert rest == cells[:, 2].sum()
    mean, total, impurity, _ = native.node_stats("squared_error", facts, rest, loss)
    assert total == facts[0]
    np.testing.assert_allclose(mean, np.average(y, weights=w), rtol=1e-11)
    np.testing.assert_allclose(impurity, np.average((y - mean) ** 2, weights=w), atol=1e-10)


@pytest.mark.parametrize("n_levels", [0, 255])
def test_leaves_of_a_hundred_million_rows_are_counted_by_code(n_levels):
    rows = np.append(np.full(255, 4 * 10**7), 0.0)  # of each code, missing cells last
    second = np.round(rows * np.linspace(0, 1, 256) ** 60)
    cells = np.stack([rows - second, second, rows], axis=1)
    limits = asdict(Limits(min_rows_leaf=10**9, max_features=1))
    values = np.arange(255.0)
    _, last_code, first = native.split_of_cells(
        "gini", limits, cells.sum(axis=0), 0.0, 0.0, cells.reshape(-1), 255, n_levels, values, 5, 0
    )
    assert first[:-1].tolist() == [1] * 230 + [0] * 25, "25 codes have 10^9 rows"
    assert n_levels or last_code == 229


@given(st.integers(0, 2**64 - 1))
def test_seeds_have_any_key(key):
    from hedgerow.dask.keys import mix, unmix

    assert mix(unmix(key)) == key
