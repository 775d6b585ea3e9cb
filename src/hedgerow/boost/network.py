"""Network: a boosted sum of neurons as one hidden layer.   In: Rounds of neurons.   Out: arrays that predict the same.

    x  ->  standardised inputs  ->  units Z(hidden . x + bias)  ->  score = output . units + intercept

Round t's neuron is unit t, and its alpha, times the neuron's own height, is the weight of the unit. Nothing is lost:
the sum is the network.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow.boost.combine import classes_of_scores
from hedgerow.boost.rounds import Round, Rounds
from hedgerow.boost.unit import ACTIVATIONS, Unit
from hedgerow.display.sentences import many
from hedgerow.encode import Preparation, numbers
from hedgerow.table import Table, to_table
from hedgerow.types import Float, Index

BLOCK = 8192  # rows at a time, so that their units fit in a cache


@dataclass(frozen=True, eq=False, repr=False)
class Network:
    inputs: Preparation  # how a table becomes numbers
    activation: str
    delta: float
    hidden: Float  # units x inputs
    bias: Float  # units
    output: Float  # scores x units
    intercept: Float  # scores

    @property
    def n_units(self) -> int:
        return len(self.bias)

    @property
    def n_parameters(self) -> int:
        return self.hidden.size + self.bias.size + int(np.count_nonzero(self.output)) + self.intercept.size

    def scores(self, X: Any) -> Float:
        """Rows x scores, for a table of the columns of training."""
        categories = [j for j, kind in enumerate(self.inputs.schema.kinds) if kind == "category"]
        table = X if isinstance(X, Table) else to_table(X, categories=categories or None)
        standard = numbers(self.inputs, table)
        out = np.empty((table.n_rows, len(self.intercept)))
        for start in range(0, table.n_rows, BLOCK):
            part = slice(start, start + BLOCK)
            out[part] = self.scores_of(standard[part])
        return out

    def scores_of(self, standard: Float) -> Float:
        """The same for inputs that are numbers already."""
        return self.units_of(standard) @ self.output.T + self.intercept

    def units_of(self, standard: Float) -> Float:
        """Rows x units."""
        return ACTIVATIONS[self.activation].value(standard @ self.hidden.T + self.bias, self.delta)

    def outputs(self, X: Any) -> Float:
        """Rows x scores: the outer Z, tanh of the score: a confidence between -1 and 1 (lecture 001)."""
        return np.tanh(self.scores(X))

    def draw(self, ax: Any = None, *, most: int = 12) -> Any:
        """Inputs, units and score with matplotlib; at most so many inputs and units. Returns the Axes."""
        from hedgerow.draw.network import draw_network

        return draw_network(self, most=most, ax=ax)

    def choices(self, X: Any) -> Index:
        """Class numbers."""
        return classes_of_scores(self.scores(X))

    def with_parameters(self, hidden: Float, bias: Float, output: Float, intercept: Float) -> "Network":
        return replace(self, hidden=hidden, bias=bias, output=output, intercept=intercept)

    def to_dict(self) -> dict[str, Any]:
        """Numbers, texts and lists: ready for JSON."""
        from hedgerow.boost.network_json import network_to_dict

        return network_to_dict(self)

    @staticmethod
    def from_dict(given: dict[str, Any]) -> "Network":
        """The network `to_dict` wrote; a ValueError if its parts do not fit together."""
        from hedgerow.boost.network_json import network_from_dict

        return network_from_dict(given)

    def __repr__(self) -> str:
        zone = "" if self.activation == "tanh" else f"(delta={self.delta:g})"
        return (
            f"<Network: {len(self.inputs.names)} inputs -> {self.n_units} units {self.activation}{zone} -> "
            f"{many(len(self.intercept), 'score')}, {self.n_parameters:,} parameters>"
        )


def check(network: Network) -> None:
    """Raises unless the parts fit together and every number is finite."""
    n, units, scores = len(network.inputs.names), len(network.bias), len(network.intercept)
    if network.activation not in ACTIVATIONS:
        raise ValueError(f"activation={network.activation!r} is unknown. Known: {', '.join(ACTIVATIONS)}.")
    parts = {
        "hidden": (network.hidden, (units, n)),
        "bias": (network.bias, (units,)),
        "output": (network.output, (scores, units)),
        "intercept": (network.intercept, (scores,)),
    }
    for name, (found, wanted) in parts.items():
        if found.shape != wanted:
            raise ValueError(
                f"A network of {n} inputs, {units} units and {scores} scores has {name} of shape {wanted}, but it is "
                f"{found.shape}."
            )
        if not np.isfinite(found).all():
            raise ValueError(f"{name} of the network holds a number that is not finite.")
    if not np.isfinite(network.delta) or network.delta < 0 or (network.inputs.scale <= 0).any():
        raise ValueError("delta of the network must be 0 or more, and every scale above 0.")
    if not np.isfinite(network.inputs.centre).all() or not np.isfinite(network.inputs.scale).all():
        raise ValueError("A mean or a deviation of the network's columns is not finite.")


def make_network(rounds: Rounds) -> Network:
    """The rounds as a network. Every round must be of neurons or planes, with one alpha for yes and no."""
    kept = [(t, round) for t, round in enumerate(rounds.rounds) if not round.reset]
    if not kept:
        raise ValueError("No round counts, so that there is no neuron to make a network of.")
    for t, round in kept:
        _refuse(t, round)
    first: Unit = kept[0][1].weaks[0]
    units: list[Unit] = [unit for _, round in kept for unit in round.weaks]
    output = np.zeros((rounds.width, len(units)))
    at = 0
    for _, round in kept:
        for k, unit in enumerate(round.weaks):
            output[k, at] = round.alpha * unit.height
            at += 1
    return Network(
        first.inputs,
        first.activation,
        first.delta,
        np.vstack([unit.weights for unit in units]),
        np.array([unit.bias for unit in units]),
        output,
        np.zeros(rounds.width),
    )


def _refuse(t: int, round: Round) -> None:
    for weak in round.weaks:
        if not isinstance(weak, Unit):
            raise ValueError(
                f"Round {t + 1} is a {type(weak).__name__}; a network is made of neurons. Boost estimator='neuron' or "
                "'linear' to get one."
            )
    if round.alpha != round.alpha_no:
        raise ValueError(
            f"Round {t + 1} counts {round.alpha:.3g} for yes and {round.alpha_no:.3g} for no; a unit of a network has "
            "one weight. Use alpha='one' or 'search'."
        )
