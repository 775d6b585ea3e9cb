"""What every pruning looks at, node by node.   In: a fitted tree.   Out: NodeCosts: for each split its chi-square test,
its description length, its errors and pessimistic errors, each as a leaf and with what is below it; it prints itself.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.display import DisplayTable, Result
from hedgerow.docstrings import document
from hedgerow.fitting.validate import number as check_number
from hedgerow.prune.data import add_up, class_weights
from hedgerow.prune.methods.chi_square import p_value, statistic
from hedgerow.prune.methods.minimum_description_length import bits_of_rows, bits_of_test
from hedgerow.prune.methods.pessimistic import estimate_errors
from hedgerow.prune.sequence import node_risk
from hedgerow.tree.labels import Labels, label_tree
from hedgerow.tree.tree import LEAF, Tree
from hedgerow.tree.wording import question_in_words
from hedgerow.types import Count, Float

MOST = 40  # lines that are printed of themselves


@dataclass(frozen=True, eq=False, repr=False)
class NodeCosts(Result):
    """What each pruning compares at every split of a tree.

    Attributes
    ----------
    node :
        Number of each node.
    question :
        What it asks.
    rows :
        Its rows.
    chi_square :
        Statistic of the chi-square test.
    degrees_of_freedom :
        Its degrees of freedom.
    critical_value :
        The statistic that chance exceeds with the significance.
    p_value :
        Its p-value.
    bits_as_leaf :
        Description length as a leaf.
    bits_as_split :
        Description length as a split.
    error_as_leaf :
        Errors as a leaf.
    error_as_split :
        Errors as a split.
    leaves :
        Leaves below it.
    alpha :
        Errors saved by each leaf below it.
    pessimistic_as_leaf :
        Pessimistic errors as a leaf.
    pessimistic_as_split :
        Pessimistic errors as a split.
    significance :
        Significance of the chi-square test.
    confidence :
        Confidence of the pessimistic errors.

    See Also
    --------
    hedgerow.teaching.measure_nodes : Returns it.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, datasets, teaching
    >>> heart = datasets.heart()
    >>> tree = DecisionTreeClassifier(max_depth=2).fit(heart.table, heart.target)
    >>> int(teaching.measure_nodes(tree).rows[0])
    303
    """

    node: Count
    question: tuple[str, ...]
    rows: Count
    chi_square: Float
    degrees_of_freedom: Float
    critical_value: Float
    p_value: Float
    bits_as_leaf: Float
    bits_as_split: Float
    error_as_leaf: Float
    error_as_split: Float
    leaves: Count
    alpha: Float
    pessimistic_as_leaf: Float
    pessimistic_as_split: Float
    significance: float
    confidence: float

    def __len__(self) -> int:
        return len(self.node)

    def tables(self) -> list[DisplayTable]:
        names = (
            "node", "question", "rows", "chi-square", "critical", "p", "bits: leaf", "split", "errors: leaf", "split",
            "leaves", "alpha", "pessimistic: leaf", "split",
        )  # fmt: skip
        lines = [self._line(k) for k in range(min(len(self), MOST))]
        more = len(self) - MOST
        ending = f"and {more:,} more; to_dict() has all" if more > 0 else ""
        return [DisplayTable(names, lines, words=(1,), ending=ending)]

    def _line(self, k: int) -> tuple[str, ...]:
        return (
            str(self.node[k]), self.question[k], f"{self.rows[k]:,}", *(
                _short(value[k])
                for value in (
                    self.chi_square, self.critical_value, self.p_value, self.bits_as_leaf, self.bits_as_split,
                    self.error_as_leaf, self.error_as_split,
                )
            ), str(self.leaves[k]), *(
                _short(value[k]) for value in (self.alpha, self.pessimistic_as_leaf, self.pessimistic_as_split)
            ),
        )  # fmt: skip


@document()
def measure_nodes(model: Any, *, significance: float = 0.05, confidence: float = 0.25) -> NodeCosts:
    """Every split of a fitted tree as the prunings see it.

    Parameters
    ----------
    model : DecisionTreeClassifier or DecisionTreeRegressor
        A fitted tree, also one of `recipe`.
    significance : float
        Significance level of the critical value of the chi-square statistic.
    confidence : float
        Confidence level of the pessimistic errors.

    Returns
    -------
    NodeCosts
        A line for each split. Prints itself.

    See Also
    --------
    compare_prunings : What the prunings then make of a tree.

    Examples
    --------
    >>> from hedgerow import datasets, recipe, teaching
    >>> restaurant = datasets.restaurant()
    >>> tree = recipe("id3").fit(restaurant.table, restaurant.target)
    >>> teaching.measure_nodes(tree).question[0]
    'Pat?'
    """
    tree: Tree | None = getattr(model, "hedgerow_tree_", None)
    if tree is None:
        raise ValueError(
            f"{type(model).__name__} has no tree to measure. Give a fitted DecisionTreeClassifier."
        )
    significance = check_number("significance", significance, 1e-300, 1.0)
    return node_costs(tree, model.labels_, significance, check_number("confidence", confidence, 1e-9, 0.5))


def node_costs(tree: Tree, labels: Labels, significance: float, confidence: float) -> NodeCosts:
    inner, leaf = np.flatnonzero(tree.kind != LEAF), tree.kind == LEAF
    words = label_tree(tree, labels)
    own = node_risk(tree, "misclassification")
    many = below(tree, np.ones(tree.n_nodes)).astype(np.int64)
    error = below(tree, own)
    with np.errstate(divide="ignore", invalid="ignore"):
        alpha = (own - error) / (many - 1)
    of_classes = _of_classes(tree, significance, confidence)
    return NodeCosts(
        node=inner,
        question=tuple(question_in_words(words, int(node)) for node in inner),
        rows=tree.n_rows[inner],
        **{name: values[inner] for name, values in of_classes.items()},
        error_as_leaf=own[inner],
        error_as_split=error[inner],
        leaves=many[inner],
        alpha=np.where(leaf, np.nan, alpha)[inner],
        significance=significance,
        confidence=confidence,
    )


def below(tree: Tree, own: Float) -> Float:
    """For each node the sum over the leaves below it; of a leaf its own."""
    return add_up(tree, np.where(tree.kind == LEAF, own, 0.0)[:, None])[:, 0]


def _of_classes(tree: Tree, significance: float, confidence: float) -> dict[str, Float]:
    from scipy.special import chdtri

    names = (
        "chi_square", "degrees_of_freedom", "critical_value", "p_value", "bits_as_leaf", "bits_as_split",
        "pessimistic_as_leaf", "pessimistic_as_split",
    )  # fmt: skip
    if tree.n_outputs == 1 or tree.n_nodes == 1:
        return {name: np.full(tree.n_nodes, np.nan) for name in names}
    value, freedom = statistic(tree)
    counts = class_weights(tree)
    rows, question = bits_of_rows(counts), bits_of_test(tree)
    spent = add_up(tree, np.where(tree.kind == LEAF, 1.0 + rows, 1.0 + question)[:, None])[:, 0]
    pessimistic = estimate_errors(counts, confidence)
    critical = np.where(freedom > 0, chdtri(np.maximum(freedom, 1.0), significance), np.nan)
    found = (
        value,
        freedom,
        critical,
        p_value(tree),
        1.0 + rows,
        spent,
        pessimistic,
        below(tree, pessimistic),
    )
    return dict(zip(names, found, strict=True))


def _short(value: float) -> str:
    if np.isnan(value):
        return ""
    return f"{value:.3g}" if abs(value) < 100 else f"{value:,.0f}"
