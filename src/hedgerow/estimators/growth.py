"""compare_growth for estimators.   In: an optimal tree, X, y.   Out: a GrowthComparison. fitting/growth.py does it."""

from collections.abc import Sequence
from typing import Any

from sklearn.base import clone

from hedgerow.docstrings import document
from hedgerow.errors import ParameterError
from hedgerow.estimators.optimal_tree import OptimalTreeClassifier, OptimalTreeRegressor
from hedgerow.fitting import growth
from hedgerow.fitting.optimal import validate_optimal
from hedgerow.fitting.target import check_sample_weight
from hedgerow.fitting.validate import is_whole, share
from hedgerow.table import to_table


@document()
def compare_growth(
    model: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    sizes: Sequence[int] = (2, 3, 4, 5, 6, 8),
    test_share: float = 0.3,
    random_state: int = 0,
) -> growth.GrowthComparison:
    """Grow the greedy, the pruned and the optimal tree of the same questions, at each size.

    Parameters
    ----------
    model : OptimalTreeClassifier or OptimalTreeRegressor
        Its questions, costs and time limit (for each size).
    sizes : sequence of int
        Most leaves.

    Returns
    -------
    GrowthComparison
        Prints and draws itself.

    See Also
    --------
    OptimalTreeClassifier : The best small tree, proved.
    compare_prunings : All prunings of one tree.

    Examples
    --------
    >>> from hedgerow import OptimalTreeClassifier, compare_growth, datasets
    >>> titanic = datasets.titanic()
    >>> found = compare_growth(OptimalTreeClassifier(), titanic.table, titanic.target, sizes=(2, 3))
    >>> len(found.of("optimal"))
    2
    """
    if not isinstance(model, (OptimalTreeClassifier, OptimalTreeRegressor)):
        raise TypeError(
            "compare_growth takes an OptimalTreeClassifier or an OptimalTreeRegressor, which sets the questions and "
            f"the cost of errors; it was given a {type(model).__name__}."
        )
    wanted = list(sizes)
    if not wanted or not all(is_whole(size) and size >= 2 for size in wanted):
        raise ParameterError("{sizes} must be whole numbers of leaves, at least 2 each.", sizes=sizes)
    model = clone(model)
    params = validate_optimal(model.get_params(deep=False))
    table = to_table(X, categories=model.categorical_features)
    weight = check_sample_weight(sample_weight, table.n_rows)
    target, _ = model._target(y, table.n_rows, weight)
    return growth.compare_growth(
        table,
        target,
        params,
        sizes=[int(size) for size in wanted],
        test_share=share("test_share", test_share),
        seed=random_state,
    )
