"""Parameters, checked once.   In: an estimator as its caller made it.   Out: Asked, frozen, which nobody below
questions.   An error names the parameter, what was given, what is wanted.
"""

from dataclasses import dataclass
from difflib import get_close_matches
from numbers import Integral, Real
from typing import Any

import numpy as np

from hedgerow.grow import MOST_SURROGATES, Limits
from hedgerow.prune import Method, method_of, methods
from hedgerow.prune.method import Cutting
from hedgerow.types import SmallInt

MISSING = ("learned", "fractional", "surrogate")


@dataclass(frozen=True)
class Asked:
    """What a tree estimator was asked for, in terms that hold for any number of rows."""

    criterion: str
    random_splits: bool
    multiway: bool
    fractional: bool
    surrogates: int
    max_depth: int
    min_split: int | float
    min_leaf: int | float
    min_weight_fraction: float
    max_features: int | float | str | None
    max_leaves: int
    min_decrease: float
    alpha: float
    max_bins: int | None
    monotone: Any  # array-like of -1, 0, 1, or a dict by name, or None; checked against the columns
    trace: bool
    prune: Method | None
    validation_fraction: float
    merge: bool

    def limits(self, n_rows: int, n_columns: int, weight: float) -> Limits:
        """The same for a table of this size; a share becomes a number."""
        min_leaf = _rows(self.min_leaf, n_rows)
        return Limits(
            max_features=_features(self.max_features, n_columns),
            max_depth=self.max_depth,
            min_rows_split=max(2, 2 * min_leaf, _rows(self.min_split, n_rows)),
            min_rows_leaf=min_leaf,
            min_weight_leaf=self.min_weight_fraction * weight,
            max_leaves=self.max_leaves,
            min_decrease=self.min_decrease,
            random_splits=self.random_splits,
            multiway=self.multiway,
            fractional=self.fractional,
            surrogates=self.surrogates,
        )


def check(estimator: Any, criteria: tuple[str, ...]) -> Asked:
    known = (*criteria, "log_loss") if "entropy" in criteria else criteria
    criterion = one_of("criterion", estimator.criterion, known)
    _refuse_together(estimator)
    return Asked(
        criterion="entropy" if criterion == "log_loss" else criterion,
        multiway=one_of("splits", estimator.splits, ("binary", "multiway")) == "multiway",
        fractional=one_of("missing", estimator.missing, MISSING) == "fractional",
        surrogates=MOST_SURROGATES if estimator.missing == "surrogate" else 0,
        random_splits=one_of("splitter", estimator.splitter, ("best", "random")) == "random",
        max_depth=_whole_or_none("max_depth", estimator.max_depth, 1, 2**31 - 1),
        min_split=_rows_or_share("min_samples_split", estimator.min_samples_split, 2, closed=True),
        min_leaf=_rows_or_share("min_samples_leaf", estimator.min_samples_leaf, 1, closed=False),
        min_weight_fraction=_number("min_weight_fraction_leaf", estimator.min_weight_fraction_leaf, 0.0, 0.5),
        max_features=_max_features(estimator.max_features),
        max_leaves=_whole_or_none("max_leaf_nodes", estimator.max_leaf_nodes, 2, 0),
        min_decrease=_number("min_impurity_decrease", estimator.min_impurity_decrease, 0.0, np.inf),
        alpha=_number("ccp_alpha", estimator.ccp_alpha, 0.0, np.inf),
        max_bins=_max_bins(estimator.max_bins),
        monotone=estimator.monotonic_cst,
        trace=bool(estimator.trace),
        prune=_prune(estimator, criteria),
        merge=_merge(estimator),
        validation_fraction=_share("validation_fraction", estimator.validation_fraction),
    )


def _refuse_together(estimator: Any) -> None:
    """Trees that fork (multiway, fractional, gain ratio) grow depth-first and by sums; say what does not go along."""
    forks = {"splits": ("multiway",), "missing": ("fractional", "surrogate"), "criterion": ("gain_ratio",)}
    asked = [name for name, values in forks.items() if getattr(estimator, name) in values]
    if estimator.splits == "multiway" and estimator.missing == "surrogate":
        raise ValueError(
            "splits='multiway' and missing='surrogate' do not go together: a surrogate stands in for a two-way test. "
            "Use missing='fractional' with multiway splits."
        )
    clash = [name for name in ("max_leaf_nodes", "monotonic_cst") if getattr(estimator, name) is not None]
    if estimator.splitter == "random":
        clash.append("splitter")
    if estimator.criterion == "absolute_error":
        clash.append("criterion")
    if asked and clash:
        given = f"{asked[0]}={getattr(estimator, asked[0])!r}"
        other = f"{clash[0]}={getattr(estimator, clash[0])!r}"
        raise ValueError(f"{given} and {other} do not go together. Leave one of them out.")


def _prune(estimator: Any, criteria: tuple[str, ...]) -> Method | None:
    method = method_of(estimator.prune)
    if method is None:
        return None
    if estimator.ccp_alpha:
        raise ValueError(
            f"ccp_alpha={estimator.ccp_alpha!r} and prune={estimator.prune!r} are two prunings. Give one of them; "
            "an alpha of your own is also prune=CostComplexity(alpha=...)."
        )
    task = "classification" if "gini" in criteria else "regression"
    if task not in method.tasks:
        fit = [name for name, kind in methods().items() if task in kind.tasks]
        raise ValueError(f"prune={estimator.prune!r} is not for {task}. For {task}: {', '.join(fit)}.")
    if bool(estimator.trace) and not isinstance(method, Cutting) and getattr(method, "raising", True):
        raise ValueError(
            f"trace=True and prune={estimator.prune!r} do not go together: a branch that is raised leaves its node's "
            "trace behind. Use Pessimistic(raising=False), or trace=False."
        )
    return method


def _merge(estimator: Any) -> bool:
    given = estimator.merge_leaves
    if not isinstance(given, (bool, np.bool_)):
        raise ValueError(f"merge_leaves={given!r} is neither True nor False.")
    if given and estimator.missing == "fractional":
        raise ValueError(
            "merge_leaves=True and missing='fractional' do not go together: a row spread over several leaves is "
            "decided by their shares, which merging changes. To show the tree merged: to_text(merged=True)."
        )
    return bool(given)


def _share(name: str, given: Any) -> float:
    if _is_real(given) and 0 < given < 1:
        return float(given)
    raise ValueError(
        f"{name}={given!r} is out of range. Give a share of the rows between 0 and 1, such as 0.2."
    )


def one_of(name: str, given: object, known: tuple[str, ...]) -> str:
    if isinstance(given, str) and given in known:
        return given
    near = get_close_matches(given, known, n=1) if isinstance(given, str) else []
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise ValueError(f"{name}={given!r} is unknown. Known: {', '.join(known)}.{hint}")


def monotone_of(given: Any, names: tuple[str, ...], kinds: tuple[str, ...]) -> SmallInt | None:
    """One direction a column."""
    if given is None:
        return None
    if isinstance(given, dict):
        unknown = [name for name in given if name not in names]
        if unknown:
            raise ValueError(
                f"monotonic_cst names {unknown[0]!r}, which is no column. Columns: {', '.join(names)}."
            )
        given = [given.get(name, 0) for name in names]
    directions = np.asarray(given)
    if directions.shape != (len(names),):
        raise ValueError(
            f"monotonic_cst has shape {directions.shape}, but the table has {len(names)} columns. "
            "Give one of -1, 0, 1 for each, or a dict by name."
        )
    if not np.isin(directions, (-1, 0, 1)).all():
        raise ValueError(f"monotonic_cst={directions.tolist()} must hold only -1, 0 and 1.")
    for name, kind, direction in zip(names, kinds, directions, strict=True):
        if direction and kind == "category":
            raise ValueError(
                f"monotonic_cst asks for an order in {name!r}, a category, which has none. Give it 0."
            )
    return directions.astype(np.int8)


def _rows(asked: int | float, n_rows: int) -> int:
    return int(asked) if isinstance(asked, Integral) else int(np.ceil(asked * n_rows))


def _features(asked: int | float | str | None, n_columns: int) -> int:
    if asked is None:
        return n_columns
    if asked == "sqrt":
        return max(1, int(np.sqrt(n_columns)))
    if asked == "log2":
        return max(1, int(np.log2(n_columns)))
    if isinstance(asked, Integral):
        return min(int(asked), n_columns)
    return max(1, int(float(asked) * n_columns))


def _is_whole(given: object) -> bool:
    return isinstance(given, Integral) and not isinstance(given, bool)


def _is_real(given: object) -> bool:
    return isinstance(given, Real) and not isinstance(given, bool)


def _number(name: str, given: Any, low: float, high: float) -> float:
    if _is_real(given) and low <= given <= high and np.isfinite(given):
        return float(given)
    wanted = f"a number from {low:g} to {high:g}" if np.isfinite(high) else f"a number of at least {low:g}"
    raise ValueError(f"{name}={given!r} is out of range. Give {wanted}.")


def _whole(name: str, given: Any, least: int) -> int:
    if _is_whole(given) and given >= least:
        return int(given)
    raise ValueError(f"{name}={given!r} is out of range. Give a whole number of at least {least}.")


def _whole_or_none(name: str, given: Any, least: int, default: int) -> int:
    if given is None:
        return default
    if _is_whole(given) and given >= least:
        return min(int(given), 2**31 - 1)
    raise ValueError(
        f"{name}={given!r} is out of range. Give a whole number of at least {least}, or None for no limit."
    )


def _rows_or_share(name: str, given: Any, least: int, *, closed: bool) -> int | float:
    if _is_whole(given):
        if given >= least:
            return int(given)
    elif _is_real(given) and (0 < given < 1 or (closed and given == 1.0)):
        return float(given)
    raise ValueError(
        f"{name}={given!r} is out of range. Give a whole number of rows, at least {least}, or a share of all rows "
        f"between 0.0 and 1.0."
    )


def _max_features(given: Any) -> int | float | str | None:
    if given is None or given in ("sqrt", "log2"):
        return given  # type: ignore[no-any-return]
    if _is_whole(given) and given >= 1:
        return int(given)
    if _is_real(given) and not _is_whole(given) and 0 < given <= 1:
        return float(given)
    raise ValueError(
        f"max_features={given!r} is unknown. Give a number of columns, a share between 0.0 and 1.0, 'sqrt', 'log2', "
        "or None for all."
    )


def _max_bins(given: Any) -> int | None:
    if given is None or (_is_whole(given) and 2 <= given <= 255):
        return given  # type: ignore[no-any-return]
    raise ValueError(f"max_bins={given!r} is out of range. Give 2 to 255, or None for exact thresholds.")
