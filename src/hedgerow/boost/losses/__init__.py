"""The losses of boosting, one file each; the file's name is the loss's name.

A loss is a function of the margin z = y f(x): large when the score f is sure and right, negative when it is wrong.
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol

from hedgerow.types import Float


class Loss(Protocol):
    def loss(self, margins: Float) -> Float:
        """Of each row; never below the zero-one loss, up to the factor log 2."""

    def weight(self, margins: Float) -> Float:
        """q: minus the derivative of the loss. How much a row still matters."""

    def log_weight(self, margins: Float) -> Float:
        """log q, where q itself may be beyond a float."""

    def curvature(self, margins: Float) -> Float:
        """The second derivative."""

    def update(self, weight: Float, step: Float) -> Float:
        """q after margins have grown by `step`, from q alone (lecture 001)."""


@cache
def losses() -> dict[str, Loss]:
    """Every loss by its name."""
    return {module.name: import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)}
