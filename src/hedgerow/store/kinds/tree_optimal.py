"""An optimal tree with its certificate.   Body: a CertifiedTree, which is a Tree for whatever predicts or shows it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from math import isfinite
from typing import Any

from hedgerow.optimal.certificate import MEASURES, Certificate
from hedgerow.store.errors import InvalidModelFile
from hedgerow.store.header import Header
from hedgerow.store.kind import Arrays, Content, Layout
from hedgerow.store.kinds import tree as plain
from hedgerow.store.kinds.tree import predict
from hedgerow.store.state import ModelState
from hedgerow.tree.tree import Tree, to_arrays

__all__ = ["DEFAULTS", "ESTIMATORS", "describe", "layout", "predict", "read", "write"]

ESTIMATORS = {
    "tree optimal classifier": "OptimalTreeClassifier",
    "tree optimal regressor": "OptimalTreeRegressor",
}
_BOTH: dict[str, Any] = {
    "max_depth": 3,
    "max_leaf_nodes": None,
    "min_samples_leaf": 1,
    "min_weight_fraction_leaf": 0.0,
    "ccp_alpha": 0.0,
    "max_thresholds": 16,
    "max_subset_size": 1,
    "categorical_features": None,
    "time_limit": 60.0,
    "n_jobs": None,
}
DEFAULTS: Mapping[str, Mapping[str, Any]] = {
    "tree optimal classifier": {**_BOTH, "class_weight": None, "cost_matrix": None},
    "tree optimal regressor": _BOTH,
}


@dataclass(frozen=True, eq=False)
class CertifiedTree(Tree):
    certificate: Certificate | None = None


def layout(extra: dict[str, Any]) -> dict[str, Layout]:
    return plain.layout(extra)


def write(body: CertifiedTree) -> Content:
    assert body.certificate is not None
    return Content(to_arrays(body), {"certificate": asdict(body.certificate)})


def read(arrays: Arrays, extra: dict[str, Any], header: Header) -> CertifiedTree:
    tree = plain.read(arrays, extra, header)
    return CertifiedTree(**to_arrays(tree), certificate=_read_certificate(extra.get("certificate")))


def _read_certificate(found: Any) -> Certificate:
    if not isinstance(found, dict) or set(found) != {f.name for f in fields(Certificate)}:
        raise InvalidModelFile("has no certificate of an optimal tree")
    kinds: dict[Any, tuple[type, ...]] = {str: (str,), bool: (bool,), int: (int,), float: (int, float)}
    for f in fields(Certificate):
        value = found[f.name]
        known = isinstance(value, kinds[f.type]) and (f.type is bool or not isinstance(value, bool))
        if not known or (f.type in (int, float) and not (isfinite(value) and value >= 0)):
            raise InvalidModelFile(f"has a certificate whose {f.name} is {value!r:.60}")
    if found["measure"] not in MEASURES or found["bound"] > found["value"]:
        raise InvalidModelFile("has a certificate that contradicts itself")
    return Certificate(**found)


def describe(state: ModelState) -> list[tuple[str, str]]:
    return [*plain.describe(state), ("certificate", str(state.body.certificate))]
