"""Bias and variance.   In: a model, and a simulator or one table.   Out: BiasVariance: why the model errs.

A simulator draws training tables and knows the truth: the mean of the target, or the probability of each class, given
the columns. The model is fitted to many tables; for each row of one more table the main prediction is the mean of the
predictions, or the most frequent class.

    squared loss   error = noise + bias + variance: bias is the squared distance of the main prediction from the truth
    0-1 loss       error = noise + bias + variance, by squared probabilities             Kohavi and Wolpert 1996
                   and, against the most probable class: whether the main prediction is another one (bias), how often
                   predictions depart from it (variance)                                 Domingos 2000

One table does not say how much of the error is noise, and bootstrap samples of it share rows: their predictions vary
too little (a full tree: about half as much as it should be). So the training rows are halved, again and again: two
models of different rows differ by twice the variance of a model of half the rows, and what is left of the error is bias
and noise together.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.display import DisplayTable, Result
from hedgerow.display.numbers import figure, interval, json_ready
from hedgerow.docstrings import document
from hedgerow.estimators.bag_members import take_rows
from hedgerow.evaluation.data import Data, make_data
from hedgerow.evaluation.fold import FitJob, fit_and_predict
from hedgerow.evaluation.run import progress_line
from hedgerow.evaluation.score import t_quantile
from hedgerow.evaluation.splits import make_splits
from hedgerow.types import Float

Draw = Callable[[np.random.Generator], tuple[Any, Any, Any]]  # columns, target, truth


@dataclass(frozen=True)
class Part:
    name: str
    value: float
    low: float
    high: float


@dataclass(frozen=True, eq=False, repr=False)
class BiasVariance(Result):
    """Why a model errs: noise, bias and variance.

    Attributes
    ----------
    parts :
        Error, noise, bias, variance, ...
    loss :
        "squared" or "0-1".
    n_draws :
        Tables, or times that the training rows were halved.
    n_train :
        Rows of each fit.
    n_rows :
        That were predicted.
    knows_truth :
        Whether the truth was given by a simulator.

    See Also
    --------
    hedgerow.bias_variance : Returns it.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, bias_variance, datasets
    >>> heart = datasets.heart()
    >>> found = bias_variance(DecisionTreeClassifier(), heart.table, heart.target, n_draws=5)
    >>> found.n_draws
    5
    """

    parts: tuple[Part, ...]
    loss: str
    n_draws: int
    n_train: int
    n_rows: int
    knows_truth: bool

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
        if self.knows_truth:
            notes = [
                f"{self.n_draws} tables of {self.n_train:,} rows, predictions for {self.n_rows:,} others"
            ]
        else:
            notes = [
                f"{self.n_draws} pairs of fits to different halves of the training rows, {self.n_train:,} rows each; "
                f"{self.n_rows:,} rows held out",
                "One table does not tell bias from noise: give draw= for that.",
            ]
        return [DisplayTable(header, rows, words=(0, -1), notes=notes, gap=3)]

    def draw(self, ax: Any = None) -> Any:
        from hedgerow.draw.learning import draw_bias_variance

        return draw_bias_variance(self, ax=ax)


@document()
def bias_variance(
    estimator: Any,
    X: Any = None,
    y: Any = None,
    *,
    draw: Draw | None = None,
    n_draws: int = 50,
    test_size: float = 0.3,
    sample_weight: Any = None,
    positive: Any = None,
    random_state: int = 0,
    progress: bool = True,
) -> BiasVariance:
    """Measure why a model errs: noise, bias and variance.

    Parameters
    ----------
    draw : callable or None
        A simulator. draw(random) takes a numpy Generator and gives X, y and the truth: for numbers the mean of y
        given X, for classes the probability of each, in sorted order (of two: or of the second alone). n_draws tables
        are fitted, and one more is predicted. None where a table is given.
    X : array-like or None
        One table: the rows that are not held out (a share of test_size is) are halved n_draws times, and the model is
        fitted to both halves: the variance is that of half the rows, and bias and noise are one number.
    y : array-like or None
        Its target.
    n_draws : int
        Tables that are drawn, or times that the rows are halved.
    test_size : float
        Share of the rows that is held out.

    Returns
    -------
    BiasVariance
        Its parts. Prints and draws itself.

    See Also
    --------
    learning_curve : Whether more rows would help.

    Notes
    -----
    Squared loss: the expected error is noise + bias^2 + variance, where the bias is that of the mean prediction over
    training sets and the variance that of single ones around it.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import DecisionTreeRegressor, bias_variance
    >>> def draw(random):
    ...     x = random.uniform(0, 3, (200, 1))
    ...     truth = np.sin(2 * x[:, 0])
    ...     return x, truth + random.normal(0, 0.3, 200), truth
    >>> found = bias_variance(DecisionTreeRegressor(), draw=draw, progress=False)
    >>> bool(abs(found["variance"] - 0.09) < 0.01)
    True
    """
    if not isinstance(n_draws, int) or n_draws < 2:
        raise ValueError(f"n_draws={n_draws!r} is out of range. Give at least 2.")
    if (draw is None) == (X is None and y is None):
        raise TypeError("bias_variance takes X and y, or draw=, a function that draws X, y and the truth.")
    random = np.random.default_rng(random_state)
    if draw is not None:
        return _simulate(estimator, draw, n_draws, random, progress)
    data = make_data([estimator], X, y, sample_weight=sample_weight, positive=positive)
    part = make_splits(float(test_size), data, random_state=random_state).parts[0]
    half = len(part.train) // 2
    if half < 1:
        raise ValueError(f"{len(part.train)} training row cannot be halved. Give more rows, or draw=.")
    test = take_rows(data.X, part.test)
    values: list[NDArray[Any]] = []
    with progress_line(f"{2 * n_draws} fits", 2 * n_draws, progress) as advance:
        for _ in range(n_draws):
            mixed = random.permutation(part.train)
            for rows in (mixed[:half], mixed[half : 2 * half]):
                weight = None if data.weight is None else data.weight[rows]
                job = FitJob(
                    estimator, take_rows(data.X, rows), data.labels[rows], weight, test, data.classes
                )
                values.append(_predict(job, len(values) + 1, 2 * n_draws))
                advance()
    pairs = np.array(values).reshape(n_draws, 2, len(part.test))
    is_squared = data.classes is None
    parts = _compare_halves(data.y[part.test], pairs, is_squared)
    return BiasVariance(
        parts, "squared" if is_squared else "0-1", n_draws, half, len(part.test), knows_truth=False
    )


def _predict(job: FitJob, at: int, n_fits: int) -> NDArray[Any]:
    result = fit_and_predict(job)
    if result.predictions is None:
        raise ValueError(f"The model failed in draw {at} of {n_fits}: {result.failure}")
    return np.asarray(result.predictions.values)


def _simulate(
    estimator: Any, draw: Draw, n_draws: int, random: np.random.Generator, progress: bool
) -> BiasVariance:
    tables = [_draw_table(estimator, draw, random) for _ in range(n_draws + 1)]
    test, truth = tables.pop()
    classes = None
    if test.classes is not None:
        classes = np.unique(np.concatenate([test.labels, *(data.labels for data, _ in tables)]))
    known = _check_truth(truth, len(test.y), classes)
    values: list[NDArray[Any]] = []
    with progress_line(f"{n_draws} fits", n_draws, progress) as advance:
        for data, _ in tables:
            job = FitJob(estimator, data.X, data.labels, None, test.X, classes)
            values.append(_predict(job, len(values) + 1, n_draws))
            advance()
    predicted = np.array(values)
    sizes = n_draws, len(tables[0][0].y), len(test.y)
    if classes is None:
        parts, loss = _decompose_squared(test.y, predicted, known), "squared"
    else:
        parts, loss = _decompose_zero_one(predicted, known), "0-1"
    return BiasVariance(parts, loss, *sizes, knows_truth=True)


def _draw_table(estimator: Any, draw: Draw, random: np.random.Generator) -> tuple[Data, Any]:
    drawn = draw(random)
    if not isinstance(drawn, tuple) or len(drawn) != 3:
        raise TypeError(f"draw gave a {type(drawn).__name__}; it must give three things: X, y and the truth.")
    X, y, truth = drawn
    return make_data([estimator], X, y), truth


def _check_truth(given: Any, n_rows: int, classes: NDArray[Any] | None) -> Float:
    """A mean for each row, or the probability of each class."""
    truth = np.asarray(given, np.float64)
    if classes is not None and len(classes) == 2 and truth.ndim == 1:
        truth = np.column_stack([1 - truth, truth])
    shape = (n_rows,) if classes is None else (n_rows, len(classes))
    if truth.shape != shape or not np.isfinite(truth).all():
        wanted = "a mean for each row" if classes is None else f"{len(classes)} probabilities for each row"
        raise ValueError(f"The truth that draw gave has the shape {truth.shape}; give {wanted}: {shape}.")
    return truth


def _compare_halves(y_true: NDArray[Any], pairs: NDArray[Any], is_squared: bool) -> tuple[Part, ...]:
    """pairs: draws x 2 x rows, of models that share no row."""
    one, two = pairs[:, 0], pairs[:, 1]
    if is_squared:
        error = ((one - y_true) ** 2 + (two - y_true) ** 2) / 2
        variance = (one - two) ** 2 / 2
    else:
        error = ((one != y_true) + 0.0 + (two != y_true)) / 2
        variance = (one != two) / 2
    rows = {"error": error, "bias and noise": error - variance, "variance": variance}
    return _average({name: values.mean(axis=0) for name, values in rows.items()})


def _decompose_squared(y_true: Float, y_pred: Float, truth: Float) -> tuple[Part, ...]:
    """y_pred: draws x rows. The main prediction varies too, by the variance over the number of draws."""
    variance = y_pred.var(axis=0, ddof=1)
    noise = (y_true - truth) ** 2
    bias = (y_pred.mean(axis=0) - truth) ** 2 - variance / len(y_pred)
    rows = {"error": noise + bias + variance, "noise": noise, "bias": bias, "variance": variance}
    return _average(rows)


def _decompose_zero_one(y_pred: NDArray[Any], truth: Float) -> tuple[Part, ...]:
    """truth: rows x classes, probabilities."""
    n, n_classes = len(y_pred), truth.shape[1]
    shares = np.array([(y_pred == c).mean(axis=0) for c in range(n_classes)]).T  # rows x classes
    main, best = shares.argmax(axis=1), truth.argmax(axis=1)
    biased = (main != best).astype(float)
    departs = (y_pred != main).mean(axis=0)
    right = shares[np.arange(len(best)), best]
    spread = (shares * (1 - shares)).sum(axis=1)
    rows = {
        "error": 1 - (truth * shares).sum(axis=1),
        "noise": 1 - truth.max(axis=1),
        "bias": biased,
        "variance": departs,
        "variance where unbiased": np.where(biased > 0, 0.0, departs),
        "variance where biased": np.where(biased > 0, right, 0.0),  # the departures that hit the best class
        "noise (Kohavi-Wolpert)": (1 - (truth**2).sum(axis=1)) / 2,
        "bias (Kohavi-Wolpert)": ((truth - shares) ** 2).sum(axis=1) / 2 - spread / (2 * (n - 1)),
        "variance (Kohavi-Wolpert)": spread / 2 * n / (n - 1),
    }
    return _average(rows)


def _average(rows: dict[str, Float]) -> tuple[Part, ...]:
    """Means over the rows; the interval is for other rows, not for other training tables."""
    parts = []
    for name, values in rows.items():
        n, mean = len(values), float(values.mean())
        half = t_quantile(0.95, n) * float(values.std(ddof=1)) / np.sqrt(n) if n > 1 else np.nan
        parts.append(Part(name, mean, max(0.0, mean - half), mean + half))
    return tuple(parts)
