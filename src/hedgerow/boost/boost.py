"""Boosting.   In: a weak learner, rows, a target, options.   Out: Rounds.

    all rows weigh the same; until there are enough rounds:
        fit a weak predictor h to the weighted rows
        find alpha, how much it counts
        score += alpha h;   weight = what the loss says of the margin, y score

Loss x weak learner x how alpha is found x how rounds are combined: each is chosen on its own.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from hedgerow.boost.boost_input import BoostInput
from hedgerow.boost.calibrate import Alpha, Masses, alphas, search
from hedgerow.boost.combine import predict_weak
from hedgerow.boost.early_stopping import EarlyStopping, ValidationRows
from hedgerow.boost.rounds import Round, Rounds
from hedgerow.boost.state import State, replay, start
from hedgerow.boost.target import Signs, Target
from hedgerow.types import Float

NO_CHANGE = 1e-12  # an alpha, or a share of the loss, that changes nothing


@dataclass(frozen=True)
class BoostOptions:
    n_rounds: int = 50
    loss: str = "exponential"
    alpha: Alpha = "one"
    smoothing: float | None = None  # added to mu+ and mu-; None: nothing, unless one of them is zero
    learning_rate: float = 1.0  # alpha is multiplied by it
    over_half: Literal["negate", "reset", "stop"] = "negate"  # when mu- exceeds mu+
    handicap: float = 0.0  # added to alpha: SAMME's 1/2 log(K - 1)
    resample: bool = False  # learners see as many rows as there are, drawn by weight, instead of the weights


def boost(
    learner: Any,
    rows: BoostInput,
    target: Target,
    base: Float,
    options: BoostOptions,
    rng: np.random.Generator,
    *,
    validation: ValidationRows | None = None,
    earlier: tuple[Round, ...] = (),
    after_round: Callable[[Round], None] | None = None,
) -> Rounds:
    """`base` is the weight of each row, above zero, sum one. With `earlier`, goes on where those rounds ended."""
    state = (
        replay(earlier, rows, target, base, options.loss)
        if earlier
        else start(target, base, options.loss, rows.threads)
    )
    rounds, stopped = list(earlier), ""
    stopping = EarlyStopping(validation, rounds, state.prior)
    while len(rounds) < options.n_rounds and not stopped:
        made, stopped = _one_round(
            state, learner, rows, options, rng, first=not rounds, number=len(rounds) + 1
        )
        if made is None:
            break
        made = stopping.measure(made)
        rounds.append(made)
        if after_round is not None:
            after_round(made)
        stopped = stopped or stopping.should_stop(len(rounds))
    stopped = stopped or f"all {options.n_rounds} rounds done"
    if stopping.best is not None and stopping.best < len(rounds):
        rounds = rounds[: stopping.best]
        state = replay(tuple(rounds), rows, target, base, options.loss)
    return _rounds(rounds, stopped, state, options)


def _rounds(rounds: list[Round], stopped: str, state: State, options: BoostOptions) -> Rounds:
    many = state.n_columns
    return Rounds(
        tuple(rounds),
        "signs" if isinstance(state.target, Signs) else "votes",
        state.target.width,
        options.loss,
        stopped,
        state.prior,
        state.row_base,
        state.margins.reshape(-1, many),
        state.weight.reshape(-1, many),
    )


def _one_round(
    state: State,
    learner: Any,
    rows: BoostInput,
    options: BoostOptions,
    rng: np.random.Generator,
    *,
    first: bool,
    number: int,
) -> tuple[Round | None, str]:
    """The round, or None if it is not kept; and why boosting ends here, or nothing."""
    try:
        weight = draw_weights(state.weight, rng) if options.resample else state.weight
        weaks, outputs = fit_weak(learner, rows, state.target, weight, rng, number)
    except WeakLearnerError as trouble:
        if first:
            raise
        return None, str(trouble)
    cells = state.cell_outputs(outputs)
    masses, coverage = state.masses(cells)
    yes, no = _alphas(state, cells, masses, options, 0.5 * rows.share / state.n_columns)
    if not first and options.over_half != "negate" and options.alpha in ("one", "search") and yes <= 0:
        return _over_half(state, weaks, masses, coverage, options, number)
    useless = options.alpha != "own" and max(abs(yes), abs(no)) <= NO_CHANGE
    normaliser, error = state.step(outputs, cells, yes, no)
    useless = useless or (options.alpha == "own" and normaliser >= 1 - NO_CHANGE)
    made = Round(
        weaks, yes, no, masses.right, masses.wrong, masses.silent, normaliser, state.loss, error, coverage
    )
    if useless and not (options.resample or getattr(learner, "random", False)):
        why = f"round {number}: the weak predictor is right as often as wrong, so that nothing would change any more"
        if first:
            return made, why
        state.step(outputs, cells, -yes, -no)  # the round is not kept: back to where the rows stood
        return None, why
    if masses.wrong == 0 and masses.silent == 0 and options.alpha == "one":
        return (
            made,
            f"round {number}: the weak predictor makes no mistake, so that there is nothing left to correct",
        )
    return made, ""


def _alphas(
    state: State, cells: Float, masses: Masses, options: BoostOptions, half_a_cell: float
) -> tuple[float, float]:
    smoothing = options.smoothing
    if smoothing is None:
        smoothing = half_a_cell if _one_sided(masses, options.alpha) else 0.0
    if options.alpha == "search":
        yes = no = search(state.signs * cells, state.weight, smoothing)
    else:
        yes, no = alphas(options.alpha, masses, smoothing, options.handicap)
    return yes * options.learning_rate, no * options.learning_rate


def _one_sided(masses: Masses, alpha: Alpha) -> bool:
    """Some alpha would be infinite: among the rows it speaks for, the predictor is never wrong, or never right."""
    sides = [(masses.right, masses.wrong)]
    if alpha == "two":
        sides = [(masses.yes_right, masses.yes_wrong), (masses.no_right, masses.no_wrong)]
    return any((right == 0) != (wrong == 0) for right, wrong in sides)


def _over_half(
    state: State, weaks: tuple[Any, ...], masses: Masses, coverage: float, options: BoostOptions, number: int
) -> tuple[Round | None, str]:
    worse = f"round {number}: the weak predictor is wrong at least as often as right"
    if options.over_half == "stop":
        return None, worse
    if state.fresh:
        return None, f"{worse}, and the weights are those of the start already"
    error, loss = state.error(), state.mean_loss()
    state.reset()
    return (
        Round(
            weaks, 0.0, 0.0, masses.right, masses.wrong, masses.silent, 1.0, loss, error, coverage, reset=True
        ),
        "",
    )


# ---------------------------------------------------------------------------------- the weak predictors of a round


class WeakLearnerError(ValueError):
    """A weak learner that failed, or that gave outputs nobody can use."""


def draw_weights(weight: Float, rng: np.random.Generator) -> Float:
    """As many draws with replacement as there are rows, each by its weight: how often each was drawn, as a share."""
    drawn = rng.choice(len(weight), size=len(weight), p=weight / weight.sum())
    return np.asarray(np.bincount(drawn, minlength=len(weight)) / len(weight), np.float64)


def fit_weak(
    learner: Any, rows: BoostInput, target: Target, weight: Float, rng: np.random.Generator, number: int
) -> tuple[tuple[Any, ...], Float]:
    """Weak predictors (one, or one for each class), and their outputs for the training rows: rows x columns."""
    try:
        weaks, outputs = _fit_target(learner, rows, target, weight, rng)
    except Exception as error:
        raise WeakLearnerError(
            f"round {number}: the weak learner {learner!r} failed: {type(error).__name__}: {error}"
        ) from error
    wanted = (rows.n_rows, target.width if isinstance(target, Signs) else 1)
    if outputs.shape != wanted:
        raise WeakLearnerError(
            f"round {number}: the weak learner {learner!r} gave outputs of shape {outputs.shape}; "
            f"wanted one a row, {wanted}."
        )
    if not np.isfinite(outputs).all():
        row = int(np.flatnonzero(~np.isfinite(outputs).all(axis=1))[0])
        raise WeakLearnerError(
            f"round {number}: the weak learner {learner!r} returned {outputs[row].tolist()} in row {row}; "
            "wanted finite numbers. (A leaf of one class is infinitely sure where smoothing is 0.)"
        )
    says_signs = isinstance(target, Signs) and getattr(learner, "output_kind", None) == "signs"
    if says_signs and not (np.abs(outputs) == 1).all():
        row = int(np.flatnonzero((np.abs(outputs) != 1).any(axis=1))[0])
        raise WeakLearnerError(
            f"round {number}: the weak learner {learner!r} says that its outputs are signs, but gave "
            f"{outputs[row].tolist()} in row {row}. Give -1 or +1 (labels 0 and 1 are none), or say "
            "output_kind='abstaining', where 0 abstains."
        )
    return weaks, outputs


def _fit_target(
    learner: Any, rows: BoostInput, target: Target, weight: Float, rng: np.random.Generator
) -> tuple[tuple[Any, ...], Float]:
    if not isinstance(target, Signs):
        weak = learner.fit_classes(rows, target.codes, target.n_classes, weight, rng)
        return (weak,), predict_weak((weak,), rows, "votes")
    if target.width == 1:
        weak, outputs = _column(learner, rows, target.values[:, 0], weight, rng)
        return (weak,), outputs[:, None]
    cells = weight.reshape(-1, target.width)
    columns = [
        _column(learner, rows, target.values[:, k], _share(cells[:, k]), rng) for k in range(target.width)
    ]
    return tuple(weak for weak, _ in columns), np.column_stack([outputs for _, outputs in columns])


def _share(weight: Float) -> Float:
    return np.ascontiguousarray(weight / weight.sum())


def _column(
    learner: Any, rows: BoostInput, signs: Float, weight: Float, rng: np.random.Generator
) -> tuple[Any, Float]:
    """A learner that knows its outputs for the training rows already (`fit_predict`) need not predict them again."""
    if hasattr(learner, "fit_predict"):
        return learner.fit_predict(rows, signs, weight, rng)  # type: ignore[no-any-return]
    weak = learner.fit(rows, signs, weight, rng)
    return weak, np.asarray(weak.outputs(rows), np.float64)
