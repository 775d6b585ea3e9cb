"""scikit-learn's trees, forests and histogram boosting as ours.   In: a fitted estimator of theirs.   Out: ours, with
the same trees, so that it predicts the same and everything here works on it: pruning, pictures, rules, exports, model
files, Shapley values.

Their trees read float32: they round each cell and ask whether it is at most a threshold. Ours read float64, and so a
threshold becomes the largest float64 that is rounded to something at most the threshold:

    float32      f         g = the next one        threshold somewhere from f to below g
                 |----m----|                       m, the middle, is rounded to the even one of f and g
    tested here  x <= m, or x <= the float64 before m

Their histogram boosting reads float64 itself. Its category columns stand before the others in its trees.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from hedgerow.docstrings import document
from hedgerow.encode import Schema
from hedgerow.ensemble.forest import Forest
from hedgerow.estimators.saving import restore_model
from hedgerow.gradient.trees import GradientTrees
from hedgerow.store import ModelState
from hedgerow.store.kind import load_kind
from hedgerow.store.kinds.forest import NOBODY_KNOWS, Body, criterion_of
from hedgerow.table import Kind
from hedgerow.table.levels import level_text
from hedgerow.tree.check import check
from hedgerow.tree.tree import LEAF, NONE, THRESHOLD, Tree
from hedgerow.types import Float
from hedgerow.words import quote

TAGS = {  # their class -> a kind of model here
    "DecisionTreeClassifier": "tree classifier",
    "DecisionTreeRegressor": "tree regressor",
    "ExtraTreeClassifier": "tree classifier",
    "ExtraTreeRegressor": "tree regressor",
    "RandomForestClassifier": "forest classifier",
    "RandomForestRegressor": "forest regressor",
    "ExtraTreesClassifier": "extra trees classifier",
    "ExtraTreesRegressor": "extra trees regressor",
    "HistGradientBoostingClassifier": "gradient boosting classifier",
    "HistGradientBoostingRegressor": "gradient boosting regressor",
}


@document()
def from_sklearn(model: Any) -> Any:
    """A fitted tree, forest, extra trees or histogram boosting of scikit-learn as ours, with equal predictions.

    Parameters
    ----------
    model : fitted estimator of scikit-learn
        DecisionTree..., ExtraTree..., RandomForest..., ExtraTrees... or HistGradientBoosting..., of one target.

    Returns
    -------
    estimator
        The class of the same name here. Which rows each tree drew is not known to it: it has no out-of-bag estimates.

    See Also
    --------
    DecisionTreeClassifier : Its `to_sklearn` goes the other way.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from hedgerow import from_sklearn
    >>> theirs = DecisionTreeClassifier().fit([[0.0], [1.0], [2.0]], [0, 1, 1])
    >>> from_sklearn(theirs).predict([[0.2], [1.7]])
    array([0, 1])
    """
    name = type(model).__name__
    if name not in TAGS or not type(model).__module__.startswith("sklearn."):
        steps = getattr(model, "steps", None)
        way = " Of a pipeline, give the last step: from_sklearn(pipeline[-1])." if steps else ""
        raise TypeError(
            f"A {name} has no counterpart here. Expected: a fitted {', '.join(TAGS)} of scikit-learn.{way}"
        )
    check_is_fitted(model)
    if getattr(model, "n_outputs_", 1) > 1:
        raise TypeError(
            f"This {name} has {model.n_outputs_} outputs. Expected: one target. Way out: a model for each of them."
        )
    body, schema, more = READ[TAGS[name].rpartition(" ")[0]](model)
    state = ModelState(
        model=TAGS[name],
        body=body,
        schema=schema,
        classes=_classes(model),
        names_in=schema.named,
        parameters=_shared_parameters(model, TAGS[name]) | more,
    )
    return restore_model(state)


def _classes(model: Any) -> NDArray[Any] | None:
    classes = getattr(model, "classes_", None)
    if classes is not None and classes.dtype == object and all(isinstance(label, str) for label in classes):
        return np.asarray(classes, dtype=object)
    return classes


def _shared_parameters(model: Any, tag: str) -> dict[str, Any]:
    """Those that both have; the random state only as a number."""
    ours = load_kind(tag).DEFAULTS[tag]
    theirs = model.get_params(deep=False)
    found = {name: theirs.get(name, usual) for name, usual in ours.items()}
    if not isinstance(found["random_state"], (int, np.integer)):
        found["random_state"] = None
    if "loss" in theirs and not isinstance(theirs["loss"], str):
        raise TypeError(f"loss={quote(str(theirs['loss']))} is an object. Expected: a loss by its name.")
    return found


def _schema(model: Any) -> Schema:
    names = getattr(model, "feature_names_in_", None)
    n = int(model.n_features_in_)
    given = tuple(map(str, names)) if names is not None else tuple(f"x{j}" for j in range(n))
    kind: Kind = "number"
    return Schema(given, (kind,) * n, ((),) * n, named=names is not None)


# ----------------------------------------------------------------------------------------------- trees and forests


def _read_tree(model: Any) -> tuple[Tree, Schema, dict[str, Any]]:
    return _to_tree(model.tree_, _criterion(model)), _schema(model), {}


def _read_forest(model: Any) -> tuple[Body, Schema, dict[str, Any]]:
    trees = [_to_tree(one.tree_, _criterion(model)) for one in model.estimators_]
    more = {"n_estimators": len(trees), "oob_score": False, "warm_start": False}
    return Body(Forest(trees, NOBODY_KNOWS), criterion_of(model.criterion)), _schema(model), more


def _criterion(model: Any) -> str:
    return criterion_of(str(model.criterion))


def _to_tree(theirs: Any, criterion: str) -> Tree:
    """Their nodes, with siblings side by side."""
    left, right = theirs.children_left, theirs.children_right
    order, first_child = _in_levels(left, right)
    leaf = left[order] < 0
    threshold = np.full(len(order), np.nan)
    threshold[~leaf] = widen_thresholds(theirs.threshold[order][~leaf])
    goes_left = np.asarray(theirs.missing_go_to_left, bool)[order]
    tree = Tree(
        feature=np.where(leaf, NONE, theirs.feature[order]),
        kind=np.where(leaf, LEAF, THRESHOLD),
        threshold=threshold,
        subset_start=np.full(len(order), NONE),
        first_child=first_child,
        n_children=np.where(leaf, 0, 2),
        missing_child=np.where(leaf, NONE, first_child + ~goes_left),
        value=theirs.value[order, 0, :],
        weight=theirs.weighted_n_node_samples[order],
        n_rows=theirs.n_node_samples[order],
        impurity=theirs.impurity[order],
        subset_bits=np.empty(0, np.uint64),
        n_levels=np.zeros(theirs.n_features),
    )
    check(tree)
    return tree


def _in_levels(left: NDArray[Any], right: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Old numbers of nodes in the new order, and the new first child of each."""
    order, first_child = [0], []
    for at in order:  # grows while it is read
        if left[at] < 0:
            first_child.append(NONE)
            continue
        first_child.append(len(order))
        order += [int(left[at]), int(right[at])]
    return np.array(order), np.array(first_child)


def widen_thresholds(threshold: Float) -> Float:
    """For each, the largest float64 that float32 rounds to something at most the threshold."""
    with np.errstate(over="ignore"):
        below = threshold.astype(np.float32)
        below = np.where(below > threshold, np.nextafter(below, np.float32(-np.inf)), below)
        above = np.nextafter(below, np.float32(np.inf))
    middle = (below.astype(np.float64) + above.astype(np.float64)) / 2
    even = (below.astype(np.float32).view(np.uint32) & 1) == 0
    found = np.where(even, middle, np.nextafter(middle, -np.inf))
    return np.where(np.isfinite(above) & np.isfinite(below), found, threshold)


# ----------------------------------------------------------------------------------------------- histogram boosting


def _read_boosting(model: Any) -> tuple[GradientTrees, Schema, dict[str, Any]]:
    schema, column_of = _boosting_schema(model)
    trees = [tree for one_round in model._predictors for tree in one_round]
    parts = [_gradient_nodes(tree, schema, column_of, float(model.learning_rate)) for tree in trees]
    names = ("column", "threshold", "first_child", "missing_left", "value", "gain", "n_rows")
    arrays = {name: np.concatenate([part[name] for part in parts] or [np.empty(0)]) for name in names}
    words = [word for part in parts for word in part["words"]]
    begin = np.concatenate([part["has_words"] for part in parts] or [np.empty(0)])
    sizes = np.where(begin > 0, begin, 0).astype(np.int64)
    start = np.cumsum([0, *(len(part["column"]) for part in parts)])
    body = GradientTrees(
        schema,
        np.asarray(model._baseline_prediction, np.float64).reshape(-1),
        start.astype(np.int64),
        arrays["column"].astype(np.int32),
        arrays["threshold"],
        np.where(begin > 0, np.cumsum(sizes) - sizes, NONE).astype(np.int64),
        arrays["first_child"].astype(np.int32),
        arrays["missing_left"].astype(np.uint8),
        arrays["value"],
        arrays["gain"],
        arrays["n_rows"].astype(np.int64),
        np.array(words, np.uint64),
    )
    by_dtype = isinstance(model.categorical_features, str)
    listed = [j for j, kind in enumerate(schema.kinds) if kind == "category"]
    more = {"categorical_features": "from_dtype" if by_dtype else listed or None, "warm_start": False}
    return body, schema, more | {"monotonic_cst": None, "interaction_cst": None, "scoring": "loss"}


def _boosting_schema(model: Any) -> tuple[Schema, list[int]]:
    """And which column each of their columns is: category columns come first there."""
    plain = _schema(model)
    if model._preprocessor is None:
        return plain, list(range(len(plain.names)))
    is_category = np.asarray(model.is_categorical_, bool)
    listed = np.flatnonzero(is_category).tolist()
    levels: list[tuple[str, ...]] = [()] * len(plain.names)
    for j, known in zip(listed, model._preprocessor.named_transformers_["encoder"].categories_, strict=True):
        present = [value for value in known if value is not None and value == value]
        if any(not isinstance(value, str) and value < 0 for value in present):
            raise TypeError(
                f"Column {quote(plain.names[j])} has a category below 0, which is a missing cell here. Expected: "
                "categories from 0 on, or text."
            )
        levels[j] = tuple(level_text(value) for value in present)
    kinds: Any = tuple("category" if one else "number" for one in is_category)
    schema = Schema(plain.names, kinds, tuple(levels), plain.named)
    return schema, [*listed, *np.flatnonzero(~is_category).tolist()]


def _gradient_nodes(
    theirs: Any, schema: Schema, column_of: list[int], learning_rate: float
) -> dict[str, Any]:
    """One tree. `has_words`: how many words of bits a node has."""
    nodes = theirs.nodes
    leaf = nodes["is_leaf"].astype(bool)
    left = np.where(leaf, -1, nodes["left"].astype(np.int64))
    order, first_child = _in_levels(left, nodes["right"].astype(np.int64))
    nodes, leaf = nodes[order], leaf[order]
    column = np.where(leaf, NONE, np.array(column_of)[np.where(leaf, 0, nodes["feature_idx"])])
    category = ~leaf & nodes["is_categorical"].astype(bool)
    words, has_words = list[int](), np.zeros(len(nodes), np.int64)
    for at in np.flatnonzero(category):
        bits = theirs.raw_left_cat_bitsets[nodes["bitset_idx"][at]]
        some = _words(bits, len(schema.levels[column[at]]), bool(nodes["missing_go_to_left"][at]))
        has_words[at] = len(some)
        words += some
    return {
        "column": column,
        "threshold": np.where(leaf | category, np.nan, nodes["num_threshold"]),
        "first_child": first_child,
        "missing_left": np.where(leaf, 0, nodes["missing_go_to_left"]),
        "value": np.where(leaf, 1.0, learning_rate) * nodes["value"],  # theirs shrink leaves alone
        "gain": np.where(leaf, 0.0, np.maximum(nodes["gain"], 0.0)),
        "n_rows": nodes["count"].astype(np.int64),
        "words": words,
        "has_words": has_words,
    }


def _words(bits: NDArray[Any], n_levels: int, unseen_left: bool) -> list[int]:
    """Of 32 bits each to 64, with the bit of a level never seen, which goes the way of a missing cell."""
    whole = sum(int(word) << (32 * k) for k, word in enumerate(bits))
    whole &= (1 << n_levels) - 1
    whole |= int(unseen_left) << n_levels
    return [(whole >> (64 * k)) & (2**64 - 1) for k in range(n_levels // 64 + 1)]


READ: dict[str, Callable[[Any], tuple[Any, Schema, dict[str, Any]]]] = {
    "tree": _read_tree,
    "forest": _read_forest,
    "extra trees": _read_forest,
    "gradient boosting": _read_boosting,
}
