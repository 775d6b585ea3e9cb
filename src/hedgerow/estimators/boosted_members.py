"""Members of a booster that predict by themselves.   In: a weak predictor.   Out: something with `predict`: the fitted
estimator, a tree as a fitted estimator, or the predictor with `predict` added."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from hedgerow.core import native
from hedgerow.display.sentences import many
from hedgerow.estimators.boost_rows import new_rows
from hedgerow.estimators.member_tree import make_fitted
from hedgerow.estimators.tree import DecisionTreeClassifier, DecisionTreeRegressor
from hedgerow.export.formats.text import to_text
from hedgerow.tree.labels import labels_of
from hedgerow.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class BoostedMember:
    """A weak predictor of a fitted booster. What it has itself (a threshold, a tree) is found here too."""

    weak: Any
    booster: Any

    def predict(self, X: Any) -> NDArray[Any]:
        """Classes, or numbers, of the weak predictor alone; where it abstains, the most frequent class."""
        rows = new_rows(self.booster, X, self.booster.schema_)
        if hasattr(self.weak, "numbers"):
            return np.asarray(self.weak.numbers(rows))
        rounds = self.booster.rounds_
        if len(self.booster.classes_) == 2:
            codes = np.where(
                self.weak.outputs(rows) == 0, np.argmax(rounds.prior), self.weak.outputs(rows) > 0
            )
        else:
            codes = self.weak.choices(rows)
            codes = np.where(codes < 0, np.argmax(rounds.prior), codes)
        return self.booster.classes_[codes.astype(np.int64)]  # type: ignore[no-any-return]

    def __getattr__(self, name: str) -> Any:
        if name in ("weak", "booster") or name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.weak, name)


def write_trees(booster: Any, most: int) -> str:
    """The trees of the first rounds as text. Leaves of confident predictions hold their score; 0 is silent."""
    schema, rounds = booster.schema_, booster.rounds_.rounds
    if not rounds or not all(
        isinstance(getattr(weak, "tree", None), Tree) for one in rounds for weak in one.weaks
    ):
        raise ValueError(
            f"{type(booster).__name__} has no trees to print: its predictors are no trees. Boost estimator='tree', "
            "'c45' or 'leaf'."
        )
    parts = []
    for t, one in enumerate(rounds[:most], 1):
        parts.append(f"round {t}: alpha {one.alpha:.4f}, epsilon {one.epsilon:.4f}")
        for weak in one.weaks:
            classes = booster.classes_.tolist() if weak.tree.n_outputs > 1 else ()
            parts.append(to_text(weak.tree, labels_of(schema.names, schema.kinds, schema.levels, classes)))
    if len(rounds) > most:
        parts.append(f"and {many(len(rounds) - most, 'more round')}")
    return "\n".join(parts)


def member_of(weak: Any, booster: Any, place: int) -> Any:
    """`place`: which round's it is."""
    if hasattr(weak, "estimator"):
        return weak.estimator
    tree = getattr(weak, "tree", None)
    if not isinstance(tree, Tree):
        return BoostedMember(weak, booster)
    if tree.n_outputs != len(
        getattr(booster, "classes_", ("numbers",))
    ):  # one output of two, or of each class
        return BoostedMember(weak, booster)
    kind = DecisionTreeClassifier if hasattr(booster, "classes_") else DecisionTreeRegressor
    given = booster.estimator
    one = clone(given) if isinstance(given, kind) else kind(max_depth=booster.max_depth)
    seed = getattr(booster, "_seed", None)  # a model file does not keep it
    one.random_state = None if seed is None else native.tree_seed(seed, place)
    return make_fitted(one, tree, booster)
