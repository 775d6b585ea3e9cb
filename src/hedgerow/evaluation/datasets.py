"""compare_datasets: models over several data sets.   In: models, tables with targets.   Out: a RankComparison.

Each data set ranks the models by cross-validation; Friedman's test asks whether they differ at all, Nemenyi's which do.
A model that fails on a data set has the last rank there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.display import DisplayTable, Result
from hedgerow.display.numbers import figure, finite_or_none, json_ready, p_value, percent
from hedgerow.docstrings import document
from hedgerow.evaluation.comparison import name_models
from hedgerow.evaluation.data import make_data
from hedgerow.evaluation.estimate import Estimate, estimate_metric
from hedgerow.evaluation.metric import metric_name, metrics
from hedgerow.evaluation.ranks import Friedman, Nemenyi, friedman_test, nemenyi_test
from hedgerow.evaluation.run import run_folds
from hedgerow.evaluation.score import check_confidence_level
from hedgerow.evaluation.splits import make_splits
from hedgerow.types import Float
from hedgerow.words import quote


@dataclass(frozen=True, eq=False, repr=False)
class RankComparison(Result):
    """Models ranked over several data sets.

    Attributes
    ----------
    models :
        Names of the models.
    data_sets :
        Names of the data sets.
    scores :
        Data sets x models; NaN where a model failed.
    friedman :
        Friedman's test of all models.
    nemenyi :
        Nemenyi's critical difference of two mean ranks.
    failures :
        What failed, in words.

    See Also
    --------
    hedgerow.compare_datasets : Returns it.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, compare_datasets, datasets
    >>> models = {name: DecisionTreeClassifier(max_depth=k) for name, k in [("stump", 1), ("tree", 4)]}
    >>> tables = {one.name: (one.table, one.target) for one in (datasets.heart(), datasets.titanic())}
    >>> found = compare_datasets(models, tables, cv=3)
    >>> found.models
    ('stump', 'tree')
    """

    models: tuple[str, ...]
    data_sets: tuple[str, ...]
    scores: Float
    scoring: str
    friedman: Friedman
    nemenyi: Nemenyi
    failures: tuple[str, ...]
    confidence_level: float

    @property
    def order(self) -> list[int]:
        """The best mean rank first."""
        return np.argsort(self.friedman.mean_ranks, kind="stable").tolist()  # type: ignore[no-any-return]

    @property
    def verdict(self) -> str:
        """What may be concluded, in a sentence or two."""
        best, n = self.order[0], len(self.data_sets)
        alpha = 1 - self.confidence_level
        if self.friedman.f_p > alpha:
            p = p_value(self.friedman.f_p)
            return (
                f"The {len(self.models)} models cannot be distinguished on {n} data sets (Friedman, p = {p})."
            )
        near = [self.models[k] for k in self.order[1:] if self.nemenyi.p_values[best, k] > alpha]
        rest = (
            f"cannot be distinguished from {' and '.join(near)}"
            if near
            else "is better than each of the others"
        )
        level = percent(self.confidence_level)
        return f"{self.models[best]} has the best mean rank on {n} data sets and {rest} (Nemenyi, {level})."

    def to_dict(self) -> dict[str, Any]:
        return {
            "models": list(self.models),
            "data_sets": list(self.data_sets),
            "scoring": self.scoring,
            "scores": json_ready(self.scores),
            "mean_ranks": self.friedman.mean_ranks.tolist(),
            "friedman_chi_square": self.friedman.chi_square,
            "friedman_p": self.friedman.chi_square_p,
            "iman_davenport_f": finite_or_none(self.friedman.f),
            "iman_davenport_p": self.friedman.f_p,
            "critical_difference": self.nemenyi.critical_difference,
            "p_values": self.nemenyi.p_values.tolist(),
            "failures": list(self.failures),
            "verdict": self.verdict,
        }

    def tables(self) -> list[DisplayTable]:
        header = (metrics()[self.scoring].title, *(self.models[k] for k in self.order), "")
        rows = [
            (data, *(figure(float(line[k])) for k in self.order), "")
            for data, line in zip(self.data_sets, self.scores, strict=True)
        ]
        rows.append(("mean rank", *(f"{self.friedman.mean_ranks[k]:.2f}" for k in self.order), ""))
        difference = f"critical difference of mean ranks {self.nemenyi.critical_difference:.2f}"
        notes = [self.verdict, difference, *self.failures]
        return [DisplayTable(header, rows, words=(0, -1), notes=notes, gap=3)]

    def draw(self, ax: Any = None) -> Any:
        """The critical-difference picture. Returns the Axes."""
        from hedgerow.draw.comparison import draw_critical_difference

        return draw_critical_difference(self, ax=ax)


@document()
def compare_datasets(
    models: Any,
    data_sets: Mapping[str, tuple[Any, Any]],
    *,
    scoring: str | None = None,
    cv: Any = None,
    repeats: int = 1,
    confidence_level: float = 0.95,
    random_state: int | None = 0,
    n_jobs: int | None = None,
    progress: bool = True,
) -> RankComparison:
    """Rank models over several data sets.

    Parameters
    ----------
    data_sets : dict of str to (X, y)
        Tables and targets by name.
    scoring : str, optional
        The metric: "accuracy" for classes and "rmse" for numbers if not given.

    Returns
    -------
    RankComparison
        Mean ranks, Friedman's test, critical differences. Prints and draws itself.

    See Also
    --------
    compare : Models on one data set.

    References
    ----------
    .. [1] J. Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, compare_datasets, datasets
    >>> models = {"stump": DecisionTreeClassifier(max_depth=1), "tree": DecisionTreeClassifier(max_depth=3)}
    >>> sets = {one.name: (one.table, one.target) for one in (datasets.titanic(), datasets.heart())}
    >>> compare_datasets(models, sets, cv=3, progress=False).scores.shape
    (2, 2)
    """
    check_confidence_level(confidence_level)
    named = name_models(models)
    _check_data_sets(data_sets)
    scores, failures, name = [], [], ""
    for key, (X, y) in data_sets.items():
        data = make_data(list(named.values()), X, y)
        name = metric_name(scoring, data)
        splits = make_splits(cv, data, repeats=repeats, random_state=random_state)
        results = run_folds(named, data, splits, n_jobs=n_jobs, show_progress=progress)
        found = {model: estimate_metric(metrics()[name], results[model], data, splits) for model in named}
        failures += [
            f"{model} failed on {key}: {why}" for model, why in found.items() if isinstance(why, str)
        ]
        scores.append([one.value if isinstance(one, Estimate) else np.nan for one in found.values()])
    table = np.array(scores)
    ranked = np.where(np.isnan(table), -np.inf, table if metrics()[name].higher_is_better else -table)
    return RankComparison(
        tuple(named),
        tuple(map(str, data_sets)),
        table,
        name,
        friedman_test(ranked),
        nemenyi_test(ranked, confidence_level),
        tuple(failures),
        confidence_level,
    )


def _check_data_sets(data_sets: Any) -> None:
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
