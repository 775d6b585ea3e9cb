"""Rule lists in files: the same rules again, and files that hold none refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.store.damaged import closed, opened
from tests.store.models import mixed, target

from hedgerow import RuleListClassifier, datasets
from hedgerow.estimators.saving import load, save
from hedgerow.store import InvalidModelFile, load_state

MODEL = RuleListClassifier(categorical_features=["house"]).fit(mixed(), target("text"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    save(MODEL, tmp_path / "m.hedgerow")
    return tmp_path / "m.hedgerow"


def test_the_rules_are_the_same(path: Path, tmp_path: Path) -> None:
    again = load(path)
    assert again.rules_ == MODEL.rules_
    assert again.which_rule(mixed()).tolist() == MODEL.which_rule(mixed()).tolist()
    assert str(again) == str(MODEL)
    titanic = datasets.titanic()
    model = RuleListClassifier().fit(titanic.table, titanic.target)
    save(model, tmp_path / "t.hedgerow")
    assert load(tmp_path / "t.hedgerow").rules_ == model.rules_


def broken(name: str, value: Any, at: int = 0) -> Any:
    def change(header: dict[str, Any], arrays: dict[str, Any]) -> None:
        arrays[name][at] = value

    return change


def other_kind(name: str) -> Any:
    def change(header: dict[str, Any], arrays: dict[str, Any]) -> None:
        """Ends where there should be none, and none where there should be ends."""
        arrays[name] = np.where(np.isnan(arrays[name]), 1.0, np.nan)

    return change


def shortened(name: str) -> Any:
    def change(header: dict[str, Any], arrays: dict[str, Any]) -> None:
        arrays[name] = arrays[name][:-1]

    return change


def default(value: Any) -> Any:
    def change(header: dict[str, Any], arrays: dict[str, Any]) -> None:
        header["body"]["default"] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        broken("begin", 1),
        broken("begin", 10**9, -1),
        broken("begin", -5, 1),
        broken("decision", 3),
        broken("decision", -1),
        broken("error", np.nan),
        broken("error", 2.0),
        broken("counts", -1.0),
        broken("counts", np.inf),
        broken("rows", -1),
        broken("feature", 99),
        broken("feature", -1),
        broken("missing", 7),
        other_kind("low"),
        other_kind("high"),
        broken("levels_begin", 10**6, -1),
        broken("levels", 999),
        broken("levels", -1),
        shortened("decision"),
        shortened("counts"),
        shortened("error"),
        shortened("levels"),
        shortened("feature"),
        shortened("low"),
        shortened("high"),
        shortened("unseen"),
        shortened("missing"),
        default(3),
        default("1"),
        default(None),
        default(True),
    ],
)
def test_a_file_with_impossible_rules_is_refused(path: Path, change: Any) -> None:
    header, arrays = opened(path.read_bytes())
    change(header, arrays)
    path.write_bytes(closed(header, arrays))
    with pytest.raises(InvalidModelFile, match=r"m\.hedgerow"):
        load_state(path)


def test_flipped_bits_never_crash(path: Path) -> None:
    random, (header, arrays) = np.random.default_rng(2), opened(path.read_bytes())
    for _ in range(300):
        hurt = {name: array.copy() for name, array in arrays.items()}
        name = sorted(hurt)[random.integers(0, len(hurt))]
        flat = hurt[name].view(np.uint8).reshape(-1)
        if not flat.size:
            continue
        flat[random.integers(0, flat.size)] ^= np.uint8(1 << random.integers(0, 8))
        path.write_bytes(closed(header, hurt))
        try:
            parts = load_state(path)
        except InvalidModelFile:
            continue
        parts.body.predict(np.full((2, len(parts.schema.names)), np.nan))
        str(parts.body)
