"""BaggingParams: bagging's own parameters, checked once.   In: the estimator.   Out: a frozen value; or an error with a
way out."""

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np

from hedgerow.ensemble.columns import columns_a_member
from hedgerow.errors import check_choice


@dataclass(frozen=True)
class BaggingParams:
    n_members: int
    max_samples: int | float | None
    max_features: int | float
    bootstrap: bool
    bootstrap_features: bool

    def columns_a_member(self, n_columns: int) -> int:
        share = self.max_features
        if isinstance(share, Integral) and int(share) > n_columns and not self.bootstrap_features:
            raise ValueError(
                f"max_features={share} columns cannot be drawn from {n_columns} without drawing one twice. Give fewer."
            )
        return columns_a_member(share, n_columns)


def validate_bagging(estimator: Any) -> BaggingParams:
    n, share, member = estimator.n_estimators, estimator.max_samples, estimator.estimator
    if member is not None and not (hasattr(member, "fit") and hasattr(member, "get_params")):
        raise TypeError(f"estimator={member!r} is no estimator. Give one, or None for a tree.")
    if not isinstance(n, Integral) or isinstance(n, bool) or int(n) < 1:
        raise ValueError(f"n_estimators={n!r} is out of range. Give a whole number of members, at least 1.")
    if share is not None and not _is_size(share):
        raise ValueError(
            f"max_samples={share!r} is out of range. Give a number of rows, at least 1, or a share above 0, or None "
            "for as many as there are."
        )
    part = estimator.max_features
    if not _is_size(part) or (isinstance(part, float) and part > 1):
        raise ValueError(
            f"max_features={part!r} is out of range. Give a number of columns, at least 1, or a share up to 1.0. "
            "(Columns drawn at each node: RandomForest.)"
        )
    if estimator.stop is not None:
        check_choice("stop", estimator.stop, ("oob",))
    asks = "oob_score" if estimator.oob_score else "stop='oob'" if estimator.stop else ""
    if asks and not estimator.bootstrap and (share is None or share == 1.0):
        raise ValueError(
            f"{asks} needs rows that a member has not seen. Give bootstrap=True, or a max_samples below all rows."
        )
    return BaggingParams(int(n), share, part, bool(estimator.bootstrap), bool(estimator.bootstrap_features))


def _is_size(given: Any) -> bool:
    if isinstance(given, bool):
        return False
    if isinstance(given, Integral):
        return int(given) >= 1
    return isinstance(given, Real) and 0 < float(given) < np.inf
