"""Rule post-pruning of a given tree, every considered removal shown.   In: a fitted tree, rows.   Out: RulePruning: the
rules before and after, and for each rule, step by step, what its error would be without each precondition.

The rules are those of hedgerow.rules.post_prune; the steps are worked out here once more, plainly, and a test compares.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hedgerow.core.sparse_rows import as_matrix, in_blocks
from hedgerow.display import DisplayTable, Result
from hedgerow.docstrings import document
from hedgerow.encode import matrix
from hedgerow.estimators.prune_with import read_prune_with
from hedgerow.estimators.targets import codes_of
from hedgerow.fitting.validate import number
from hedgerow.grow import Classes
from hedgerow.rules import LabeledRows, Rule, RuleList, label_rows, post_prune, rules_from_tree
from hedgerow.rules.drop import merge_conditions, split_conditions
from hedgerow.rules.estimate import Estimate, held_out, pessimistic
from hedgerow.rules.match import find_covered
from hedgerow.rules.rule import DIGITS
from hedgerow.rules.wording import conditions_in_words, make_words
from hedgerow.tree.conditions import Condition

MOST = 12  # rules whose steps are printed of themselves


@dataclass(frozen=True)
class Removal:
    """One precondition that could go: what the rule would cover without it, and its estimated error then."""

    precondition: str
    rows: float
    wrong: float
    error: float
    removed: bool


@dataclass(frozen=True)
class RuleSteps:
    """A rule of the tree on its way; the last step is the one that removes nothing."""

    rule: str  # as the tree has it
    decision: str
    error: float  # estimated, with all preconditions
    steps: tuple[tuple[Removal, ...], ...]
    left: str  # what remains; "always" where nothing does


@dataclass(frozen=True, eq=False, repr=False)
class RulePruning(Result):
    """The rules of a tree, before and after each considered removal of a condition.

    Attributes
    ----------
    before :
        The rules as the tree has them.
    rules :
        The rules after pruning.
    considered :
        Every removal that was considered.
    estimate :
        How accuracy is estimated.
    model :
        The tree.

    See Also
    --------
    hedgerow.teaching.prune_rules : Returns it.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, datasets, teaching
    >>> heart = datasets.heart()
    >>> tree = DecisionTreeClassifier(max_depth=2).fit(heart.table, heart.target)
    >>> found = teaching.prune_rules(tree, heart.table, heart.target)
    >>> len(found.before) >= len(found.rules)
    True
    """

    before: RuleList
    rules: RuleList
    considered: tuple[RuleSteps, ...]
    estimate: str
    model: Any

    def predict(self, X: Any) -> Any:
        """The class of the first rule that holds for each row, or the default."""
        rows, _ = self.model._rows(X)
        return self.model.classes_[in_blocks(self.rules.predict, rows)]

    def to_dict(self) -> dict[str, Any]:
        return {
            "estimate": self.estimate,
            "before": self.before.to_dict(),
            "rules": self.rules.to_dict(),
            "considered": [
                {
                    "rule": one.rule,
                    "decision": one.decision,
                    "error": one.error,
                    "steps": [[vars(removal) for removal in step] for step in one.steps],
                    "left": one.left,
                }
                for one in self.considered
            ],
        }

    def tables(self) -> list[DisplayTable | str]:
        shown: list[DisplayTable | str] = [_table(one) for one in self.considered[:MOST]]
        more = len(self.considered) - MOST
        if more > 0:
            shown.append(f"{more:,} more rules; `considered` has all.")
        return [
            f"Errors estimated {self.estimate}.",
            *shown,
            "Rules that are left, in their order:",
            str(self.rules),
        ]


@document()
def prune_rules(
    model: Any, X: Any, y: Any, *, prune_with: tuple[Any, Any] | None = None, confidence: float = 0.25
) -> RulePruning:
    """The rules of a fitted tree (CART, ID3, C4.5), each rid of preconditions it does better without.

    Parameters
    ----------
    model : DecisionTreeClassifier
        A fitted tree, such as `recipe("id3").fit(X, y)`.
    X : array-like or frame
        The rows of fit.
    y : array-like of shape (n_samples,)
        Their classes.
    prune_with : tuple of (X, y) or None
        Other rows, on which errors are then estimated as (wrong + 1/2) / (rows + 1). None: the rows of fit.
    confidence : float
        Confidence level of the pessimistic estimate on the rows of fit.

    Returns
    -------
    RulePruning
        Every removal that was considered, and the rules that remain. Prints itself.

    See Also
    --------
    RuleListClassifier : Rules as a model, pruned as C4.5rules does it.

    Examples
    --------
    >>> from hedgerow import datasets, recipe, teaching
    >>> restaurant = datasets.restaurant()
    >>> tree = recipe("id3").fit(restaurant.table, restaurant.target)
    >>> found = teaching.prune_rules(tree, restaurant.table, restaurant.target)
    >>> len(found.rules) <= len(found.before)
    True
    """
    check_is_fitted(model)
    if not hasattr(model, "hedgerow_tree_") or not hasattr(model, "classes_"):
        raise ValueError(
            f"{type(model).__name__} has no rules to prune. Give a fitted DecisionTreeClassifier."
        )
    confidence = number("confidence", confidence, 1e-9, 1 - 1e-9)
    before = rules_from_tree(model.hedgerow_tree_, model.labels_)
    rows, _ = model._rows(X)
    seen = label_rows(model.labels_, as_matrix(rows), codes_of(model.classes_, y, len(as_matrix(rows))))
    unseen = None
    if prune_with is not None:
        table, target = read_prune_with(model, prune_with) or (None, None)
        assert table is not None
        assert isinstance(target, Classes)
        unseen = label_rows(model.labels_, matrix(model.schema_, table), target.codes)
    estimate: Estimate = pessimistic(confidence) if unseen is None else held_out
    how = f"pessimistically, at confidence {confidence:g}" if unseen is None else "on the rows of prune_with"
    steps = tuple(_steps(before, rule, seen if unseen is None else unseen, estimate) for rule in before.rules)
    return RulePruning(
        before, post_prune(before, seen, confidence=confidence, unseen=unseen), steps, how, model
    )


def _steps(rules: RuleList, rule: Rule, rows: LabeledRows, estimate: Estimate) -> RuleSteps:
    """While some removal does not raise the estimate: the one of the least, then of the most rows, then the last."""
    words, parts = make_words(rules), split_conditions(rule.conditions)
    error = first = _measure(parts, rule.decision, rows, estimate)[2]
    steps: list[tuple[Removal, ...]] = []
    while parts:
        found = [
            _measure(parts[:k] + parts[k + 1 :], rule.decision, rows, estimate) for k in range(len(parts))
        ]
        best = min(range(len(parts)), key=lambda k: (round(found[k][2], DIGITS), -round(found[k][0], 9), -k))
        goes = round(found[best][2], DIGITS) <= round(error, DIGITS)
        texts = [conditions_in_words(words, (part,))[0] for part in parts]
        steps.append(tuple(Removal(texts[k], *found[k], goes and k == best) for k in range(len(parts))))
        if not goes:
            break
        error = found[best][2]
        del parts[best]

    def wording(conditions: tuple[Condition, ...]) -> str:
        return " and ".join(conditions_in_words(words, conditions)) or "always"

    decision = str(rules.labels.classes[rule.decision])
    return RuleSteps(
        wording(rule.conditions), decision, first, tuple(steps), wording(merge_conditions(parts))
    )


def _measure(
    parts: list[Condition], decision: int, rows: LabeledRows, estimate: Estimate
) -> tuple[float, float, float]:
    """Rows covered, rows wrong, estimated error."""
    covered = find_covered(tuple(parts), rows.cells)
    weight = rows.weight[covered]
    total = float(weight.sum())
    wrong = float(weight[rows.codes[covered] != decision].sum())
    return total, wrong, float(np.asarray(estimate(np.array([wrong]), np.array([total])))[0])


def _table(one: RuleSteps) -> DisplayTable:
    lines, marks = [], []
    for number_, step in enumerate(one.steps, 1):
        for removal in step:
            lines.append(
                (f"{number_}", f"without {removal.precondition}", f"{removal.rows:g}", f"{removal.wrong:g}",
                 f"{removal.error:.3f}")
            )  # fmt: skip
            marks.append("->" if removal.removed else "")
    return DisplayTable(
        ("step", "", "rows", "wrong", "estimated error"),
        lines,
        words=(1,),
        caption=f"if {one.rule} then {one.decision}    (estimated error {one.error:.3f})",
        marks=marks,
        ending=f"left: if {one.left} then {one.decision}",
    )
