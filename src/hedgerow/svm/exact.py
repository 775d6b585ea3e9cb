"""Scores again in float64, where the gap depends on them.   In: solutions by float32 kernel values.   Out: the same,
their fields exact in these rows; rho and violation by them. All models at once: model by model, the calls took longer
than the sums.

    gap = sum over variables of  upper max(ask, 0) - a ask,    ask = y (c - score)

    a = 0 and ask < 0, or a = upper and ask > 0:   nothing, whatever the score is to the last digit
    a between the bounds, or ask near 0:           the score counts, and is computed again

Near is ten times the largest error found; errors grow with the length of a row, so the longest rows are always looked
at. All rows would be more than half the price of a fit (docs/decisions/0013).
"""

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hedgerow.core import native
from hedgerow.svm.kernel import Kernel, diagonal
from hedgerow.svm.kernel_input import KernelInput
from hedgerow.svm.problem import Problem
from hedgerow.svm.solution import ONE, Solution, extremes, intercepts, joined
from hedgerow.types import Count, Float, Index, Mask

PROBES = 128  # of all rows, and of the longest
NEAR = 10.0  # times the largest error found


def exactly(
    problem: Problem, kernel: Kernel, rows: KernelInput, solution: Solution, threads: int
) -> Solution:
    """A solution that was stopped early is probed only: its gap is large, and its time is up."""
    every = np.arange(rows.n_rows, dtype=np.int32)
    return exactly_each(problem, kernel, rows, every, ONE, (solution,), threads)[0]


def exactly_each(
    problem: Problem,
    kernel: Kernel,
    rows: KernelInput,
    own_rows: Index,
    starts: Count,
    solutions: Sequence[Solution],
    threads: int,
) -> list[Solution]:
    """`own_rows`: those of each model, one model after another from `starts`; likewise the variables of `problem`."""
    begin = time.perf_counter()
    b = problem.y * joined([one.alpha for one in solutions])
    coef = joined([one.coef for one in solutions])
    field = np.concatenate([one.field for one in solutions])
    exact = np.zeros(len(field), np.bool_)
    ends = np.append(starts, len(field))
    model = np.repeat(np.arange(len(solutions)), np.diff(ends))
    support = np.flatnonzero(coef)
    support_ends = np.searchsorted(support, ends)
    rounding = np.array([one.rounding for one in solutions])

    def compute(which: Mask) -> None:
        now = np.flatnonzero(which & ~exact)
        if len(now) == 0:
            return
        found = native.svm_kernel_dot_each(
            *kernel.native_args,
            rows.native_args,
            own_rows[support],
            coef[support],
            support_ends,
            own_rows[now],
            np.searchsorted(now, ends),
            threads,
        )
        np.maximum.at(rounding, model[now], np.abs(found - field[now]))
        field[now], exact[now] = found, True

    def slopes() -> Float:
        own: Float = problem.c - (field if problem.row_of is None else field[problem.row_of])
        return own

    supported = np.diff(support_ends) > 0
    going_on = supported & np.array([one.ending not in ("time_limit", "max_iter") for one in solutions])
    compute(_probes(kernel, rows, own_rows, ends) & supported[model])
    before = np.full(len(solutions), -1.0)
    while (going_on := going_on & (rounding > before)).any():
        before = rounding.copy()
        near = np.where(going_on, NEAR * rounding, -np.inf)  # of the others none
        compute(_doubtful(problem, b, slopes(), starts, near, len(field)))
    slope = slopes()
    rho, (most, least) = -intercepts(problem, b, slope, starts), extremes(problem, b, slope, starts)
    violation = np.where(np.isfinite(most) & np.isfinite(least), np.maximum(most - least, 0.0), 0.0)
    gradient = -problem.y * slope
    seconds = (time.perf_counter() - begin) / len(solutions)
    first_variable = np.append(starts, len(b))
    return [
        replace(
            one,
            rho=float(rho[k]),
            gradient=gradient[first_variable[k] : first_variable[k + 1]],
            field=field[ends[k] : ends[k + 1]],
            violation=float(violation[k]),
            seconds=one.seconds + seconds,
            rounding=0.0 if all_exact else float(rounding[k]),
            exact=None if all_exact else exact[ends[k] : ends[k + 1]],
        )
        if supported[k]
        else one
        for k, (one, all_exact) in enumerate(
            zip(solutions, np.logical_and.reduceat(exact, starts).tolist(), strict=True)
        )
    ]


def _probes(kernel: Kernel, rows: KernelInput, own_rows: Index, ends: Count) -> Mask:
    by_length = np.argsort(np.abs(diagonal(Kernel("linear"), rows)), kind="stable")
    rank = np.empty(rows.n_rows, np.int64)
    rank[by_length] = np.arange(rows.n_rows)
    which = np.zeros(len(own_rows), np.bool_)
    for start, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        own = which[start:end]
        own[np.linspace(0, len(own) - 1, PROBES).astype(np.int64)] = True
        longest = max(len(own) - PROBES, 0)
        own[np.argpartition(rank[own_rows[start:end]], longest)[longest:]] = True
    return which


def _doubtful(problem: Problem, b: Float, slope: Float, starts: Count, near: Float, n_fields: int) -> Mask:
    """Rows whose score the gap depends on."""
    rho = -intercepts(problem, b, slope, starts)
    sizes = np.diff(np.append(starts, len(b)))
    alpha, ask = problem.y * b, problem.y * (slope + np.repeat(rho, sizes))
    off = np.repeat(near, sizes)
    settled = ((alpha == 0) & (ask < -off)) | ((alpha == problem.upper) & (ask > off)) | (off < 0)
    if problem.row_of is None:
        return np.asarray(~settled, np.bool_)
    which = np.zeros(n_fields, np.bool_)
    which[problem.row_of[~settled]] = True
    return which
