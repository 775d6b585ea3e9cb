"""compare_datasets: models over several data sets.   In: models, tables with targets.   Out: a RankComparison.

Each data set ranks the models by cross-validation; Friedman's test asks whether they differ at all, Nemenyi's which do.
A model that fails on a data set has the last rank there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.evaluation.comparison_tests.friedman import Ranks
from hedgerow.evaluation.comparison_tests.friedman import over_data_sets as friedman
from hedgerow.evaluation.comparison_tests.nemenyi import Nemenyi
from hedgerow.evaluation.comparison_tests.nemenyi import over_data_sets as nemenyi
from hedgerow.evaluation.data import data_of
from hedgerow.evaluation.evaluate import check_level, metric_names
from hedgerow.evaluation.measure import Measured, measure
from hedgerow.evaluation.metrics import metrics
from hedgerow.evaluation.names import named_models
from hedgerow.evaluation.run import run
from hedgerow.evaluation.splits import splits_of
from hedgerow.evaluation.words import chance, figure, html_lines, html_table, percent, text_table
from hedgerow.table.words import quote
from hedgerow.types import Float


@dataclass(frozen=True, eq=False, repr=False)
class RankComparison:
    models: tuple[str, ...]
    data_sets: tuple[str, ...]
    scores: Float  # data sets x models; NaN where a model failed
    score: str
    friedman: Ranks
    nemenyi: Nemenyi
    failures: tuple[str, ...]
    level: float

    @property
    def order(self) -> list[int]:
        """The best mean rank first."""
        return np.argsort(self.friedman.mean, kind="stable").tolist()  # type: ignore[no-any-return]

    @property
    def verdict(self) -> str:
        best = self.order[0]
        name, n = self.models[best], len(self.data_sets)
        f = self.friedman
        if f.f_p > 1 - self.level:
            told = f"The {len(self.models)} models cannot be told apart on {n} data sets"
            return f"{told} (Friedman, p = {chance(f.f_p)})."
        near = [self.models[k] for k in self.order[1:] if self.nemenyi.p_values[best, k] > 1 - self.level]
        rest = f"cannot be told from {' and '.join(near)}" if near else "is better than each of the others"
        return f"{name} has the best mean rank on {n} data sets and {rest} (Nemenyi, {percent(self.level)})."

    def to_dict(self) -> dict[str, Any]:
        plain = [[value if np.isfinite(value) else None for value in line] for line in self.scores.tolist()]
        return {
            "models": list(self.models),
            "data_sets": list(self.data_sets),
            "score": self.score,
            "scores": plain,
            "mean_ranks": self.friedman.mean.tolist(),
            "friedman_chi_square": self.friedman.chi_square,
            "friedman_p": self.friedman.chi_square_p,
            "iman_davenport_f": self.friedman.f if np.isfinite(self.friedman.f) else None,
            "iman_davenport_p": self.friedman.f_p,
            "critical_difference": self.nemenyi.critical_difference,
            "p_values": self.nemenyi.p_values.tolist(),
            "failures": list(self.failures),
            "verdict": self.verdict,
        }

    def _table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        names = [self.models[k] for k in self.order]
        header = (metrics()[self.score].title, *names, "")
        lines: list[tuple[str, ...]] = [
            (data, *(figure(float(line[k])) for k in self.order), "")
            for data, line in zip(self.data_sets, self.scores, strict=True)
        ]
        lines.append(("mean rank", *(f"{self.friedman.mean[k]:.2f}" for k in self.order), ""))
        return header, lines

    def _notes(self) -> list[str]:
        cd = f"critical difference of mean ranks {self.nemenyi.critical_difference:.2f}"
        return [self.verdict, cd, *self.failures]

    def __str__(self) -> str:
        return "\n".join([*text_table(*self._table()), "", *self._notes()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(*self._table()) + html_lines(self._notes())

    def draw(self, ax: Any = None) -> Any:
        """The critical-difference picture. Returns the Axes."""
        from hedgerow.draw.comparison import draw_critical_difference

        return draw_critical_difference(self, ax=ax)


def compare_datasets(
    models: Any,
    data_sets: Mapping[str, tuple[Any, Any]],
    *,
    score: str | None = None,
    cv: Any = None,
    repeats: int = 1,
    level: float = 0.95,
    random_state: int | None = 0,
    n_jobs: int | None = None,
    progress: bool = True,
) -> RankComparison:
    """Models over several data sets, given as {"name": (X, y), ...}. Options as in `compare`."""
    check_level(level)
    named = named_models(models)
    if not isinstance(data_sets, Mapping):
        raise TypeError(
            'data_sets: wanted a dict of pairs by name, such as {"iris": (X, y), "wine": (X, y)}.'
        )
    if len(data_sets) < 2:
        raise ValueError(
            f"{len(data_sets)} data sets; ranks want at least 2. For one: compare(models, X, y)."
        )
    for key, one in data_sets.items():
        if not isinstance(one, (tuple, list)) or len(one) != 2:
            raise TypeError(f"{quote(key)}: wanted a pair of a table and a target, (X, y).")
    lines, failures, name = [], [], ""
    for key, (X, y) in data_sets.items():
        data = data_of(list(named.values()), X, y)
        name = metric_names(score or ("rmse" if data.classes is None else "accuracy"), data)[0]
        splits = splits_of(cv, data, repeats=repeats, random_state=random_state)
        answers = run(named, data, splits, n_jobs=n_jobs, show_progress=progress)
        found = {model: measure(metrics()[name], answers[model], data, splits) for model in named}
        failures += [
            f"{model} failed on {key}: {why}" for model, why in found.items() if isinstance(why, str)
        ]
        lines.append([one.value if isinstance(one, Measured) else np.nan for one in found.values()])
    scores = np.array(lines)
    ranked = np.where(np.isnan(scores), -np.inf, scores if metrics()[name].higher_is_better else -scores)
    return RankComparison(
        tuple(named),
        tuple(map(str, data_sets)),
        scores,
        name,
        friedman(ranked, level),
        nemenyi(ranked, level),
        tuple(failures),
        level,
    )
