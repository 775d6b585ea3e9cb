"""Classes from machines of two.   In: rows, class numbers, the bound of each row.   Out: Machines, and what they say.

one-vs-one: a machine for each pair (i, j), i < j, positive for i.   one-vs-rest: one for each class, positive for it.
Two classes: one machine, positive for the second class.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from hedgerow.svm.certificate import Certificate, certificate
from hedgerow.svm.hard import solve_hard
from hedgerow.svm.kernel import Kernel, diagonal, kernel_matrix
from hedgerow.svm.problem import Problem, classes_problem
from hedgerow.svm.rows import Rows, gram_rows
from hedgerow.svm.solve import Effort, Solution, solve
from hedgerow.types import Count, Float, Index

STRATEGIES = ("ovo", "ovr")


@dataclass(frozen=True)
class Machine:
    positive: int  # class numbers
    negative: int  # -1: all others
    rows: Count  # the rows it learned from
    problem: Problem
    solution: Solution
    certificate: Certificate


def sides(n_classes: int, strategy: str) -> Iterator[tuple[int, int]]:
    """(positive, negative) of each machine."""
    if n_classes == 2:
        yield 1, 0
    elif strategy == "ovr":
        yield from ((i, -1) for i in range(n_classes))
    else:
        yield from ((i, j) for i in range(n_classes) for j in range(i + 1, n_classes))


def learn_classes(
    kernel: Kernel, rows: Rows, codes: Index, n_classes: int, upper: Float, strategy: str, effort: Effort
) -> list[Machine]:
    """One machine after another, sharing the time limit; rows whose bound is 0 take no part."""
    rows = _stored(kernel, rows, n_classes, effort)
    ends = None if effort.time_limit is None else time.perf_counter() + effort.time_limit
    machines = []
    for positive, negative in sides(n_classes, strategy):
        left = effort
        if ends is not None:
            left = replace(effort, time_limit=max(ends - time.perf_counter(), 0.0))
        machines.append(_learn(kernel, rows, codes, upper, positive, negative, left))
    return machines


def _stored(kernel: Kernel, rows: Rows, n_classes: int, effort: Effort) -> Rows:
    """Many machines look at the same rows: if all kernel values fit, they are computed once."""
    if n_classes == 2 or rows.gram is not None or rows.n_rows**2 * 8 > effort.cache_bytes:
        return rows
    return gram_rows(kernel_matrix(kernel, rows, rows, effort.threads))


def _learn(
    kernel: Kernel, rows: Rows, codes: Index, upper: Float, positive: int, negative: int, effort: Effort
) -> Machine:
    mask = upper > 0
    if negative >= 0:
        mask = mask & ((codes == positive) | (codes == negative))
    which = np.flatnonzero(mask)
    some = rows if len(which) == rows.n_rows else rows.take(which)
    signs = np.where(codes[which] == positive, 1.0, -1.0)
    problem = classes_problem(signs, upper[which])
    if np.isinf(problem.upper).any():
        solution = solve_hard(problem, kernel, some, effort, which)
    else:
        solution = solve(problem, kernel, some, effort)
    radius = float(np.sqrt(max(diagonal(kernel, some).max(), 0.0)))
    return Machine(
        positive, negative, which, problem, solution, certificate(problem, solution, radius=radius)
    )


def votes(scores: Float, n_classes: int) -> Float:
    """One-vs-one scores (rows x pairs, positive for the first) -> votes a class, ties by confidence (below 1/2)."""
    count = np.zeros((len(scores), n_classes))
    confidence = np.zeros((len(scores), n_classes))
    for k, (i, j) in enumerate(sides(n_classes, "ovo")):
        first = scores[:, k] > 0
        count[:, i] += first
        count[:, j] += ~first
        confidence[:, i] += scores[:, k]
        confidence[:, j] -= scores[:, k]
    voted: Float = count + confidence / (3 * (np.abs(confidence) + 1))
    return voted


def class_scores(scores: Float, n_classes: int, strategy: str) -> Float:
    """Scores of the machines -> of two classes a score, of more a column for each class."""
    if n_classes == 2:
        return scores[:, 0]
    return scores if strategy == "ovr" else votes(scores, n_classes)


def decided(scores: Float, n_classes: int, strategy: str, break_ties: bool) -> Count:
    """Scores of the machines -> class numbers: the most votes, or the largest score; of two classes, the side."""
    by_class = class_scores(scores, n_classes, strategy)
    if n_classes == 2:
        return np.asarray(by_class > 0, np.int64)
    if strategy == "ovo" and not break_ties:
        by_class = np.round(by_class)  # votes alone: confidences are below 1/2
    return np.asarray(np.argmax(by_class, axis=1), np.int64)
