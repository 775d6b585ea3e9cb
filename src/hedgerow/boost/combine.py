"""Scores.   In: rounds and rows.   Out: the combined score of each row, one column (two classes) or one a class; and
from scores, classes and probabilities.

Signs add alpha h(x); votes add alpha to the column of the class voted for. The class is the side of the score, or the
column with the largest one (lecture 002; SAMME and MH the same way). A score of zero everywhere says nothing: every
predictor abstained, or they cancel out. Then the class shares of the training rows, the prior, decide.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from hedgerow.boost.boost_input import BoostInput
from hedgerow.boost.loss import load_loss
from hedgerow.boost.rounds import Round, Rounds
from hedgerow.types import Float, Index, Mask


def predict_weak(weaks: tuple[Any, ...], rows: BoostInput, form: str) -> Float:
    """Rows x columns; for votes one column of class numbers, -1 where it abstains."""
    if form == "votes":
        return np.asarray(weaks[0].choices(rows), np.float64)[:, None]
    columns = [np.asarray(weak.outputs(rows), np.float64) for weak in weaks]
    return columns[0][:, None] if len(columns) == 1 else np.column_stack(columns)


def weigh_outputs(outputs: Float, alpha: float, alpha_no: float, form: str, width: int) -> Float:
    """Rows x width: what outputs add to the score."""
    if form == "signs":
        return outputs * (alpha if alpha == alpha_no else np.where(outputs > 0, alpha, alpha_no))
    voted = outputs == np.arange(width)
    return np.where(voted, alpha, 0.0)


def scores(rounds: Rounds, rows: BoostInput) -> Float:
    total = np.zeros((rows.n_rows, rounds.width))
    for total in staged_scores(rounds, rows):  # noqa: B007
        pass
    return total


def staged_scores(rounds: Rounds, rows: BoostInput) -> Iterator[Float]:
    """The score after each round; each a new array."""
    total = np.zeros((rows.n_rows, rounds.width))
    for round in rounds.rounds:
        total = total + contribution(rounds, round, rows)
        yield total


def contribution(rounds: Rounds, round: Round, rows: BoostInput) -> Float:
    if round.reset:
        return np.zeros((rows.n_rows, rounds.width))
    outputs = predict_weak(round.weaks, rows, rounds.form)
    return weigh_outputs(outputs, round.alpha, round.alpha_no, rounds.form, rounds.width)


def silent_rows(total: Float) -> Mask:
    """Rows whose score says nothing."""
    return np.asarray(~total.any(axis=1), np.bool_)


def classes_of_scores(total: Float, prior: Float | None = None) -> Index:
    """The class numbers; two classes: the second if the score is above zero. Ties go to the first class, rows whose
    score says nothing to the most frequent one of the prior."""
    if total.shape[1] == 1:
        codes = np.asarray(total[:, 0] > 0, np.int32)
    else:
        codes = np.asarray(np.argmax(total, axis=1), np.int32)
    if prior is not None:
        codes[silent_rows(total)] = np.argmax(prior)
    return codes


def probabilities(total: Float, form: str, loss: str, prior: Float | None = None) -> Float:
    """Rows x classes, from the scores of rounds of this form that were boosted with this loss; the prior where a
    score says nothing."""
    found = probabilities_of_votes(total) if form == "votes" else probabilities_of_scores(total, loss)
    if prior is not None:
        found[silent_rows(total)] = prior
    return found


def probabilities_of_scores(scores: Float, loss: str) -> Float:
    """Rows x classes: those at which the loss of the scores is least. `scores` has one column for two classes, else one
    for each class against the rest: then they are divided by their sum."""
    z = load_loss(loss).log_odds(scores)
    small = np.exp(-np.abs(z))  # never too large, and the smaller probability keeps its digits
    above = z >= 0
    yes = np.where(above, 1.0, small) / (1.0 + small)
    if scores.shape[1] == 1:
        return np.column_stack([np.where(above, small, 1.0) / (1.0 + small), yes])
    total = yes.sum(axis=1, keepdims=True)
    return np.asarray(np.where(total > 0, yes / np.where(total > 0, total, 1.0), 1 / scores.shape[1]))


def probabilities_of_votes(total: Float) -> Float:
    """As SAMME has them: proportional to exp(2 score)."""
    raw = np.exp(2.0 * (total - total.max(axis=1, keepdims=True)))
    return np.asarray(raw / raw.sum(axis=1, keepdims=True))
