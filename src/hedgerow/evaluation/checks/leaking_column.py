"""leaking_column: a column that knows the target is found by how far it alone outdoes all the others together.

A small tree of that one column learns from half of the rows and is tested on the other half, and the other way round.
Suspected is a column that
    explains 95 % of what the baseline does not, unless all columns that do not do so reach nearly the same together;
    explains 65 %, and all other columns together leave more than twice as much unexplained, beyond doubt;
    explains 40 %, the others are as far behind, and it is named like what is known afterwards (outcome, closed).
Of the last two only what decides: a column that all together outdo threefold (the name of a stock, where its price
also needs the day) is one predictor among several.
The days between two dates count as a column: from the opening of a case to its end, which is not known before.
Suspects of the first kind do not count among the others of the second and third: one leak does not hide the next. Nor
do two that explain 90 % each and of which one follows from the other: a grade, of a finer one. Of the second and third
kind only the column that explains most can be one (and such twins of it): beside it, no other leaves the others far
behind.
Of numbers of which many are 0 (no claim) a column that alone says which are is suspected as well.
So one strong predictor among several (petals of an iris, a smell of mushrooms) is not accused. Every class counts the
same: of a class of a tenth of the rows, a column that is wrong for 3 % of all rows knows nearly everything.
"""

import re
from dataclasses import replace

import numpy as np

from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.column_skill import (
    baseline_losses,
    draw_rows,
    explained_share,
    find_possible,
    forest_losses,
    tree_losses,
)
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.splits import Splits
from hedgerow.features.dates import find_spans, make_span
from hedgerow.table import Column, Table
from hedgerow.table.sparse import SparseTable
from hedgerow.types import Count, Float
from hedgerow.words import show

ALMOST = 0.95  # of what the baseline leaves unexplained: a leak, unless the other columns reach it too
ENOUGH = 0.65  # a leak, if the others are far behind
NAMED = 0.4  # the same for a column that is named like something known afterwards
AFTERWARDS = re.compile(
    r"(^|[^a-z])(outcomes?|results?|verdict|decision|resol(ved|ution)|closed|closing|settle(d|ment)|refund(ed)?|"
    r"recover(ed|y|ies)|charged?.?off|discharged?|cancell?(ed|ation)|terminat(ed|ion)|final|payout|after|post)([^a-z]|$)"
)
BEHIND = 2.25  # times the loss of the one column
CLEARLY = 4.0  # standard errors of the difference
TOGETHER = 3.0  # times less loss by all columns together: the column alone does not decide
NEARLY = 1.5  # times the loss: the others do as well
MOST_OTHERS = 200  # columns at most that stand for all others
MIN_ROWS = 20  # fewer show nothing
TWIN = 0.9  # of two columns of which one follows from the other, each explains as much
REPEATS = 3  # rows with one value, on average, of a column from which another may follow
MANY_ZEROS = 0.1  # of the rows at least, and at least as many others


def find(data: Data, splits: Splits) -> list[Finding]:
    if splits.kind == "fitted":  # nothing is learned from these rows, by no check either
        return []
    if data.table is None or data.n_rows < MIN_ROWS or len(data.table.columns) == 1:
        return []
    rows = draw_rows(data)
    part = data.table.take(rows)
    if not isinstance(part, SparseTable):
        part = _add_spans(replace(part, columns=tuple(one for one in part.columns if one.kind != "text")))
    skip = {j for j, one in enumerate(part.columns) if splits.kind == "time" and _follows_rows(one, rows)}
    found = _word_findings(_find_suspects(part, data, rows, skip, _least_skills(part)), part)
    if data.classes is not None or not MANY_ZEROS <= np.mean(data.y[rows] == 0) <= 1 - MANY_ZEROS:
        return found
    is_zero = replace(data, y=(data.y == 0).astype(np.int64), classes=np.array([False, True]))
    skip |= {j for j, one in enumerate(part.columns) if (one.name,) in [finding.columns for finding in found]}
    almost = np.full(len(part.columns), ALMOST)
    return found + [
        Finding(
            "leaking_column",
            f"{show(part.columns[j].name)} alone says where the target is 0: is it known before the target is?",
            True,
            (part.columns[j].name,),
        )
        for j in _find_suspects(part, is_zero, rows, skip, almost)
    ]


def _find_suspects(part: Table, data: Data, rows: Count, skip: set[int], bars: Float) -> dict[int, float]:
    """The columns, and how much each explains. `bars`: what it explains at least."""
    losses = {
        j: tree_losses(Table((part.columns[j],), part.n_rows, True), data, rows)
        for j in find_possible(part, data, rows, bars)
        if j not in skip
    }
    baseline = baseline_losses(data, rows)
    skills = {j: explained_share(loss, baseline) for j, loss in losses.items()}
    almost = {j for j, skill in skills.items() if skill >= ALMOST}
    twins = {j: _find_twins(j, skills, part) for j in skills}
    suspects = _find_certain(losses, almost, almost.union(*(twins[j] for j in almost)), part, data, rows)
    best = max(skills.keys() - suspects, key=lambda j: (skills[j], -j), default=None)
    if best is not None and best not in almost and skills[best] >= bars[best]:
        suspects |= {
            j
            for j in {best} | (twins[best] - almost)
            if _outdoes_others(j, losses[j], suspects | twins[j], part, data, rows)
        }
    return {j: skills[j] for j in sorted(suspects)}


def _find_twins(j: int, skills: dict[int, float], part: Table) -> set[int]:
    """Columns that explain as much, where one of the two follows from the other."""
    if skills[j] < TWIN:
        return set()
    others = [k for k, skill in skills.items() if k != j and skill >= TWIN]
    return {
        k
        for k in others
        if _follows(part.columns[j], part.columns[k]) or _follows(part.columns[k], part.columns[j])
    }


def _follows(one: Column, other: Column) -> bool:
    """All rows with one value in `one` have one value in `other`."""
    pairs = np.column_stack(
        [np.unique(column.values, return_inverse=True)[1].reshape(-1) for column in (one, other)]
    )
    n_values = int(pairs[:, 0].max()) + 1
    return n_values * REPEATS <= len(pairs) and len(np.unique(pairs, axis=0)) == n_values


def _follows_rows(column: Column, rows: Count) -> bool:
    """The time of the rows itself, where they are in its order: it is known, and draws at random flatter it."""
    cells = column.values[np.argsort(rows)]
    return not column.is_coded and not column.missing.any() and bool((np.diff(cells) >= 0).all())


def _add_spans(part: Table) -> Table:
    """And the days between each two dates."""
    spans = [make_span(part.columns[a], part.columns[b]) for a, b in find_spans(part.columns)]
    return replace(part, columns=(*part.columns, *spans))


def _dates_of_spans(part: Table) -> dict[str, str]:
    """Of the days between two dates: which of these is the later one."""
    later = {}
    for a, b in find_spans(part.columns):
        first, second = part.columns[a], part.columns[b]
        span = make_span(first, second)
        known = span.values[~span.missing]
        later[span.name] = second.name if len(known) and np.median(known) > 0 else first.name
    return later


def _word_findings(skills: dict[int, float], part: Table) -> list[Finding]:
    """One of each column: of the days between two dates the later date is named, and a date says itself what the days
    from others to it do."""
    later = _dates_of_spans(part)
    found: dict[str, tuple[str, float]] = {}  # of the column to name: what explains most, and how much
    for j, skill in skills.items():
        name = part.columns[j].name
        column = later.get(name, name)
        if column not in found or skill > found[column][1]:
            found[column] = name, skill
    return [
        Finding(
            "leaking_column",
            f"{show(name)} alone explains {skill:.1%} of what the baseline does not: is it known before the target is?",
            True,
            (column,),
        )
        for column, (name, skill) in found.items()
    ]


def _find_certain(
    losses: dict[int, Float], almost: set[int], known: set[int], part: Table, data: Data, rows: Count
) -> set[int]:
    """Of the columns that explain almost all: those that all others do not come near, together. `known`: those columns
    and their twins, which do not count among the others."""
    others = _others(part, known)
    if not almost or not others:
        return set(almost)
    together = float(forest_losses(_columns(part, others), data, rows).sum())
    return {j for j in almost if together > NEARLY * float(losses[j].sum()) + 1e-12}


def _outdoes_others(j: int, losses: Float, known: set[int], part: Table, data: Data, rows: Count) -> bool:
    """`known`: suspects and twins, which do not count among the others."""
    others = _others(part, known | {j})
    if not others:
        return False
    other_losses = forest_losses(_columns(part, others), data, rows)
    difference = other_losses - losses
    error = float(np.std(difference)) * np.sqrt(len(difference))
    if other_losses.sum() <= BEHIND * losses.sum() or difference.sum() <= CLEARLY * error:
        return False
    together = forest_losses(_columns(part, [j, *others]), data, rows)
    return bool(TOGETHER * together.sum() > losses.sum())


def _others(part: Table, known: set[int]) -> list[int]:
    return [k for k in range(len(part.columns)) if k not in known][:MOST_OTHERS]


def _columns(part: Table, some: list[int]) -> Table:
    return Table(tuple(part.columns[k] for k in sorted(some)), part.n_rows, True)


def _least_skills(table: Table) -> Float:
    return np.array([_least_skill(column.name) for column in table.columns])


def _least_skill(name: str) -> float:
    """Of a suspected column; less of one that is named like something known afterwards."""
    return ENOUGH if AFTERWARDS.search(name.lower()) is None else NAMED
