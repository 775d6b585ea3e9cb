"""Boosting.   In: a weak learner, rows, a target, choices.   Out: Rounds.

    weights are equal; until there are enough rounds:
        fit a weak predictor h to the weighted rows
        find alpha, how much it counts
        score += alpha h;   weight = what the loss says of the margin, y score

Loss x weak learner x how alpha is found x how rounds are combined: each is chosen on its own.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from hedgerow.boost.calibrate import Alpha, Masses, alphas, search
from hedgerow.boost.combine import answers_of, classes_of_scores, weighted
from hedgerow.boost.losses import losses
from hedgerow.boost.rounds import Round, Rounds
from hedgerow.boost.rows import Rows
from hedgerow.boost.target import Signs, Target
from hedgerow.types import Float

NO_CHANGE = 1e-14  # a round that lowers the loss by less than this share changes nothing


@dataclass(frozen=True)
class Choices:
    n_rounds: int = 50
    loss: str = "exponential"
    alpha: Alpha = "one"
    smoothing: float | None = None  # added to mu+ and mu-; None: nothing, unless one of them is zero
    learning_rate: float = 1.0  # alpha is multiplied by it
    over_half: Literal["negate", "reset", "stop"] = "negate"  # when mu- exceeds mu+
    handicap: float = 0.0  # added to alpha: SAMME's 1/2 log(K - 1)


@dataclass(frozen=True, eq=False)
class Watch:
    """Rows that no weak learner sees; when their error has not fallen for a while, boosting ends."""

    rows: Rows
    target: Target
    weight: Float  # sum one
    patience: int
    tolerance: float = 0.0


@dataclass(eq=False)
class _State:
    score: Float
    margins: Float
    since: Float  # margins since the weights were last reset
    weight: Float
    watched: Float | None
    rounds: list[Round] = field(default_factory=list)
    stopped: str = ""


def boost(
    learner: Any,
    rows: Rows,
    target: Target,
    base: Float,
    choices: Choices,
    rng: np.random.Generator,
    *,
    watch: Watch | None = None,
    earlier: Rounds | None = None,
    after_round: Callable[[Round], None] | None = None,
) -> Rounds:
    """`base` is the weight of each row, sum one. With `earlier`, goes on where those rounds ended."""
    state = _start(rows, target, base, choices, watch, earlier)
    while len(state.rounds) < choices.n_rounds and not state.stopped:
        _one_round(state, learner, rows, target, base, choices, rng, watch)
        if after_round is not None:
            after_round(state.rounds[-1])
    return Rounds(
        tuple(state.rounds),
        "signs" if isinstance(target, Signs) else "votes",
        target.width,
        choices.loss,
        state.stopped or f"all {choices.n_rounds} rounds done",
        base,
        state.margins,
        state.weight,
    )


def weights_of(loss: str, margins: Float, base: Float) -> Float:
    """Importance of each row, sum one; no margin is too large."""
    logs = losses()[loss].log_weight(margins)
    seen = base > 0
    raw = base[:, None] * np.exp(np.minimum(logs - logs[seen].max(), 0.0))
    return np.asarray(raw / raw.sum())


def _start(
    rows: Rows, target: Target, base: Float, choices: Choices, watch: Watch | None, earlier: Rounds | None
) -> _State:
    n_columns = target.width if isinstance(target, Signs) else 1
    zeros = np.zeros((rows.n_rows, n_columns))
    watched = None if watch is None else np.zeros((watch.rows.n_rows, target.width))
    first = weights_of(choices.loss, zeros, base)
    if earlier is None:
        return _State(np.zeros((rows.n_rows, target.width)), zeros, zeros, first, watched)
    raise NotImplementedError


def _one_round(
    state: _State,
    learner: Any,
    rows: Rows,
    target: Target,
    base: Float,
    choices: Choices,
    rng: np.random.Generator,
    watch: Watch | None,
) -> None:
    form = "signs" if isinstance(target, Signs) else "votes"
    weaks = _fitted(learner, rows, target, state.weight, rng)
    answers = answers_of(weaks, rows, form)
    agreement = _agreement(target, answers)
    masses = masses_of(answers if form == "signs" else agreement, agreement, state.weight)
    smoothing = choices.smoothing
    if smoothing is None:
        smoothing = 0.0 if masses.right > 0 and masses.wrong > 0 else 0.5 / np.count_nonzero(base)
    if choices.alpha == "search":
        yes = no = search(agreement.ravel(), state.weight.ravel(), smoothing)
    else:
        yes, no = alphas(choices.alpha, masses, smoothing, choices.handicap)
    yes, no = yes * choices.learning_rate, no * choices.learning_rate
    signed = answers if form == "signs" else agreement
    step = agreement * (yes if yes == no else np.where(signed > 0, yes, no))
    normaliser = float((state.weight * np.exp(-step)).sum())
    state.margins = state.margins + step
    state.since = state.since + step
    state.score = state.score + weighted(answers, yes, no, form, target.width)
    state.weight = weights_of(choices.loss, state.since, base)
    round = Round(
        weaks=weaks,
        alpha=yes,
        alpha_no=no,
        right=masses.right,
        wrong=masses.wrong,
        silent=masses.silent,
        normaliser=normaliser,
        loss=float((base[:, None] * losses()[choices.loss].loss(state.margins)).sum()),
        error=float(base @ (classes_of_scores(state.score) != target.codes)),
        coverage=float(np.mean(agreement != 0)),
    )
    if watch is not None:
        round = replace(round, checked=0.0)
    state.rounds.append(round)


def _fitted(
    learner: Any, rows: Rows, target: Target, weight: Float, rng: np.random.Generator
) -> tuple[Any, ...]:
    if not isinstance(target, Signs):
        return (learner.fit_classes(rows, target.codes, target.n_classes, weight[:, 0], rng),)
    fitted = []
    for k in range(target.width):
        share = weight[:, k] / weight[:, k].sum()
        fitted.append(learner.fit(rows, target.values[:, k], share, rng))
    return tuple(fitted)


def _agreement(target: Target, answers: Float) -> Float:
    """y h(x): above zero where right, below where wrong, zero where silent."""
    if isinstance(target, Signs):
        return target.values * answers
    return np.where(answers < 0, 0.0, np.where(answers == target.codes[:, None], 1.0, -1.0))


def masses_of(answers: Float, agreement: Float, weight: Float) -> Masses:
    def mass(where: Any) -> float:
        return float(weight[where].sum())

    yes, right = answers > 0, agreement > 0
    wrong = agreement < 0
    return Masses(
        mass(yes & right), mass(yes & wrong), mass(~yes & right), mass(~yes & wrong), mass(agreement == 0)
    )
