"""Rounds in words.   In: a Round.   Out: `charDollar > 0.0555 -> spam, else nonspam`.

A predictor of one column is evaluated on every piece of it, so that the words are what it does. Others say
their own words, if they have any.
"""

from typing import Any

import numpy as np

from hedgerow.boost.boost_input import rows_of_matrix
from hedgerow.boost.combine import predict_weak
from hedgerow.boost.rounds import Round
from hedgerow.core.dates import write_date
from hedgerow.encode import Schema
from hedgerow.types import Float
from hedgerow.words import show

MOST_LEVELS = 4


def describe_round(round: Round, form: str, schema: Schema | None, classes: tuple[str, ...]) -> str:
    if "0" in classes:  # beside a rule, a bare 0 would read as silence
        classes = tuple(f"class {name}" for name in classes)
    parts = []
    for k, weak in enumerate(round.weaks):
        names = _sides(k, len(round.weaks), round.alpha, form, classes)
        parts.append(_one(weak, form, schema, names))
    return " | ".join(parts)


def _sides(k: int, many: int, alpha: float, form: str, classes: tuple[str, ...]) -> tuple[str, ...]:
    """What no and yes mean (a negative alpha swaps them), or the classes."""
    if form == "votes":
        return classes
    yes, no = (classes[k], f"not {classes[k]}") if many > 1 else (classes[1], classes[0])
    return (no, yes) if alpha >= 0 else (yes, no)


def _one(weak: Any, form: str, schema: Schema | None, names: tuple[str, ...]) -> str:
    if hasattr(weak, "present"):  # a word that is there, or not
        return _word(show(repr(weak.name)), weak.present, weak.absent, form, names)
    if hasattr(weak, "describe"):
        return str(weak.describe())
    if schema is None or not hasattr(weak, "column"):
        return type(weak).__name__
    j = int(weak.column)
    name = show(schema.names[j])
    levels = schema.levels[j] if schema.kinds[j] == "category" else ()
    threshold = float(getattr(weak, "threshold", np.nan))
    if levels:
        outputs = _predict_values(
            weak, form, j, np.append(np.arange(len(levels), dtype=float), np.nan), len(schema.names)
        )
        return _levels(name, levels, outputs, form, names)
    if not np.isfinite(threshold):
        present, missing = _predict_values(weak, form, j, np.array([0.0, np.nan]), len(schema.names))
        return _known(name, present, missing, form, names)
    beyond = np.nextafter(threshold, np.inf)
    low, high, missing = _predict_values(
        weak, form, j, np.array([threshold, beyond, np.nan]), len(schema.names)
    )
    return _threshold(name, _write_threshold(threshold, schema.kinds[j]), low, high, missing, form, names)


def _write_threshold(threshold: float, kind: str) -> str:
    if kind in ("date", "datetime"):
        return write_date(threshold, with_time=kind == "datetime")
    return f"{threshold:.6g}"


def _predict_values(weak: Any, form: str, column: int, values: Float, n_columns: int) -> Float:
    matrix = np.zeros((len(values), n_columns))
    matrix[:, column] = values
    return predict_weak((weak,), rows_of_matrix(matrix), form)[:, 0]


def _side(output: float, form: str, names: tuple[str, ...]) -> str:
    if form == "votes":
        return names[int(output)] if output >= 0 else "silent"
    if output == 0:
        return "silent"
    sure = "" if abs(output) == 1 else f" ({abs(output):.3g})"
    return names[int(output > 0)] + sure


def _word(name: str, there: float, rest: float, form: str, names: tuple[str, ...]) -> str:
    words = f"contains {name} -> {_side(there, form, names)}"
    return words if rest == 0 and form != "votes" else f"{words}, else {_side(rest, form, names)}"


def _known(name: str, present: float, missing: float, form: str, names: tuple[str, ...]) -> str:
    if present == missing:
        return f"always {_side(present, form, names)}"
    return f"{name} is missing -> {_side(missing, form, names)}, else {_side(present, form, names)}"


def _threshold(
    name: str, threshold: str, low: float, high: float, missing: float, form: str, names: tuple[str, ...]
) -> str:
    above, below = _side(high, form, names), _side(low, form, names)
    words = f"{name} > {threshold} -> {above}, else {below}"
    if below == "silent":
        words = f"{name} > {threshold} -> {above}"
    elif above == "silent":
        words = f"{name} <= {threshold} -> {below}"
    elif above == below:
        words = f"always {above}"
    return words if missing in (low, high) else f"{words}, missing -> {_side(missing, form, names)}"


def _levels(name: str, levels: tuple[str, ...], outputs: Float, form: str, names: tuple[str, ...]) -> str:
    groups: dict[str, list[str]] = {}
    for level, output in zip(levels, outputs[:-1], strict=True):
        groups.setdefault(_side(output, form, names), []).append(show(level))
    ordered = sorted(groups.items(), key=lambda pair: (pair[0] == "silent", len(pair[1])))
    says, few = ordered[0]
    shown = ", ".join(few[:MOST_LEVELS]) + (
        f" and {len(few) - MOST_LEVELS} more" if len(few) > MOST_LEVELS else ""
    )
    words = f"{name} is {shown} -> {says}" if len(ordered) > 1 else f"always {says}"
    rest = [other for other, _ in ordered[1:] if other != "silent"]
    return f"{words}, else {rest[0]}" if rest else words
