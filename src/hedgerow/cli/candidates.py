"""Models by the name they are typed as, to be evaluated and compared.   In: a name.   Out: an estimator, not fitted.

Those of models/ (what `fit --model` knows), and trees as they are taught: a stump, a full tree, the recipes.
"""

from importlib import import_module
from typing import Any

from hedgerow.cli.asked import Asked, one_of
from hedgerow.cli.models import NAMES, TREE, model_named
from hedgerow.cli.models.model import Wanted
from hedgerow.recipe_book import RECIPES, recipe

TREES: dict[str, dict[str, Any]] = {
    TREE: {"prune": "cost_complexity"},
    "stump": {"max_depth": 1},
    "full_tree": {},
}
RULES = "rules"
ALL = (*TREES, RULES, *RECIPES, *NAMES)
USUAL = (TREE, "stump", "full_tree", *NAMES)  # compared if nothing is said


def candidate(name: str, asked: Asked, classes: bool) -> Any:
    """The options of Asked that the model knows are its own; the rest are left alone."""
    one_of("model", name, ALL)
    estimators = import_module("hedgerow.estimators")
    if not classes and name in (RULES, *RECIPES):
        raise ValueError(f"{name} is for classes, and the target holds numbers. Leave it out.")
    if name == RULES:
        return estimators.RuleListClassifier()
    if name in RECIPES:
        return recipe(name)
    if name in TREES:
        kind = estimators.DecisionTreeClassifier if classes else estimators.DecisionTreeRegressor
        return kind(**TREES[name])
    return model_named(name).estimator(asked, Wanted(), classes)
