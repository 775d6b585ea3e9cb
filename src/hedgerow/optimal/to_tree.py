"""The Tree of a solution.   In: encoded rows, a target, Questions, a Solution.   Out: a Tree with values at all nodes.

A missing cell goes the way of its question; where a node saw none, to the heavier child. A level never seen is in no
subset that was named, and it is known.
"""

import numpy as np

from hedgerow.core import native
from hedgerow.encode import Encoded
from hedgerow.grow import Classes, Target
from hedgerow.optimal.problem import Costs
from hedgerow.optimal.questions import Questions
from hedgerow.optimal.solve import Solution
from hedgerow.tree.check_tests import WORD, words_needed
from hedgerow.tree.tree import LEAF, NONE, SUBSET, THRESHOLD, Tree
from hedgerow.types import Count, Float, Index, Mask, Word


def to_tree(rows: Encoded, target: Target, questions: Questions, solution: Solution, costs: Costs) -> Tree:
    weight = np.ones(rows.n_rows) if target.weight is None else target.weight
    members = _members(questions, solution, np.flatnonzero(weight))
    inner = solution.question >= 0
    at = np.where(inner, solution.question, 0)
    column = np.where(inner, questions.column[at] if len(questions) else 0, NONE).astype(np.int32)
    is_subset = inner & (np.array([kind == "category" for kind in rows.schema.kinds])[column])
    mass = np.array([weight[here].sum() for here in members])
    threshold = np.where(inner & ~is_subset, questions.threshold[at] if len(questions) else 0.0, np.nan)
    starts, bits = _subsets(rows, questions, solution, is_subset)
    value, impurity = _values(target, weight, members, costs)
    return Tree(
        feature=column,
        kind=np.where(inner, np.where(is_subset, SUBSET, THRESHOLD), LEAF),
        threshold=threshold,
        subset_start=starts,
        first_child=solution.first_child,
        n_children=np.where(inner, 2, 0),
        missing_child=_missing(rows, questions, solution, members, mass),
        value=value,
        weight=mass,
        n_rows=np.array([len(here) for here in members]),
        impurity=impurity,
        subset_bits=bits,
        n_levels=rows.schema.n_levels,
    )


def _members(questions: Questions, solution: Solution, used: Count) -> list[Count]:
    """The rows of each node."""
    members = [used] + [used[:0]] * (len(solution.question) - 1)
    for node in np.flatnonzero(solution.question >= 0):
        here, child = members[node], int(solution.first_child[node])
        yes = questions.answers[solution.question[node]][here]
        members[child], members[child + 1] = here[yes], here[~yes]
    return members


def _missing(
    rows: Encoded, questions: Questions, solution: Solution, members: list[Count], mass: Float
) -> Index:
    out = np.full(len(members), NONE, np.int32)
    for node in np.flatnonzero(solution.question >= 0):
        question, child = int(solution.question[node]), int(solution.first_child[node])
        j = int(questions.column[question])
        seen = np.any(rows.codes[j][members[node]] == rows.n_codes[j])
        yes = questions.missing_yes[question] if seen else mass[child] >= mass[child + 1]
        out[node] = child if yes else child + 1
    return out


def _subsets(rows: Encoded, questions: Questions, solution: Solution, is_subset: Mask) -> tuple[Count, Word]:
    starts = np.full(len(is_subset), NONE, np.int64)
    words: list[Word] = []
    for node in np.flatnonzero(is_subset):
        question = int(solution.question[node])
        n_levels = len(rows.schema.levels[questions.column[question]])
        levels = questions.levels[question]
        if len(levels) == n_levels:  # is it known?
            levels = (*levels, n_levels)
        bits = np.zeros(int(words_needed(np.array([n_levels]))[0]), np.uint64)
        for level in levels:
            bits[level // WORD] |= np.uint64(1) << np.uint64(level % WORD)
        starts[node] = sum(len(one) for one in words)
        words.append(bits)
    return starts, np.concatenate(words) if words else np.empty(0, np.uint64)


def _values(target: Target, weight: Float, members: list[Count], costs: Costs) -> tuple[Float, Float]:
    """Class shares and Gini impurity; of numbers, mean and variance. Where costs are more than a weight a class, the
    decision instead of shares."""
    if not isinstance(target, Classes):
        mean = np.array([np.average(target.values[here], weights=weight[here]) for here in members])
        away = [
            np.average((target.values[here] - m) ** 2, weights=weight[here])
            for here, m in zip(members, mean, strict=True)
        ]
        return mean[:, None], np.array(away)
    mass = np.array(
        [np.bincount(target.codes[here], weight[here], minlength=target.n_classes) for here in members]
    )
    shares: Float = mass / mass.sum(axis=1, keepdims=True)
    impurity = native.criterion_impurity("gini", np.ascontiguousarray(shares))
    if costs.matrix is not None:
        shares = np.eye(target.n_classes)[np.argmin(mass @ costs.matrix, axis=1)]
    return shares, impurity
