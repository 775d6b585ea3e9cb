"""Columns that are called like the target.   In: the training rows, the target's name.   Out: Findings, of those that
alone explain a part of it and more than all others together: birth_weight_low may be made from birth_weight.

The name makes a weaker column suspect than leaking_column does: a yes or no made from a number is far from all of it.
"""

import numpy as np

from hedgerow.errors import Message, Setting, Spelling
from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.column_skill import (
    baseline_losses,
    draw_rows,
    explained_share,
    forest_losses,
    tree_losses,
)
from hedgerow.evaluation.data import Data
from hedgerow.table import Table
from hedgerow.table.sparse import SparseTable
from hedgerow.words import show

FEWEST_LETTERS = 4  # of the target's name: y and age are in many a name
ENOUGH = 0.2  # of what the baseline leaves unexplained
CLEARLY = 3.0  # standard errors of the difference
MIN_ROWS = 60
MOST_OTHERS = 200  # columns


def check_namesakes(data: Data, target: str, spell: Spelling) -> tuple[Finding, ...]:
    table, wanted = data.table, _letters(target)
    if (
        table is None
        or isinstance(table, SparseTable)
        or data.n_rows < MIN_ROWS
        or len(wanted) < FEWEST_LETTERS
    ):
        return ()
    plain = tuple(one for one in table.columns if one.kind != "text")
    called_so = [one for one in plain if wanted in _letters(one.name)]
    others = tuple(one for one in plain if one not in called_so)[:MOST_OTHERS]
    if not called_so or not others:
        return ()
    rows = draw_rows(data)
    rest = forest_losses(Table(others, table.n_rows, True).take(rows), data, rows)
    baseline, found = baseline_losses(data, rows), []
    for column in called_so:
        alone = tree_losses(Table((column,), table.n_rows, True).take(rows), data, rows)
        error = float(np.std(rest - alone)) * np.sqrt(len(rows))
        share = explained_share(alone, baseline)
        if share >= ENOUGH and (rest - alone).sum() > CLEARLY * error:
            name = show(column.name)
            words = Message(
                "{} is called like {} and alone explains {} of what the baseline does not, all other columns together "
                "{}: is it made from it? {} leaves it out.",
                name, show(target), f"{share:.0%}", f"{max(0.0, explained_share(rest, baseline)):.0%}",
                Setting("drop", (column.name,)),
            )  # fmt: skip
            found.append(Finding("namesake", words.render(spell), True, (column.name,)))
    return tuple(found)


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))
