"""WithFeatures in Python: dates as people have them, in frames of every kind."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from hedgerow import DecisionTreeClassifier, WithFeatures, load, save

N = 120


def make_frame() -> tuple[pl.DataFrame, np.ndarray]:
    random = np.random.default_rng(2)
    days = 17000 + random.integers(0, 900, N) + random.integers(0, 24, N) / 24
    moments = pl.Series("seen", (days * 86_400_000_000).round().astype(np.int64)).cast(pl.Datetime("us"))
    frame = pl.DataFrame(
        {"seen": moments.dt.round("1h"), "born": moments.dt.date(), "x": random.normal(size=N)}
    )
    frame = frame.with_columns(pl.when(pl.int_range(N) == 5).then(None).otherwise("seen").alias("seen"))
    return frame, (frame["seen"].dt.hour().fill_null(0) < 9).to_numpy()


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    frame, y = make_frame()
    file = tmp_path_factory.mktemp("models") / "model.hedgerow"
    save(WithFeatures(DecisionTreeClassifier(max_depth=4)).fit(frame, y), file)
    return load(file)


def write_text(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(
        pl.col("seen").dt.strftime("%Y-%m-%d %H:%M:%S"), pl.col("born").dt.strftime("%d.%m.%Y")
    )


FRAMES = {
    "polars": lambda frame: frame,
    "other units": lambda frame: frame.with_columns(pl.col("seen").cast(pl.Datetime("ns"))),
    "pandas": lambda frame: pd.DataFrame(
        {"seen": frame["seen"].to_numpy(), "born": frame["born"].to_numpy(), "x": frame["x"].to_numpy()}
    ),
    "text": write_text,
    "a dict of text": lambda frame: write_text(frame).to_dict(as_series=False),
    "numbers": lambda frame: frame.with_columns(
        pl.col("seen").dt.epoch("us") / 86_400_000_000, pl.col("born").cast(pl.Int32)
    ),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_dates_in_frames(model, kind):
    frame, y = make_frame()
    assert {"date", "datetime"} <= set(model.features_.schema.kinds)
    assert "seen: hour" in model.features_.inner.names
    assert (model.predict(FRAMES[kind](frame)) == y).mean() > 0.95
    np.testing.assert_array_equal(model.predict_proba(FRAMES[kind](frame)), model.predict_proba(frame))


def test_text_that_is_no_date_is_refused(model):
    frame, _ = make_frame()
    for word in ("03/04/2024", "soon"):
        with pytest.raises(
            ValueError, match=f"'born' was dates in training, but now holds text such as '{word}'"
        ):
            model.predict(frame.with_columns(pl.lit(word).alias("born")))


def test_a_loaded_model_of_dates_is_exported(model):
    assert "date_part" in model.export("c")
