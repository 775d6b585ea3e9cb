"""Rules from rows.   In: Encoded rows, classes, limits for the tree, a Plan.   Out: a RuleList.

The path of data: hold rows out (if errors are to be estimated on them), grow a tree on the others, one rule a leaf,
post-prune. The estimator and the command line both come here.
"""

from dataclasses import dataclass, replace

import numpy as np

from hedgerow.encode import Encoded, matrix
from hedgerow.grow import Classes, Limits, grow
from hedgerow.rules.from_tree import rules_of
from hedgerow.rules.prune import post_prune
from hedgerow.rules.rows import known_rows
from hedgerow.rules.rule import RuleList
from hedgerow.tree.labels import Labels
from hedgerow.types import Float, Mask

ESTIMATES = ("pessimistic", "held_out")


@dataclass(frozen=True)
class Plan:
    """How to prune rules. Checked where it is made."""

    confidence: float = 0.25
    held_out: float = 0.0  # share of the rows that errors are estimated on; 0: pessimistic, on all rows
    max_rules: int | None = None
    seed: int = 0  # of the rows held out


def learn_rules(
    rows: Encoded,
    target: Classes,
    criterion: str,
    limits: Limits,
    labels: Labels,
    plan: Plan,
    threads: int = 1,
) -> RuleList:
    weight = np.ones(rows.n_rows) if target.weight is None else target.weight
    out = hold_out(target, weight, plan.held_out, plan.seed)
    growing = target if not out.any() else replace(target, weight=np.where(out, 0.0, weight))
    rules = rules_of(grow(rows, growing, criterion, limits, threads=threads), labels)
    cells = matrix(rows.schema, rows.table)
    known = known_rows(labels, cells, target.codes, weight)
    unseen = known_rows(labels, cells, target.codes, np.where(out, weight, 0.0)) if plan.held_out else None
    return post_prune(
        rules,
        known,
        confidence=plan.confidence,
        unseen=unseen,
        max_rules=plan.max_rules,
        threads=threads,
    )


def hold_out(target: Classes, weight: Float, share: float, seed: int) -> Mask:
    """Rows held out: of each class its share, as near as whole rows allow; never all rows there are."""
    present = np.flatnonzero(weight)
    n_out = min(round(share * len(present)), len(present) - 1)
    out = np.zeros(len(weight), bool)
    if n_out > 0:
        shuffled = np.random.default_rng(seed).permutation(present)
        by_class = shuffled[np.argsort(target.codes[shuffled], kind="stable")]
        out[by_class[((np.arange(n_out) + 0.5) * len(present) / n_out).astype(np.int64)]] = True
    return out
