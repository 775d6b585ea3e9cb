"""Files made to do harm, by the thousand.   In: a valid file of every kind, a seed.   Out: how many were refused, how
many loaded and predicted; every file that did anything else is kept, and the exit code is 1.

    make fuzz                                        five minutes, all kinds of files
    python tools/fuzz.py --seconds 60 --only model
    python tools/fuzz.py --replay build/fuzz/model-17-31.bin      one that was kept, again

What may happen to a file: the error its reader promises, in a short message, within SECONDS; or it loads, and then
it predicts finite numbers and probabilities that sum to one. Anything else (another exception, a crash, a hang) is a
fault.

Mutations know the structure: a value of the header replaced by an odd one, an entry or a stretch of an array changed,
lists made longer and shorter, parts of one file put into another, and then signed again, so that the checks behind the
checksum are met; also plain damage to bytes.
"""

import argparse
import json
import random
import signal
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CHECKOUT))

import numpy as np  # noqa: E402
from tests.store.damaged import closed, opened  # noqa: E402
from tests.store.models import Models, every_model  # noqa: E402

import hedgerow  # noqa: E402
from hedgerow.cli.commands.report import render_result  # noqa: E402
from hedgerow.estimators.saving import extract_state, restore_model  # noqa: E402
from hedgerow.export.program.prove import make_program  # noqa: E402
from hedgerow.export.program.runtime import predict  # noqa: E402
from hedgerow.export.program.scoring import InvalidProgram, parse_program  # noqa: E402
from hedgerow.rules import RuleList  # noqa: E402
from hedgerow.store import InvalidModelFile  # noqa: E402
from hedgerow.store.file import from_stream, name_file, to_bytes  # noqa: E402
from hedgerow.studies.checkpoint import CheckpointStore  # noqa: E402

SECONDS = 5  # that one file may take
LONGEST = 1500  # characters of a message
KEPT = CHECKOUT / "build" / "fuzz"
ODD: list[Any] = [
    None, True, False, -1, 0, 1, 2, 3, 255, 2**31, 2**53 + 1, 2**63 - 1, -(2**63), 10**30, 10**400,
    0.5, -0.0, 1e-320, 1e308,
    -1e308, "", "a", "inf", "nan", "category", "tree classifier", "x" * 100_000, "\x00", "\ud800",
    [], [None], [[]], [1, 2],
    [[1, 2]], {}, {"pairs": []}, {"pairs": [[1]]}, {"number": "inf"}, {"learner": "svm classifier", "parameters": {}},
]  # fmt: skip
NUMBERS = [0, 1, -1, 2, 7, 64, 2**31 - 1, -(2**31), np.nan, np.inf, -np.inf, 1e308, -1e308, 1e-320, 0.5]


class Fault(Exception):
    """What must not happen."""


class Target(NamedTuple):
    seeds: list[bytes]
    mutate: Callable[[bytes, "random.Random", list[bytes]], bytes]
    read: Callable[[bytes], str]  # "refused" or "loaded"


# ------------------------------------------------------------------------------------------------------ mutations


def flip_bytes(data: bytes, rng: random.Random) -> bytes:
    broken = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 8])):
        if broken:
            broken[rng.randrange(len(broken))] ^= 1 << rng.randrange(8)
    if rng.random() < 0.2:
        del broken[rng.randrange(len(broken) + 1) :]
    return bytes(broken)


def mutate_json(content: Any, rng: random.Random) -> None:
    """One value somewhere, replaced, doubled, taken away or moved."""
    for _ in range(100):
        keys = list(content) if isinstance(content, dict) else list(range(len(content)))
        if not keys:
            return
        key = rng.choice(keys)
        if isinstance(content[key], (dict, list)) and content[key] and rng.random() < 0.75:
            content = content[key]
            continue
        how = rng.random()
        if how < 0.6:
            content[key] = deepcopy(rng.choice(ODD))
        elif how < 0.75 and isinstance(content, list):
            content.insert(key, deepcopy(content[key]))
        elif how < 0.9:
            del content[key]
        else:
            content[key] = deepcopy(content[rng.choice(keys)])
        return


def mutate_arrays(arrays: dict[str, Any], rng: random.Random) -> None:
    name = rng.choice(sorted(arrays))
    array = arrays[name].copy()
    flat = array.reshape(-1)
    how = rng.random()
    if how < 0.5 and len(flat):
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            flat[rng.randrange(len(flat))] = np.array(rng.choice(NUMBERS)).astype(array.dtype)
    elif how < 0.7 and len(flat):
        flat.view(np.uint8)[rng.randrange(flat.nbytes)] ^= np.uint8(1 << rng.randrange(8))
    elif how < 0.8 and len(array):
        array = np.concatenate([array, array[-1:]])
    elif how < 0.9 and len(array):
        array = array[:-1]
    elif len(flat) > 1:
        i, j = rng.randrange(len(flat)), rng.randrange(len(flat))
        flat[i], flat[j] = flat[j].copy(), flat[i].copy()
    arrays[name] = array


def mutate_model(data: bytes, rng: random.Random, others: list[bytes]) -> bytes:
    if rng.random() < 0.1:
        return flip_bytes(data, rng)
    header, arrays = opened(data)
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        kind = rng.random()
        if kind < 0.5:
            mutate_json(header, rng)
        elif kind < 0.95:
            mutate_arrays(arrays, rng)
        else:
            other, their = opened(rng.choice(others))
            key = rng.choice(sorted(other))
            header[key] = other[key]
            if rng.random() < 0.5:
                arrays = their
    try:
        return closed(header, arrays)
    except (ValueError, UnicodeError, TypeError, KeyError):  # it cannot even be written down
        return flip_bytes(data, rng)


def mutate_text(data: bytes, rng: random.Random, others: list[bytes]) -> bytes:
    if rng.random() < 0.2:
        return flip_bytes(data, rng)
    content = json.loads(data)
    for _ in range(rng.choice([1, 1, 2, 4])):
        if content:
            mutate_json(content, rng)
    return json.dumps(content).encode()


WORDS = [
    "if",
    "then",
    "and",
    "or",
    "missing",
    "in",
    "=",
    "<=",
    ">",
    "{",
    "}",
    '"',
    "'",
    ",",
    "1e999",
    "nan",
    "\n",
    "default",
    "",
]


def mutate_rules(data: bytes, rng: random.Random, others: list[bytes]) -> bytes:
    words = data.decode().split(" ")
    for _ in range(rng.choice([1, 2, 5])):
        k, how = rng.randrange(len(words)), rng.random()
        if how < 0.4:
            words[k] = rng.choice(WORDS) * rng.choice([1, 1, 50])
        elif how < 0.7:
            words[k : k + 1] = [words[k], rng.choice(words)]
        else:
            words[k : k + 1] = []
        words = words or [""]
    return " ".join(words).encode()


# -------------------------------------------------------------------------------------------------------- readers

ROWS: dict[tuple[str, ...], Any] = {}  # rows to predict, by columns


def read_model(data: bytes) -> str:
    from io import BytesIO

    try:
        with name_file("a file"):
            state = from_stream(BytesIO(data), len(data))
            model = restore_model(state)
    except InvalidModelFile as refused:
        if len(str(refused)) > LONGEST:
            raise Fault(f"a message of {len(str(refused)):,} characters") from None
        return "refused"
    repr(model)
    rows = ROWS.get((*state.schema.names, *state.schema.kinds))
    if rows is None:
        return "loaded"
    try:
        values = np.asarray(model.predict(rows))
        shares = model.predict_proba(rows) if hasattr(model, "predict_proba") else None
    except (ValueError, TypeError) as reason:
        if any(word in str(reason) for word in ("column", "Column", "level", "missing", "feature")):
            return "loaded"  # the rows do not fit what the file says of its columns
        raise
    if values.dtype.kind == "f" and not np.isfinite(values).all() and state.classes is None:
        raise Fault("predicts numbers that are not finite")
    if shares is not None and not (np.isfinite(shares).all() and np.abs(shares.sum(axis=1) - 1).max() < 1e-6):
        raise Fault("predicts probabilities that do not sum to one")
    return "loaded"


def read_program(data: bytes) -> str:
    try:
        program = parse_program(data)
    except InvalidProgram:
        return "refused"
    for row in PROGRAM_ROWS:
        if len(row) == len(program["columns"]):
            predict(program, row)
    return "loaded"


PROGRAM_ROWS = [[x] * n for n in range(1, 9) for x in (None, 0.0, -1.5, 1e300)]


def read_rules(data: bytes) -> str:
    try:
        RuleList.parse(data.decode(errors="replace"))
    except ValueError:
        return "refused"
    return "loaded"


def read_study(data: bytes) -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "result.json"
        file.write_bytes(data)
        try:
            render_result(file)
        except ValueError:
            return "refused"
    return "loaded"


def read_ledger(data: bytes) -> str:
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        file = Path(folder) / "answers.sqlite"
        file.write_bytes(data)
        with CheckpointStore(file, "one") as store:
            store.load()
        if len(said) > 1:
            raise Fault(f"says {len(said)} things of one file")
        return "refused" if said else "loaded"


# ---------------------------------------------------------------------------------------------------------- seeds


def make_targets(only: list[str]) -> dict[str, Target]:
    made: dict[str, Callable[[], Target]] = {
        "model": lambda: Target(_model_seeds(), mutate_model, read_model),
        "json": lambda: Target(_program_seeds(), mutate_text, read_program),
        "rules": lambda: Target(_rule_seeds(), mutate_rules, read_rules),
        "study": lambda: Target(_study_seeds(), mutate_text, read_study),
        "ledger": lambda: Target(
            _ledger_seeds(), lambda data, rng, others: flip_bytes(data, rng), read_ledger
        ),
    }
    return {name: make() for name, make in made.items() if not only or name in only}


def _model_seeds() -> list[bytes]:
    models = Models(every_model())
    seeds = []
    for name in models:
        model, rows = models[name]
        state = extract_state(model)
        ROWS.setdefault((*state.schema.names, *state.schema.kinds), rows[:20])
        seeds.append(to_bytes(state))
    return seeds


def _program_seeds() -> list[bytes]:
    models, seeds = Models(every_model()), []
    for name in models:
        try:
            program = make_program(extract_state(models[name][0]))
        except (ValueError, KeyError):  # no counterpart
            continue
        seeds.append(json.dumps(program | {"tests": []}).encode())
    return seeds


def _rule_seeds() -> list[bytes]:
    models = Models(every_model())
    return [models[name][0].export("rules").encode() for name in ("rules", "rules, mixed", "no rule")]


def _study_seeds() -> list[bytes]:
    import polars as pl

    rows = np.random.default_rng(0).normal(size=(60, 2))
    frame = pl.DataFrame({"a": rows[:, 0], "b": rows[:, 1], "y": rows[:, 0] > 0})
    result = hedgerow.study(frame, "y", models=["stump"], folds=2, repeats=1)
    return [json.dumps(result.to_dict()).encode()]


def _ledger_seeds() -> list[bytes]:
    from tests.studies.test_checkpoint import answer

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "answers.sqlite"
        with CheckpointStore(file, "one") as store:
            for k in range(5):
                store.save("tree", k, answer(k))
        return [file.read_bytes()]


# ----------------------------------------------------------------------------------------------------------- runs


def run_one(target: Target, data: bytes) -> str:
    def stop(number: int, frame: object) -> None:
        raise Fault(f"takes more than {SECONDS} s")

    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, stop)
        signal.alarm(SECONDS)
    try:
        return target.read(data)
    finally:
        if hasattr(signal, "SIGALRM"):
            signal.alarm(0)


def fuzz(
    name: str, target: Target, seconds: float = 1e9, seed: int = 0, n_files: int = 10**12
) -> tuple[Counter[str], list[str]]:
    """So long, or so many, from this seed. The file is kept before it is read: a crash leaves it behind."""
    counts: Counter[str] = Counter()
    faults: list[str] = []
    ends, number = time.monotonic() + seconds, 0
    KEPT.mkdir(parents=True, exist_ok=True)
    current = KEPT / f"{name}-current.bin"
    while time.monotonic() < ends and number < n_files:
        rng = random.Random(f"{seed} {number}")
        data = target.mutate(rng.choice(target.seeds), rng, target.seeds)
        if number % 50 == 0 or name == "model":
            current.write_bytes(data)
        try:
            counts[run_one(target, data)] += 1
        except Exception as fault:
            kept = KEPT / f"{name}-{seed}-{number}.bin"
            kept.write_bytes(data)
            faults.append(f"{kept}: {type(fault).__name__}: {str(fault)[:160]}")
        number += 1
    current.unlink(missing_ok=True)
    return counts, faults


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--replay", default="")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if given.replay:
        name = Path(given.replay).name.partition("-")[0]
        print(run_one(make_targets([name])[name], Path(given.replay).read_bytes()))
        return 0
    targets = make_targets([name for name in given.only.split(",") if name])
    n_faults = 0
    for name, target in targets.items():
        counts, faults = fuzz(name, target, given.seconds / len(targets), given.seed)
        print(f"{name}: {sum(counts.values()) + len(faults):,} files, {counts['refused']:,} refused, "
              f"{counts['loaded']:,} loaded, {len(faults)} faults", flush=True)  # fmt: skip
        for fault in faults[:20]:
            print(f"  {fault}")
        n_faults += len(faults)
    return 1 if n_faults else 0


if __name__ == "__main__":
    sys.exit(main())
