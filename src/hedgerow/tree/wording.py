"""Nodes in words: the one source for text, SVG, DOT, matplotlib, rules.   In: a LabeledTree, a node.   Out: strings.

                        at the node           on the way down
    threshold           age <= 9.5            yes / no
    boolean             hungry?               no / yes
    +inf threshold      age is known?         yes / no
    subset              port in {C, Q}        yes / no
    multiway            patrons?              None / Some / Full

`branch_in_words` says node and way in one: "age > 9.5", "hungry = yes", "port = S". Where a missing cell goes
is added when its column has missing cells. `shorten` finds the fullest wording that fits: names and lists
get shorter; signs and thresholds do not. Then what a node says about its rows: shares, decision, a whole sentence.
"""

from collections.abc import Callable

import numpy as np

from hedgerow.tree.conditions import Choice, Condition, Span, conditions, lets_missing, level_mask
from hedgerow.tree.formatting import number, percent, safe, share
from hedgerow.tree.labels import (
    FULL,
    Brief,
    LabeledTree,
    asks_boolean,
    asks_missing,
    column_name,
    has_missing,
    is_stop,
    levels_in_words,
    threshold_text,
)
from hedgerow.tree.tree import LEAF, MULTIWAY, NONE, THRESHOLD

BRIEFER = (FULL, Brief(40, 2), *(Brief(name, 1) for name in (40, 28, 20, 14, 8, 5)))
NAME = 40  # characters of a class name
SHOWN = 12  # classes, outputs or conditions named in a whole sentence


def shorten(wording: Callable[[Brief], str], fits: Callable[[str], bool]) -> str:
    """The fullest wording that fits; the shortest when none does."""
    text = ""
    for brief in BRIEFER:
        text = wording(brief)
        if fits(text):
            break
    return text


def question_in_words(words: LabeledTree, node: int, brief: Brief = FULL) -> str:
    """What an inner node asks; "" at a leaf."""
    kind, column = int(words.tree.kind[node]), int(words.tree.feature[node])
    if kind == LEAF:
        return ""
    if kind == MULTIWAY or asks_boolean(words, node):
        return f"{column_name(words, column, brief)}?"
    if asks_missing(words.tree, node):
        return f"{column_name(words, column, brief)} is known?"
    return _condition(words, node, 0, brief)


def way_in_words(words: LabeledTree, node: int, place: int) -> str:
    """The short word on the line from a node to its child `place`: yes, no or a level."""
    if words.tree.kind[node] == MULTIWAY:
        way = safe(words.labels.levels[words.tree.feature[node]][place], FULL.name)
    else:
        way = (
            ("no", "yes", "missing")[place] if asks_boolean(words, node) else ("yes", "no", "missing")[place]
        )
    return f"{way}, missing" if _says_missing(words, node, place) else way


def branch_in_words(words: LabeledTree, node: int, place: int, brief: Brief = FULL) -> str:
    """The full condition under which a row goes from a node to its child `place`."""
    if asks_missing(words.tree, node) or is_stop(words.tree, node, place):
        return (
            f"{column_name(words, int(words.tree.feature[node]), brief)} is {('known', 'missing')[place > 0]}"
        )
    text = _condition(words, node, place, brief)
    return f"{text} or missing" if _says_missing(words, node, place) else text


def condition_in_words(words: LabeledTree, condition: Condition, brief: Brief = FULL) -> str:
    """A merged condition: "2 < age <= 9.5", "port in {C, Q}"."""
    if isinstance(condition, Choice) and not condition.levels and condition.missing and not condition.unseen:
        return f"{column_name(words, condition.feature, brief)} is missing"
    if not isinstance(condition, Span):
        text = levels_in_words(words, condition.feature, condition.levels, brief)
    elif np.isposinf(condition.low):
        return f"{column_name(words, condition.feature, brief)} is missing"
    else:
        text = _span(words, condition, column_name(words, condition.feature, brief))
    return f"{text} or missing" if condition.missing and has_missing(words, condition.feature) else text


def spreads_missing(words: LabeledTree) -> bool:
    """Whether some node sends the missing cells of a column that has them to all its children."""
    tree = words.tree
    nodes = (tree.kind != LEAF) & (tree.missing_child == NONE)
    return any(has_missing(words, int(column)) for column in np.unique(tree.feature[nodes]))


def _condition(words: LabeledTree, node: int, place: int, brief: Brief) -> str:
    tree, column = words.tree, int(words.tree.feature[node])
    if asks_boolean(words, node):
        return f"{column_name(words, column, brief)} = {('no', 'yes')[place]}"
    if tree.kind[node] == THRESHOLD:
        threshold = threshold_text(words, column, float(tree.threshold[node]))
        return f"{column_name(words, column, brief)} {('<=', '>')[place]} {threshold}"
    return levels_in_words(words, column, _levels(words, node, place), brief)


def _levels(words: LabeledTree, node: int, place: int) -> list[int]:
    """The levels that go to child `place`: of those that can still come here, if any of them goes there."""
    tree, column = words.tree, int(words.tree.feature[node])
    going = np.flatnonzero(level_mask(tree, node, place)[:-1]).tolist()
    for above in conditions(tree, node):
        if isinstance(above, Choice) and above.feature == column:
            return [level for level in going if level in set(above.levels)] or going
    return going


def _span(words: LabeledTree, span: Span, name: str) -> str:
    below, above = np.isneginf(span.low), np.isposinf(span.high)  # open to that side
    if span.feature in words.labels.booleans and below and 0 <= span.high < 1:
        return f"{name} = no"
    if span.feature in words.labels.booleans and above and 0 <= span.low < 1:
        return f"{name} = yes"
    if below and above:
        return f"{name} is known"
    low, high = (threshold_text(words, span.feature, x) for x in (span.low, span.high))
    if above:
        return f"{name} > {low}"
    return f"{name} <= {high}" if below else f"{low} < {name} <= {high}"


def _says_missing(words: LabeledTree, node: int, place: int) -> bool:
    tree = words.tree
    one_way = tree.missing_child[node] != NONE and lets_missing(tree, node, place)
    is_mentioned = asks_missing(tree, node) or is_stop(tree, node, place)
    return bool(one_way) and not is_mentioned and has_missing(words, int(tree.feature[node]))


def class_name(words: LabeledTree, k: int) -> str:
    """The name of class k, or of output k where the outputs are no classes."""
    classes = words.labels.classes
    return safe(classes[k], NAME) if len(classes) == words.tree.n_outputs else f"output {k}"


def decided_class(words: LabeledTree, node: int) -> int:
    """The class with the largest share; the first of equals."""
    return int(np.argmax(words.tree.value[node]))


def decision(words: LabeledTree, node: int) -> str:
    """What is predicted for a row that ends in this node: a class, or a number."""
    if words.shares:
        return class_name(words, decided_class(words, node))
    return ", ".join(number(v) for v in words.tree.value[node, :SHOWN].tolist())


def rows_share(words: LabeledTree, node: int) -> float:
    """The part of all rows that reaches the node; 1 at the root."""
    everything = int(words.tree.n_rows[0])
    return int(words.tree.n_rows[node]) / everything if everything else float(node == 0)


def rows_in_words(words: LabeledTree, node: int) -> str:
    """65% · 577 rows"""
    many = int(words.tree.n_rows[node])
    return f"{percent(rows_share(words, node))} · {many:,} {'row' if many == 1 else 'rows'}"


def values_in_words(words: LabeledTree, node: int, most: int = SHOWN) -> str:
    """no 0.62, yes 0.38 (the largest first where there are more than fit), or the numbers."""
    value = words.tree.value[node]
    if not words.shares:
        return f"{words.labels.value} {decision(words, node)}" if len(value) == 1 else decision(words, node)
    order = np.arange(len(value)) if len(value) <= most else np.argsort(-value, kind="stable")[:most]
    text = ", ".join(f"{class_name(words, int(k))} {share(float(value[k]))}" for k in order)
    return text if len(value) <= most else f"{text}, …"


def describe_node(words: LabeledTree, node: int) -> str:
    """Everything about a node, one fact a line: for a tooltip."""
    met = conditions(words.tree, node)
    way = " and ".join(condition_in_words(words, condition) for condition in met[:SHOWN])
    lines = [f"node {node}: {way}" if met else "all rows", rows_in_words(words, node)]
    if len(met) > SHOWN:
        lines[0] += f" and {len(met) - SHOWN} more"
    if question := question_in_words(words, node):
        lines.append(f"asks {question}")
    lines += [f"decides {decision(words, node)}"] if words.shares else []
    lines += [values_in_words(words, node), f"impurity {number(float(words.tree.impurity[node]))}"]
    return "\n".join(lines)
