"""Evaluation: everything that was found out about one model. Prints itself; its curves are made when asked for."""

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.evaluation.baseline import baseline_words
from hedgerow.evaluation.checks import Finding
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import Answer
from hedgerow.evaluation.measure import by_split
from hedgerow.evaluation.metrics import metric_named
from hedgerow.evaluation.score import Score
from hedgerow.evaluation.size import Size, mean_size
from hedgerow.evaluation.splits import Splits
from hedgerow.evaluation.words import (
    figure,
    html_lines,
    html_table,
    many,
    model_words,
    percent,
    seconds,
    span,
    text_table,
)
from hedgerow.table.words import show
from hedgerow.types import Float

if TYPE_CHECKING:
    from hedgerow.evaluation.curves.calibration import Calibration
    from hedgerow.evaluation.curves.confusion import Confusion
    from hedgerow.evaluation.curves.coverage_risk import CoverageRisk
    from hedgerow.evaluation.curves.precision_recall import PrecisionRecall
    from hedgerow.evaluation.curves.residuals import Residuals
    from hedgerow.evaluation.curves.roc import Roc
    from hedgerow.evaluation.curves.threshold import Threshold


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation:
    model: Any
    data: Data
    splits: Splits
    answers: tuple[Answer, ...]  # one a split
    baseline: tuple[Answer, ...]
    scores: tuple[Score, ...]
    findings: tuple[Finding, ...]  # what may be wrong with the method
    level: float
    seconds: float

    def __getitem__(self, name: str) -> Score:
        """evaluation["accuracy"].low"""
        for score in self.scores:
            if score.name == name:
                return score
        raise KeyError(f"No score is named {name!r}. There are: {', '.join(s.name for s in self.scores)}.")

    def folds(self, name: str) -> Float:
        """A score of each split alone; NaN where it has none."""
        task = "regression" if self.data.classes is None else "classification"
        return by_split(metric_named(name, task), self.answers, self.data, self.splits)

    @property
    def size(self) -> Size | None:
        """The mean over the fits."""
        return mean_size([answer.size for answer in self.answers if answer.size is not None])

    @property
    def fit_seconds(self) -> float:
        """The mean of one fit."""
        return float(np.mean([answer.fit_seconds for answer in self.answers]))

    def to_dict(self) -> dict[str, Any]:
        classes = self.data.classes
        return {
            "model": str(self.model),
            "n_rows": self.data.n_rows,
            "classes": None if classes is None else classes.tolist(),
            "splits": self.splits.words,
            "n_splits": len(self.splits.parts),
            "level": self.level,
            "scores": [score.to_dict() for score in self.scores],
            "baseline": baseline_words(self.data),
            "size": None if self.size is None else str(self.size),
            "fit_seconds": self.fit_seconds,
            "seconds": self.seconds,
            "findings": [
                {"check": f.check, "words": f.words, "severe": f.severe, "columns": list(f.columns)}
                for f in self.findings
            ],
        }

    def __str__(self) -> str:
        return "\n".join([self.title(), "", *text_table(*self.table()), "", *self.notes()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_lines([self.title()]) + html_table(*self.table()) + html_lines(self.notes())

    def title(self) -> str:
        return f"{model_words(self.model)}: {many(self.data.n_rows, 'row')}, {self.splits.words}"

    def table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        header = ("", "score", f"{percent(self.level)} interval", "baseline", "better?")
        return header, [_line(score) for score in self.scores]

    def notes(self) -> list[str]:
        told = [f"baseline: {baseline_words(self.data)}"]
        if self.data.is_binary and self.data.classes is not None:
            told.append(f"positive class: {show(str(self.data.classes[1]))}")
        fit = f"one fit: {seconds(self.fit_seconds)}" + (f", {self.size}" if self.size else "")
        told.append(fit)
        told += [f"{'!' if finding.severe else '-'} {finding.words}" for finding in self.findings]
        return told if self.findings else [*told, "checks of the method: nothing found"]

    def against_rest(self, label: Any) -> "Evaluation":
        """Of three classes or more, one against the others, from the same answers: its scores and its curves."""
        return import_module("hedgerow.evaluation.against_rest").against_rest(self, label)  # type: ignore[no-any-return]

    def roc(self) -> "Roc":
        return import_module("hedgerow.evaluation.curves.roc").roc(self)  # type: ignore[no-any-return]

    def precision_recall(self) -> "PrecisionRecall":
        return import_module("hedgerow.evaluation.curves.precision_recall").precision_recall(self)  # type: ignore[no-any-return]

    def calibration(self, bins: int = 10) -> "Calibration":
        return import_module("hedgerow.evaluation.curves.calibration").calibration(self, bins)  # type: ignore[no-any-return]

    def confusion(self) -> "Confusion":
        return import_module("hedgerow.evaluation.curves.confusion").confusion(self)  # type: ignore[no-any-return]

    def coverage_risk(self) -> "CoverageRisk":
        return import_module("hedgerow.evaluation.curves.coverage_risk").coverage_risk(self)  # type: ignore[no-any-return]

    def threshold(self, *, false_positive: float = 1.0, false_negative: float = 1.0) -> "Threshold":
        """The chance from which "positive" is the cheaper word, for these costs of the two mistakes."""
        found = import_module("hedgerow.evaluation.curves.threshold")
        return found.threshold(self, false_positive, false_negative)  # type: ignore[no-any-return]

    def residuals(self) -> "Residuals":
        return import_module("hedgerow.evaluation.curves.residuals").residuals(self)  # type: ignore[no-any-return]

    def draw(self) -> Any:
        """All curves that suit, on one figure. Returns the Figure."""
        from hedgerow.draw.curves import draw_evaluation

        return draw_evaluation(self)


def _line(score: Score) -> tuple[str, ...]:
    if score.missing:
        return score.title, "-", score.missing, figure(score.baseline), ""
    better = score.difference_low > 0
    worse = score.difference_high < 0
    words = (
        "yes" if better else "worse" if worse else "not shown" if np.isfinite(score.difference_low) else "-"
    )
    return score.title, figure(score.value), span(score.low, score.high), figure(score.baseline), words
