"""Out of bag, as one object.   In: a Tally of the members and the truth.   Out: predictions, any score with its
interval, the curve over the number of members, the rows that were never out.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import get_scorer

from hedgerow.display import Result
from hedgerow.ensemble.oob import Tally, losses
from hedgerow.grow import Classes, Target
from hedgerow.types import Count, Float

RESAMPLES = 500


@dataclass(frozen=True)
class OobScore:
    """A score out of bag, with a percentile interval of bootstrap resamples of the rows."""

    scoring: str
    value: float
    low: float
    high: float
    confidence_level: float
    n_rows: int
    resamples: int

    def __str__(self) -> str:
        return (
            f"{self.scoring} {self.value:.4f}, {self.confidence_level:.0%} interval {self.low:.4f} to {self.high:.4f} "
            f"(percentile bootstrap over {self.n_rows:,} rows, {self.resamples} resamples)"
        )

    __repr__ = __str__

    def __float__(self) -> float:
        return self.value

    def to_dict(self) -> dict[str, Any]:
        return dict(vars(self))


@dataclass(frozen=True, eq=False, repr=False)
class OutOfBag(Result):
    """Predictions of training rows by the members that have not seen them, their scores and their curve.

    Attributes
    ----------
    tally :
        What the members said.
    target :
        The truth.
    classes :
        The class labels; None for numbers.

    See Also
    --------
    hedgerow.RandomForestClassifier.out_of_bag : Returns it.

    Examples
    --------
    >>> from hedgerow import RandomForestClassifier, datasets
    >>> heart = datasets.heart()
    >>> forest = RandomForestClassifier(50, random_state=0).fit(heart.table, heart.target)
    >>> len(forest.oob_.never_out)
    0
    """

    tally: Tally
    target: Target
    classes: NDArray[Any] | None

    @property
    def n_members(self) -> int:
        return len(self.tally.loss)

    @property
    def n_out(self) -> Count:
        """For each row, the number of members that have not seen it."""
        return self.tally.many.astype(np.int64)

    @cached_property
    def never_out(self) -> Count:
        """Rows that every member has seen: they have no honest prediction and are left out of scores."""
        weight = self.tally.weight
        counts = np.ones(len(self.tally.many), bool) if weight is None else weight > 0
        return np.flatnonzero(counts & (self.tally.many == 0))

    @property
    def decision_function(self) -> Float:
        """Rows x classes: mean class shares of the members that have not seen the row; NaN where there is none."""
        if self.classes is None:
            raise AttributeError("A regression has no class shares. Use `prediction`.")
        return self.tally.mean

    @property
    def prediction(self) -> NDArray[Any]:
        """Class of each row, or its number. Rows never out: the first class, or NaN; `never_out` lists them."""
        if self.classes is None:
            return self.tally.mean[:, 0]
        return self.classes[np.nan_to_num(self.tally.mean).argmax(axis=1)]  # type: ignore[no-any-return]

    @property
    def curve(self) -> Float:
        """After each member, the loss of the rows that were out so far: error rate, or mean squared error."""
        return self.tally.loss

    @cached_property
    def row_losses(self) -> Float:
        """The loss of each row that was out of bag."""
        covered = self.tally.covered
        return losses(self.tally.mean[covered], self.target, covered)

    @cached_property
    def loss(self) -> tuple[float, float]:
        """Error rate or mean squared error, and its standard error over the rows."""
        weight = None if self.tally.weight is None else self.tally.weight[self.tally.covered]
        if not len(self.row_losses):
            return np.nan, np.nan
        with np.errstate(over="ignore", invalid="ignore"):  # numbers beyond 1e154: their squares are infinite
            mean = float(np.average(self.row_losses, weights=weight))
            spread = float(np.average((self.row_losses - mean) ** 2, weights=weight))
        n = len(self.row_losses) if weight is None else float(weight.sum() ** 2 / (weight**2).sum())
        return mean, float(np.sqrt(spread / max(1.0, n - 1)))

    def score(
        self,
        scoring: str | Callable[..., Any] | None = None,
        *,
        confidence_level: float = 0.95,
        resamples: int = RESAMPLES,
        random_state: int = 0,
    ) -> OobScore:
        """Score the out-of-bag predictions, with an interval from the bootstrap over rows.

        Parameters
        ----------
        scoring : str, callable or None
            A name of scikit-learn ("roc_auc", "neg_log_loss", ...), one of its scorers, or a function of (truth,
            prediction). None for accuracy or R2.
        resamples : int
            Draws of the bootstrap.

        Returns
        -------
        OobScore
            `value`, `low` and `high`. Prints itself.
        """
        if not 0 < confidence_level < 1:
            raise ValueError(
                f"confidence_level={confidence_level!r} is out of range. Give a share such as 0.95."
            )
        rows = np.flatnonzero(self.tally.covered)
        if not len(rows):
            raise ValueError("No row is out of any bag, so that there is nothing to score. Use more members.")
        name, of = self._make_scorer(scoring)
        value = of(rows)
        rng = np.random.default_rng(random_state)
        again = [_or_nan(of, rows[rng.integers(0, len(rows), len(rows))]) for _ in range(resamples)]
        with np.errstate(invalid="ignore"):
            low, high = np.nanquantile(again, [(1 - confidence_level) / 2, (1 + confidence_level) / 2])
        return OobScore(name, value, float(low), float(high), confidence_level, len(rows), resamples)

    def _make_scorer(self, scoring: Any) -> tuple[str, Callable[[Count], float]]:
        if scoring is None:
            scoring = "r2" if self.classes is None else "accuracy"
        y = self._truth()
        weight = self.tally.weight
        if isinstance(scoring, str) or hasattr(scoring, "_score_func"):
            scorer: Any = get_scorer(scoring)
            estimator = _OobEstimator(self)

            def score(rows: Count) -> float:
                more = {} if weight is None else {"sample_weight": weight[rows]}
                return float(scorer(estimator, rows[:, None], y[rows], **more))

            return scoring if isinstance(scoring, str) else str(scoring), score
        if not callable(scoring):
            raise TypeError(
                f"scoring={scoring!r} is no metric. Give a name of scikit-learn, a scorer, or a function."
            )
        predicted = self.prediction
        return getattr(scoring, "__name__", "score"), lambda rows: float(scoring(y[rows], predicted[rows]))

    def _truth(self) -> NDArray[Any]:
        if isinstance(self.target, Classes) and self.classes is not None:
            return self.classes[self.target.codes]
        return self.target.values  # type: ignore[union-attr]

    def to_dict(self) -> dict[str, Any]:
        loss, error = self.loss
        return {
            "loss": "error rate" if self.classes is not None else "mean squared error",
            "value": loss,
            "standard_error": error,
            "n_members": self.n_members,
            "n_rows": len(self.row_losses),
            "never_out": self.never_out.tolist(),
            "curve": self.curve.tolist(),
        }

    def tables(self) -> list[str]:
        return ["\n".join(self._lines())]

    def _lines(self) -> list[str]:
        if not len(self.row_losses):
            return [
                f"Out of bag: no row is out of any of the {self.n_members:,} bags. More members or rows help."
            ]
        loss, error = self.loss
        what = "error rate" if self.classes is not None else "mean squared error"
        low, high = loss - 1.96 * error, loss + 1.96 * error
        lines = [
            f"Out of bag: {what} {loss:.4g}, 95% interval {max(0.0, low):.4g} to {high:.4g} (normal, over rows)",
            f"{self.n_members:,} members; {len(self.row_losses):,} rows, each predicted by "
            f"{self.n_out[self.tally.covered].mean():.1f} members that have not seen it",
        ]
        never = len(self.never_out)
        if never:
            first = ", ".join(map(str, self.never_out[:8])) + (", ..." if never > 8 else "")
            lines.append(f"{never:,} rows were in every bag and are left out: {first}. More members help.")
        else:
            lines.append("Every row was out of some bag.")
        return lines

    def draw(self, ax: Any = None) -> Any:
        """The loss over the number of members. Returns the Axes."""
        from hedgerow.draw.learning import draw_oob

        return draw_oob(self, ax=ax)


class _OobEstimator:
    """A fitted estimator in scikit-learn's eyes, whose rows are row numbers and whose predictions are known."""

    def __init__(self, oob: OutOfBag) -> None:
        self._estimator_type = "regressor" if oob.classes is None else "classifier"
        self._predicted, self._shares = oob.prediction, oob.tally.mean
        if oob.classes is not None:
            self.classes_ = oob.classes

    def predict(self, X: Count) -> NDArray[Any]:
        return self._predicted[X[:, 0]]

    def predict_proba(self, X: Count) -> Float:
        return np.asarray(self._shares[X[:, 0]])

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, InputTags, RegressorTags, Tags, TargetTags

        kind = self._estimator_type
        return Tags(
            estimator_type=kind,
            target_tags=TargetTags(required=True),
            classifier_tags=ClassifierTags() if kind == "classifier" else None,
            regressor_tags=RegressorTags() if kind == "regressor" else None,
            input_tags=InputTags(),
        )

    def fit(self) -> None:
        raise TypeError("its predictions are known already")

    def __sklearn_is_fitted__(self) -> bool:
        return True


def _or_nan(of: Callable[[Count], float], rows: Count) -> float:
    """A resample may lack a class, and then some metrics have no value."""
    try:
        return of(rows)
    except ValueError:
        return np.nan
