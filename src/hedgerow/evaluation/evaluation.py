"""Evaluation: everything that was found out about one model. Prints itself; its curves are computed on demand."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.display import DisplayTable, Result
from hedgerow.display.numbers import figure, interval, percent, seconds
from hedgerow.display.sentences import many
from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.estimate import metric_by_split
from hedgerow.evaluation.fold import FoldResult, describe_baseline
from hedgerow.evaluation.metric import load_metric, metric_names, metrics
from hedgerow.evaluation.predictions import Predictions
from hedgerow.evaluation.score import Score, compute_scores
from hedgerow.evaluation.size import Size, median_size
from hedgerow.evaluation.splits import Splits
from hedgerow.types import Float
from hedgerow.words import did_you_mean, listing, quote, show

if TYPE_CHECKING:
    from hedgerow.evaluation.curves.calibration import Calibration
    from hedgerow.evaluation.curves.coverage_risk import CoverageRisk
    from hedgerow.evaluation.curves.errors import Confusion, Residuals
    from hedgerow.evaluation.curves.ranking import PrecisionRecall, Roc
    from hedgerow.evaluation.curves.threshold import Threshold


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(Result):
    """Everything that was found out about one model; its curves are computed on demand.

    Attributes
    ----------
    model :
        The model, not fitted.
    fold_results :
        One a split.
    scores :
        Scores with intervals, each with the baseline's beside it.
    findings :
        What may be wrong with the method.

    See Also
    --------
    hedgerow.evaluate : Returns it.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, datasets, evaluate
    >>> heart = datasets.heart()
    >>> found = evaluate(DecisionTreeClassifier(max_depth=2), heart.table, heart.target, cv=3, repeats=1)
    >>> round(found["accuracy"].value, 2)
    0.76
    """

    model: Any
    data: Data
    splits: Splits
    fold_results: tuple[FoldResult, ...]
    scores: tuple[Score, ...]
    findings: tuple[Finding, ...]
    confidence_level: float
    seconds: float

    def __getitem__(self, name: str) -> Score:
        """evaluation["accuracy"].low"""
        for score in self.scores:
            if score.name == name:
                return score
        raise KeyError(f"No score is named {name!r}. There are: {', '.join(s.name for s in self.scores)}.")

    def folds(self, name: str) -> Float:
        """Get a score of each split alone.

        Parameters
        ----------
        name : str
            The metric.

        Returns
        -------
        ndarray
            NaN where it is not defined.
        """
        metric = load_metric(name, self.data.task, "name")
        return metric_by_split(metric, self.fold_results, self.data, self.splits)

    @property
    def size(self) -> Size | None:
        """Of the fit in the middle."""
        return median_size([result.size for result in self.fold_results if result.size is not None])

    @property
    def fit_seconds(self) -> float:
        """The mean of one fit."""
        return float(np.mean([result.fit_seconds for result in self.fold_results]))

    def to_dict(self) -> dict[str, Any]:
        classes = self.data.classes
        return {
            "model": str(self.model),
            "n_rows": self.data.n_rows,
            "n_copies": self.data.n_copies,
            "classes": None if classes is None else classes.tolist(),
            "splits": self.splits.description,
            "n_splits": len(self.splits.parts),
            "confidence_level": self.confidence_level,
            "scores": [score.to_dict() for score in self.scores],
            "baseline": self._describe_baseline(),
            "size": None if self.size is None else str(self.size),
            "fit_seconds": self.fit_seconds,
            "seconds": self.seconds,
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def tables(self) -> list[DisplayTable]:
        return [self.score_table()]

    def score_table(self, name: str = "") -> DisplayTable:
        """Get the table of scores.

        Parameters
        ----------
        name : str
            Name of the model; if empty, as it is written in Python.
        """
        model = show(name or " ".join(str(self.model).split()), 70)
        title = f"{model}: {many(self.data.n_rows, 'row')}, {self.splits.description}"
        header = ("", "score", f"{percent(self.confidence_level)} interval", "baseline", "better?")
        rows = [_score_row(score) for score in self.scores]
        return DisplayTable(header, rows, words=(0, -1), title=[title], notes=self._notes(), gap=3)

    def _notes(self) -> list[str]:
        notes = [f"baseline: {self._describe_baseline()}"]
        if self.data.is_binary and self.data.classes is not None:
            notes.append(f"positive class: {show(str(self.data.classes[1]))}")
        size = [str(self.size)] if self.size else []
        if self.splits.kind == "fitted":
            notes += [f"size: {one}" for one in size]
        else:
            notes.append(f"one fit: {', '.join([seconds(self.fit_seconds), *size])}")
        findings = [str(finding) for finding in self.findings]
        return notes + (findings or [self._nothing_found()])

    def _nothing_found(self) -> str:
        """And what nobody looked at: it takes more fits."""
        is_apart = self.splits.kind in ("fitted", "time") or (
            self.data.groups is not None and not self.data.grouped_by_copies
        )
        unchecked = "" if is_apart else "; only a study checks whether rows depend on groups, time or order"
        return f"checks of the method: nothing found{unchecked}"

    def _describe_baseline(self) -> str:
        known = metrics()
        return describe_baseline(self.data, self.splits, [known[score.name] for score in self.scores])

    def against_rest(self, label: Any) -> "Evaluation":
        """Evaluate one of three or more classes against the others, from the same fits.

        Parameters
        ----------
        label : label
            The class.

        Returns
        -------
        Evaluation
            Its scores and its curves.
        """
        c, classes = _class_number(self.data, label), self.data.classes
        assert classes is not None
        names = np.array([f"not {classes[c]}", str(classes[c])])
        data = replace(self.data, y=(self.data.y == c).astype(np.int64), classes=names)
        results = tuple(_one_class(result, c) for result in self.fold_results)
        scores = compute_scores(metric_names(None, data), results, data, self.splits, self.confidence_level)
        return replace(self, data=data, fold_results=results, scores=scores)

    def roc(self) -> "Roc":
        """Compute the ROC curve.

        Returns
        -------
        Roc
            Prints and draws itself.
        """
        from hedgerow.evaluation.curves.ranking import compute_roc

        return compute_roc(self)

    def precision_recall(self) -> "PrecisionRecall":
        """Compute the precision-recall curve.

        Returns
        -------
        PrecisionRecall
            Prints and draws itself.
        """
        from hedgerow.evaluation.curves.ranking import compute_precision_recall

        return compute_precision_recall(self)

    def calibration(self, bins: int = 10) -> "Calibration":
        """Compare predicted probabilities with observed frequencies.

        Parameters
        ----------
        bins : int
            Bins of about equally many rows.

        Returns
        -------
        Calibration
            Prints and draws itself.
        """
        from hedgerow.evaluation.curves.calibration import compute_calibration

        return compute_calibration(self, bins)

    def confusion(self) -> "Confusion":
        """Count true against predicted classes.

        Returns
        -------
        Confusion
            Prints and draws itself.
        """
        from hedgerow.evaluation.curves.errors import compute_confusion

        return compute_confusion(self)

    def coverage_risk(self) -> "CoverageRisk":
        """Compute the error rate when only the most confident rows are answered.

        Returns
        -------
        CoverageRisk
            Prints and draws itself.
        """
        from hedgerow.evaluation.curves.coverage_risk import compute_coverage_risk

        return compute_coverage_risk(self)

    def threshold(self, *, false_positive: float = 1.0, false_negative: float = 1.0) -> "Threshold":
        """Find the probability from which predicting the positive class is cheaper.

        Parameters
        ----------
        false_positive : float
            Cost of a false positive.
        false_negative : float
            Cost of a false negative.

        Returns
        -------
        Threshold
            Prints and draws itself.
        """
        from hedgerow.evaluation.curves.threshold import choose_threshold

        return choose_threshold(self, false_positive, false_negative)

    def residuals(self) -> "Residuals":
        """Set true against predicted numbers.

        Returns
        -------
        Residuals
            Prints and draws itself.
        """
        from hedgerow.evaluation.curves.errors import compute_residuals

        return compute_residuals(self)

    def draw(self) -> Any:
        """All curves that suit, on one figure. Returns the Figure."""
        from hedgerow.draw.curves import draw_evaluation

        return draw_evaluation(self)


def _score_row(score: Score) -> tuple[str, ...]:
    if score.missing:
        return score.title, "-", score.missing, figure(score.baseline), ""
    known = "not shown" if np.isfinite(score.difference_low) else "-"
    better = "yes" if score.difference_low > 0 else "worse" if score.difference_high < 0 else known
    return score.title, figure(score.value), interval(score.low, score.high), figure(score.baseline), better


def _class_number(data: Data, label: Any) -> int:
    known = [] if data.classes is None else data.classes.tolist()
    if len(known) < 3:
        raise ValueError("One class against the others is for three classes or more.")
    if label not in known:
        hint = did_you_mean(str(label), map(str, known))
        raise ValueError(f"{quote(label)} is no class. Classes: {listing(known, 30)}.{hint}")
    return known.index(label)


def _one_class(result: FoldResult, c: int) -> FoldResult:
    return replace(
        result,
        predictions=_two_classes(result.predictions, c),
        overlap_predictions=_two_classes(result.overlap_predictions, c),
    )


def _two_classes(predictions: Predictions | None, c: int) -> Predictions | None:
    """Class c against all others."""
    if predictions is None:
        return None
    values = np.where(predictions.values < 0, -1, predictions.values == c)
    if predictions.proba is not None:
        positive = predictions.proba[:, c]
        proba = np.column_stack([1 - positive, positive])
        return Predictions(values, proba, proba)
    if predictions.decision is None:
        return Predictions(values)
    decision = predictions.decision[:, c]
    return Predictions(values, None, np.column_stack([-decision, decision]))
