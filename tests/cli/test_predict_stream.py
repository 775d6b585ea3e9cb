"""`hedgerow predict` to a Parquet file: the predictions of all rows at once, written block by block."""

import polars as pl
from tests.cli.run import Runner
from tests.stream.tables import mixed, only

from hedgerow import HistGradientBoostingClassifier, save
from hedgerow.cli import predict_stream
from hedgerow.stream import TableStream


def test_blocks_give_the_predictions_of_all_rows(hedgerow: Runner, tmp_path, monkeypatch):
    frame = only(mixed(300), "two").drop("weight")
    rows = frame.drop("two")
    model = HistGradientBoostingClassifier(max_iter=2).fit(rows, frame["two"])
    save(model, tmp_path / "m.hedgerow")
    frame.write_parquet(tmp_path / "rows.parquet")
    monkeypatch.setattr(predict_stream, "TableStream", lambda path: TableStream(path, block_rows=37))
    code, _, err = hedgerow("predict", "m.hedgerow", "rows.parquet", "--out", "scores.parquet")
    assert code == 0, err
    found = pl.read_parquet(tmp_path / "scores.parquet")
    assert found["prediction"].to_list() == model.predict(rows).tolist()
    assert found["probability_yes"].to_list() == model.predict_proba(rows)[:, 1].tolist()
    assert not list(tmp_path.glob("*.part"))
