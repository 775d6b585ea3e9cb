"""How good, and how sure.   In: predictions for held-out rows.   Out: Scores: 95 % interval and baseline.

Accuracy: Wilson's interval. R2 and mean absolute error: the bootstrap. Both are made of sums over rows, so
rows are summed in at most 2,000 random blocks and the blocks are drawn again: the cost is that of 2,000 rows.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.display import DisplayTable
from hedgerow.display.numbers import finite_or_none
from hedgerow.display.sentences import many
from hedgerow.intake import TargetData
from hedgerow.tree.formatting import number
from hedgerow.types import Count, Float
from hedgerow.words import show

Z = 1.959964  # 95 % of a normal distribution lies within this many standard deviations
DRAWS, BLOCKS = 1000, 2000
FORMATS = {"accuracy": "{:.1%}".format, "R2": "{:.3f}".format}


@dataclass(frozen=True)
class Score:
    name: str
    value: float
    low: float
    high: float
    baseline: float
    baseline_name: str


def score_holdout(
    target: TargetData, predicted: NDArray[Any], train: Count, test: Count, seed: int
) -> list[Score]:
    """`predicted`: class codes or numbers, of the test rows."""
    return score_predictions(target, target.values[test], predicted, train, seed)


def score_predictions(
    target: TargetData, truth: NDArray[Any], predicted: NDArray[Any], train: Count, seed: int
) -> list[Score]:
    """`train`: rows of the target whose most frequent class, or mean and median, is the baseline."""
    if target.classes is None:
        return number_scores(truth, predicted, target.values[train], seed)
    usual = int(np.bincount(target.values[train]).argmax())
    return class_scores(truth, predicted, usual, str(target.classes[usual]))


def score_training(target: TargetData, predicted: NDArray[Any], train: Count) -> list[Score]:
    """Where no rows are held out: of the training rows, without an interval, for it would be one of other rows."""
    scores = score_holdout(target, predicted, train, train, 0)
    return [replace(score, low=float("nan"), high=float("nan")) for score in scores]


def score_place(n_train: int, n_test: int) -> str:
    """Which rows it is of."""
    return f"on the {many(n_test, 'row')} held out" if n_test else f"on the {many(n_train, 'training row')}"


def explain_training(n_rows: int) -> str:
    return (
        f"The score of {many(n_rows, 'training row')} says how well the model remembers them, not how well it predicts "
        "others. --test-share 0.25 holds rows out."
    )


def score_table(scores: Sequence[Score], name: str) -> DisplayTable:
    """One row for each score, under the names of the columns."""
    rows = []
    for score in scores:
        tell = FORMATS.get(score.name, number)
        interval = "not known" if np.isnan(score.low) else f"{tell(score.low)} to {tell(score.high)}"
        usual = f", {show(score.baseline_name)}" if len(scores) > 1 else ""
        rows.append([score.name, tell(score.value), interval, tell(score.baseline) + usual])
    usual = "" if len(scores) > 1 else f": {show(scores[0].baseline_name)}"
    header = ["", name, "95 % interval", f"baseline{usual}"]
    return DisplayTable(header, rows, words=(0, 1, 2, 3))


def explain_doubt(score: Score, name: str) -> str:
    """What the figures do not say for themselves."""
    if np.isnan(score.low):
        return "Too few rows are held out to say how sure the score is."
    if score.low <= score.baseline <= score.high:
        return f"The interval holds the baseline: these rows do not show that {name} is better."
    return ""


def score_json(score: Score) -> dict[str, Any]:
    return {name: finite_or_none(value) for name, value in asdict(score).items()}


def class_scores(truth: Count, guess: Count, usual: int, usual_name: str) -> list[Score]:
    """`usual`: the most frequent class of the training rows."""
    right = int(np.count_nonzero(truth == guess))
    low, high = wilson(right, len(truth))
    baseline = float(np.mean(truth == usual))
    return [Score("accuracy", right / len(truth), low, high, baseline, f"always {usual_name}")]


def number_scores(truth: Float, guess: Float, trained: Float, seed: int) -> list[Score]:
    """`trained`: the target of the training rows. Beside R2 stands their mean, beside absolute errors their median."""
    error, away = (
        truth - guess,
        truth - trained.mean(),
    )  # around the baseline: y - mean(y) without cancellation
    apart = np.abs(truth - np.median(trained))
    terms = np.column_stack([np.ones(len(truth)), error**2, np.abs(error), away, away**2, apart])
    r2, mae, base_r2, base_mae = (float(value[0]) for value in _scores(terms.sum(axis=0)[None]))
    drawn = _scores(_drawn(terms, seed))
    bounds = [_interval(values) for values in drawn[:2]]
    return [
        Score("R2", r2, *bounds[0], base_r2, "always the mean"),
        Score("mean absolute error", mae, *bounds[1], base_mae, "always the median"),
    ]


def _interval(drawn: Float) -> tuple[float, float]:
    """The middle 95 % of the draws; NaN where they tell nothing (one row, or all rows the same)."""
    known = drawn[~np.isnan(drawn)]
    if len(np.unique(known)) < 2:
        return float("nan"), float("nan")
    low, high = np.percentile(known, [2.5, 97.5]).tolist()
    return low, high


def wilson(right: int, n: int) -> tuple[float, float]:
    share, z2 = right / n, Z * Z
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z / (1 + z2 / n) * np.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return max(0.0, float(middle - half)), min(1.0, float(middle + half))


def _scores(sums: Float) -> tuple[Float, Float, Float, Float]:
    """R2 and mean absolute error, of the tree and of the baseline, from each line of sums."""
    n, squares, absolute, away, away2, base = sums.T
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = away2 - away**2 / n
        spread = np.where(spread > 0, spread, np.nan)
        return 1 - squares / spread, absolute / n, 1 - away2 / spread, base / n


def _drawn(terms: Float, seed: int) -> Float:
    random = np.random.default_rng(seed)
    n_blocks = min(BLOCKS, len(terms))
    sums = np.zeros((n_blocks, terms.shape[1]))
    np.add.at(sums, random.permutation(len(terms)) % n_blocks, terms)
    return random.multinomial(n_blocks, np.full(n_blocks, 1 / n_blocks), size=DRAWS) @ sums
