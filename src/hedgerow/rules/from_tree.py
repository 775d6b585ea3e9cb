"""Rules of a tree.   In: a classification Tree, its Labels.   Out: a RuleList, one rule a leaf, in the leaves' order.

The tests on a path are merged into one condition a column, so that a row meets the conditions of a rule exactly
when it reaches the leaf. One row then meets one rule, and the order does not matter; but where the tree sends
missing cells to all children, such a row meets several, and the first decides.
"""

import numpy as np

from hedgerow.rules.rule import Coverage, Rule, RuleList
from hedgerow.tree.conditions import Choice, Condition, conditions_of_leaves
from hedgerow.tree.labels import Labels, label_tree
from hedgerow.tree.tree import Tree


def rules_from_tree(tree: Tree, labels: Labels) -> RuleList:
    if not label_tree(tree, labels).shares:
        raise ValueError(
            f"Rules are made of trees whose leaves hold class shares; this tree has {tree.n_outputs} outputs and "
            f"{len(labels.classes)} classes. Use a classification tree and its own labels."
        )
    if len(getattr(tree, "surrogate_node", ())):
        raise ValueError(
            "This tree sends missing cells by surrogate tests on other columns, which conditions on one column each "
            "cannot say. Grow it with missing='learned'."
        )
    everything = _covered(tree, 0)
    rules = tuple(_rule(tree, leaf, met, everything) for leaf, met in conditions_of_leaves(tree))
    nothing = Coverage((0.0,) * tree.n_outputs, 0)
    return RuleList(labels, rules, int(np.argmax(tree.value[0])), nothing, everything)


def _rule(tree: Tree, leaf: int, met: tuple[Condition, ...], everything: Coverage) -> Rule:
    kept = tuple(one for one in met if not _always(tree, one))
    shares = tree.value[leaf]
    return Rule(kept, int(np.argmax(shares)), _covered(tree, leaf), everything, 1 - float(shares.max()))


def _covered(tree: Tree, node: int) -> Coverage:
    return Coverage.of(tree.value[node] * tree.weight[node], int(tree.n_rows[node]))


def _always(tree: Tree, condition: Condition) -> bool:
    """A condition that every cell meets says nothing."""
    if isinstance(condition, Choice):
        every = len(condition.levels) == tree.n_levels[condition.feature] and condition.unseen
        return bool(every and condition.missing)
    return bool(condition.missing and condition.low == -np.inf and condition.high == np.inf)
