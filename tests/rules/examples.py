"""Tables with everything in them, and the rules learned from them."""

from typing import NamedTuple

import numpy as np

from hedgerow import DecisionTreeClassifier, datasets
from hedgerow.encode import matrix
from hedgerow.rules import LabeledRows, RuleList, label_rows, post_prune, rules_from_tree
from hedgerow.table import to_table
from hedgerow.types import Float

HOSTILE = (
    "plain",
    "two words",
    'quo"te',
    "back\\slash",
    "line\nbreak",
    "tab\t",
    "if",
    "then",
    " and ",
    "a <= 3",
    "{x, y}",
    "[1; rows 2]",
    "2.5",
    "inf",
    "missing",
    "größe",
    "\u202eesrever",
    "\x1b[31mred",
    "",
    "<b>bold</b>",
    "\ud800",
    "naïve\u00a0space",
)


def mixed(seed, n=173, n_classes=3, names=None):
    """Two numbers, a number with gaps, two categories (one with gaps and many levels), a boolean; classes of them."""
    random = np.random.default_rng(seed)
    x, z = random.normal(size=(2, n)).round(1)
    gaps = np.where(random.random(n) < 0.2, np.nan, random.normal(size=n))
    few = random.integers(0, 3, n)
    many = random.integers(0, 9, n)
    flag = random.random(n) < 0.4
    score = x + (few == 1) - np.isnan(gaps) + 0.7 * flag + 0.3 * (many % 4) + random.normal(size=n) / 2
    columns = [
        x.tolist(),
        z.tolist(),
        gaps.tolist(),
        [f"few {k}" for k in few],
        [None if random.random() < 0.1 else f"level {k}" for k in many],
        flag.tolist(),
    ]
    names = names or ("x", "z", "gaps", "few", "many", "flag")
    cuts = np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1])
    return to_table(dict(zip(names, columns, strict=True))), np.digitize(score, cuts)


def new_rows(tree, random, n=97):
    """Cells anywhere, levels seen and unseen, missing cells."""
    rows = np.empty((n, tree.n_features))
    for j, n_levels in enumerate(tree.n_levels.tolist()):
        ends = tree.threshold[(tree.feature == j) & np.isfinite(tree.threshold)]
        near = np.concatenate([random.normal(size=5), ends, np.nextafter(ends, np.inf)])
        rows[:, j] = random.integers(0, n_levels + 1, n) if n_levels else random.choice(near, n)
    rows[random.random(rows.shape) < 0.15] = np.nan
    return rows


class Learned(NamedTuple):
    model: DecisionTreeClassifier
    full: RuleList  # one rule a leaf
    rules: RuleList  # pruned
    rows: Float
    known: LabeledRows


def learned(data, y, weight=None, **options):
    """A full tree's rules, pruned; the rows they were pruned on."""
    table = to_table(data)
    model = DecisionTreeClassifier().fit(table, y, weight)
    rows = matrix(model.schema_, table)
    codes = np.searchsorted(model.classes_, y)
    known = label_rows(model.labels_, rows, codes, weight)
    full = rules_from_tree(model.hedgerow_tree_, model.labels_)
    return Learned(model, full, post_prune(full, known, **options), rows, known)


def embedded(name):
    found = datasets.load(name)
    return found.table, np.unique(found.target, return_inverse=True)[1]
