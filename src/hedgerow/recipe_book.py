"""Recipes: ID3, C4.5, CART and optimal trees by name.   In: a name.   Out: its parameters, to read or to fit.

hedgerow.recipe("c45").fit(X, y)         print(hedgerow.recipes())
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any

from hedgerow.docstrings import document
from hedgerow.errors import ParameterError
from hedgerow.words import did_you_mean


@dataclass(frozen=True)
class Recipe:
    name: str
    summary: str
    parameters: Mapping[str, Any]  # of the estimator
    tasks: tuple[str, ...]
    estimator: str = "DecisionTreeClassifier"

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.summary}"]
        return "\n".join([*lines, *(f"    {name} = {value!r}" for name, value in self.parameters.items())])


def _recipe(
    name: str,
    summary: str,
    tasks: tuple[str, ...] = ("classification",),
    estimator: str = "DecisionTreeClassifier",
    **parameters: Any,
) -> Recipe:
    return Recipe(name, summary, MappingProxyType(parameters), tasks, estimator)


RECIPES = {
    recipe.name: recipe
    for recipe in (
        _recipe(
            "id3",
            "a branch for each level, chosen by information gain, grown until pure (Quinlan 1986)",
            criterion="entropy",
            splits="multiway",
        ),
        _recipe(
            "c45",
            "gain ratio, thresholds at their cost, missing cells shared out, pessimistic pruning (Quinlan 1993)",
            criterion="gain_ratio",
            splits="multiway",
            missing="fractional",
            min_samples_leaf=2,
            prune="pessimistic",
        ),
        _recipe(
            "cart",
            "two-way splits by Gini, surrogates for missing cells, cross-validated pruning (Breiman et al. 1984)",
            tasks=("classification", "regression"),
            criterion="gini",
            missing="surrogate",
            prune="cost_complexity",
        ),
        _recipe(
            "optimal",
            "the fewest errors of all trees of three levels, proved by branch and bound",
            tasks=("classification", "regression"),
            estimator="OptimalTreeClassifier",
            max_depth=3,
        ),
    )
}
GREEDY = {name: one for name, one in RECIPES.items() if one.estimator == "DecisionTreeClassifier"}


class Recipes(dict[str, Recipe]):
    """All of them; prints itself."""

    def __str__(self) -> str:
        return "\n\n".join(str(recipe) for recipe in self.values())

    __repr__ = __str__


@document()
def recipes() -> Recipes:
    """List the recipes.

    Returns
    -------
    Recipes
        A dict by name, which prints itself.

    See Also
    --------
    recipe : One of them, to fit.

    Examples
    --------
    >>> from hedgerow import recipes
    >>> sorted(recipes())
    ['c45', 'cart', 'id3', 'optimal']
    """
    return Recipes(RECIPES)


def named(name: str) -> Recipe:
    if name in RECIPES:
        return RECIPES[name]
    hint = did_you_mean(str(name).replace(".", ""), RECIPES)
    raise ParameterError("{recipe} is unknown. Known: {}.{}", ", ".join(RECIPES), hint, recipe=name)


@document()
def recipe(name: str, **changes: Any) -> Any:
    """Make an estimator with the parameters of a recipe, and the caller's on top.

    Parameters
    ----------
    name : {"id3", "c45", "cart", "optimal"}
        The recipe.
    **changes : dict
        Other parameters of the estimator.

    Returns
    -------
    estimator
        Not fitted yet.

    See Also
    --------
    recipes : All of them.
    DecisionTreeClassifier : What is set.

    Examples
    --------
    >>> from hedgerow import datasets, recipe
    >>> evenings = datasets.restaurant()
    >>> recipe("id3").fit(evenings.table, evenings.target).get_depth()
    4
    """
    chosen = named(name)
    estimator = getattr(import_module("hedgerow.estimators"), chosen.estimator)
    return estimator(**{**chosen.parameters, **changes})
