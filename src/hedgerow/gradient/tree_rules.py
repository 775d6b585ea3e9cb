"""One tree as rules.   In: a Tree of gradient boosting and its Labels.   Out: TreeRules: for each leaf what a row must
meet to come there, and what it adds."""

from dataclasses import dataclass

import numpy as np

from hedgerow.display import DisplayTable, Result
from hedgerow.tree.conditions import conditions_of_leaves
from hedgerow.tree.labels import Labels, label_tree
from hedgerow.tree.tree import Tree
from hedgerow.tree.wording import condition_in_words


@dataclass(frozen=True)
class LeafRule:
    conditions: tuple[str, ...]  # all must hold
    rows: int  # of training
    adds: float  # to raw


@dataclass(frozen=True, eq=False, repr=False)
class TreeRules(Result):
    """One tree as rules: for each leaf its conditions and what it adds.

    Attributes
    ----------
    output :
        What is added to: "log odds of survived".
    rules :
        Those that add the most first.

    See Also
    --------
    hedgerow.HistGradientBoostingClassifier.rules : Returns it.

    Examples
    --------
    >>> from hedgerow import HistGradientBoostingClassifier, datasets
    >>> heart = datasets.heart()
    >>> model = HistGradientBoostingClassifier(max_iter=2, max_depth=1).fit(heart.table, heart.target)
    >>> len(model.rules(0).rules)
    2
    """

    output: str
    rules: tuple[LeafRule, ...]

    def tables(self) -> list[DisplayTable | str]:
        lines = [
            [f"{rule.adds:+.4g}", f"{rule.rows:,}", " and ".join(rule.conditions) or "always"]
            for rule in self.rules
        ]
        return [DisplayTable([f"added to {self.output}", "rows", "if"], lines, words=(2,))]


def rules_of(tree: Tree, labels: Labels, output: str) -> TreeRules:
    words = label_tree(tree, labels)
    found = [
        LeafRule(
            tuple(condition_in_words(words, condition) for condition in met),
            int(tree.n_rows[leaf]),
            float(tree.value[leaf, 0]),
        )
        for leaf, met in conditions_of_leaves(tree)
    ]
    order = np.argsort([-rule.adds for rule in found], kind="stable")
    return TreeRules(output, tuple(found[k] for k in order))
