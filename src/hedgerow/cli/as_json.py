"""A FitResult for machines.   In: a FitResult.   Out: JSON on standard output."""

import json
from dataclasses import asdict
from typing import Any

import numpy as np

from hedgerow.cli.pruned import Pruned
from hedgerow.cli.reading import reading_plain
from hedgerow.cli.result import FitResult
from hedgerow.errors import render, spell_as_option
from hedgerow.intake.columns import missing_cells
from hedgerow.table import Column


def print_json(result: FitResult) -> None:
    print(json.dumps(plain(result), indent=2, ensure_ascii=False, allow_nan=False))


def plain(result: FitResult) -> dict[str, Any]:
    tree, goal = result.parts.body, result.goal
    return {
        "data": result.asked.data,
        "target": result.rows.target.name,
        "task": goal.task,
        "task_because": render(goal.reason, spell_as_option),
        "classes": None if goal.classes is None else goal.classes.tolist(),
        "columns": [plain_column(column) for column in result.rows.features.columns],
        **reading_plain(result.rows),
        "seed": result.asked.seed,
        "rows": {"train": len(result.train), "test": len(result.test)},
        "recipe": result.asked.recipe,
        "prune": _pruning(result.pruned),
        "tree": {"leaves": tree.n_leaves, "depth": tree.max_depth, "leaves_unpruned": result.whole.n_leaves},
        "scores": [{k: number_or_none(v) for k, v in asdict(score).items()} for score in result.scores],
        "importance": dict(result.importances()),
        "picture": str(result.picture),
        "model": str(result.model),
        "command": result.command,
        "seconds": round(result.seconds, 3),
    }


def _pruning(pruned: Pruned) -> dict[str, Any]:
    told = {"method": pruned.method, **pruned.settings, "alpha": pruned.alpha, "how": pruned.how}
    return told if pruned.table is None else {**told, "cp_table": pruned.table.to_dict()}


def plain_column(column: Column) -> dict[str, Any]:
    missing = missing_cells(column)
    known = {"name": column.name, "kind": column.kind, "missing": int(np.count_nonzero(missing))}
    if column.kind == "category":
        return {**known, "levels": list(column.levels)}
    present = column.values[~missing]
    return {**known, "least": float(present.min()), "most": float(present.max())} if len(present) else known


def number_or_none(value: Any) -> Any:
    """JSON has no NaN: a bound that cannot be told is null."""
    return None if isinstance(value, float) and np.isnan(value) else value
