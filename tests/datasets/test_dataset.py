import dataclasses

import polars as pl
import pytest

from hedgerow import datasets
from hedgerow.table import to_table

EACH = pytest.mark.parametrize("name", datasets.names())


@EACH
def test_the_frame_holds_features_and_target(name: str) -> None:
    data = datasets.load(name)
    frame = data.frame()
    assert isinstance(frame, pl.DataFrame)
    assert frame.height == data.table.n_rows
    assert set(frame.columns) == {*data.table.names, data.target_name}
    assert [str(value) for value in frame[data.target_name]] == [str(value) for value in data.target]
    assert to_table(frame.drop(data.target_name)).names == data.table.names


@EACH
def test_the_note_says_where_from_and_on_what_terms(name: str) -> None:
    note = datasets.load(name).note
    assert note.startswith(f"# {name}\n")
    assert all(word in note for word in ("- rows: ", "- source: ", "- licence: ", "- target: "))


@EACH
def test_targets_are_text_or_integers(name: str) -> None:
    assert datasets.load(name).target.dtype.kind in "Ui"


def test_repr() -> None:
    shown = "<Dataset titanic: 1309 rows, 5 columns; target 'survived': died 809, survived 500>"
    assert repr(datasets.titanic()) == shown
    assert repr(datasets.letter()).endswith("F 775, … 20 more>")


def test_a_dataset_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        datasets.ten_points().name = "other"  # type: ignore[misc]


def test_integers_are_handed_out_wide() -> None:
    assert datasets.heart().frame()["age"].dtype == pl.Int64
