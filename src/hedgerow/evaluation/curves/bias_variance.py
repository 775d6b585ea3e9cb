"""Bias and variance.   In: a model, a table, a target.   Out: BiasVariance: why the model errs, on rows held out.

The model is fitted to many samples drawn from the training rows. For each held-out row, its main guess is the mean (for
numbers) or the most frequent class; the bias is the loss of the main guess, the variance how often, or how far, guesses
depart from it.

    squared loss   error = bias + variance                                       (noise is part of the bias)
    0-1 loss       error = bias + variance where unbiased - variance where biased     Domingos 2000 (two classes)
                   error = bias + variance, by squared chances                        Kohavi and Wolpert 1996

For more than two classes departing from a wrong main guess helps only if it hits the right class: Domingos' factor is
applied row by row.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.evaluation.data import data_of, take
from hedgerow.evaluation.fold import Job, done
from hedgerow.evaluation.interval import quantile
from hedgerow.evaluation.plain import plain
from hedgerow.evaluation.progress import progress as progress_line
from hedgerow.evaluation.splits import splits_of
from hedgerow.evaluation.words import figure, html_table, span, text_table
from hedgerow.types import Float


@dataclass(frozen=True)
class Part:
    name: str
    value: float
    low: float
    high: float


@dataclass(frozen=True, eq=False, repr=False)
class BiasVariance:
    parts: tuple[Part, ...]  # error, bias, variance, ...
    loss: str  # "squared" or "0-1"
    n_draws: int
    n_rows: int  # held out

    def __getitem__(self, name: str) -> float:
        for part in self.parts:
            if part.name == name:
                return part.value
        raise KeyError(f"No part is named {name!r}. There are: {', '.join(p.name for p in self.parts)}.")

    def to_dict(self) -> dict[str, Any]:
        parts = {part.name: [part.value, part.low, part.high] for part in self.parts}
        return {**plain(parts), "loss": self.loss}

    def _table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        lines: list[tuple[str, ...]] = [
            (part.name, figure(part.value), span(part.low, part.high)) for part in self.parts
        ]
        return (f"{self.loss} loss", "mean", "95 % interval"), lines

    def __str__(self) -> str:
        return "\n".join([*text_table(*self._table()), f"{self.n_draws} fits, {self.n_rows:,} rows held out"])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(*self._table())

    def draw(self, ax: Any = None) -> Any:
        from hedgerow.draw.learning import draw_bias_variance

        return draw_bias_variance(self, ax=ax)


def bias_variance(
    model: Any,
    X: Any,
    y: Any,
    *,
    draws: int = 50,
    test_share: float = 0.3,
    sample_weight: Any = None,
    positive: Any = None,
    random_state: int = 0,
    progress: bool = True,
) -> BiasVariance:
    """Error = bias + variance, on held-out rows, over `draws` bootstrap samples of the others."""
    if not isinstance(draws, int) or draws < 2:
        raise ValueError(f"draws={draws!r} is out of range. Give at least 2.")
    data = data_of([model], X, y, sample_weight=sample_weight, positive=positive)
    part = splits_of(float(test_share), data, random_state=random_state).parts[0]
    random = np.random.default_rng(random_state)
    test, said = take(data.X, part.test), []
    with progress_line(f"{draws} fits", draws) if progress else _quiet() as step:
        for draw in range(draws):
            rows = random.choice(part.train, len(part.train))
            weight = None if data.weight is None else data.weight[rows]
            answer = done(Job(model, take(data.X, rows), data.labels[rows], weight, test, data.classes))
            if answer.guess is None:
                raise ValueError(f"The model failed in draw {draw + 1} of {draws}: {answer.failure}")
            said.append(answer.guess.values)
            step()
    truth, guesses = data.y[part.test], np.array(said)
    if data.classes is None:
        return _numbers(truth, guesses)
    return _classes(truth, guesses, len(data.classes))


def _quiet() -> Any:
    from contextlib import nullcontext

    return nullcontext(lambda: None)


def _numbers(truth: Float, guesses: Float) -> BiasVariance:
    main = guesses.mean(axis=0)
    rows = {
        "error": ((guesses - truth) ** 2).mean(axis=0),
        "bias": (main - truth) ** 2,
        "variance": ((guesses - main) ** 2).mean(axis=0),
    }
    return BiasVariance(_parts(rows), "squared", len(guesses), len(truth))


def _classes(truth: Any, guesses: Any, n_classes: int) -> BiasVariance:
    shares = np.array([(guesses == c).mean(axis=0) for c in range(n_classes)])  # classes x rows
    main = shares.argmax(axis=0)
    biased = (main != truth).astype(float)
    departs = (guesses != main).mean(axis=0)
    right = shares[truth, np.arange(len(truth))]
    rows = {
        "error": 1 - right,
        "bias": biased,
        "variance": departs,
        "variance where unbiased": np.where(biased > 0, 0.0, departs),
        "variance where biased": np.where(
            biased > 0, right, 0.0
        ),  # that part of departing that hits the truth
        "bias (Kohavi-Wolpert)": ((np.eye(n_classes)[truth].T - shares) ** 2).sum(axis=0) / 2,
        "variance (Kohavi-Wolpert)": (1 - (shares**2).sum(axis=0)) / 2,
    }
    return BiasVariance(_parts(rows), "0-1", len(guesses), len(truth))


def _parts(rows: dict[str, Float]) -> tuple[Part, ...]:
    """Means over the held-out rows; the interval is for other rows, not for other training tables."""
    out = []
    for name, values in rows.items():
        n, mean = len(values), float(values.mean())
        half = quantile(0.95, n) * float(values.std(ddof=1)) / np.sqrt(n) if n > 1 else np.nan
        out.append(Part(name, mean, max(0.0, mean - half), mean + half))
    return tuple(out)
