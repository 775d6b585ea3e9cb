"""How a tree is to be pruned.   In: what was typed.   Out: Plan: a method, and its parameters in Python.

--prune NAME        a method of hedgerow.prune, with the settings typed for it
--prune-alpha A     cost-complexity pruning at this alpha
--recipe NAME       as the recipe does
nothing             cost-complexity pruning; alpha by cross-validation, the 1-SE rule
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from hedgerow.cli.asked import Asked, one_of, option
from hedgerow.prune import Method, load_methods, make_method
from hedgerow.prune.methods.cost_complexity import CostComplexity
from hedgerow.recipe_book import named
from hedgerow.table.split import stratified_split
from hedgerow.types import Count, Mask

N_FOLDS = 5  # without --prune
ASIDE = 0.2  # of the training rows, for a method that needs rows the tree has not seen
NONE = "none"
SETTINGS = {
    "confidence": "pessimistic",
    "raising": "pessimistic",
    "significance": "chi_square",
    "price": "minimum_description_length",
    "depth": "depth_limit",
    "leaves": "leaf_limit",
    "folds": "cost_complexity",
    "choose": "cost_complexity",
}


@dataclass(frozen=True)
class Wish:
    """What is asked about pruning alone: a method, and settings of methods."""

    prune: str | None = None
    confidence: float | None = None
    raising: bool = True
    significance: float | None = None
    price: float | None = None
    depth: int | None = None
    leaves: int | None = None
    folds: int | None = None
    choose: str | None = None

    def __post_init__(self) -> None:
        if self.prune is not None:
            one_of("--prune", self.prune, (*load_methods(), NONE))
        if self.folds is not None and self.folds < 2:
            raise ValueError(f"--folds {self.folds} is out of range. Give at least 2.")

    def settings(self) -> dict[str, Any]:
        """Those that were typed."""
        defaults = {one.name: one.default for one in fields(self)}
        given = {name: getattr(self, name) for name in SETTINGS}
        return {name: value for name, value in given.items() if value is not defaults[name]}


@dataclass(frozen=True)
class Plan:
    method: Method | None
    parameters: Mapping[str, Any]  # that ask for the same in Python: prune, or ccp_alpha
    why: str = ""  # where the method does not say it itself
    usual: bool = False  # nothing was asked for

    def set_aside(self, strata: Count) -> Mask | None:
        """The rows held out for the method; None where it needs none."""
        if self.method is None or self.method.needs != "held_out":
            return None
        return stratified_split(strata, ASIDE, 0)


def plan_of(asked: Asked, wish: Wish, task: str) -> Plan:
    if asked.prune_alpha is not None:
        return _at_alpha(asked, wish)
    if wish.prune is None and asked.recipe is None:
        _check_settings(wish, "")
        return Plan(_usual(asked.seed), {}, usual=True)
    name = wish.prune or named(asked.recipe or "").parameters.get("prune") or NONE
    _check_settings(wish, name)
    if name == NONE:
        return Plan(None, {}, "--prune none" if wish.prune else f"{asked.recipe} does not prune")
    if task not in load_methods()[name].tasks:
        suit = [other for other, kind in load_methods().items() if task in kind.tasks]
        raise ValueError(f"--prune {name} is not for {task}. For {task}: {', '.join(suit)}.")
    settings = wish.settings()
    if name == "cost_complexity" and asked.seed:
        settings["random_state"] = asked.seed
    given = {"method": name, **settings} if settings else name
    return Plan(_made(name, given), {"prune": given})


def _usual(seed: int) -> CostComplexity:
    return CostComplexity(folds=N_FOLDS, risk="impurity", links="exact", random_state=seed)


def _at_alpha(asked: Asked, wish: Wish) -> Plan:
    if wish.prune not in (None, "cost_complexity"):
        raise ValueError(
            f"--prune-alpha is for cost_complexity, but --prune {wish.prune} was asked for. Give one of them."
        )
    for name in wish.settings():
        raise ValueError(f"{_shown(name)} has no say where --prune-alpha is given. Give one of them.")
    return Plan(
        CostComplexity(alpha=asked.prune_alpha),
        {"ccp_alpha": asked.prune_alpha},
        "asked for by --prune-alpha",
    )


def _made(name: str, given: Any) -> Method | None:
    try:
        return make_method(given)
    except ValueError as reason:
        told = str(reason).partition(": ")[2].replace("or None to", "or leave it out to")
        raise ValueError(f"--prune {name}: {told}") from None


def _check_settings(wish: Wish, name: str) -> None:
    """A setting that would do nothing is a mistake."""
    for setting in wish.settings():
        owner = SETTINGS[setting]
        if owner != name:
            but = f", but the pruning is {name}" if name else ""
            raise ValueError(
                f"{_shown(setting)} is a setting of {owner}{but}. Add --prune {owner}, or leave it out."
            )


def _shown(setting: str) -> str:
    """As it was typed."""
    return "--no-raising" if setting == "raising" else option(setting)
