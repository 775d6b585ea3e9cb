"""Rules of a regression tree.   In: a fitted DecisionTreeRegressor.   Out: RegressionRules: if ... then a number, with
the rows each rule covers and how far they spread; it prints itself.

Rules of a tree exclude each other, so that their order does not matter: those of the largest values come first.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hedgerow.display import DisplayTable, Result
from hedgerow.docstrings import document
from hedgerow.tree.conditions import conditions_of_leaves
from hedgerow.tree.formatting import number
from hedgerow.tree.labels import label_tree
from hedgerow.tree.wording import condition_in_words
from hedgerow.types import Count, Float

MOST = 40  # rules that are printed of themselves


@dataclass(frozen=True, eq=False, repr=False)
class RegressionRules(Result):
    """The leaves of a regression tree as rules.

    Attributes
    ----------
    conditions :
        What a row must meet.
    value :
        What the rule predicts.
    rows :
        Training rows it covers.
    deviation :
        Their standard deviation.
    leaf :
        Number of the leaf.

    See Also
    --------
    hedgerow.teaching.list_regression_rules : Returns it.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import DecisionTreeRegressor, teaching
    >>> X = np.random.default_rng(0).normal(size=(60, 2))
    >>> tree = DecisionTreeRegressor(max_depth=1).fit(X, X[:, 0])
    >>> len(teaching.list_regression_rules(tree).conditions)
    2
    """

    conditions: tuple[tuple[str, ...], ...]  # of each rule, in words; all must hold
    value: Float  # what it predicts
    rows: Count
    deviation: Float  # standard deviation of the target among them; of other criteria than squared error NaN
    leaf: Count  # its node in the tree

    def __len__(self) -> int:
        return len(self.value)

    def tables(self) -> list[DisplayTable]:
        lines = [
            (" and ".join(self.conditions[k]) or "always", number(float(self.value[k])), f"{self.rows[k]:,}",
             "" if np.isnan(self.deviation[k]) else number(float(self.deviation[k])))
            for k in range(min(len(self), MOST))
        ]  # fmt: skip
        more = len(self) - MOST
        ending = f"and {more:,} more" if more > 0 else ""
        return [DisplayTable(("if", "then", "rows", "deviation"), lines, ending=ending)]


@document()
def list_regression_rules(model: Any) -> RegressionRules:
    """The rules of a fitted DecisionTreeRegressor, one a leaf, the largest value first.

    Parameters
    ----------
    model : DecisionTreeRegressor
        A fitted tree.

    Returns
    -------
    RegressionRules
        The rules. They print themselves.

    See Also
    --------
    RuleListClassifier : Rules of classes.

    Examples
    --------
    >>> from hedgerow import DecisionTreeRegressor, teaching
    >>> tree = DecisionTreeRegressor(max_depth=1).fit([[0.0], [1.0], [2.0], [3.0]], [0.0, 0.0, 5.0, 5.0])
    >>> teaching.list_regression_rules(tree).value.tolist()
    [5.0, 0.0]
    """
    check_is_fitted(model)
    tree = getattr(model, "hedgerow_tree_", None)
    if tree is None or tree.n_outputs != 1 or hasattr(model, "classes_"):
        raise ValueError(
            f"{type(model).__name__} has no rules of numbers. Give a fitted DecisionTreeRegressor; for classes, "
            "prune_rules or RuleListClassifier."
        )
    words = label_tree(tree, model.labels_)
    found = [
        (leaf, tuple(condition_in_words(words, one) for one in met))
        for leaf, met in conditions_of_leaves(tree)
    ]
    leaves = np.array([leaf for leaf, _ in found], np.int64)
    order = np.argsort(-tree.value[leaves, 0], kind="stable")
    squared = model.criterion in ("squared_error", "friedman_mse")
    deviation = np.sqrt(tree.impurity[leaves]) if squared else np.full(len(leaves), np.nan)
    return RegressionRules(
        tuple(found[k][1] for k in order),
        tree.value[leaves, 0][order],
        tree.n_rows[leaves][order],
        deviation[order],
        leaves[order],
    )
