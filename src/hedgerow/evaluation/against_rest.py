"""One class against the others.   In: an Evaluation of several classes, one of them.   Out: an Evaluation of two, made
of the same answers: nothing is fitted again. Curves that are for two classes can then be asked for.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import Answer
from hedgerow.evaluation.guess import Guess
from hedgerow.table.words import did_you_mean, listing, quote

if TYPE_CHECKING:
    from hedgerow.evaluation.evaluation import Evaluation


def against_rest(evaluation: "Evaluation", label: Any) -> "Evaluation":
    from hedgerow.evaluation.evaluate import metric_names, scores_of

    c = _number(evaluation.data, label)
    e, data = evaluation, _two_classes(evaluation.data, c)
    answers, baseline = (tuple(_answer(one, c) for one in found) for found in (e.answers, e.baseline))
    return replace(
        e,
        data=data,
        answers=answers,
        baseline=baseline,
        scores=scores_of(metric_names(None, data), answers, baseline, data, e.splits, e.level),
    )


def _number(data: Data, label: Any) -> int:
    known = [] if data.classes is None else data.classes.tolist()
    if len(known) < 3:
        raise ValueError("One class against the others is for three classes or more.")
    if label not in known:
        hint = did_you_mean(str(label), map(str, known))
        raise ValueError(f"{quote(label)} is no class. Classes: {listing(known, 30)}.{hint}")
    return known.index(label)


def _two_classes(data: Data, c: int) -> Data:
    assert data.classes is not None
    label = str(data.classes[c])
    return replace(data, y=(data.y == c).astype(np.int64), classes=np.array([f"not {label}", label]))


def _answer(answer: Answer, c: int) -> Answer:
    return replace(answer, guess=_guess(answer.guess, c), others=_guess(answer.others, c))


def _guess(guess: Guess | None, c: int) -> Guess | None:
    if guess is None:
        return None
    values, chances, order = guess.values, guess.chances, guess.order
    said = np.where(values < 0, -1, values == c)
    if chances is not None:
        two = np.column_stack([1 - chances[:, c], chances[:, c]])
        return Guess(said, two, two)
    ranked = None if order is None else np.column_stack([-order[:, c], order[:, c]])
    return Guess(said, None, ranked)
