"""Names for models.   In: a dict, or a list of models or of (name, model).   Out: a dict by name."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from hedgerow.evaluation.words import many
from hedgerow.table.words import quote


def named_models(models: Any) -> dict[str, Any]:
    if isinstance(models, Mapping):
        found = _from_pairs(list(models.items()))
    elif isinstance(models, (list, tuple)):
        found = _from_list(list(models))
    else:
        raise TypeError(f"models={quote(models)}: wanted a dict of models by name, or a list of models.")
    if len(found) < 2:
        raise ValueError(
            f"{many(len(found), 'model')} given; a comparison wants at least two. For one: evaluate(model, X, y)."
        )
    for name, model in found.items():
        if isinstance(model, type) or not hasattr(model, "fit"):
            raise TypeError(
                f"{quote(name)} is {quote(model)}, which is no estimator. Give such as Tree(), with brackets."
            )
    return found


def _from_list(models: list[Any]) -> dict[str, Any]:
    if models and all(isinstance(one, tuple) and len(one) == 2 for one in models):
        return _from_pairs(models)
    short = [type(model).__name__ for model in models]
    if len(set(short)) < len(short):
        short = [" ".join(str(model).split()) for model in models]
    if len(set(short)) < len(short):
        short = [f"{name} ({k + 1})" for k, name in enumerate(short)]
    return dict(zip(short, models, strict=True))


def _from_pairs(pairs: list[tuple[Any, Any]]) -> dict[str, Any]:
    count = Counter(str(name) for name, _ in pairs)
    twice = [name for name, times in count.items() if times > 1]
    if twice:
        raise ValueError(f"Two models are named {quote(twice[0])}. Give each a name of its own.")
    return {str(name): model for name, model in pairs}
