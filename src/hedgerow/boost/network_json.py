"""A network as plain values.   In: a Network.   Out: numbers, texts and lists, ready for JSON; and back, checked.

Each column says how it becomes inputs: a number less its mean, in deviations; a category 0 or 1 for each level; and
one more input, 0 or 1, where a column had gaps in training.
"""

from typing import Any

import numpy as np

from hedgerow.boost.network import Network, check
from hedgerow.encode import Preparation, Schema
from hedgerow.table import KINDS, Kind

LAYERS = ("hidden", "bias", "output", "intercept")


def network_to_dict(network: Network) -> dict[str, Any]:
    layers = {name: getattr(network, name).tolist() for name in LAYERS}
    head = {"activation": network.activation, "delta": network.delta, "named": network.inputs.schema.named}
    return head | {"columns": _columns(network.inputs)} | layers


def _columns(inputs: Preparation) -> list[dict[str, Any]]:
    out = []
    for j, (name, kind) in enumerate(zip(inputs.schema.names, inputs.schema.kinds, strict=True)):
        column: dict[str, Any] = {"name": name, "kind": kind, "gap": bool(inputs.gaps[j])}
        if kind == "category":
            column["levels"] = [inputs.schema.levels[j][k] for k in inputs.levels[j]]
        else:
            column |= {"mean": float(inputs.centre[j]), "deviation": float(inputs.scale[j])}
        out.append(column)
    return out


def network_from_dict(given: dict[str, Any]) -> Network:
    """The network that `network_to_dict` wrote; a ValueError if its parts do not fit together."""
    try:
        layers = {name: np.asarray(given[name], np.float64) for name in LAYERS}
        inputs = _preparation(given["columns"], bool(given["named"]))
        network = Network(inputs, str(given["activation"]), float(given["delta"]), **layers)
    except (KeyError, TypeError, AttributeError) as reason:
        raise ValueError(f"This is no network: {type(reason).__name__}: {reason}.") from None
    check(network)
    return network


def _preparation(columns: list[dict[str, Any]], named: bool) -> Preparation:
    kinds: tuple[Kind, ...] = tuple(column["kind"] for column in columns)
    unknown = sorted(set(map(str, kinds)) - set(KINDS))
    if unknown:
        raise ValueError(f"A column of kind {unknown[0]!r} is unknown. Known: {', '.join(KINDS)}.")
    levels = tuple(tuple(map(str, column.get("levels", ()))) for column in columns)
    return Preparation(
        Schema(tuple(str(column["name"]) for column in columns), kinds, levels, named),
        np.array([float(column.get("mean", 0.0)) for column in columns]),
        np.array([float(column.get("deviation", 1.0)) for column in columns]),
        tuple(np.arange(len(words)) for words in levels),
        np.array([bool(column["gap"]) for column in columns], bool),
    )
