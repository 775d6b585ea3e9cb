"""TreeParams and RuleParams: parameters, checked once.   In: plain values by their names in Python.   Out: a frozen
value that nobody below questions.   An error names the parameter, what was given, what is wanted.
"""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.core.criteria import MEDIAN_CRITERIA, RATIO_CRITERIA
from hedgerow.errors import InPython, ParameterError, Setting, check_choice, or_none, out_of_range
from hedgerow.fitting.validate import (
    LARGEST,
    is_real,
    is_whole,
    number,
    rows_or_share,
    share,
    whole_or_none,
)
from hedgerow.grow import CLASS_CRITERIA, MOST_SURROGATES, NUMBER_CRITERIA, Limits
from hedgerow.prune import Method, load_methods, make_method
from hedgerow.store.kinds import rule_list as rules_file
from hedgerow.store.kinds import tree as tree_file
from hedgerow.types import SmallInt

TASKS = ("classification", "regression")
CRITERIA = {"classification": (*CLASS_CRITERIA, "log_loss"), "regression": NUMBER_CRITERIA}
ESTIMATES = ("pessimistic", "held_out")  # of a rule's error
MISSING = ("learned", "fractional", "surrogate", "stop")
FORKS = {"splits": ("multiway",), "missing": MISSING[1:], "criterion": RATIO_CRITERIA}


def tree_defaults(task: str) -> Mapping[str, Any]:
    """Every parameter of a tree with its default, the same in Python, in commands and in model files."""
    return tree_file.DEFAULTS["tree classifier" if task == "classification" else "tree regressor"]


@dataclass(frozen=True)
class TreeParams:
    """How to grow and to prune a tree, in terms that hold for any number of rows. Made by `validate_tree`."""

    task: str
    criterion: str
    random_splits: bool
    multiway: bool
    fractional: bool
    surrogates: int
    stops: bool
    max_depth: int
    min_samples_split: int | float
    min_samples_leaf: int | float
    min_weight_fraction_leaf: float
    max_features: int | float | str | None
    max_leaf_nodes: int  # 0: no limit
    min_impurity_decrease: float
    ccp_alpha: float
    max_bins: int | None
    monotonic_cst: Any  # array-like of -1, 0, 1, or a dict by name, or None; checked against the columns
    trace: bool
    prune: Method | None
    validation_fraction: float
    merge_leaves: bool
    random_state: Any
    n_jobs: int | None

    def limits(self, n_rows: int, n_columns: int, weight: float) -> Limits:
        """The same for a table of this size; a share becomes a number."""
        min_leaf = _count_rows(self.min_samples_leaf, n_rows)
        return Limits(
            max_features=self.n_features(n_columns),
            max_depth=self.max_depth,
            min_rows_split=max(2, 2 * min_leaf, _count_rows(self.min_samples_split, n_rows)),
            min_rows_leaf=min_leaf,
            min_weight_leaf=self.min_weight_fraction_leaf * weight,
            max_leaves=self.max_leaf_nodes,
            min_decrease=self.min_impurity_decrease,
            random_splits=self.random_splits,
            multiway=self.multiway,
            fractional=self.fractional,
            surrogates=self.surrogates,
            stops=self.stops,
        )

    def n_features(self, n_columns: int) -> int:
        """The columns looked at in each node."""
        given = self.max_features
        if given is None:
            return n_columns
        if given == "sqrt":
            return max(1, int(np.sqrt(n_columns)))
        if given == "log2":
            return max(1, int(np.log2(n_columns)))
        if is_whole(given):
            return min(int(given), n_columns)
        return max(1, int(float(given) * n_columns))

    def monotone(self, names: tuple[str, ...], kinds: tuple[str, ...]) -> SmallInt | None:
        """The direction of each column: -1, 0 or 1."""
        return _monotone(self.monotonic_cst, names, kinds)


def validate_tree(task: str, given: Mapping[str, Any]) -> TreeParams:
    """given : parameters of DecisionTreeClassifier or DecisionTreeRegressor by name; the others get their default"""
    values = _with_defaults(given, tree_defaults(task), f"a tree for {task}")
    criterion = _criterion(values["criterion"], task)
    _refuse_together(values)
    return TreeParams(
        task=task,
        criterion=criterion,
        multiway=check_choice("splits", values["splits"], ("binary", "multiway")) == "multiway",
        fractional=check_choice("missing", values["missing"], MISSING) == "fractional",
        surrogates=MOST_SURROGATES if values["missing"] == "surrogate" else 0,
        stops=values["missing"] == "stop",
        random_splits=check_choice("splitter", values["splitter"], ("best", "random")) == "random",
        max_depth=whole_or_none("max_depth", values["max_depth"], 1, LARGEST),
        min_samples_split=rows_or_share("min_samples_split", values["min_samples_split"], 2, all_rows=True),
        min_samples_leaf=rows_or_share("min_samples_leaf", values["min_samples_leaf"], 1, all_rows=False),
        min_weight_fraction_leaf=number(
            "min_weight_fraction_leaf", values["min_weight_fraction_leaf"], 0.0, 0.5
        ),
        max_features=_max_features(values["max_features"]),
        max_leaf_nodes=whole_or_none("max_leaf_nodes", values["max_leaf_nodes"], 2, 0),
        min_impurity_decrease=number("min_impurity_decrease", values["min_impurity_decrease"], 0.0, np.inf),
        ccp_alpha=number("ccp_alpha", values["ccp_alpha"], 0.0, np.inf),
        max_bins=_max_bins(values["max_bins"]),
        monotonic_cst=values["monotonic_cst"],
        trace=bool(values["trace"]),
        prune=_prune(values, task),
        merge_leaves=_merge_leaves(values),
        validation_fraction=share("validation_fraction", values["validation_fraction"]),
        random_state=values["random_state"],
        n_jobs=values["n_jobs"],
    )


@dataclass(frozen=True)
class RuleParams:
    """How to grow the tree that rules are made of, and how to prune them. Made by `validate_rules`."""

    tree: TreeParams
    confidence: float
    held_out: float  # share of the rows that errors are estimated on; 0: pessimistic, on all rows
    max_rules: int | None
    random_state: Any


def validate_rules(given: Mapping[str, Any]) -> RuleParams:
    """given : parameters of RuleListClassifier by name; the others get their default"""
    defaults = rules_file.DEFAULTS["rule list"]
    values = _with_defaults(given, defaults, "a rule list")
    of_tree = (
        "criterion",
        "max_depth",
        "min_samples_leaf",
        "min_weight_fraction_leaf",
        "random_state",
        "n_jobs",
    )
    tree = validate_tree("classification", {name: values[name] for name in of_tree})
    confidence = _between("confidence", values["confidence"])
    held_out = _between("validation_fraction", values["validation_fraction"])
    most = values["max_rules"]
    if most is not None and not (is_whole(most) and most >= 1):
        wanted = or_none("a whole number of at least 1", "for no limit")
        raise out_of_range("max_rules", most, wanted)
    estimate = check_choice("estimate", values["estimate"], ESTIMATES)
    return RuleParams(
        tree, confidence, held_out if estimate == "held_out" else 0.0, most, values["random_state"]
    )


def is_friedman(criterion: Any) -> bool:
    """scikit-learn's other name for squared_error."""
    return isinstance(criterion, str) and criterion == "friedman_mse"


def warn_if_friedman(criterion: Any) -> None:
    """When an estimator is made, as in scikit-learn."""
    if is_friedman(criterion):
        warnings.warn(
            "criterion='friedman_mse' is deprecated, as in scikit-learn: it makes the same trees as 'squared_error'. "
            "Use that.",
            FutureWarning,
            stacklevel=3,
        )


def _criterion(given: Any, task: str) -> str:
    """The criterion by its own name."""
    if task == "regression" and is_friedman(given):
        return "squared_error"
    criterion = check_choice("criterion", given, CRITERIA[task])
    return "entropy" if criterion == "log_loss" else criterion


def _with_defaults(given: Mapping[str, Any], defaults: Mapping[str, Any], what: str) -> dict[str, Any]:
    for name in given:
        if name not in defaults:
            raise TypeError(f"{name} is no parameter of {what}. Known: {', '.join(defaults)}.")
    return {**defaults, **given}


def _refuse_together(values: Mapping[str, Any]) -> None:
    """Trees that fork (multiway, fractional, gain ratio) grow depth-first and by sums; not all goes along with that."""
    forks = [name for name, words in FORKS.items() if values[name] in words]
    if values["splits"] == "multiway" and values["missing"] in ("surrogate", "stop"):
        raise ParameterError(
            "{splits} and {missing} do not go together: it is for two-way tests. Use {} with multiway splits.",
            Setting("missing", "fractional"),
            splits="multiway",
            missing=values["missing"],
        )
    clash = [name for name in ("max_leaf_nodes", "monotonic_cst") if values[name] is not None]
    if values["splitter"] == "random":
        clash.append("splitter")
    if values["criterion"] in MEDIAN_CRITERIA:
        clash.append("criterion")
    if forks and clash:
        one, other = forks[0], clash[0]
        raise ParameterError(
            f"{{{one}}} and {{{other}}} do not go together. Leave one of them out.",
            **{one: values[one], other: values[other]},
        )


def _prune(values: Mapping[str, Any], task: str) -> Method | None:
    given = values["prune"]
    method = make_method(given)
    if method is None:
        return None
    if values["ccp_alpha"]:
        raise ParameterError(
            "{ccp_alpha} and {prune} are two prunings. Give one of them.",
            ccp_alpha=values["ccp_alpha"],
            prune=given,
        )
    if values["missing"] == "stop" and getattr(method, "raising", False):
        raise ParameterError(
            "{missing} and {prune} do not go together: a branch that is raised would have to take rows that stopped. "
            "Use prune.Pessimistic(raising=False), or another pruning.",
            missing="stop",
            prune=given,
        )
    if task not in method.tasks:
        fit = [name for name, kind in load_methods().items() if task in kind.tasks]
        raise ParameterError(f"{{prune}} is not for {task}. For {task}: {', '.join(fit)}.", prune=given)
    return method


def _merge_leaves(values: Mapping[str, Any]) -> bool:
    given = values["merge_leaves"]
    if not isinstance(given, (bool, np.bool_)):
        raise ParameterError("{merge_leaves} is neither True nor False.", merge_leaves=given)
    if given and values["missing"] == "fractional":
        raise ValueError(
            "merge_leaves=True and missing='fractional' do not go together: a row spread over several leaves is "
            "decided by their shares, which merging changes. To show the tree merged: to_text(merged=True)."
        )
    return bool(given)


def _monotone(given: Any, names: tuple[str, ...], kinds: tuple[str, ...]) -> SmallInt | None:
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


def _count_rows(given: int | float, n_rows: int) -> int:
    return int(given) if is_whole(given) else int(np.ceil(given * n_rows))


def _max_features(given: Any) -> int | float | str | None:
    if given is None or given in ("sqrt", "log2"):
        return given  # type: ignore[no-any-return]
    if is_whole(given) and given >= 1:
        return int(given)
    if is_real(given) and not is_whole(given) and 0 < given <= 1:
        return float(given)
    raise ParameterError(
        "{max_features} is unknown. Give a number of columns, a share between 0.0 and 1.0, {}.",
        InPython("'sqrt', 'log2', or None for all", "sqrt, log2 or all"),
        max_features=given,
    )


def _max_bins(given: Any) -> int | None:
    if given is None or (is_whole(given) and 2 <= given <= 255):
        return given  # type: ignore[no-any-return]
    raise out_of_range("max_bins", given, or_none("2 to 255", "for exact thresholds"))


def _between(name: str, given: Any) -> float:
    if is_real(given) and 0 < float(given) < 1:
        return float(given)
    raise out_of_range(name, given, "a number between 0 and 1")
