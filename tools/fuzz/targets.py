"""What is fuzzed.   In: names.   Out: for each kind of file its seeds, its mutations and its reader."""

import json
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from mutations import flip_bytes, mutate_model, mutate_rules, mutate_text
from readers import ROWS, read_ledger, read_model, read_program, read_rules, read_study
from tests.store.models import Models, every_model, several_targets

import hedgerow
from hedgerow.encode.schema import Schema
from hedgerow.estimators.saving import extract_state
from hedgerow.export.program.prove import make_program
from hedgerow.store.file import to_bytes
from hedgerow.studies.checkpoint import CheckpointStore
from hedgerow.table import Table, to_table


class Target(NamedTuple):
    seeds: list[bytes]
    mutate: Callable[[bytes, random.Random, list[bytes]], bytes]
    read: Callable[[bytes], str]  # "refused" or "loaded"


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
    models = Models(every_model() | several_targets())
    seeds = []
    for name in models:
        model, rows = models[name]
        state = extract_state(model)
        ROWS.setdefault((*state.schema.names, *state.schema.kinds), _take_few(rows, state.schema))
        seeds.append(to_bytes(state))
    return seeds


def _take_few(rows: Any, schema: Schema) -> Any:
    """Twenty rows, as a Table where they are not all numbers: read once, not each time."""
    if isinstance(rows, Table):
        return rows.take(np.arange(min(20, rows.n_rows)))
    return rows[:20] if set(schema.kinds) == {"number"} else to_table(rows[:20])


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
