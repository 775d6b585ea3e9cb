"""Loss: what a file of losses/ has, and how losses are found by name.   In: a name or an object.   Out: a Loss.

With raw the sum of the trees (outputs x rows), a loss says how wrong raw is for the target y of each row, its first
and second derivative by raw, the best constant to start from, and what raw means (the inverse link). Where a Newton
step -G/H is not the minimiser in a leaf (absolute errors, quantiles), it says the leaf's value itself.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from hedgerow.core import native
from hedgerow.errors import InPython, ParameterError
from hedgerow.gradient.search import Search
from hedgerow.gradient.sums import mean_of_limbs, weigh_limbs
from hedgerow.plugins import load_plugin, load_plugins, plugin_names
from hedgerow.types import Count, Float
from hedgerow.words import did_you_mean

LOSSES = "hedgerow.gradient.losses"
ROWS_AT_ONCE = 1 << 20
LARGEST_RAW = 700.0  # exp of it is still a number
SolveAll = Callable[
    [Search, Callable[[Float], Float]], float
]  # a search over what is read of the target of all rows


@dataclass(frozen=True)
class LossOptions:
    n_classes: int = 0  # 0: the target is a number
    quantile: float = 0.5
    tweedie_power: float = 1.5
    huber_quantile: float = 0.9  # this share of the errors is squared, larger ones count by their size


class Loss:
    """One output, no refit, the identity as link: what most losses need not say."""

    n_outputs = 1
    raw_is = "prediction"  # what raw is, in words; {} is the class
    # Those of rows that are fitted: penalties on leaf values then ease (gradient/boost.py)
    hessians_vanish = False

    is_started = True  # false: losses need what `start` finds beside the constant

    def __init__(self, options: LossOptions) -> None:
        self.options = options

    def raw_names(self, classes: tuple[str, ...]) -> tuple[str, ...]:
        """What raw of each output is: "log odds of survived"."""
        named = (classes[-1:] or ("",)) if self.n_outputs == 1 else classes
        return tuple(self.raw_is.format(name) for name in named)

    def check_target(self, y: Float) -> None:
        """An error where y cannot be a target of this loss."""

    def statistics(self, y: Float, weight: Float | None) -> Count:
        """What the best constant follows from: sums as limbs (sums.py), a row each, that add up over pieces of the
        rows. Here, the sum of y and the number of rows, by weight."""
        return weigh_limbs(y, weight)

    def start_from(self, statistics: Count) -> Float:
        """The best constant for each output, from the statistics of all rows."""
        raise NotImplementedError

    def start(self, y: Float, weight: Float | None) -> Float:
        if self.refits_leaves:
            return self.start_by(lambda search, read: search.solve(read(y), weight))
        parts = [self.statistics(y[at], None if weight is None else weight[at]) for at in _stretches(len(y))]
        return self.start_from(np.sum(parts, axis=0))

    def losses(self, y: Float, raw: Float) -> Float:
        """Of each row, without weights; raw: outputs x rows."""
        raise NotImplementedError

    def gradients(self, y: Float, raw: Float, gradient: Float, hessian: Float, threads: int) -> None:
        """Written into gradient and hessian (outputs x rows), without weights."""
        raise NotImplementedError

    def weighted_gradients(
        self, y: Float, raw: Float, weight: Float | None, gradient: Float, hessian: Float, threads: int
    ) -> None:
        self.gradients(y, raw, gradient, hessian, threads)
        if weight is not None:
            gradient *= weight
            hessian *= weight

    refits_leaves = False

    def leaf_value(self, y: Float, raw: Float, weight: Float | None) -> float:
        """The constant that, added to raw of the rows of a leaf, has the least loss; if refits_leaves."""
        return self.leaf_search().solve(y - raw, weight)

    def leaf_search(self) -> Search:
        """How it is found where the rows of a leaf lie in several places (search.py)."""
        raise NotImplementedError

    def start_by(self, solve: SolveAll) -> Float:
        """The best constant by searches over all rows; if refits_leaves."""
        raise NotImplementedError

    def inverse_link(self, raw: Float) -> Float:
        """What raw means: the expected target (outputs x rows), or class probabilities (rows x classes)."""
        return raw

    def mean_loss(self, y: Float, raw: Float, weight: Float | None) -> float:
        return mean_of_limbs(self.loss_limbs(y, raw, weight))

    def loss_limbs(self, y: Float, raw: Float, weight: Float | None) -> Count:
        """The sum of the losses and of the weights (sums.py)."""
        parts = [
            weigh_limbs(self.losses(y[at], raw[:, at]), None if weight is None else weight[at])
            for at in _stretches(len(y))
        ]
        return np.asarray(np.sum(parts, axis=0))


class LogLink(Loss):
    """Raw is the log of the expected target."""

    raw_is = "log of the prediction"

    def start_from(self, statistics: Count) -> Float:
        return np.array([np.log(mean_of_limbs(statistics))])

    def inverse_link(self, raw: Float) -> Float:
        return native.exp_values(np.clip(raw[0], -LARGEST_RAW, LARGEST_RAW), 1).reshape(1, -1)


def _stretches(n_rows: int) -> list[slice]:
    """All rows, some at a time: arrays in between stay small."""
    return [slice(at, at + ROWS_AT_ONCE) for at in range(0, max(1, n_rows), ROWS_AT_ONCE)]


class LossFile(Protocol):
    """A file of losses/: the file's name is the loss's name."""

    TARGET: str  # "classes" or "numbers"
    Loss: Any  # a subclass of Loss


def loss_names(target: str) -> tuple[str, ...]:
    files = load_plugins(LOSSES, LossFile)  # type: ignore[type-abstract]
    return tuple(name for name, file in files.items() if target == file.TARGET)


def load_loss(given: Any, target: str, options: LossOptions) -> Loss:
    """The loss of this name for such targets; an object with the methods of a loss is one."""
    if hasattr(given, "gradient_hessian") and hasattr(given, "fit_intercept_only"):
        return ScikitLearnLoss(given, options)
    if not isinstance(given, str):
        return CustomLoss(given, options)
    known = loss_names(target)
    file: Any = None
    if given in plugin_names(LOSSES):
        file = load_plugin(LOSSES, LossFile, given, "loss")  # type: ignore[type-abstract]
    if file is None or given not in known:
        why = "is unknown" if file is None else f"is for {file.TARGET}, but the target is {target}"
        own = InPython("; or an object with start, gradients and losses")
        hint = did_you_mean(given, known)
        raise ParameterError(
            "{loss} {}. Known for {}: {}{}.{}", why, target, ", ".join(known), own, hint, loss=given
        )
    loss: Loss = file.Loss(options)
    return loss


class CustomLoss(Loss):
    """A loss given as a Python object: `gradients(y, raw) -> (gradient, hessian)` and `losses(y, raw)`, each with an
    entry a row; `start(y, weight)`, `inverse_link(raw)`, `check_target(y)` and `leaf_value(y, raw, weight)` if it has
    them (start is 0, raw means itself). Of two classes y is 0 or 1, and the inverse link gives the probability of the
    second (raw is its log odds, if there is none)."""

    def __init__(self, given: Any, options: LossOptions) -> None:
        super().__init__(options)
        if isinstance(given, type):
            raise TypeError(f"loss={given!r} is a class. Give an object of it.")
        lacking = [name for name in ("gradients", "losses") if not callable(getattr(given, name, None))]
        if lacking:
            raise TypeError(
                f"loss={given!r} is neither a name nor a loss: it lacks {', '.join(lacking)}. Expected: a name, or an "
                "object with gradients(y, raw) -> (gradient, hessian) and losses(y, raw)."
            )
        if options.n_classes > 2:
            raise ValueError(
                f"loss={given!r} has one output, but y has {options.n_classes} classes. Use loss='log_loss'."
            )
        self.given = given
        self.raw_is = (
            "raw prediction" if options.n_classes or hasattr(given, "inverse_link") else "prediction"
        )
        self.refits_leaves = hasattr(given, "leaf_value")

    def check_target(self, y: Float) -> None:
        if hasattr(self.given, "check_target"):
            self.given.check_target(y)

    def start(self, y: Float, weight: Float | None) -> Float:
        found = self.given.start(_read_only(y), weight) if hasattr(self.given, "start") else 0.0
        number = _number(found)
        if not np.isfinite(number):
            raise ValueError(f"start of loss={self.given!r} returned {found!r}. Expected: a finite number.")
        return np.array([number])

    def losses(self, y: Float, raw: Float) -> Float:
        return self._entries("losses", self.given.losses(_read_only(y), _read_only(raw[0])), len(y))

    def gradients(self, y: Float, raw: Float, gradient: Float, hessian: Float, threads: int) -> None:
        found = self.given.gradients(_read_only(y), _read_only(raw[0]))
        if not isinstance(found, (tuple, list)) or len(found) != 2:
            raise ValueError(
                f"gradients of loss={self.given!r} returned {type(found).__name__}. Expected a pair: gradient and "
                "hessian, each with an entry a row."
            )
        gradient[0], hessian[0] = (
            self._entries(name, one, len(y))
            for name, one in zip(("a gradient", "a hessian"), found, strict=True)
        )

    def leaf_value(self, y: Float, raw: Float, weight: Float | None) -> float:
        return _number(self.given.leaf_value(y, raw, weight))

    def inverse_link(self, raw: Float) -> Float:
        meant = raw[0] if not self.options.n_classes else 1.0 / (1.0 + np.exp(-raw[0]))
        if hasattr(self.given, "inverse_link"):
            found = self.given.inverse_link(_read_only(raw[0]))
            meant = self._entries("an inverse link", found, raw.shape[1])
        return np.stack([1.0 - meant, meant], axis=1) if self.options.n_classes else meant.reshape(1, -1)

    def _entries(self, what: str, found: Any, n_rows: int) -> Float:
        if np.shape(found) != (n_rows,):
            raise ValueError(
                f"loss={self.given!r} returned {what} of shape {np.shape(found)} for {n_rows} rows. Expected an entry "
                "a row."
            )
        return np.asarray(found, np.float64)


def _number(found: Any) -> float:
    """NaN for what is none."""
    try:
        return float(np.asarray(found, np.float64).reshape(()))
    except (TypeError, ValueError):
        return float("nan")


def _read_only(values: Float) -> Float:
    """The same numbers, which a loss of the caller's cannot change."""
    view = values.view()
    view.flags.writeable = False
    return view


class ScikitLearnLoss(Loss):
    """A loss object of scikit-learn (sklearn._loss)."""

    raw_is = "raw prediction"

    def __init__(self, given: Any, options: LossOptions) -> None:
        super().__init__(options)
        self.given = given
        self.n_outputs = given.n_classes if given.is_multiclass else 1

    def _raw(self, raw: Float) -> Float:
        return np.ascontiguousarray(raw.T) if self.n_outputs > 1 else raw[0]

    def start(self, y: Float, weight: Float | None) -> Float:
        return np.atleast_1d(np.asarray(self.given.fit_intercept_only(y, weight), np.float64))

    def losses(self, y: Float, raw: Float) -> Float:
        return np.asarray(self.given.loss(y, self._raw(raw)))

    def gradients(self, y: Float, raw: Float, gradient: Float, hessian: Float, threads: int) -> None:
        first, second = self.given.gradient_hessian(y, self._raw(raw))
        gradient[:], hessian[:] = np.atleast_2d(first.T), np.atleast_2d(second.T)

    def inverse_link(self, raw: Float) -> Float:
        if self.options.n_classes:
            return np.asarray(self.given.predict_proba(self._raw(raw)))
        return np.asarray(self.given.link.inverse(raw[0])).reshape(1, -1)
