"""What a node says about its rows.   In: Words, a node.   Out: shares, decision, a whole sentence.

Values are class shares or plain numbers (a mean, a score per class): see Words.
"""

import numpy as np

from hedgerow.tree.conditions import conditions
from hedgerow.tree.phrases import condition_in_words, question_in_words
from hedgerow.tree.plain import number, percent, safe, share
from hedgerow.tree.words import Words

NAME = 40  # characters of a class name
SHOWN = 12  # classes, outputs or conditions told in a whole sentence


def class_name(words: Words, k: int) -> str:
    """The name of class k, or of output k where the outputs are no classes."""
    classes = words.labels.classes
    return safe(classes[k], NAME) if len(classes) == words.tree.n_outputs else f"output {k}"


def decided_class(words: Words, node: int) -> int:
    """The class with the largest share; the first of equals."""
    return int(np.argmax(words.tree.value[node]))


def decision(words: Words, node: int) -> str:
    """What a row that ends in this node is told: a class, or a number."""
    if words.shares:
        return class_name(words, decided_class(words, node))
    return ", ".join(number(v) for v in words.tree.value[node, :SHOWN].tolist())


def rows_share(words: Words, node: int) -> float:
    """The part of all rows that reaches the node; 1 at the root."""
    everything = int(words.tree.n_rows[0])
    return int(words.tree.n_rows[node]) / everything if everything else float(node == 0)


def rows_in_words(words: Words, node: int) -> str:
    """65% · 577 rows"""
    many = int(words.tree.n_rows[node])
    return f"{percent(rows_share(words, node))} · {many:,} {'row' if many == 1 else 'rows'}"


def values_in_words(words: Words, node: int, most: int = SHOWN) -> str:
    """no 0.62, yes 0.38 (the largest first where there are more than fit), or the numbers."""
    value = words.tree.value[node]
    if not words.shares:
        return f"{words.labels.value} {decision(words, node)}" if len(value) == 1 else decision(words, node)
    order = np.arange(len(value)) if len(value) <= most else np.argsort(-value, kind="stable")[:most]
    told = ", ".join(f"{class_name(words, int(k))} {share(float(value[k]))}" for k in order)
    return told if len(value) <= most else f"{told}, …"


def describe_node(words: Words, node: int) -> str:
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
