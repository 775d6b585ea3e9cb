"""`hedgerow prune`.   In: Asked, Wish.   Out: a PruneResult, printed; a chart, written.

Reads as `hedgerow fit` does: source, columns, task, share out, encode, grow; then every pruning of the one tree.
scikit-learn is not loaded: the comparison is the one compare_prunings would make, and a test says so.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

import numpy as np

from hedgerow.cli.asked import Asked, command
from hedgerow.cli.chart import write_chart
from hedgerow.cli.growth import grower_of, parameters_of
from hedgerow.cli.progress import Step, progress
from hedgerow.cli.reading import opened
from hedgerow.intake import PreparedData, TargetData, prepare_data
from hedgerow.prune import Comparison, CpTable, Round, compare
from hedgerow.prune.methods.cost_complexity import CostComplexity
from hedgerow.table.split import stratified_split
from hedgerow.types import Count

FEWEST_ROWS = 10  # for three shares
GROWING, CHOOSING, JUDGING = range(3)


@dataclass(frozen=True)
class Wish:
    """What is asked about the comparison alone."""

    choosing_share: float = 0.2  # of the rows, for prunings that want unseen ones

    def check(self, judging_share: float) -> None:
        if not 0.0 < self.choosing_share < 1.0:
            raise ValueError(
                f"--choosing-share {self.choosing_share:g} is out of range. Give a share such as 0.2."
            )
        if self.choosing_share + judging_share >= 1.0:
            raise ValueError(
                f"--choosing-share {self.choosing_share:g} and --test-share {judging_share:g} leave no rows to grow "
                "a tree on. Give such as 0.2 and 0.3."
            )


def shared_out(strata: Count, choosing: float, judging: float, seed: int) -> Count:
    """GROWING, CHOOSING or JUDGING for each row, of each class alike."""
    part = np.full(len(strata), GROWING)
    out = np.flatnonzero(stratified_split(strata, choosing + judging, seed))
    part[out] = CHOOSING
    part[out[stratified_split(strata[out], judging / (choosing + judging), seed + 1)]] = JUDGING
    return part


@dataclass(frozen=True, eq=False)
class PruneResult:
    asked: Asked
    rows: PreparedData
    goal: TargetData
    part: Count  # of each row
    comparison: Comparison
    table: CpTable
    picture: Path
    command: str
    seconds: float

    def n_rows(self, part: int) -> int:
        return int(np.count_nonzero(self.part == part))


def prune(asked: Asked, wish: Wish, as_json: bool) -> None:
    from hedgerow.cli.prune_report import print_json, print_report

    with progress() as step:
        result = compared(asked, wish, step)
    (print_json if as_json else print_report)(result)


def compared(asked: Asked, wish: Wish, step: Step) -> PruneResult:
    started = perf_counter()
    wish.check(asked.test_share)
    step("reading")
    source = opened(asked)
    rows = prepare_data(source, asked.columns())
    goal = rows.target
    found, n_rows = parameters_of(asked, goal), rows.features.n_rows
    if n_rows < FEWEST_ROWS:
        raise ValueError(
            f"{n_rows} rows have a target. To share them out in three, at least {FEWEST_ROWS} are wanted."
        )
    part = shared_out(goal.strata, wish.choosing_share, asked.test_share, asked.seed)
    step("growing")
    grower = grower_of(rows.features, goal, np.arange(n_rows), found, asked, part == GROWING)
    growing = (part == GROWING).astype(np.float64)
    tree, everything = grower.grow(growing), grower.data()
    training = replace(everything, target=replace(everything.target, weight=growing))
    step("pruning by every method")
    choosing, judging = (everything.take(np.flatnonzero(part == k)) for k in (CHOOSING, JUDGING))
    comparison = compare(Round(tree, training, choosing, judging))
    table = CostComplexity().table(tree, training)
    step("drawing")
    picture = write_chart(comparison, table, asked.picture or f"{source.stem}-prunings.svg")
    again = command("prune", rows.target.name, asked, wish)
    return PruneResult(asked, rows, goal, part, comparison, table, picture, again, perf_counter() - started)
