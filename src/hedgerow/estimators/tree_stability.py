"""stability for estimators.   In: a tree estimator, X, y.   Out: a Stability. fitting/stability.py counts."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone

from hedgerow.core import threads_for
from hedgerow.docstrings import document
from hedgerow.encode import encode, matrix
from hedgerow.estimators.optimal_tree import OptimalTreeClassifier, OptimalTreeRegressor
from hedgerow.estimators.tree import DecisionTreeClassifier, DecisionTreeRegressor, validate
from hedgerow.fitting.grower import make_grower
from hedgerow.fitting.optimal import apply_costs, solve_for, validate_optimal
from hedgerow.fitting.stability import count_agreement, draw_weights
from hedgerow.fitting.stability_report import Stability
from hedgerow.fitting.target import check_sample_weight
from hedgerow.fitting.tree import refit_tree
from hedgerow.fitting.validate import draw_seed, whole
from hedgerow.grow import Target
from hedgerow.optimal import make_questions
from hedgerow.table import Table, to_table
from hedgerow.tree.tree import Tree
from hedgerow.types import Float

GREEDY = (DecisionTreeClassifier, DecisionTreeRegressor)
OPTIMAL = (OptimalTreeClassifier, OptimalTreeRegressor)


@document()
def stability(
    model: Any, X: Any, y: Any, sample_weight: Any = None, *, n_replicas: int = 200, random_state: Any = 0
) -> Stability:
    """Measure how much of a tree comes back when it is grown again on bootstrap rows. `.agreement_tree` is what half
    of the replicas share.

    Parameters
    ----------
    model : DecisionTree or OptimalTree estimator
        Fitted to these rows, or not fitted: then it is fitted first.
    n_replicas : int
        Trees that are grown again, each on as many rows drawn with replacement.

    Returns
    -------
    Stability
        Prints and draws itself; `.sentence` says it in words.

    See Also
    --------
    OptimalTreeClassifier : Small trees worth reading.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, datasets, stability
    >>> titanic = datasets.titanic()
    >>> found = stability(DecisionTreeClassifier(max_depth=2), titanic.table, titanic.target, n_replicas=20)
    >>> bool(found.share[0] > 0.9)  # sex, at the root
    True
    """
    if not isinstance(model, GREEDY + OPTIMAL):
        known = ", ".join(kind.__name__ for kind in GREEDY + OPTIMAL)
        raise TypeError(f"stability takes one tree: {known}; it was given a {type(model).__name__}.")
    n_replicas = whole("n_replicas", n_replicas, 1)
    if not hasattr(model, "hedgerow_tree_"):
        model = clone(model).fit(X, y, sample_weight)
    table = to_table(X, categories=model.categorical_features)
    weight = check_sample_weight(sample_weight, table.n_rows)
    fresh = clone(model)
    if isinstance(model, GREEDY):
        target, refit = _regrow(fresh, y, table, weight)
    else:
        target, refit = _solve_again(fresh, y, table, weight)
    replicas = draw_weights(target, table.n_rows, n_replicas, draw_seed(random_state))
    cells = matrix(model.schema_, table)
    all_weight = np.ones(table.n_rows) if target.weight is None else target.weight
    counts = count_agreement(model.hedgerow_tree_, cells, all_weight, replicas, refit)
    return Stability(model.hedgerow_tree_, model.labels_, counts, n_replicas)


def _regrow(model: Any, y: Any, table: Table, weight: Float | None) -> tuple[Target, Callable[[Float], Tree]]:
    params = replace(validate(model), trace=False)
    target, _ = model._target(y, table.n_rows, weight, params)
    grower = make_grower(table, target, params)
    return target, lambda drawn: refit_tree(grower, replace(target, weight=drawn), params)


def _solve_again(
    model: Any, y: Any, table: Table, weight: Float | None
) -> tuple[Target, Callable[[Float], Tree]]:
    params = validate_optimal(model.get_params(deep=False))
    target, _ = model._target(y, table.n_rows, weight)
    target, costs = apply_costs(target, params.cost_matrix)
    threads = threads_for(params.n_jobs, table.n_rows * len(table.columns))
    rows = encode(table, threads=threads)
    questions = make_questions(
        rows,
        target,
        max_thresholds=params.max_thresholds,
        max_subset_size=params.max_subset_size,
        threads=threads,
    )

    def refit(drawn: Float) -> Tree:
        found = solve_for(rows, replace(target, weight=drawn), costs, questions, params)
        if found.interrupt is not None:
            raise found.interrupt
        return found.tree

    return target, refit
