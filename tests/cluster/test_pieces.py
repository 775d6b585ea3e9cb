"""Partitions that differ: the model of all rows at once, or an error that says what is wrong with them."""

import numpy as np
import pandas as pd
import pytest
from tests.cluster.in_turn import InTurn

import hedgerow

dask = pytest.importorskip("dask")
pytest.importorskip("distributed")


@pytest.fixture
def parts():
    """Four, of 50 rows each."""
    rng = np.random.default_rng(0)
    whole = pd.DataFrame(
        {
            "a": rng.normal(size=200),
            "few": rng.integers(0, 9, 200),
            "town": rng.choice(["t1", "t2", "t3"], 200),
            "flag": rng.random(200) < 0.5,
        }
    )
    whole["y"] = np.where(whole.a + whole.few / 5 + rng.normal(size=200) > 1, "yes", "no")
    return [whole.iloc[k : k + 50].copy() for k in range(0, 200, 50)]


def fit_there(parts, weight=None):
    from hedgerow.dask.boosting.fit import fit_on_cluster

    model = hedgerow.HistGradientBoostingClassifier(max_iter=3, early_stopping=False)
    fit_on_cluster(model, InTurn(2), [(dask.delayed(part), "y", weight) for part in parts])
    return model


def insert_empty(parts):
    parts.insert(0, parts[0].iloc[:0])
    parts.insert(3, parts[0].iloc[:0])


def name_a_rare_town(parts):
    parts[2]["town"] = "rare"


def change_numbers(parts):
    parts[1]["few"] = parts[1]["few"].astype(float)
    parts[2]["few"] = parts[2]["few"].astype("int8")
    parts[3]["few"] = parts[3]["few"].astype("Int64").mask(parts[3]["a"] > 1)


def change_text(parts):
    parts[1]["town"] = parts[1]["town"].astype("category")
    parts[2]["town"] = pd.Categorical(parts[2]["town"], ["t3", "never", "t2", "t1"])
    parts[3]["town"] = parts[3]["town"].astype("string").mask(parts[3]["a"] > 1)


def empty_columns(parts):
    parts[1]["few"], parts[2]["town"] = np.nan, None


def repeat_index(parts):
    for part in parts:
        part.index = [0] * len(part)


def leave_one_class(parts):
    parts[2]["y"] = "yes"


@pytest.mark.parametrize(
    "change",
    [
        insert_empty,
        name_a_rare_town,
        change_numbers,
        change_text,
        empty_columns,
        repeat_index,
        leave_one_class,
    ],
)
def test_partitions_may_differ(parts, one_thread, change):
    change(parts)
    whole = pd.concat([part for part in parts if len(part)], ignore_index=True)
    expected = hedgerow.HistGradientBoostingClassifier(max_iter=3, early_stopping=False)
    rows = whole.drop(columns="y")
    expected.fit(rows, whole["y"])
    np.testing.assert_array_equal(fit_there(parts).predict_proba(rows), expected.predict_proba(rows))


def swap_columns(parts):
    parts[1] = parts[1][["few", "a", "town", "flag", "y"]]


def drop_column(parts):
    parts[1] = parts[1].drop(columns="few")


def drop_target(parts):
    parts[1] = parts[1].drop(columns="y")


def make_text(parts):
    parts[1]["few"] = [f"n{number}" for number in parts[1]["few"]]


def lose_label(parts):
    parts[1].loc[parts[1].index[7], "y"] = None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (swap_columns, r"Partition 1 has the columns 'few', 'a', .*the same columns in the same order"),
        (drop_column, r"Partition 1 has the columns 'a', 'town', 'flag', but partition 0 has"),
        (drop_target, r"Partition 1 has no column 'y'. Columns: 'a', 'few', 'town', 'flag'. Give all"),
        (make_text, r"Column 'few' is a (category|number) in some blocks of rows.*Give it one type"),
        (lose_label, r"Partition 1: Input y contains NaN: 1 of 50 targets, the first in row 7"),
    ],
)
def test_what_does_not_go_together_is_named(parts, one_thread, change, words):
    change(parts)
    with pytest.raises(ValueError, match=words):
        fit_there(parts)


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (np.nan, "Partition 2: sample_weight holds nan in row 7"),
        (-1.0, "Partition 2: sample_weight holds -1.0 in row 7. Negative weights"),
        (0.0, "^sample_weight is zero in every row"),
    ],
)
def test_weights_that_are_none_are_refused(parts, one_thread, bad, words):
    for part in parts:
        part["weight"] = 0.0
    parts[2].loc[parts[2].index[7], "weight"] = bad
    with pytest.raises(ValueError, match=words):
        fit_there(parts, "weight")


@pytest.mark.parametrize("change", [swap_columns, drop_column, drop_target])
@pytest.mark.parametrize("kind", ["RandomForestClassifier", "DecisionTreeClassifier"])
def test_trees_of_all_rows_name_the_partition(parts, one_thread, kind, change):
    """Before rows are gathered on a worker, where Dask would speak of a KeyError."""
    import dask.dataframe as dd

    from hedgerow.dask.trees import fit as trees

    change(parts)
    delayed = [(dask.delayed(part), "y", None) for part in parts]
    frame = dd.from_delayed([rows for rows, _, _ in delayed], meta=parts[0].iloc[:0], verify_meta=False)
    fit = trees.fit_forest if kind.startswith("Random") else trees.fit_tree
    with pytest.raises(ValueError, match=r"Partition 1 has the columns .*but partition 0 has 'a', 'few', "):
        fit(getattr(hedgerow, kind)(), InTurn(2), frame.drop(columns="y"), frame["y"], None, delayed)


@pytest.mark.parametrize("kind", ["RandomForestClassifier", "HistGradientBoostingClassifier"])
def test_a_target_that_is_no_column_is_named(parts, monkeypatch, kind):
    import dask.dataframe as dd

    import hedgerow.dask

    monkeypatch.setattr("distributed.get_client", lambda: InTurn(2))
    frame = dd.from_pandas(parts[0], npartitions=2)
    with pytest.raises(ValueError, match=r"y='towns' is no column. Columns: 'a', .* Did you mean 'town'\?"):
        getattr(hedgerow.dask, kind)().fit(frame, "towns")
    with pytest.raises(
        ValueError, match=r"sample_weight='w' is no column. Columns: those of an Array have no names"
    ):
        getattr(hedgerow.dask, kind)().fit(frame[["a"]].to_dask_array(), frame["y"], "w")
