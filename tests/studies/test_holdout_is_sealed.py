"""Nothing before the end knows the hold-out: whatever stands in its rows, everything learned stays the same.

Two ways to look at it. From outside: the sealed rows of the very file are overwritten with other cells, new levels,
gaps and huge numbers; only what is said of the hold-out may change. From inside: the sealed rows are replaced by
nonsense, targets included, the moment they are sealed; and an object that ends the study if it is touched too early.
(Two things are read of all rows on purpose: what kind a column is, and the target, so that the classes and their
proportions are known when the rows are sealed.)
"""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from tests.studies.test_study import table

import hedgerow
from hedgerow.intake import Samples
from hedgerow.studies import run
from hedgerow.studies.holdout import Sealed, seal
from hedgerow.studies.load import load_data
from hedgerow.studies.options import StudyOptions

PANEL = ("stump", "tree", "rules", "linear_svm")
OPTIONS = {"folds": 3, "repeats": 1, "random_state": 3}


def learned(result) -> dict:
    """Everything but the hold-out, and what is measured on it: importance of columns, a note where it is unlike the
    folds."""
    output = result.to_dict()
    output.pop("holdout")
    output["notes"] = [note for note in output["notes"] if not note["text"].startswith("The hold-out is")]
    output["explanation"].pop("importance")
    return json.loads(json.dumps(output))


def sealed_numbers(frame: pl.DataFrame, target: str) -> np.ndarray:
    options = StudyOptions(target, **OPTIONS)
    loaded = load_data(frame, options)
    _, sealed = seal(
        loaded.rows, loaded.goal.strata, options.holdout, options.random_state, loaded.equal.sets
    )
    return sealed.open().numbers


def overwritten(frame: pl.DataFrame, rows: np.ndarray, target: str) -> pl.DataFrame:
    """Other cells in these rows, of the same kinds: huge numbers, gaps, levels nobody has seen, days far away."""
    random = np.random.default_rng(5)
    here = pl.Series(np.isin(np.arange(frame.height), rows))
    changed = []
    for name, kind in frame.drop(target).schema.items():
        if kind == pl.String:
            new = pl.Series(random.choice(["never seen", "oak", None], frame.height))
        elif kind == pl.Date:
            new = pl.Series(random.integers(-9000, 9000, frame.height).astype(np.int32)).cast(pl.Date)
        else:
            new = pl.Series(random.choice([1e12, -1e-9, None, 7.0], frame.height).astype(float)).fill_nan(
                None
            )
        changed.append(pl.when(here).then(new).otherwise(pl.col(name)).alias(name))
    return frame.with_columns(changed)


@pytest.mark.slow
@pytest.mark.parametrize(("target", "models"), [("kept", PANEL), ("price", ("stump", "tree", "svm"))])
def test_other_cells_in_the_sealed_rows_change_nothing_that_is_learned(target, models, tmp_path):
    frame = table(160).drop({"kept", "price"} - {target})
    rows = sealed_numbers(frame, target)
    other = overwritten(frame, rows, target)
    assert not other.equals(frame)
    results = []
    for k, one in enumerate((frame, other)):
        result = hedgerow.study(one, target, models=models, folder=tmp_path / str(k), command="it", **OPTIONS)
        results.append(learned(result))
        out = pl.read_csv(tmp_path / str(k) / "holdout.csv")
        assert sorted(out["row"]) == sorted(rows.tolist())
    assert results[0] == results[1]
    left = [hedgerow.load(tmp_path / str(k) / "model.hedgerow") for k in range(2)]
    days = frame.drop(target).with_columns(pl.col("day").cast(pl.Int32))
    assert np.array_equal(left[0].predict(days), left[1].predict(days))
    out = [(tmp_path / str(k) / "holdout.csv").read_bytes() for k in range(2)]
    assert out[0] != out[1]  # the hold-out itself did change


def test_copies_of_training_rows_are_not_sealed():
    """Copies stay on one side, wherever they stand in the table."""
    frame = table(160).drop("price")
    rows = sealed_numbers(frame, "kept")
    train = np.setdiff1d(np.arange(160), rows)
    copies = np.arange(160)
    copies[rows] = train[: len(rows)]
    same = frame[copies].with_columns(kept=frame["kept"])  # features of training rows, targets as they were
    again = sealed_numbers(same, "kept")
    assert not np.isin(copies[again], np.delete(copies, again)).any()
    assert abs(len(again) - len(rows)) <= 6


class Untouchable:
    """In place of the sealed rows: whoever looks at them before they are opened ends the study."""

    def __init__(self, n_rows: int, rows: Samples) -> None:
        self.n_rows = n_rows
        self.__dict__["rows to give"] = rows

    def __getattr__(self, name: str):
        raise AssertionError(f"the sealed rows were asked for {name}")

    def open(self) -> Samples:
        return self.__dict__["rows to give"]


@pytest.mark.slow
@pytest.mark.parametrize("target", ["kept", "price"])
def test_the_sealed_rows_may_be_anything(target, monkeypatch):
    """Nonsense in place of the sealed rows, from the moment they are sealed: targets shuffled, cells of other rows."""
    frame = table(160).drop({"kept", "price"} - {target})
    options = {"models": ("stump", "tree", "forest"), **OPTIONS}
    first = hedgerow.study(frame, target, **options)

    def nonsense(*given):
        train, sealed = seal(*given)
        out = sealed.open()
        random = np.random.default_rng(1)
        mixed = replace(out.take(random.permutation(len(out.target))), target=random.permutation(out.target))
        return train, Untouchable(len(out.target), mixed)

    monkeypatch.setattr(run, "seal", nonsense)
    second = hedgerow.study(frame, target, **options)
    assert learned(first) == learned(second)
    assert first.holdout != second.holdout


def test_nothing_is_learned_after_the_seal_is_broken(monkeypatch):
    """No fit of any estimator, no tree grown, no row encoded, once the hold-out is open; and it is opened once."""
    order: list[str] = []
    opened = Sealed.open
    monkeypatch.setattr(Sealed, "open", lambda self: (order.append("open"), opened(self))[1])

    def watched(place, name: str) -> None:
        before = getattr(place, name)
        monkeypatch.setattr(place, name, lambda *a, **k: (order.append("learn"), before(*a, **k))[1])

    for kind in ("DecisionTreeClassifier", "RandomForestClassifier", "RuleListClassifier", "LinearSVC"):
        watched(getattr(hedgerow, kind), "fit")
    from hedgerow.fitting import grower
    from hedgerow.studies import learning_curve
    from hedgerow.studies.summarize import tree as readable

    watched(readable, "fit_tree")
    watched(grower, "grow")
    watched(grower, "encode")
    watched(learning_curve, "run_folds")
    hedgerow.study(table(160).drop("price"), "kept", models=(*PANEL, "forest"), **OPTIONS)
    assert order.count("open") == 1
    assert order[-1] == "open"
    assert order.count("learn") > 12


def test_a_study_has_no_second_look():
    loaded = load_data(table().drop("price"), StudyOptions("kept"))
    _, sealed = seal(loaded.rows, loaded.goal.strata, 0.2, 0, loaded.equal.sets)
    sealed.open()
    with pytest.raises(RuntimeError, match="opened already"):
        sealed.open()
