"""compare_prunings for estimators.   In: a tree estimator, X, y.   Out: a Comparison. fitting/prunings.py does it."""

from collections.abc import Sequence
from typing import Any

from sklearn.base import clone

from hedgerow.docstrings import document
from hedgerow.estimators.tree import validate
from hedgerow.fitting import prunings
from hedgerow.fitting.target import check_sample_weight
from hedgerow.prune import Comparison
from hedgerow.table import to_table


@document()
def compare_prunings(
    model: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    methods: Sequence[Any] | None = None,
    validation_fraction: float = 0.2,
    test_share: float = 0.3,
    cv: int | None = None,
    random_state: int = 0,
) -> Comparison:
    """Prune one tree by all methods, side by side.

    Parameters
    ----------
    model : DecisionTreeClassifier or DecisionTreeRegressor
        How the tree is grown; fitted or not.
    methods : sequence or None
        Names, or methods of `hedgerow.prune` with their settings. None for all that suit the task.
    cv : int or None
        Parts of a cross-validation, instead of `test_share` once; sizes are then those of a tree of all rows.

    Returns
    -------
    Comparison
        What each method keeps and how it errs. Prints and draws itself.

    See Also
    --------
    DecisionTreeClassifier : Its `prune` takes one of these.
    compare_growth : Greedy, pruned and optimal trees.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, compare_prunings, datasets
    >>> titanic = datasets.titanic()
    >>> found = compare_prunings(DecisionTreeClassifier(), titanic.table, titanic.target)
    >>> found.unpruned.leaves > found.defaults[0].leaves
    True
    """
    model = clone(model).set_params(prune=None, ccp_alpha=0.0, trace=False, merge_leaves=False)
    params = validate(model)
    table = to_table(X, categories=model.categorical_features)
    weight = check_sample_weight(sample_weight, table.n_rows)
    target, _ = model._target(y, table.n_rows, weight, params)
    return prunings.compare_prunings(
        table,
        target,
        params,
        methods=methods,
        validation_fraction=validation_fraction,
        test_share=test_share,
        cv=cv,
        random_state=random_state,
    ).comparison
