"""Rules.   Body: a RuleList.

Conditions stand one after the other, rule by rule; the levels of categories likewise:

    begin     rules + 1 places: rule r has the conditions begin[r] .. begin[r + 1] - 1
    levels_begin, levels     the same for the levels of each condition; a number has none, a category NaN for its ends
    counts, rows             what each rule covers, then the rows no rule covers, then all rows
"""

from typing import Any

import numpy as np

from hedgerow.rules import Coverage, Rule, RuleList
from hedgerow.store.errors import InvalidModelFile
from hedgerow.store.header import Header
from hedgerow.store.kind import Arrays, Content, Layout, Predictions
from hedgerow.store.state import ModelState
from hedgerow.table import Table
from hedgerow.tree.conditions import Choice, Condition, Span
from hedgerow.tree.labels import Labels, labels_of

ESTIMATORS = {"rule list": "RuleListClassifier"}
DEFAULTS: dict[str, dict[str, Any]] = {
    "rule list": {
        "criterion": "gini",
        "max_depth": None,
        "min_samples_leaf": 1,
        "min_weight_fraction_leaf": 0.0,
        "confidence": 0.25,
        "estimate": "pessimistic",
        "validation_fraction": 0.2,
        "max_rules": None,
        "random_state": None,
        "class_weight": None,
        "categorical_features": None,
        "n_jobs": None,
    }
}
ARRAYS = {
    "begin": Layout("I64"),
    "decision": Layout("I32"),
    "error": Layout("F64"),
    "counts": Layout("F64", rank=2),
    "rows": Layout("I64"),
    "feature": Layout("I32"),
    "low": Layout("F64"),
    "high": Layout("F64"),
    "unseen": Layout("U8"),
    "missing": Layout("U8"),
    "levels_begin": Layout("I64"),
    "levels": Layout("I32"),
}


def layout(extra: dict[str, Any]) -> dict[str, Layout]:
    return ARRAYS


def write(body: RuleList) -> Content:
    met = [condition for rule in body.rules for condition in rule.conditions]
    covered = [*(rule.covered for rule in body.rules), body.rest, body.everything]
    levels = [condition.levels if isinstance(condition, Choice) else () for condition in met]
    ends = [(c.low, c.high) if isinstance(c, Span) else (np.nan, np.nan) for c in met]
    arrays = {
        "begin": _places([len(rule.conditions) for rule in body.rules]),
        "decision": np.array([rule.decision for rule in body.rules], np.int32),
        "error": np.array([rule.error for rule in body.rules], np.float64),
        "counts": np.array([one.counts for one in covered], np.float64),
        "rows": np.array([one.rows for one in covered], np.int64),
        "feature": np.array([condition.feature for condition in met], np.int32),
        "low": np.array([low for low, _ in ends], np.float64),
        "high": np.array([high for _, high in ends], np.float64),
        "unseen": np.array([isinstance(c, Choice) and c.unseen for c in met], np.uint8),
        "missing": np.array([condition.missing for condition in met], np.uint8),
        "levels_begin": _places([len(some) for some in levels]),
        "levels": np.array([level for some in levels for level in some], np.int32),
    }
    return Content(arrays, {"default": body.default})


def _places(many: list[int]) -> Any:
    return np.append(0, np.cumsum(many, dtype=np.int64)).astype(np.int64)


def read(arrays: Arrays, extra: dict[str, Any], header: Header) -> RuleList:
    if header.classes is None:
        raise InvalidModelFile("holds rules but no classes")
    schema = header.inner
    labels = labels_of(
        schema.names,
        schema.kinds,
        schema.levels,
        header.classes.tolist(),
        target=header.target,
        missing=header.missing,
    )
    n_rules, n_classes = len(arrays["decision"]), len(labels.classes)
    default = extra.get("default")
    if type(default) is not int or not 0 <= default < n_classes:
        raise InvalidModelFile(f"has the default {default!r:.40}, which is no class")
    _check_lengths(arrays)
    _check_places(arrays["begin"], n_rules, len(arrays["feature"]))
    _check_places(arrays["levels_begin"], len(arrays["feature"]), len(arrays["levels"]))
    _check_figures(arrays, n_rules, n_classes)
    conditions = [_condition(arrays, labels, k) for k in range(len(arrays["feature"]))]
    covered = [
        Coverage(tuple(counts), rows)
        for counts, rows in zip(arrays["counts"].tolist(), arrays["rows"].tolist(), strict=True)
    ]
    begin, error = arrays["begin"].tolist(), arrays["error"].tolist()
    rules = tuple(
        Rule(tuple(conditions[begin[r] : begin[r + 1]]), decision, covered[r], covered[-1], error[r])
        for r, decision in enumerate(arrays["decision"].tolist())
    )
    if any(len({c.feature for c in rule.conditions}) < len(rule.conditions) for rule in rules):
        raise InvalidModelFile("has a rule with two conditions on one column")
    return RuleList(labels, rules, default, covered[-2], covered[-1])


def _check_places(places: Any, many: int, end: int) -> None:
    if len(places) != many + 1 or places[0] != 0 or places[-1] != end or (np.diff(places) < 0).any():
        raise InvalidModelFile("has rules whose parts are not where they should be")


def _check_lengths(arrays: Arrays) -> None:
    if len({len(arrays[name]) for name in ("feature", "low", "high", "unseen", "missing")}) > 1:
        raise InvalidModelFile("has conditions whose arrays differ in length")


def _check_figures(arrays: Arrays, n_rules: int, n_classes: int) -> None:
    counts, error, decision = arrays["counts"], arrays["error"], arrays["decision"]
    if (
        counts.shape != (n_rules + 2, n_classes)
        or len(arrays["rows"]) != n_rules + 2
        or len(error) != n_rules
    ):
        raise InvalidModelFile("has figures of another number of rules")
    if not (np.isfinite(counts).all() and (counts >= 0).all() and (arrays["rows"] >= 0).all()):
        raise InvalidModelFile("has rules that cover impossible weights")
    if not (np.isfinite(error).all() and (error >= 0).all() and (error <= 1 + 1e-9).all()):
        raise InvalidModelFile("has rules with impossible errors")
    if ((decision < 0) | (decision >= n_classes)).any():
        raise InvalidModelFile("has rules that decide for no class")


def _condition(arrays: Arrays, labels: Labels, k: int) -> Condition:
    feature, missing, unseen = (int(arrays[name][k]) for name in ("feature", "missing", "unseen"))
    if not 0 <= feature < len(labels.features) or missing > 1 or unseen > 1:
        raise InvalidModelFile("has a condition on a column that is not there")
    first, end = arrays["levels_begin"][k : k + 2]
    levels = arrays["levels"][first:end]
    low, high = float(arrays["low"][k]), float(arrays["high"][k])
    if not labels.levels[feature]:
        if len(levels) or unseen or np.isnan(low) or np.isnan(high):
            raise InvalidModelFile("has a condition on a number that is none")
        return Span(feature, low, high, bool(missing))
    rising = (
        (np.diff(levels) > 0).all() and (levels >= 0).all() and (levels < len(labels.levels[feature])).all()
    )
    if not (rising and np.isnan(low) and np.isnan(high)):
        raise InvalidModelFile("has a condition on a category that names levels which are not there")
    return Choice(feature, tuple(levels.tolist()), bool(unseen), bool(missing))


def predict(state: ModelState, table: Table, threads: int | None) -> Predictions:
    rows = state.rows(table)
    rules: RuleList = state.body
    return Predictions(rules.predict(rows), rules.predict_proba(rows))


def describe(state: ModelState) -> list[tuple[str, str]]:
    rules: RuleList = state.body
    return [
        ("learned from", f"{rules.everything.rows:,} rows"),
        ("rules", f"{len(rules):,}; the first that holds decides"),
    ]
