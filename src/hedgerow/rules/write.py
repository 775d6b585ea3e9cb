"""Rules as text that can be read back.   In: a RuleList.   Out: text; parse.py makes the same RuleList of it.

    hedgerow rules 1
    target survived
    classes died, survived
    column pclass: number
    column age: number, missing                   it had missing cells
    column sex: category {female, male}
    all [809, 500; rows 1309]

    if sex = female and pclass <= 2.5 then survived [15, 218; rows 233; error 0.08]
    if sex = male and (age > 9.5 or missing) then died [...]
    else died [660, 161; rows 821]

Numbers have all their digits. A name that is no plain word is written as in JSON. A set of levels is written
by those it holds, or, where it lets in levels never seen, by those it leaves out: `in {C, Q}`, `not in {S}`.
"""

import json
import re

import numpy as np

from hedgerow.rules.rule import Coverage, Rule, RuleList
from hedgerow.tree.conditions import Choice, Condition, Span
from hedgerow.tree.labels import Labels

TITLE = "hedgerow rules 1"
PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
RESERVED = frozenset({"if", "then", "else", "and", "or", "in", "not", "is", "missing", "known", "inf", "nan"})


def to_text(rules: RuleList) -> str:
    labels = rules.labels
    lines = [
        TITLE,
        *([f"target {word(labels.target)}"] if labels.target else []),
        f"classes {words(labels.classes)}",
        *(_column(labels, j) for j in range(len(labels.features))),
        f"all {_covered(rules.everything)}",
        "",
        *(_rule(labels, rule) for rule in rules.rules),
        f"else {word(labels.classes[rules.default])} {_covered(rules.rest)}",
    ]
    return "\n".join(lines) + "\n"


def word(name: str) -> str:
    """A name as it is, or in quotes, what cannot be seen written as its escape."""
    if PLAIN.fullmatch(name) and name.casefold() not in RESERVED:
        return name
    return '"' + "".join(c if c.isprintable() and c not in '"\\' else json.dumps(c)[1:-1] for c in name) + '"'


def words(names: tuple[str, ...]) -> str:
    return ", ".join(word(name) for name in names)


def number(x: float) -> str:
    """With all its digits: 3 for 3.0, else as Python writes it."""
    return (
        str(int(x)) if x == np.rint(x) and abs(x) < 2**53 and (x or np.copysign(1, x) > 0) else repr(float(x))
    )


def condition_text(labels: Labels, condition: Condition) -> str:
    name = word(labels.features[condition.feature])
    if isinstance(condition, Span):
        text = _span(name, condition)
    else:
        text = _choice(name, condition, labels.levels[condition.feature])
    return f"({text} or missing)" if condition.missing and not text.endswith(" is missing") else text


def _span(name: str, span: Span) -> str:
    if span.low == span.high == np.inf and span.missing:
        return f"{name} is missing"
    if span.low == -np.inf and span.high == np.inf:
        return f"{name} is known"
    if span.low == -np.inf:
        return f"{name} <= {number(span.high)}"
    if span.high == np.inf:
        return f"{name} > {number(span.low)}"
    return f"{number(span.low)} < {name} <= {number(span.high)}"


def _choice(name: str, choice: Choice, levels: tuple[str, ...]) -> str:
    held = set(choice.levels)
    named = tuple(level for k, level in enumerate(levels) if (k in held) != choice.unseen)
    if not named and choice.unseen:
        return f"{name} is known"
    if not named and choice.missing:
        return f"{name} is missing"
    if len(named) == 1:
        return f"{name} {'!=' if choice.unseen else '='} {word(named[0])}"
    return f"{name} {'not in' if choice.unseen else 'in'} {{{words(named)}}}"


def _rule(labels: Labels, rule: Rule) -> str:
    conditions = " and ".join(condition_text(labels, condition) for condition in rule.conditions)
    rows = _covered(rule.covered, f"; error {number(rule.error)}")
    return f"if {conditions} then {word(labels.classes[rule.decision])} {rows}".replace("if  then", "if then")


def _covered(covered: Coverage, more: str = "") -> str:
    return f"[{', '.join(number(n) for n in covered.counts)}; rows {covered.rows}{more}]"


def _column(labels: Labels, j: int) -> str:
    if labels.levels[j]:
        kind = f"category {{{words(labels.levels[j])}}}"
    else:
        kind = "boolean" if j in labels.booleans else "number"
    if labels.missing is None:
        kind += ", perhaps missing"
    elif j in labels.missing:
        kind += ", missing"
    return f"column {word(labels.features[j])}: {kind}"
