"""compare_max_features: the effect of m, the columns looked at in each node.

In: a forest, a table, a target.   Out: the out-of-bag loss for each m, and why: how strong and how alike the trees
are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from hedgerow.display import DisplayTable, Result
from hedgerow.docstrings import document
from hedgerow.ensemble.diversity import Diversity
from hedgerow.types import Float

HEAD = ["m", "out-of-bag loss", "+-", "a tree alone", "correlation"]


@dataclass(frozen=True, eq=False)
class Effect:
    """One m."""

    m: int
    loss: float  # error rate, or mean squared error
    standard_error: float
    member_loss: float  # of one tree, on average
    correlation: float  # of the trees
    curve: Float


@dataclass(frozen=True, eq=False, repr=False)
class MaxFeatures(Result):
    """The effect of the number of columns looked at in each node.

    Attributes
    ----------
    effects :
        What each number of columns gives.
    n_columns :
        Columns of the table.

    See Also
    --------
    hedgerow.compare_max_features : Returns it.

    Examples
    --------
    >>> from hedgerow import RandomForestClassifier, compare_max_features, datasets
    >>> heart = datasets.heart()
    >>> forest = RandomForestClassifier(10, random_state=0)
    >>> found = compare_max_features(forest, heart.table, heart.target)
    >>> found.n_columns
    13
    """

    effects: tuple[Effect, ...]
    n_columns: int
    is_error_rate: bool

    @property
    def best(self) -> Effect:
        """The effect with the least loss."""
        return min(self.effects, key=lambda effect: effect.loss)

    def to_dict(self) -> dict[str, Any]:
        return {
            "n_columns": self.n_columns,
            "effects": [{**vars(effect), "curve": effect.curve.tolist()} for effect in self.effects],
        }

    def tables(self) -> list[DisplayTable]:
        rows = [
            [
                f"{e.m} (bagging)" if e.m == self.n_columns else f"{e.m}",
                f"{e.loss:.4g}",
                f"{e.standard_error:.2g}",
                f"{e.member_loss:.4g}",
                f"{e.correlation:.3f}",
            ]
            for e in self.effects
        ]
        note = (
            f"Smallest loss at m = {self.best.m} of {self.n_columns} columns. With fewer columns a node, trees alone "
            "are weaker but less alike."
        )
        return [DisplayTable(HEAD, rows, notes=[note])]

    def draw(self, ax: Any = None) -> Any:
        """The out-of-bag loss over the number of trees, a line for each m. Returns the Axes."""
        from hedgerow.draw.learning import draw_max_features

        return draw_max_features(self, ax=ax)


@document()
def compare_max_features(
    model: Any, X: Any, y: Any, sample_weight: Any = None, *, values: Sequence[int] | None = None
) -> MaxFeatures:
    """Grow a forest for each number of columns looked at in a node.

    Parameters
    ----------
    model : RandomForest or ExtraTrees estimator
        How the forests are set; it must draw rows.
    values : sequence of int or None
        Numbers of columns. None for 1, d/4, sqrt d, d/2 and d.

    Returns
    -------
    MaxFeatures
        Out-of-bag losses, strength and correlation. Prints and draws itself.

    See Also
    --------
    RandomForestClassifier : Its `max_features`.
    validation_curve : Any parameter of any model.

    Examples
    --------
    >>> from hedgerow import RandomForestClassifier, compare_max_features, datasets
    >>> titanic = datasets.titanic()
    >>> forest = RandomForestClassifier(20, random_state=0)
    >>> found = compare_max_features(forest, titanic.table, titanic.target, values=(1, 2))
    >>> len(found.effects)
    2
    """
    n_columns = clone(model).set_params(n_estimators=1, max_depth=1).fit(X, y, sample_weight).n_features_in_
    if values is None:
        root = max(1, int(np.sqrt(n_columns)))
        values = [1, root, n_columns // 4, n_columns // 2, n_columns]
    wanted = sorted({int(m) for m in values if m})
    if not wanted or wanted[0] < 1 or wanted[-1] > n_columns:
        raise ValueError(f"values={list(values)!r}: give numbers of columns from 1 to {n_columns}.")
    effects = []
    for m in wanted:
        forest = clone(model).set_params(max_features=m).fit(X, y, sample_weight)
        loss, error = forest.oob_.loss
        why = forest.diversity()
        effects.append(Effect(m, loss, error, why.member_error, why.correlation, forest.oob_.curve))
    return MaxFeatures(tuple(effects), n_columns, isinstance(why, Diversity))
