"""Prunings of `hedgerow fit`.   In: what was typed; a fitted tree.   Out: the options, the tree's parameter `prune`;
what the pruning did, as a sentence and as JSON.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hedgerow.cli.options import Extra, plain_name
from hedgerow.display.numbers import json_ready
from hedgerow.display.sentences import many
from hedgerow.errors import ParameterError, Setting
from hedgerow.prune import offered_settings
from hedgerow.prune.method import method_name, method_settings

if TYPE_CHECKING:
    from hedgerow.fitting.tree import FittedTree

COST_COMPLEXITY = "cost_complexity"


def pruning_extras() -> list[Extra]:
    """The settings of all methods, as options."""
    return [Extra(one.name, one.type, f"--prune {one.method}: {one.help}") for one in offered_settings()]


def join_settings(typed: Mapping[str, Any], usual: Any, random_state: int) -> dict[str, Any]:
    """The parameters of a tree: settings of a pruning become part of `prune`.

    usual : the pruning of the model where none is typed, by name or with its settings
    random_state : deals the rows to the folds
    """
    owners = {one.name: one.method for one in offered_settings()}
    settings = {name: value for name, value in typed.items() if name in owners}
    parameters = {name: value for name, value in typed.items() if name not in owners}
    if "prune" in parameters:
        parameters["prune"] = plain_name(parameters["prune"])
    if "ccp_alpha" in parameters:
        _check_alpha(parameters.pop("prune", COST_COMPLEXITY), settings)
        return parameters
    kept = dict(usual) if isinstance(usual, Mapping) else {"method": usual}
    if "prune" in parameters:
        kept = {"method": parameters["prune"]}
    method = kept["method"]
    for name, value in settings.items():
        _check_owner(name, value, owners[name], method)
    if method == COST_COMPLEXITY and random_state:
        settings["random_state"] = random_state
    return {**parameters, "prune": {**kept, **settings}} if settings else parameters


def _check_alpha(prune: str, settings: Mapping[str, Any]) -> None:
    if prune != COST_COMPLEXITY:
        raise ParameterError(
            "{ccp_alpha} is for cost_complexity, but {prune} was given. Give one of them.", prune=prune
        )
    for name in settings:
        raise ParameterError(f"{{{name}}} has no effect where {{ccp_alpha}} is given. Give one of them.")


def _check_owner(name: str, value: Any, owner: str, method: str | None) -> None:
    """A setting that would do nothing is a mistake."""
    if owner != method:
        raise ParameterError(
            f"{{{name}}} is a setting of {owner}, but the pruning is {method or 'none'}. Add {{}}, or leave it out.",
            Setting("prune", owner),
            **({name: False} if value is False else {}),
        )


def describe_pruning(fitted: "FittedTree") -> str:
    whole, leaves, method = fitted.unpruned.n_leaves, fitted.tree.n_leaves, fitted.params.prune
    nothing = f"not at all: {many(whole, 'leaf', 'leaves')}"
    change = f"{whole:,} leaves to {leaves:,}" if leaves < whole else nothing
    if fitted.params.ccp_alpha > 0:
        return f"{change}, at alpha {fitted.params.ccp_alpha:g}"
    if method is None:
        return nothing
    how = ", ".join(_describe_settings(fitted, method))
    return f"{change}, by {method_name(method)}" + (f": {how}" if how else "")


def _describe_settings(fitted: "FittedTree", method: Any) -> list[str]:
    table, name = fitted.cp_table, method_name(method)
    if table is not None:
        what = "log loss" if table.risk == "log_loss" and fitted.tree.n_outputs > 1 else "error"
        rule = "1-SE rule" if table.choose == "1se" else f"smallest {what}"
        return [
            f"{table.n_folds}-fold cross-validation on the training rows",
            f"{rule}: CP {table.cp[table.chosen]:.4g}",
        ]
    values = {one.name: getattr(method, one.name) for one in offered_settings() if one.method == name}
    shown = [_spell(name, value) for name, value in values.items() if value is not None]
    if fitted.held_out is not None:
        n_out = int(fitted.held_out.sum())
        shown.append(f"decided on {n_out:,} of the training rows, which the tree was not grown on")
    return shown


def _spell(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return f"{'with' if value else 'without'} {name}"
    return f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}"


def pruning_json(fitted: "FittedTree") -> dict[str, Any]:
    params, method = fitted.params, fitted.params.prune
    found: dict[str, Any] = {"method": None} if method is None else method_settings(method)
    if params.ccp_alpha > 0:
        found = {"method": COST_COMPLEXITY, "alpha": params.ccp_alpha}
    if fitted.cp_table is not None:
        found["cp_table"] = fitted.cp_table.to_dict()
    return json_ready(found)  # type: ignore[no-any-return]
