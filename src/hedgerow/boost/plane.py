"""Boosting in the plane.   In: Rounds and the rows of two columns they were boosted on.   Out: the Figure.

The first rounds one by one, and what all rounds make together: outputs on a grid, weights before the round, mistakes.
"""

from typing import TYPE_CHECKING

import numpy as np

from hedgerow.boost.boost_input import BoostInput, rows_of_matrix
from hedgerow.boost.combine import classes_of_scores, predict_weak, weigh_outputs
from hedgerow.boost.loss import load_loss, normalized_weights
from hedgerow.boost.rounds import Round, Rounds
from hedgerow.draw.rounds import PlaneRound, draw_rounds, grid_over
from hedgerow.types import Float, Index

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_in_plane(
    rounds: Rounds, rows: BoostInput, codes: Index, classes: tuple[str, ...], *, most: int = 3
) -> "Figure":
    """`rows` are those of training, of two columns."""
    points = np.asarray(rows.matrix, np.float64)
    if points.shape[1] != 2:
        raise ValueError(
            f"Rounds are drawn in the plane, but the rows have {points.shape[1]} columns. Fit two columns to draw them."
        )
    grid = grid_over(points)
    found = plane_rounds(rounds, rows, codes, rows_of_matrix(grid.points), most)
    return draw_rounds(found, grid, points, codes, classes, rows.names)


def plane_rounds(
    rounds: Rounds, rows: BoostInput, codes: Index, grid: BoostInput, most: int
) -> list[PlaneRound]:
    """The first `most` rounds, and all of them together."""
    found: list[PlaneRound] = []
    score, on_grid = np.zeros((rows.n_rows, rounds.width)), np.zeros((grid.n_rows, rounds.width))
    margins = np.zeros_like(rounds.margins)
    for round in rounds.rounds:
        outputs = predict_weak(round.weaks, rows, rounds.form)
        there = predict_weak(round.weaks, grid, rounds.form)
        if len(found) < most:
            weight = normalized_weights(load_loss(rounds.loss), margins, rounds.base[:, None]).sum(axis=1)
            decide_classes = _decide(outputs, rounds.form, round.alpha)
            regions = _decide(there, rounds.form, round.alpha)
            title = _title(len(found) + 1, round)
            found.append(
                PlaneRound(title, regions, weight, (decide_classes != codes) & (decide_classes >= 0))
            )
        if round.reset:
            margins = np.zeros_like(margins)
        else:
            added = weigh_outputs(outputs, round.alpha, round.alpha_no, rounds.form, rounds.width)
            score, margins = score + added, margins + _agreement(added, codes, rounds)
            on_grid += weigh_outputs(there, round.alpha, round.alpha_no, rounds.form, rounds.width)
    wrong = classes_of_scores(score, rounds.prior) != codes
    title = f"All {len(rounds):,} rounds:  error {float(rounds.base @ wrong):.1%}"
    return [*found, PlaneRound(title, classes_of_scores(on_grid, rounds.prior), rounds.base, wrong)]


def _title(n: int, round: Round) -> str:
    epsilon = f"{round.epsilon:.2f}" if round.epsilon >= 0.005 else f"{round.epsilon:.2g}"
    return f"Round {n}:  ε = {epsilon},  α = {round.alpha:.2f}"


def _agreement(added: Float, codes: Index, rounds: Rounds) -> Float:
    """What a round adds to the margins, in the shape Rounds keeps them."""
    if rounds.form == "votes":
        voted = added.argmax(axis=1)
        size = added.max(axis=1)
        return np.where(size == 0, 0.0, np.where(voted == codes, size, -size))[:, None]
    own = np.arange(rounds.width) if rounds.width > 1 else np.array([1])
    return np.where(codes[:, None] == own, 1.0, -1.0) * added


def _decide(outputs: Float, form: str, alpha: float) -> Index:
    """Class numbers; -1 where the predictor is silent."""
    if form == "votes":
        return outputs[:, 0].astype(np.int32)
    if outputs.shape[1] > 1:
        return classes_of_scores(outputs * np.sign(alpha))
    side = np.sign(outputs[:, 0] * np.sign(alpha))
    return np.where(side == 0, -1, side > 0).astype(np.int32)
