"""A file that was cut, flipped or written by an enemy: an InvalidModelFile, or a model whose tree is whole."""

import json
import os
import tracemalloc
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from tests.store.damaged import changed, closed, opened
from tests.store.models import mixed, target

from hedgerow import BaggingClassifier, DecisionTreeClassifier
from hedgerow.estimators.saving import load, save
from hedgerow.store import InvalidModelFile, load_state
from hedgerow.store.kinds.tree import LAYOUT
from hedgerow.tree import predict
from hedgerow.tree.check import check

MODEL = DecisionTreeClassifier(max_depth=4, categorical_features=["house"]).fit(mixed(), target("text"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    save(MODEL, tmp_path / "m.hedgerow")
    return tmp_path / "m.hedgerow"


def attempt(read: Any, path: Path) -> tuple[Any, str]:
    try:
        return read(path), ""
    except InvalidModelFile as error:
        return None, str(error)


def survives(path: Path) -> bool:
    """Did it load? Then it must be whole and able to predict."""
    parts, message = attempt(load_state, path)
    if parts is None:
        assert "m.hedgerow" in message
        return False
    check(parts.body)
    predict.values(parts.body, np.full((3, parts.body.n_features), np.nan))
    return True


def test_every_length_of_a_cut_file(path: Path) -> None:
    data = path.read_bytes()
    for length in [*range(40), *range(40, len(data), 97), len(data) - 1]:
        path.write_bytes(data[:length])
        assert not survives(path)


def test_flipped_bits(path: Path) -> None:
    random, data = np.random.default_rng(11), path.read_bytes()
    loaded = 0
    for _ in range(400):
        broken = bytearray(data)
        for place in random.integers(0, len(data), random.integers(1, 4)):
            broken[place] ^= 1 << int(random.integers(0, 8))
        path.write_bytes(broken)
        loaded += survives(path)
    assert loaded < 20  # all but the few that change nothing: the checksum sees the others


@pytest.mark.slow
def test_changed_arrays_behind_a_right_checksum(path: Path) -> None:
    """The checks of the tree itself: any entry of any array replaced by another, small or extreme."""
    random, (header, arrays) = np.random.default_rng(12), opened(path.read_bytes())
    names = sorted(arrays)
    for _ in range(500):
        broken = {name: array.copy() for name, array in arrays.items()}
        flat = broken[names[random.integers(len(names))]].reshape(-1).view(np.uint8)
        if len(flat):
            flat[random.integers(len(flat))] ^= np.uint8(1 << int(random.integers(0, 8)))
        path.write_bytes(closed(header, broken))
        survives(path)


@pytest.mark.slow
def test_changed_headers_behind_a_right_checksum(path: Path) -> None:
    """Any value in the header replaced by any kind of JSON value."""
    random, (header, arrays) = np.random.default_rng(13), opened(path.read_bytes())
    for _ in range(400):
        broken = json.loads(json.dumps(header))
        _replace_somewhere(broken, random, ODD[random.integers(len(ODD))])
        path.write_bytes(closed(broken, arrays))
        if survives(path):
            attempt(load, path)


ODD: list[Any] = [None, True, -1, 0, 10**30, 1e308, "", "category", [], [[]], {}, {"pairs": [[1]]}]


def _replace_somewhere(content: Any, random: np.random.Generator, value: Any) -> None:
    while True:
        keys = list(content) if isinstance(content, dict) else list(range(len(content)))
        key = keys[random.integers(len(keys))]
        if not isinstance(content[key], (dict, list)) or not content[key] or random.random() < 0.3:
            content[key] = value
            return
        content = content[key]


def _set(**values: Any) -> Any:
    return lambda header, arrays: header.update(values)


def _columns(header: dict[str, Any], arrays: Any) -> None:
    header["columns"].pop()


def _levels(header: dict[str, Any], arrays: Any) -> None:
    header["columns"][1]["levels"].append("mauve")


def _twice(header: dict[str, Any], arrays: Any) -> None:
    header["columns"][1]["name"] = header["columns"][0]["name"]


def _shares(header: dict[str, Any], arrays: Any) -> None:
    arrays["value"][0] = 7.0


def _no_kind(header: dict[str, Any], arrays: Any) -> None:
    del arrays["kind"]


WRONG = {
    "newer": (_set(format_version=2, library_version="9.1"), r"newer hedgerow \('9.1', .*upgrade"),
    "version": (_set(format_version="1"), "format version '1'"),
    "format": (_set(format="other"), "does not say that it is a hedgerow model"),
    "tag": (_set(model="os.system"), r"unknown type 'os.system'\. Known: .*tree classifier, tree regressor"),
    "classes": (_set(classes=None), "without classes"),
    "regressor": (_set(model="tree regressor"), "with classes"),
    "parameter": (_set(parameters={"command": "rm"}), "parameter 'command', which a DecisionTreeClassifier"),
    "range": (_set(parameters={"max_depth": -3}), "max_depth=-3 is out of range"),
    "threads": (_set(parameters={"n_jobs": 10**9}), "n_jobs=1000000000"),
    "missing": (_set(missing=[4]), "missing cells that it does not have"),
    "columns": (_columns, "a tree of 4 columns but names 3"),
    "levels": (_levels, "3 levels for column 1 in its tree, but lists 4"),
    "twice": (_twice, "names a column twice"),
    "fewer": (_set(classes={"type": "str", "values": ["a", "b"]}), "3 outputs, but 2 are wanted"),
    "order": (_set(classes={"type": "str", "values": ["b", "a", "c"]}), "not distinct and in order"),
    "type": (_set(classes={"type": "int8", "values": [1, 2, 900]}), "classes that are no int8"),
    "mixed": (_set(classes={"type": "int8", "values": [1, 2, "3"]}), "not all int"),
    "shares": (_shares, "class shares that are not between 0 and 1"),
    "array": (_no_kind, "lacks the array 'kind'"),
    "extra": (lambda header, arrays: arrays.update(code=np.zeros(2)), "unknown array 'code'"),
    "dtype": (lambda header, arrays: arrays.update(kind=np.zeros(9)), "'kind' of another type"),
    "half": (lambda header, arrays: '{"format": "\\ud800"}', "not JSON"),
    "nan": (lambda header, arrays: '{"format": NaN}', "NaN is no JSON number"),
    "digits": (lambda header, arrays: '{"format": ' + "9" * 5000 + "}", "not JSON"),
    "nested": (lambda header, arrays: "[" * 100_000, "not JSON"),
    "list": (lambda header, arrays: "[1, 2]", "JSON list, not an object"),
}


@pytest.mark.parametrize("name", WRONG)
def test_each_defect_is_named(name: str, path: Path) -> None:
    change, message = WRONG[name]
    changed(path, change)
    with pytest.raises(InvalidModelFile, match=r"(?i)m\.hedgerow.*" + message):
        load(path)


@pytest.mark.parametrize(
    "data", [b"", b"PK\x03\x04", b"\x80\x04\x95", b"\xff" * 64, b"\x02" + b"\0" * 7 + b"{}"]
)
def test_what_is_no_model_file(data: bytes, path: Path) -> None:
    path.write_bytes(data)
    with pytest.raises(InvalidModelFile):
        load(path)


def test_sizes_are_refused_before_memory_is_taken(path: Path) -> None:
    layout = {
        name: {"dtype": layout.dtype, "shape": [2**40] * layout.rank, "data_offsets": [0, 0]}
        for name, layout in LAYOUT.items()
    }
    layout["value"]["shape"] = [2**40, 2**40]
    header, _ = opened(path.read_bytes())
    head = json.dumps({"__metadata__": {"hedgerow": json.dumps(header)}, **layout}).encode()
    path.write_bytes(len(head).to_bytes(8, "little") + head)
    with pytest.raises(InvalidModelFile, match="impossible size"):
        load(path)


# ---------------------------------------------------------------------------------- files made to do harm


def in_header(**values: Any) -> Any:
    def change(header: dict[str, Any], arrays: dict[str, Any]) -> None:
        header["parameters"].update(values)

    return change


def in_values(value: float) -> Any:
    def change(header: dict[str, Any], arrays: dict[str, Any]) -> None:
        arrays["value"][:] = value

    return change


def nested(levels: int) -> dict[str, Any]:
    learner: dict[str, Any] = {"learner": "bagging classifier", "parameters": {}, "numbers": None}
    for _ in range(levels):
        learner = {**learner, "parameters": {"estimator": learner}}
    return learner


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (in_header(min_samples_leaf=10**400), "beyond 64 bits"),
        (in_header(splitter="x" * 100_000), "out of range"),
        (in_header(criterion=nested(1)), "with a model in it"),
        (in_values(0.0), "do not sum to 1"),
        (in_values(0.5), "do not sum to 1"),
    ],
)
def test_what_is_valid_json_and_yet_no_model(path: Path, change: Any, message: str) -> None:
    changed(path, change)
    began = perf_counter()
    with pytest.raises(InvalidModelFile, match=message) as refused:
        load(path)
    assert len(str(refused.value)) < 1500
    assert perf_counter() - began < 2


def test_learners_in_learners_have_an_end(tmp_path: Path) -> None:
    X, y = np.arange(14.0).reshape(7, 2), np.arange(7) % 2
    file = tmp_path / "m.hedgerow"
    save(BaggingClassifier(DecisionTreeClassifier(), n_estimators=2).fit(X, y), file)
    data = file.read_bytes()
    for estimator, message in ((nested(9), "nested too deeply"), (11, "estimator=11 is no estimator")):
        file.write_bytes(data)
        changed(file, in_header(estimator=estimator))
        with pytest.raises(InvalidModelFile, match=message):
            load(file)
    file.write_bytes(data)
    changed(file, in_header(max_features=[None]))
    with pytest.raises(InvalidModelFile, match="max_features"):
        load(file)


# ---------------------------------------------------------------------------------- what is no file, or too much of one


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_refused_without_waiting_for_a_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "m.hedgerow")
    with pytest.raises(InvalidModelFile, match="a pipe, a device or a folder"):
        load(tmp_path / "m.hedgerow")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidModelFile, match="a folder without a model"):
        load(tmp_path)


def stretched(data: bytes, n_bytes: int) -> tuple[bytes, int]:
    """The JSON of a file whose `surrogate_bits` are so long, and how long the file then is."""
    length = int.from_bytes(data[:8], "little")
    layout = json.loads(data[8 : 8 + length])
    end = max(entry["data_offsets"][1] for name, entry in layout.items() if name != "__metadata__")
    name = next(name for name, entry in layout.items() if entry.get("dtype") == "U64")
    begin, old = layout[name]["data_offsets"]
    layout[name].update(shape=[n_bytes // 8], data_offsets=[begin, begin + n_bytes])
    for other, entry in layout.items():
        if other not in ("__metadata__", name) and entry["data_offsets"][0] >= old:
            entry["data_offsets"] = [place - (old - begin) + n_bytes for place in entry["data_offsets"]]
    head = json.dumps(layout).encode()
    return len(head).to_bytes(8, "little") + head, 8 + len(head) + end - (old - begin) + n_bytes


def test_a_hole_in_the_disk_takes_no_memory(path: Path) -> None:
    """A sparse file of 300 MB whose JSON says so too: refused by its checksum, read in pieces."""
    head, size = stretched(path.read_bytes(), 300_000_000)
    path.write_bytes(head)
    os.truncate(path, size)
    tracemalloc.start()
    with pytest.raises(InvalidModelFile, match="does not match its checksum"):
        load(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20_000_000


def test_arrays_that_overlap_or_leave_a_gap(path: Path) -> None:
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    layout = json.loads(data[8 : 8 + length])
    for change in ([0, 8], [8, 0], [-8, 0], None, [0.0, 8.0]):
        layout["value"]["data_offsets"] = change
        head = json.dumps(layout).encode()
        path.write_bytes(len(head).to_bytes(8, "little") + head + data[8 + length :])
        with pytest.raises(InvalidModelFile, match=r"side by side|where its array"):
            load(path)
