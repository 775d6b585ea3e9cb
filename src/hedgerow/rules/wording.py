"""Rules in words, for people.   In: a RuleList.   Out: "sex = female and pclass <= 2.5", and why a row was decided so.

The words are those of the trees (hedgerow.tree.wording), short: long names and lists are cut. The exact text
is in write.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from hedgerow.rules.rule import DEFAULT, Rule, RuleList
from hedgerow.tree.conditions import Condition, Span
from hedgerow.tree.formatting import digits_apart, percent, safe
from hedgerow.tree.labels import LabeledTree
from hedgerow.tree.tree import Tree
from hedgerow.tree.wording import condition_in_words
from hedgerow.types import Float, FloatAny, Index

NAME = 40  # characters of a class name
ALWAYS = "always"


@dataclass(frozen=True, eq=False)
class _Thresholds:
    """Of a Tree, what LabeledTree ask for when they tell a condition."""

    feature: Index
    threshold: Float


def make_words(rules: RuleList) -> LabeledTree:
    """Words without a tree: what they want to know of one is its thresholds, which the rules have as well."""
    ends = {
        (condition.feature, end)
        for rule in rules.rules
        for condition in rule.conditions
        if isinstance(condition, Span)
        for end in (condition.low, condition.high)
        if np.isfinite(end)
    }
    feature = np.array([column for column, _ in ends], np.int32)
    threshold = np.array([end for _, end in ends], np.float64)
    tree = cast(Tree, _Thresholds(feature, threshold))
    return LabeledTree(tree, rules.labels, digits_apart(threshold, feature), shares=True)


def conditions_in_words(words: LabeledTree, conditions: Sequence[Condition]) -> list[str]:
    """Each condition; in brackets where "or missing" could be read with its neighbour."""
    texts = [condition_in_words(words, condition) for condition in conditions]
    return [f"({text})" if len(texts) > 1 and text.endswith(" or missing") else text for text in texts]


def rule_in_words(words: LabeledTree, rule: Rule) -> str:
    return " and ".join(conditions_in_words(words, rule.conditions)) or ALWAYS


def class_in_words(rules: RuleList, decision: int) -> str:
    return safe(rules.labels.classes[decision], NAME)


def explain(rules: RuleList, rows: FloatAny) -> list[str]:
    """For each row: "survived: rule 3, sex = female and pclass <= 2.5 (94% of 240 rows)"."""
    matched = rules.match(rows)
    words = make_words(rules)
    texts = {int(k): _reason(rules, words, int(k)) for k in np.unique(matched)}
    return [texts[k] for k in matched.tolist()]


def _reason(rules: RuleList, words: LabeledTree, k: int) -> str:
    if k == DEFAULT:
        rest = rules.rest if rules.rest.weight > 0 else rules.everything
        part, rows = float(rest.proba(rules.default)[rules.default]), rest.rows
        sentence = f"{class_in_words(rules, rules.default)}: no rule holds"
    else:
        rule = rules[k]
        part, rows = rule.confidence, rule.rows
        sentence = f"{class_in_words(rules, rule.decision)}: rule {k}, {rule_in_words(words, rule)}"
    return f"{sentence} ({percent(part)} of {rows:,} {'row' if rows == 1 else 'rows'})"
