"""The baseline: what one knows without looking at X.   In: Data.   Out: a model of scikit-learn's, and its words.

Classes: the shares of the training rows, and always the most frequent class. Numbers: the mean of the training rows.
"""

from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier, DummyRegressor

from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import Answer, Job, done
from hedgerow.evaluation.splits import Split, Splits


def baseline_of(data: Data) -> Any:
    return DummyRegressor(strategy="mean") if data.classes is None else DummyClassifier(strategy="prior")


def baseline_words(data: Data) -> str:
    if data.classes is None:
        return "always the mean of the training rows"
    return "always the most frequent class of the training rows, with their shares as chances"


def baseline_answers(data: Data, splits: Splits, answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
    """On the splits that the model has answered, so that the two are judged on the same rows."""
    return tuple(
        _answer(data, part, splits.kind == "fitted") if answer.guess is not None else answer
        for part, answer in zip(splits.parts, answers, strict=True)
    )


def _answer(data: Data, part: Split, fitted: bool) -> Answer:
    """Of a fitted model the training rows are not known: the baseline learns from the test rows."""
    train = part.test if fitted else part.train
    nothing = np.zeros((max(len(train), len(part.test)), 1))
    weight = None if data.weight is None else data.weight[train]
    return done(
        Job(
            baseline_of(data),
            nothing[: len(train)],
            data.labels[train],
            weight,
            nothing[: len(part.test)],
            data.classes,
        )
    )
