"""Rules read back.   In: text as write.py writes it.   Out: the same RuleList, number for number.

Rules may be edited, left out, put in another order: what is read is what predicts. The figures in brackets
are taken as they stand.
"""

from typing import NamedTuple

import numpy as np

from hedgerow.rules.rule import Coverage, Rule, RuleList
from hedgerow.rules.tokens import Tokens
from hedgerow.rules.write import TITLE
from hedgerow.tree.conditions import Choice, Condition, Span
from hedgerow.tree.labels import Labels
from hedgerow.words import did_you_mean, quote


class _Column(NamedTuple):
    name: str
    kind: str
    levels: tuple[str, ...]
    missing: bool | None


def parse(text: str) -> RuleList:
    lines = [Tokens(line, k) for k, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines or [piece for piece, _ in lines[0].pieces] != TITLE.split():
        raise ValueError(f"The text does not begin with {TITLE!r}. Give what RuleList.to_text wrote.")
    at = 1
    target = ""
    if lines[at : at + 1] and lines[at].next_is("target"):
        target, at = lines[at].name(), at + 1
    classes, at = _line(lines, at, "classes").names(), at + 1
    columns: list[_Column] = []
    while lines[at : at + 1] and lines[at].next_is("column"):
        columns.append(_column(lines[at]))
        at += 1
    labels = _labels(target, classes, columns)
    everything, _ = _covered(_line(lines, at, "all"), len(classes))
    rules: list[Rule] = []
    for line in lines[at + 1 : -1]:
        line.want("if")
        rules.append(_rule(line, labels, everything))
    last = _line(lines, max(at + 1, len(lines) - 1), "else")
    default = _place(last, "class", last.name(), labels.classes)
    rest, _ = _covered(last, len(classes))
    return RuleList(labels, tuple(rules), default, rest, everything)


def _line(lines: list[Tokens], at: int, start: str) -> Tokens:
    if at >= len(lines):
        raise ValueError(f"The rules end where a line that begins with {start!r} is wanted.")
    lines[at].want(start)
    return lines[at]


def _column(line: Tokens) -> _Column:
    name, levels = line.name(), tuple[str, ...]()
    line.want(":")
    kind = line.name()
    if kind not in ("number", "boolean", "category"):
        raise line.error(f"has the kind {quote(kind)}. LabeledRows: number, boolean, category")
    if kind == "category":
        levels = _levels(line)
    missing: bool | None = False
    if line.next_is(","):
        missing = None if line.next_is("perhaps") else True
        line.want("missing")
    line.end()
    return _Column(name, kind, levels, missing)


def _labels(target: str, classes: tuple[str, ...], columns: list[_Column]) -> Labels:
    names = tuple(column.name for column in columns)
    for what, listed in (("column", names), ("class", classes), *(("level", c.levels) for c in columns)):
        if len(set(listed)) < len(listed):
            twice = next(name for name in listed if listed.count(name) > 1)
            raise ValueError(f"The rules name the {what} {quote(twice)} twice. Names must tell them apart.")
    unknown = any(column.missing is None for column in columns)
    missing = None if unknown else frozenset(j for j, column in enumerate(columns) if column.missing)
    booleans = frozenset(j for j, column in enumerate(columns) if column.kind == "boolean")
    return Labels(names, tuple(column.levels for column in columns), booleans, classes, target, missing)


def _rule(line: Tokens, labels: Labels, everything: Coverage) -> Rule:
    conditions: list[Condition] = []
    while not line.next_is("then"):
        if conditions:
            line.want("and")
        conditions.append(_condition(line, labels))
    if len({condition.feature for condition in conditions}) < len(conditions):
        raise line.error("has two conditions on one column. Write them as one: 2 < age <= 4")
    decision = _place(line, "class", line.name(), labels.classes)
    covered, error = _covered(line, len(labels.classes))
    return Rule(tuple(conditions), decision, covered, everything, error)


def _condition(line: Tokens, labels: Labels) -> Condition:
    if not line.next_is("("):
        return _simple(line, labels, missing=False)
    condition = _simple(line, labels, missing=True)
    line.want("or")
    line.want("missing")
    line.want(")")
    return condition


def _simple(line: Tokens, labels: Labels, *, missing: bool) -> Condition:
    low = -np.inf
    if line.starts_with_number():
        low = line.number()
        line.want("<")
    j = _place(line, "column", line.name(), labels.features)
    levels = labels.levels[j]
    if line.next_is("is", "missing"):
        return Choice(j, (), False, True) if levels else Span(j, np.inf, np.inf, True)
    if line.next_is("is", "known"):
        return (
            Choice(j, tuple(range(len(levels))), True, missing)
            if levels
            else Span(j, -np.inf, np.inf, missing)
        )
    return _of_category(line, j, levels, missing) if levels else _of_number(line, j, low, missing)


def _of_number(line: Tokens, j: int, low: float, missing: bool) -> Span:
    if low == -np.inf and line.next_is(">"):
        return Span(j, line.number(), np.inf, missing)
    line.want("<=")
    return Span(j, low, line.number(), missing)


def _of_category(line: Tokens, j: int, levels: tuple[str, ...], missing: bool) -> Choice:
    one, others = line.next_is("="), line.next_is("!=")
    if one or others:
        named: tuple[str, ...] = (line.name(),)
    else:
        others = line.next_is("not")
        line.want("in")
        named = _levels(line)
    places = {_place(line, "level", name, levels) for name in named}
    return Choice(j, tuple(k for k in range(len(levels)) if (k in places) != others), others, missing)


def _levels(line: Tokens) -> tuple[str, ...]:
    line.want("{")
    if line.next_is("}"):
        return ()
    named = line.names()
    line.want("}")
    return named


def _place(line: Tokens, what: str, name: str, known: tuple[str, ...]) -> int:
    if name not in known:
        raise line.error(f"names the {what} {quote(name)}, which is not there.{did_you_mean(name, known)}")
    return known.index(name)


def _covered(line: Tokens, n_classes: int) -> tuple[Coverage, float]:
    """[3, 5; rows 8] or [3, 5; rows 8; error 0.4]"""
    line.want("[")
    counts = line.numbers()
    line.want(";")
    line.want("rows")
    rows, error = line.number(), 0.0
    if line.next_is(";"):
        line.want("error")
        error = line.number()
    line.want("]")
    line.end()
    if len(counts) != n_classes or min(counts) < 0 or not rows.is_integer():
        raise line.error(
            f"has the figures {counts} and rows {rows:g}; wanted {n_classes} weights and a whole number"
        )
    return Coverage(counts, int(rows)), error
