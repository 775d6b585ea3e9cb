"""Classes from binary SVMs.   In: rows, class numbers, the bound of each row.   Out: BinarySVMs; from scores, classes.

one-vs-one: an SVM for each pair (i, j), i < j, positive for i.   one-vs-rest: one for each class, positive for it.
Two classes: one model, positive for the second class.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hedgerow.svm.certificate import Certificate, certificate, certify
from hedgerow.svm.hard import solve_hard
from hedgerow.svm.kernel import Kernel, diagonal, kernel_matrix
from hedgerow.svm.kernel_input import KernelInput
from hedgerow.svm.many import Learner, solve_each, solve_many
from hedgerow.svm.problem import classes_problem
from hedgerow.svm.solution import Solution, SolverOptions
from hedgerow.svm.solve import solve
from hedgerow.types import Count, Float, Index

STRATEGIES = ("ovo", "ovr")


@dataclass(frozen=True)
class BinarySVM:
    positive: int  # class numbers
    negative: int  # -1: all others
    rows: Index  # the rows it learned from
    solution: Solution
    certificate: Certificate


def two_sided(scores: Float) -> Float:
    """A column for each class: of two classes the score of the second, and minus it for the first."""
    return np.column_stack([-scores, scores]) if scores.ndim == 1 else scores


def sides(n_classes: int, strategy: str) -> Iterator[tuple[int, int]]:
    """(positive, negative) of each model."""
    if n_classes == 2:
        yield 1, 0
    elif strategy == "ovr":
        yield from ((i, -1) for i in range(n_classes))
    else:
        yield from ((i, j) for i in range(n_classes) for j in range(i + 1, n_classes))


def learn_classes(
    kernel: Kernel,
    rows: KernelInput,
    codes: Index,
    n_classes: int,
    upper: Float,
    strategy: str,
    options: SolverOptions,
) -> list[BinarySVM]:
    """A model for each pair or class, sharing the time limit; rows whose bound is 0 take no part."""
    several = n_classes > 2 and not np.isinf(upper).any()
    if several and strategy == "ovo" and rows.gram is None:
        return _learn_pairs(kernel, rows, codes, n_classes, upper, options)
    if several and stored_fits(rows, largest_share(codes, n_classes, strategy), options):
        return _learn_at_once(kernel, rows, codes, n_classes, upper, strategy, options)
    ends = None if options.time_limit is None else time.perf_counter() + options.time_limit
    models = []
    for positive, negative in sides(n_classes, strategy):
        left = options
        if ends is not None:
            left = replace(options, time_limit=max(ends - time.perf_counter(), 0.0))
        models.append(_learn(kernel, rows, codes, upper, positive, negative, left))
    return models


def largest_share(codes: Index, n_classes: int, strategy: str) -> float:
    """Of all rows, those that the largest model learns from."""
    counts = np.sort(np.bincount(codes, minlength=n_classes))
    return 1.0 if strategy == "ovr" or n_classes == 2 else float(counts[-2:].sum() / counts.sum())


def stored_fits(
    rows: KernelInput, share: float, options: SolverOptions, *, matrices: int = 1, width: int = 8
) -> bool:
    """Whether kernel matrices of all rows, and what each thread copies out of them, fit into cache_size."""
    own = 0 if rows.gram is not None else matrices
    return rows.n_rows**2 * width * (own + options.threads * COPIES * share**2) <= options.cache_bytes


COPIES = 1.25  # native/svm/stored.hpp: a model's matrix, and a quarter of it again


def _learn_pairs(
    kernel: Kernel, rows: KernelInput, codes: Index, n_classes: int, upper: Float, options: SolverOptions
) -> list[BinarySVM]:
    """Each pair from its own rows, in one call."""
    pairs = list(sides(n_classes, "ovo"))
    learners = [learner(codes, upper, positive, negative) for positive, negative in pairs]
    lengths = diagonal(kernel, rows)
    solutions = solve_each(kernel, rows, learners, lengths, options)
    problem = classes_problem(
        np.concatenate([one.signs for one in learners]), np.concatenate([one.weight for one in learners])
    )
    starts = np.cumsum([0, *(len(one.rows) for one in learners)])[:-1]
    proofs = certify(problem, solutions, starts, _radii(lengths, learners))
    return _models(pairs, learners, solutions, proofs)


def _learn_at_once(
    kernel: Kernel,
    rows: KernelInput,
    codes: Index,
    n_classes: int,
    upper: Float,
    strategy: str,
    options: SolverOptions,
) -> list[BinarySVM]:
    """Kernel values of all rows are computed once, and the models learned in one call."""
    begin = time.perf_counter()
    matrix = kernel_matrix(kernel, rows, rows, options.threads)
    if options.time_limit is not None:
        options = replace(options, time_limit=max(options.time_limit - (time.perf_counter() - begin), 0.0))
    pairs = list(sides(n_classes, strategy))
    learners = [learner(codes, upper, positive, negative) for positive, negative in pairs]
    many = solve_many(matrix, learners, options)
    radii = _radii(diagonal(kernel, rows), learners)
    return _models(pairs, learners, many.solutions[0], many.certificates(radii=radii))


def _radii(lengths: Float, learners: Sequence[Learner]) -> list[float]:
    return [float(np.sqrt(max(lengths[one.rows].max(), 0.0))) for one in learners]


def _models(
    pairs: Sequence[tuple[int, int]],
    learners: Sequence[Learner],
    solutions: Sequence[Solution],
    proofs: Sequence[Certificate],
) -> list[BinarySVM]:
    return [
        BinarySVM(*pair, one.rows, solution, proof)
        for pair, one, solution, proof in zip(pairs, learners, solutions, proofs, strict=True)
    ]


def learner(codes: Index, weight: Float, positive: int, negative: int, test: Index | None = None) -> Learner:
    """Rows of these classes whose weight is above 0; negative -1: all others."""
    own = codes == positive
    mask = weight > 0
    if negative >= 0:
        mask &= own | (codes == negative)
    which = np.flatnonzero(mask).astype(np.int32)
    return Learner(which, np.where(own[which], 1.0, -1.0), weight[which], test)


def _learn(
    kernel: Kernel,
    rows: KernelInput,
    codes: Index,
    upper: Float,
    positive: int,
    negative: int,
    options: SolverOptions,
) -> BinarySVM:
    one = learner(codes, upper, positive, negative)
    some = rows if len(one.rows) == rows.n_rows else rows.take(one.rows)
    problem = classes_problem(one.signs, one.weight)
    if np.isinf(problem.upper).any():
        solution = solve_hard(problem, kernel, some, options, one.rows)
    else:
        solution = solve(problem, kernel, some, options)
    radius = float(np.sqrt(max(diagonal(kernel, some).max(), 0.0)))
    return BinarySVM(positive, negative, one.rows, solution, certificate(problem, solution, radius=radius))


def count_votes(scores: Float, n_classes: int) -> Float:
    """One-vs-one scores (rows x pairs, positive for the first) -> votes of each class."""
    count = np.zeros((n_classes, len(scores)))  # class by class: rows lie side by side
    for (i, j), first in zip(sides(n_classes, "ovo"), np.ascontiguousarray(scores.T > 0), strict=True):
        count[i] += first
        count[j] += ~first
    return np.ascontiguousarray(count.T)


def votes(scores: Float, n_classes: int) -> Float:
    """Votes of each class, ties by confidence (below 1/2)."""
    confidence = np.zeros((n_classes, len(scores)))
    for (i, j), score in zip(sides(n_classes, "ovo"), np.ascontiguousarray(scores.T), strict=True):
        confidence[i] += score
        confidence[j] -= score
    voted: Float = count_votes(scores, n_classes) + (confidence / (3 * (np.abs(confidence) + 1))).T
    return voted


def class_scores(scores: Float, n_classes: int, strategy: str) -> Float:
    """Scores of the models -> of two classes a score, of more a column for each class."""
    if n_classes == 2:
        return scores[:, 0]
    return scores if strategy == "ovr" else votes(scores, n_classes)


def decide_classes(scores: Float, n_classes: int, strategy: str, break_ties: bool) -> Count:
    """Scores of the models -> class numbers: the most votes, or the largest score; of two classes, the side."""
    if n_classes == 2:
        return np.asarray(scores[:, 0] > 0, np.int64)
    votes_alone = strategy == "ovo" and not break_ties
    by_class = count_votes(scores, n_classes) if votes_alone else class_scores(scores, n_classes, strategy)
    return np.asarray(np.argmax(by_class, axis=1), np.int64)
