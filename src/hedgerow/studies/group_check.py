"""Do rows belong together?   In: the training rows, a model, a column that names groups.   Out: a Finding, if rows of
groups that the model has not seen are predicted clearly worse than the same rows in folds drawn at random.

    subject  age  base  period  y         a column names groups if its values repeat and other columns are the same in
    1        31   11    1       5         all rows of a value: what is known of a subject, a family, a household
    1        31   11    2       3

or if it is called like those who are asked or measured more than once (subject, patient, household) or like an
identifier. Each row is predicted twice, by a model of other groups and by one of rows drawn at random: six fits, and
only where there is such a column.
"""

import re
from dataclasses import replace
from typing import Any

import numpy as np

from hedgerow.display.sentences import join_words
from hedgerow.errors import Message, Setting, Spelling
from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.predictions import ScoringData, concat_scoring_data
from hedgerow.evaluation.splits import make_splits
from hedgerow.features.dates import DATES
from hedgerow.intake.columns import CAMEL_CASE, is_named_identifier
from hedgerow.studies.row_losses import Losses, compare_losses, fit_and_score
from hedgerow.table import Column, Table
from hedgerow.table.copies import join_groups
from hedgerow.types import Count, Float, Index
from hedgerow.words import show

FOLDS = 3
FEWEST_GROUPS = 15
FEWEST_NAMED = 6  # of a column that is called so
FEWEST_ROWS = 1.5  # of a group, on average
LARGEST = 0.2  # share of the rows that a group has at most: zeros of an income are no group
FEWEST_SHARED = 2  # columns that groups share, one of them
FINE = 10  # different numbers at least
FEW_PAIRS = (2, 50)  # of rows of a group: most columns differ in these
MOST_NAMED = 3  # of these columns
NAMED = re.compile(
    r"(^|[^a-z])(subjects?|subj|patients?|participants?|persons?|people|respondents?|individuals?|customers?|clients?|"
    r"users?|students?|pupils?|households?|famil(y|ies)|animals?|firms?|compan(y|ies)|player|driver|machine|engine|turbine|"
    r"device|sensor|recording|speaker|countr(y|ies)|schools?|hospitals?|clinics?|stores?|shops?|farms?|stations?)"
    r"([^a-z]?(id|no|nr|num|number|code|key))?$"
)


def find_group_column(table: Table) -> tuple[str, tuple[str, ...]] | None:
    """The column that names groups, and the columns that are the same in all rows of a group; of several columns the
    one that says most, a name rather than a number; where there is none, one that is called so."""
    plain = [one for one in table.columns if one.kind not in (*DATES, "text")]
    if not plain or not table.n_rows:
        return None
    codes = np.array([_number_groups(one) for one in plain])  # columns x rows
    counts = codes.max(axis=1) + 1
    is_fine = np.array([one.kind == "number" for one in plain]) & (counts >= FINE)
    best: tuple[str, tuple[str, ...]] | None = None
    most = (-1, False, False)
    largest = np.array([np.bincount(one).max() for one in codes])
    is_named = np.array([_is_named(one.name) for one in plain])
    enough = counts >= np.where(is_named, FEWEST_NAMED, FEWEST_GROUPS)
    may_name = enough & (counts <= table.n_rows / FEWEST_ROWS) & (largest <= LARGEST * table.n_rows)
    for group in np.flatnonzero(may_name):
        shared = _find_shared(codes, counts, int(group))
        says = (len(shared), bool(is_named[group]), plain[group].kind == "category")
        if says <= most:
            continue
        if is_named[group] or (len(shared) >= FEWEST_SHARED and is_fine[shared].any()):
            best, most = (plain[group].name, tuple(plain[other].name for other in shared)), says
    return best


def _is_named(name: str) -> bool:
    return is_named_identifier(name) or bool(NAMED.search(CAMEL_CASE.sub("_", name).lower()))


def _number_groups(column: Column) -> Index:
    """For each row the number of its group; where the cell is missing, one of its own."""
    groups = np.unique(column.values, return_inverse=True)[1].reshape(-1).astype(np.int32)
    lost = np.flatnonzero(column.missing)
    groups[lost] = len(groups) + np.arange(len(lost))
    return np.unique(groups, return_inverse=True)[1].reshape(-1).astype(np.int32)


def _find_shared(codes: Index, counts: Index, k: int) -> Count:
    """Columns with one value in each group of column k: in the order of the groups, neighbours are alike."""
    order = np.argsort(codes[k], kind="stable")
    same = np.flatnonzero(np.diff(codes[k, order]) == 0)
    first, second = order[same], order[same + 1]
    found = np.flatnonzero((counts >= 2) & (counts <= counts[k]))
    found = found[found != k]
    for stop in (*FEW_PAIRS, len(same)):
        alike = codes[np.ix_(found, first[:stop])] == codes[np.ix_(found, second[:stop])]
        found = found[alike.all(axis=1)]
    return np.asarray(found, np.int64)


def check_groups(
    model: Any,
    data: Data,
    table: Table,
    name: str,
    shared: tuple[str, ...],
    spell: Spelling,
    random_state: int,
) -> tuple[Finding, ...]:
    groups = _number_groups(table.column(name)).astype(np.int64)
    kept = groups if data.copies is None else join_groups(groups, data.copies)
    apart = replace(data, groups=kept, grouped_by_copies=False)
    worse = find_worse_by_groups(model, apart, data, groups, random_state)
    if worse is None:
        return ()
    named = show(name)
    few = join_words([show(one) for one in shared[:MOST_NAMED]])
    words = Message(
        "Rows of one {} belong together{}. A random split flatters: {} on rows with a new {}, {} on the same rows "
        "in folds drawn at random. If new rows come with a new {}, the scores here are too good: {} keeps its rows on "
        "one side.",
        named, f": they share {few}" if few else "", worse.new_words, named, worse.known_words, named,
        Setting("groups", name),
    )  # fmt: skip
    return (Finding("groups", words.render(spell), True, (name,)),)


def find_worse_by_groups(
    model: Any, apart: Data, data: Data, groups: Count, random_state: int
) -> Losses | None:
    """In folds that keep the groups of `apart` on one side rather than in those of `data`, beyond doubt and by enough
    to matter; rows of one of `groups` go together."""
    new, known = (predict_in_folds(model, one, random_state) for one in (apart, data))
    losses = compare_losses(new, known)
    return next(
        (one for one in losses if one.is_clearly_worse(_error_of_mean(one.new - one.known, groups))), None
    )


def predict_in_folds(model: Any, data: Data, random_state: int) -> ScoringData:
    """Each row, in the order of the table, by a model of the other folds."""
    parts = make_splits(FOLDS, data, random_state=random_state).parts
    rows = concat_scoring_data([fit_and_score(model, data, part.train, part.test) for part in parts])
    return rows.take(np.argsort(np.concatenate([part.test for part in parts])))


def _error_of_mean(losses: Float, groups: Count) -> float:
    """Rows of one group go together."""
    sums = np.bincount(groups, losses - losses.mean())
    return float(np.sqrt(np.sum(sums**2))) / len(losses)
