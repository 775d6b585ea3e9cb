"""Bias and variance.   In: a model, a table, a target.   Out: BiasVariance: why the model errs, on rows held out.

The model is fitted to many bootstrap samples of the training rows. For each held-out row, its main prediction is the
mean (for numbers) or the most frequent class; the bias is the loss of the main prediction, the variance how often, or
how far, predictions depart from it.

    squared loss   error = bias + variance                                       (noise is part of the bias)
    0-1 loss       error = bias + variance where unbiased - variance where biased     Domingos 2000 (two classes)
                   error = bias + variance, by squared probabilities                  Kohavi and Wolpert 1996

For more than two classes departing from a wrong main prediction helps only if it hits the right class: Domingos' factor
is applied row by row.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.display import DisplayTable, Result
from hedgerow.display.numbers import figure, interval, json_ready
from hedgerow.evaluation.data import make_data, take_rows
from hedgerow.evaluation.fold import FitJob, fit_and_predict
from hedgerow.evaluation.run import progress_line
from hedgerow.evaluation.score import t_quantile
from hedgerow.evaluation.splits import make_splits
from hedgerow.types import Float


@dataclass(frozen=True)
class Part:
    name: str
    value: float
    low: float
    high: float


@dataclass(frozen=True, eq=False, repr=False)
class BiasVariance(Result):
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
        return {**json_ready(parts), "loss": self.loss}

    def tables(self) -> list[DisplayTable]:
        rows = [(part.name, figure(part.value), interval(part.low, part.high)) for part in self.parts]
        header = (f"{self.loss} loss", "mean", "95 % interval")
        notes = [f"{self.n_draws} fits, {self.n_rows:,} rows held out"]
        return [DisplayTable(header, rows, words=(0, -1), notes=notes, gap=3)]

    def draw(self, ax: Any = None) -> Any:
        from hedgerow.draw.learning import draw_bias_variance

        return draw_bias_variance(self, ax=ax)


def bias_variance(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    n_draws: int = 50,
    test_size: float = 0.3,
    sample_weight: Any = None,
    positive: Any = None,
    random_state: int = 0,
    progress: bool = True,
) -> BiasVariance:
    """Error = bias + variance, on held-out rows (a share of `test_size`), over `n_draws` bootstrap samples of the
    others. The other parameters are those of `evaluate`."""
    if not isinstance(n_draws, int) or n_draws < 2:
        raise ValueError(f"n_draws={n_draws!r} is out of range. Give at least 2.")
    data = make_data([estimator], X, y, sample_weight=sample_weight, positive=positive)
    part = make_splits(float(test_size), data, random_state=random_state).parts[0]
    random = np.random.default_rng(random_state)
    test, values = take_rows(data.X, part.test), []
    with progress_line(f"{n_draws} fits", n_draws, progress) as advance:
        for draw in range(n_draws):
            rows = random.choice(part.train, len(part.train))
            weight = None if data.weight is None else data.weight[rows]
            job = FitJob(estimator, take_rows(data.X, rows), data.labels[rows], weight, test, data.classes)
            result = fit_and_predict(job)
            if result.predictions is None:
                raise ValueError(f"The model failed in draw {draw + 1} of {n_draws}: {result.failure}")
            values.append(result.predictions.values)
            advance()
    y_true, y_pred = data.y[part.test], np.array(values)
    if data.classes is None:
        return _decompose_squared(y_true, y_pred)
    return _decompose_zero_one(y_true, y_pred, len(data.classes))


def _decompose_squared(y_true: Float, y_pred: Float) -> BiasVariance:
    """y_pred: draws x rows."""
    main = y_pred.mean(axis=0)
    rows = {
        "error": ((y_pred - y_true) ** 2).mean(axis=0),
        "bias": (main - y_true) ** 2,
        "variance": ((y_pred - main) ** 2).mean(axis=0),
    }
    return BiasVariance(_average(rows), "squared", len(y_pred), len(y_true))


def _decompose_zero_one(y_true: NDArray[Any], y_pred: NDArray[Any], n_classes: int) -> BiasVariance:
    shares = np.array([(y_pred == c).mean(axis=0) for c in range(n_classes)])  # classes x rows
    main = shares.argmax(axis=0)
    biased = (main != y_true).astype(float)
    departs = (y_pred != main).mean(axis=0)
    right = shares[y_true, np.arange(len(y_true))]
    rows = {
        "error": 1 - right,
        "bias": biased,
        "variance": departs,
        "variance where unbiased": np.where(biased > 0, 0.0, departs),
        "variance where biased": np.where(biased > 0, right, 0.0),  # the departures that hit the truth
        "bias (Kohavi-Wolpert)": ((np.eye(n_classes)[y_true].T - shares) ** 2).sum(axis=0) / 2,
        "variance (Kohavi-Wolpert)": (1 - (shares**2).sum(axis=0)) / 2,
    }
    return BiasVariance(_average(rows), "0-1", len(y_pred), len(y_true))


def _average(rows: dict[str, Float]) -> tuple[Part, ...]:
    """Means over the held-out rows; the interval is for other rows, not for other training tables."""
    parts = []
    for name, values in rows.items():
        n, mean = len(values), float(values.mean())
        half = t_quantile(0.95, n) * float(values.std(ddof=1)) / np.sqrt(n) if n > 1 else np.nan
        parts.append(Part(name, mean, max(0.0, mean - half), mean + half))
    return tuple(parts)
