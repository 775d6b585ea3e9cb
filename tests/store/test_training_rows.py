"""A model file knows its training rows by four bytes each: what was seen is found, what is new is not."""

import numpy as np
import polars as pl
import pytest
from tests.store.damaged import changed

from hedgerow import DecisionTreeClassifier
from hedgerow.estimators.saving import load, save
from hedgerow.store import InvalidModelFile, load_state, training_rows
from hedgerow.store.training_rows import make_training_rows
from hedgerow.table import read_frame, to_table

N = 400


def table(seed: int, n: int = N) -> pl.DataFrame:
    random = np.random.default_rng(seed)
    town = random.choice(["Ulm", "Linz", "Bern"], n)
    x = random.normal(size=n).round(3)
    noise = random.normal(size=n)
    kept = np.where(x + random.normal(size=n) > 0, "yes", "no")
    return pl.DataFrame({"x": x, "noise": noise.astype(np.float32), "town": town, "kept": kept})


def test_seen_rows_are_found_and_new_ones_are_not():
    known = make_training_rows(to_table(table(0).drop("kept")))
    assert (known.n_rows, known.by_chance, known.is_sample) == (N, 0.0, False)
    both = pl.concat([table(1).drop("kept"), table(0).drop("kept")[::2]])
    seen, can_know = known.find_seen(to_table(both))
    assert not seen[:N].any()
    assert seen[N:].all()
    assert can_know.all()


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_file_of_another_type_has_the_same_fingerprints(ending, tmp_path):
    frame = table(0).drop("kept")
    file = tmp_path / f"t.{ending}"
    frame.write_csv(file) if ending == "csv" else frame.write_parquet(file)
    known = make_training_rows(to_table(frame))
    assert known.find_seen(to_table(read_frame(file)))[0].all()


def test_of_too_many_rows_a_sample_is_kept(monkeypatch):
    monkeypatch.setattr(training_rows, "MOST", 50)
    frame = to_table(table(0).drop("kept"))
    known = make_training_rows(frame)
    seen, can_know = known.find_seen(frame)
    assert known.is_sample
    assert np.array_equal(seen, can_know)
    assert seen.sum() == 50


def test_without_rows_the_bytes_are_as_ever_and_with_them_the_model_is_the_same(tmp_path):
    frame = table(0)
    X, y = frame.drop("kept"), frame["kept"].to_numpy()
    model = DecisionTreeClassifier(max_depth=3).fit(X, y)
    save(model, tmp_path / "plain.hedgerow")
    save(model, tmp_path / "rows.hedgerow", rows=X.select("town", "x", "noise"))  # in any order
    assert b"training_rows" not in (tmp_path / "plain.hedgerow").read_bytes()
    assert load_state(tmp_path / "plain.hedgerow").training_rows is None
    assert load_state(tmp_path / "rows.hedgerow").training_rows.find_seen(to_table(X))[0].all()
    assert np.array_equal(load(tmp_path / "rows.hedgerow").predict(X), model.predict(X))
    more = (tmp_path / "rows.hedgerow").stat().st_size - (tmp_path / "plain.hedgerow").stat().st_size
    assert 4 * N <= more < 4 * N + 400


@pytest.mark.parametrize(
    "change",
    [
        lambda header, arrays: header.update(
            training_rows={"n_rows": 3, "by_chance": 0.0, "is_sample": False}
        ),
        lambda header, arrays: header["training_rows"].update(by_chance=2.0),
        lambda header, arrays: header["training_rows"].update(n_rows="many"),
        lambda header, arrays: header["training_rows"].update(is_sample=True),
        lambda header, arrays: header["training_rows"].update(more=1),
        lambda header, arrays: header.update(training_rows=[]),
        lambda header, arrays: header.pop("training_rows"),
        lambda header, arrays: arrays.update(training_rows=arrays["training_rows"][::-1].copy()),
        lambda header, arrays: arrays.update(training_rows=arrays["training_rows"].astype(np.int64)),
        lambda header, arrays: arrays.pop("training_rows"),
    ],
)
def test_hostile_files_are_refused(change, tmp_path):
    frame = table(0)
    file = tmp_path / "m.hedgerow"
    save(DecisionTreeClassifier(max_depth=2).fit(frame.drop("kept"), frame["kept"].to_numpy()), file, frame)
    changed(file, lambda header, arrays: (change(header, arrays), header)[1])
    with pytest.raises(InvalidModelFile):
        load_state(file)
