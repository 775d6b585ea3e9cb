"""The parameters of gradient boosting, checked once.   In: an estimator.   Out: BoostParams, LossOptions, or an error
that names the parameter, what was given and what is wanted."""

from numbers import Integral, Real
from typing import Any

import numpy as np

from hedgerow.encode import Schema
from hedgerow.errors import InPython, ParameterError, check_choice, out_of_range
from hedgerow.estimators.gradient_columns import interactions_of, monotone_of
from hedgerow.gradient import BoostParams, LossOptions

LARGEST = 1 << 60  # what the native code holds, twice


def whole(name: str, given: Any, least: int, most: float = np.inf) -> int:
    if isinstance(given, bool) or not isinstance(given, Integral) or not least <= int(given) <= most:
        upto = "" if most == np.inf else f" and at most {int(most)}"
        raise out_of_range(name, given, f"a whole number of at least {least}{upto}")
    return min(int(given), LARGEST)


def number(name: str, given: Any, least: float, most: float = np.inf, *, above: bool = False) -> float:
    sound = isinstance(given, Real) and not isinstance(given, bool) and not np.isnan(float(given))
    if not sound or not least <= given <= most or (above and given == least) or given == np.inf:
        start = f"above {least:g}" if above else f"of at least {least:g}"
        upto = "" if most == np.inf else f" and at most {most:g}"
        raise out_of_range(name, given, f"a number {start}{upto}")
    return float(given)


def loss_options(estimator: Any) -> LossOptions:
    quantile = getattr(estimator, "quantile", None)
    if estimator.loss == "quantile":
        if quantile is None:
            here = " Give one from 0 to 1, such as quantile=0.9."
            in_a_command = " Only Python has it (quantile=0.9); the median is --loss absolute_error."
            raise ParameterError("{loss} needs a quantile.{}", InPython(here, in_a_command), loss="quantile")
        quantile = number("quantile", quantile, 0.0, 1.0)
    return LossOptions(
        n_classes=len(getattr(estimator, "classes_", ())),
        quantile=0.5 if quantile is None else quantile,
        tweedie_power=number("tweedie_power", getattr(estimator, "tweedie_power", 1.5), 1.0, 2.0),
        huber_quantile=number(
            "huber_quantile", getattr(estimator, "huber_quantile", 0.9), 0.0, 1.0, above=True
        ),
    )


def check_stopping(estimator: Any, X_val: Any, y_val: Any, sample_weight_val: Any = None) -> None:
    """What is asked for besides trees: when to stop, by which rows, and what is printed."""
    if not isinstance(estimator.warm_start, (bool, np.bool_)):
        raise ValueError(f"warm_start={estimator.warm_start!r} is unknown. Give True or False.")
    if not isinstance(estimator.verbose, (bool, np.bool_)):
        whole("verbose", estimator.verbose, 0)
    scoring = estimator.scoring
    if not (scoring is None or isinstance(scoring, str) or callable(scoring)):
        raise ValueError(f"scoring={scoring!r} is unknown. Give 'loss', a scorer's name, a function or None.")
    given = estimator.early_stopping
    if not (isinstance(given, (bool, np.bool_)) or given == "auto"):
        raise ValueError(f"early_stopping={given!r} is unknown. Give True, False or 'auto'.")
    if (X_val is None) != (y_val is None):
        here, lacking = ("y_val", "X_val") if X_val is None else ("X_val", "y_val")
        raise ValueError(f"{here} is provided, but {lacking} was not provided. Give both, or neither.")
    if X_val is None and sample_weight_val is not None:
        raise ValueError("sample_weight_val is provided, but X_val was not provided. Give both, or neither.")
    held_out_share(estimator)
    whole("n_iter_no_change", estimator.n_iter_no_change, 1)
    number("tol", estimator.tol, 0.0)


def held_out_share(estimator: Any) -> float | int | None:
    """A share of the rows, or how many."""
    given = estimator.validation_fraction
    if given is None:
        return None
    if isinstance(given, Integral):
        return whole("validation_fraction", given, 1)
    share = number("validation_fraction", given, 0.0, 1.0, above=True)
    if share == 1.0:
        raise ValueError(
            f"validation_fraction={given!r} holds all rows out. Give a share below 1, or a whole number of rows."
        )
    return share


def boost_params(estimator: Any, schema: Schema, threads: int) -> BoostParams:
    leaves, depth = estimator.max_leaf_nodes, estimator.max_depth
    return BoostParams(
        max_iter=whole("max_iter", estimator.max_iter, 1),
        learning_rate=number("learning_rate", estimator.learning_rate, 0.0, above=True),
        max_leaves=0 if leaves is None else whole("max_leaf_nodes", leaves, 2),
        max_depth=0 if depth is None else min(whole("max_depth", depth, 1), 2**31 - 1),
        level_by_level=check_choice("growth", estimator.growth, ("leaf", "level")) == "level",
        min_rows=check_min_rows(estimator),
        min_hessian=number("min_hessian_leaf", estimator.min_hessian_leaf, 0.0),
        min_gain=number("min_gain", estimator.min_gain, 0.0),
        l1=number("l1_regularization", estimator.l1_regularization, 0.0),
        l2=number("l2_regularization", estimator.l2_regularization, 0.0),
        subsample=number("subsample", estimator.subsample, 0.0, 1.0, above=True),
        node_features=number("max_features", estimator.max_features, 0.0, 1.0, above=True),
        tree_features=number("max_features_tree", estimator.max_features_tree, 0.0, 1.0, above=True),
        monotone=monotone_of(estimator.monotonic_cst, schema),
        interactions=interactions_of(estimator.interaction_cst, schema),
        threads=threads,
    )


def check_min_rows(estimator: Any) -> int:
    return whole("min_samples_leaf", estimator.min_samples_leaf, 1)


def check_max_bins(estimator: Any) -> int:
    return whole("max_bins", estimator.max_bins, 2, 255)
