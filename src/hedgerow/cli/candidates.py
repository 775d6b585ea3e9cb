"""Models by the name they are typed as, to be evaluated and compared.   In: a name.   Out: an estimator, not fitted.

Those of models/ (what `fit --model` knows), and trees as they are taught: a stump, a full tree, the recipes.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from hedgerow.cli.models import NAMES, TREE, model_named

if TYPE_CHECKING:
    from hedgerow.cli.asked import Asked

TREES: dict[str, dict[str, Any]] = {
    TREE: {"prune": "cost_complexity"},
    "stump": {"max_depth": 1},
    "full_tree": {},
}
RULES = "rules"
RECIPES = ("id3", "c45", "cart")  # those of hedgerow.recipe_book, which is not loaded for a name
ALL = (*TREES, RULES, *RECIPES, *NAMES)
USUAL = (TREE, "stump", "full_tree", *NAMES)  # compared if nothing is said


def candidate(name: str, asked: "Asked", classes: bool) -> Any:
    """The options of Asked that the model knows are its own; the rest are left alone."""
    from hedgerow.cli.asked import one_of
    from hedgerow.cli.models.model import Wanted
    from hedgerow.recipe_book import recipe

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
