"""State of boosting.   In: rounds so far.   Out: margins, weights and scores of the training rows; `step` updates them.

Everything is kept by cells: one a row, or with one class against the rest one for each row and class. For votes the
"output" of a cell is whether the vote was right (+1), wrong (-1) or withheld (0), and every sign is +1.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from hedgerow.boost.boost_input import BoostInput
from hedgerow.boost.calibrate import Masses
from hedgerow.boost.combine import classes_of_scores, predict_weak, weigh_outputs
from hedgerow.boost.loss import Loss, load_loss, take_step
from hedgerow.boost.rounds import Round, Rounds
from hedgerow.boost.target import Signs, Target, Votes, signs_of
from hedgerow.core import native
from hedgerow.types import Float, Index


@dataclass(eq=False)
class State:
    target: Target
    rule: Loss  # what is minimised
    row_base: Float  # weight of each row before boosting, sum one
    base: Float  # the same for cells
    signs: Float
    margins: Float
    since: Float  # margins since the weights were last reset; the same array if they never were
    weight: Float  # importance of each cell, sum one
    votes: Float | None  # rows x classes, where classes are voted for
    loss: float
    threads: int = 1

    @cached_property
    def prior(self) -> Float:
        """The share of each class, by weight."""
        return np.asarray(
            np.bincount(self.target.codes, self.row_base, max(2, self.target.width)), np.float64
        )

    @property
    def n_columns(self) -> int:
        return len(self.signs) // len(self.row_base)

    @property
    def fresh(self) -> bool:
        """The weights are those from before the first round."""
        return not self.since.any()

    def cell_outputs(self, outputs: Float) -> Float:
        if isinstance(self.target, Signs):
            return np.ascontiguousarray(outputs).reshape(-1)
        voted = outputs[:, 0]
        return np.where(voted < 0, 0.0, np.where(voted == self.target.codes, 1.0, -1.0))

    def masses(self, cells: Float) -> tuple[Masses, float]:
        """The weight the outputs get right and wrong, and the share of cells they do not abstain on."""
        *mass, n_covered = native.answer_masses(self.signs, cells, self.weight, self.threads)
        return Masses(*mass), n_covered / len(cells)

    def step(self, outputs: Float, cells: Float, yes: float, no: float) -> tuple[float, float]:
        """Adds alpha times the outputs, in place. Returns the normaliser and the training error after it."""
        normaliser, loss, error = take_step(
            self.rule,
            self.signs,
            cells,
            (yes, no),
            self.base,
            self.margins,
            self.since,
            self.weight,
            self.threads,
        )
        if self.rule.LOSS_IS_PRODUCT:
            loss = self.loss * normaliser if self.since is self.margins else self.mean_loss()
        self.loss = loss
        if self.votes is not None:
            self.votes += weigh_outputs(outputs, yes, no, "votes", self.target.width)
        # Otherwise scores may say nothing, and the prior decides
        spoken = self.target.width == 1 and bool(cells.all())
        return normaliser, error if spoken else self.error()

    def reset(self) -> None:
        self.since = np.zeros(len(self.signs))
        self.weight = self.base.copy()

    def score(self) -> Float:
        if self.votes is not None:
            return self.votes
        return (self.signs * self.margins).reshape(-1, self.n_columns)

    def error(self) -> float:
        return float(self.row_base @ (classes_of_scores(self.score(), self.prior) != self.target.codes))

    def mean_loss(self) -> float:
        return float(self.base @ self.rule.loss(self.margins))


def start(target: Target, base: Float, loss: str, threads: int = 1) -> State:
    signs = target.values.reshape(-1) if isinstance(target, Signs) else np.ones(len(base))
    many = len(signs) // len(base)
    cells = np.repeat(base / many, many)
    margins = np.zeros(len(signs))
    votes = None if isinstance(target, Signs) else np.zeros((len(base), target.width))
    state = State(
        target, load_loss(loss), base, cells, signs, margins, margins, cells.copy(), votes, 0.0, threads
    )
    state.loss = state.mean_loss()
    return state


def replay(rounds: tuple[Round, ...], rows: BoostInput, target: Target, base: Float, loss: str) -> State:
    """Where the rows stand after these rounds."""
    state = start(target, base, loss, rows.threads)
    form = "signs" if isinstance(target, Signs) else "votes"
    for round in rounds:
        if round.reset:
            state.reset()
            continue
        outputs = predict_weak(round.weaks, rows, form)
        state.step(outputs, state.cell_outputs(outputs), round.alpha, round.alpha_no)
    return state


def replay_on(rounds: Rounds, rows: BoostInput, codes: Index, base: Float) -> Rounds:
    """The same rounds, and where these rows stand after them."""
    target: Target = (
        Votes(codes, rounds.width) if rounds.form == "votes" else signs_of(codes, max(2, rounds.width))
    )
    state = replay(rounds.rounds, rows, target, base, rounds.loss)
    many = state.n_columns
    return replace(
        rounds, base=base, margins=state.margins.reshape(-1, many), weight=state.weight.reshape(-1, many)
    )
