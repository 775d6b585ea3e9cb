"""panel: the models a study compares. One file each, in this order from simple to rich; entrant.py says what such a
file has.
"""

from importlib import import_module

from hedgerow.candidates.entrant import Entrant
from hedgerow.fitting.validate import one_of

NAMES = (
    "baseline",
    "stump",
    "tree",
    "rules",
    "bagging",
    "forest",
    "adaboost",
    "boosted_trees",
    "linear_svm",
    "radial_svm",
)


def entrants(asked: tuple[str, ...], task: str) -> dict[str, Entrant]:
    """Those asked for, or all, as far as they know the task. The baseline is always among them."""
    for name in asked:
        one_of("models", name, NAMES)
    wanted = [name for name in NAMES if not asked or name in asked or name == "baseline"]
    loaded: dict[str, Entrant] = {name: import_module(f"{__name__}.{name}") for name in wanted}
    found = {name: one for name, one in loaded.items() if task in one.TASKS}
    unable = [name for name in asked if name not in found]
    if unable:
        raise ValueError(f"{', '.join(unable)} cannot do {task}. These can: {', '.join(_able(task))}.")
    return found


def _able(task: str) -> list[str]:
    return [name for name in NAMES if task in import_module(f"{__name__}.{name}").TASKS]
