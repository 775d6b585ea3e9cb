"""--model extra_trees: extremely randomised trees."""

from typing import Any

from hedgerow.cli.asked import Asked
from hedgerow.cli.models.forest import OPTIONS, facts, importances, made, picture
from hedgerow.cli.models.model import Wanted

WORDS = "extra trees"

__all__ = ["OPTIONS", "WORDS", "estimator", "facts", "importances", "picture"]


def estimator(asked: Asked, wanted: Wanted, classes: bool) -> Any:
    from hedgerow.estimators import ExtraTreesClassifier, ExtraTreesRegressor

    model = made(ExtraTreesClassifier if classes else ExtraTreesRegressor, asked, wanted)
    return model if wanted.stop is None else model.set_params(bootstrap=True)  # a curve needs rows out of bag
