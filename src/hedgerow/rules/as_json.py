"""Rules as JSON.   In: a RuleList.   Out: JSON; and back, the same RuleList, number for number.

Columns, levels and classes go by their names. `above` and `at_most` are null where the interval is open.
`support`, `confidence` and `lift` are for the reader; they follow from the rest and are not read back.
"""

import json
from typing import Any

import numpy as np

from hedgerow.rules.rule import Coverage, Rule, RuleList
from hedgerow.tree.conditions import Choice, Condition, Span
from hedgerow.tree.labels import Labels

FORMAT, VERSION = "hedgerow rules", 1


def to_json(rules: RuleList) -> str:
    return json.dumps(to_dict(rules), indent=1, allow_nan=False)


def to_dict(rules: RuleList) -> dict[str, Any]:
    labels = rules.labels
    return {
        "format": FORMAT,
        "format_version": VERSION,
        "target": labels.target,
        "classes": list(labels.classes),
        "columns": [_column(labels, j) for j in range(len(labels.features))],
        "all": _covered(rules.everything),
        "rules": [_rule(labels, rule) for rule in rules.rules],
        "else": {"then": labels.classes[rules.default], **_covered(rules.rest)},
    }


def from_json(text: str) -> RuleList:
    try:
        return _read(json.loads(text))
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as reason:
        raise ValueError(
            f"The text is not JSON as RuleList.to_json writes it ({type(reason).__name__}: {str(reason)[:120]})."
        ) from None


def _column(labels: Labels, j: int) -> dict[str, Any]:
    kind = "category" if labels.levels[j] else "boolean" if j in labels.booleans else "number"
    column: dict[str, Any] = {"name": labels.features[j], "kind": kind}
    if labels.levels[j]:
        column["levels"] = list(labels.levels[j])
    return column if labels.missing is None else {**column, "missing": j in labels.missing}


def _covered(covered: Coverage) -> dict[str, Any]:
    return {"counts": list(covered.counts), "rows": covered.rows}


def _rule(labels: Labels, rule: Rule) -> dict[str, Any]:
    return {
        "if": [_condition(labels, condition) for condition in rule.conditions],
        "then": labels.classes[rule.decision],
        **_covered(rule.covered),
        "error": rule.error,
        "support": rule.support,
        "confidence": rule.confidence,
        "lift": rule.lift,
    }


def _condition(labels: Labels, condition: Condition) -> dict[str, Any]:
    start = {"column": labels.features[condition.feature]}
    if isinstance(condition, Span):
        ends = {"above": _end(condition.low, -np.inf), "at_most": _end(condition.high, np.inf)}
        return {**start, **ends, "missing": condition.missing}
    levels = labels.levels[condition.feature]
    named = [levels[k] for k in condition.levels]
    return {**start, "levels": named, "unseen": condition.unseen, "missing": condition.missing}


def _end(x: float, none: float) -> float | str | None:
    return None if x == none else x if np.isfinite(x) else str(x)


def _read(content: dict[str, Any]) -> RuleList:
    if content.get("format") != FORMAT or content.get("format_version") != VERSION:
        raise ValueError(f"wanted the format {FORMAT!r}, version {VERSION}")
    columns = content["columns"]
    missing = [column.get("missing") for column in columns]
    labels = Labels(
        features=tuple(column["name"] for column in columns),
        levels=tuple(tuple(column.get("levels", ())) for column in columns),
        booleans=frozenset(j for j, column in enumerate(columns) if column["kind"] == "boolean"),
        classes=tuple(content["classes"]),
        target=content["target"],
        missing=None if None in missing else frozenset(np.flatnonzero(missing).tolist()),
    )
    everything = _read_covered(content["all"], len(labels.classes))
    rules = tuple(_read_rule(labels, everything, rule) for rule in content["rules"])
    last = content["else"]
    rest = _read_covered(last, len(labels.classes))
    return RuleList(labels, rules, labels.classes.index(last["then"]), rest, everything)


def _read_covered(content: dict[str, Any], n_classes: int) -> Coverage:
    counts = tuple(float(n) for n in content["counts"])
    if (
        len(counts) != n_classes
        or not all(0 <= n < np.inf for n in counts)
        or type(content["rows"]) is not int
    ):
        raise ValueError(f"wanted {n_classes} counts and a whole number of rows, got {content!r:.60}")
    return Coverage(counts, content["rows"])


def _read_rule(labels: Labels, everything: Coverage, content: dict[str, Any]) -> Rule:
    conditions = tuple(_read_condition(labels, condition) for condition in content["if"])
    covered = _read_covered(content, len(labels.classes))
    return Rule(
        conditions, labels.classes.index(content["then"]), covered, everything, float(content["error"])
    )


def _read_condition(labels: Labels, content: dict[str, Any]) -> Condition:
    j, missing = labels.features.index(content["column"]), bool(content["missing"])
    if "levels" in content:
        place = {level: k for k, level in enumerate(labels.levels[j])}
        return Choice(j, tuple(place[level] for level in content["levels"]), bool(content["unseen"]), missing)
    low, high = content["above"], content["at_most"]
    return Span(j, -np.inf if low is None else float(low), np.inf if high is None else float(high), missing)
