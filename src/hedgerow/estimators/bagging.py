"""Bagging: members of any kind, each trained on rows (and columns) drawn for it.

`fit` is the path of data: check, table, draw, train. Our own trees take a fast way: the table is encoded once, and a
member's counts go along as weights instead of copied rows. What an ensemble of trees can say is in ensemble_face.py.
"""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, RegressorMixin
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from hedgerow.core import native, threads_for
from hedgerow.encode import Encoded, Schema, encode, schema_of
from hedgerow.ensemble import predict
from hedgerow.ensemble.columns import columns_of, only, widened
from hedgerow.ensemble.draws import Draws, draws_of
from hedgerow.ensemble.forest import Forest, grow_forest, tree_weight
from hedgerow.ensemble.oob import Tally, add_member, empty_tally, losses
from hedgerow.ensemble.stop import FEWEST, STEP, look
from hedgerow.estimators.asked import Asked, check, monotone_of, one_of
from hedgerow.estimators.bag_members import fit_member, member_values, member_votes, rows_to_give, take_rows
from hedgerow.estimators.columns import remember_columns, rows_of
from hedgerow.estimators.ensemble_face import EnsembleFace, QuantileFace, wanted_quantiles
from hedgerow.estimators.out_of_bag import OutOfBag
from hedgerow.estimators.targets import class_weights, classes_of, numbers_of, weight_of
from hedgerow.estimators.tree import DecisionTreeClassifier, DecisionTreeRegressor
from hedgerow.grow import CLASS_CRITERIA, NUMBER_CRITERIA, Classes, Target, grow
from hedgerow.prune import cut_path
from hedgerow.table import Table, to_table
from hedgerow.tree.cut import cut
from hedgerow.tree.labels import labels_of
from hedgerow.tree.tree import Tree
from hedgerow.types import Count, Float, FloatAny


class _Bagging(EnsembleFace, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """What the two have in common."""

    draws_: Draws
    _tree_type: Any
    _criteria: tuple[str, ...]

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        n_members = self._checked_numbers()
        learner = self._tree_type() if self.estimator is None else self.estimator
        fast = _is_plain_tree(learner, self._tree_type)
        table = to_table(X, categories=self._categories(learner))
        older = self._older(n_members)
        remember_columns(self, X, table)
        target = self._target(y, table.n_rows, weight_of(sample_weight, table.n_rows))
        draws = self._draws(table, target)
        self.schema_ = schema_of(table)
        for name in ("_members", "forest_", "stopped_"):
            self.__dict__.pop(name, None)
        self.draws_ = draws
        if fast:
            self._fit_trees(learner, table, target, draws, older, n_members)
        else:
            self._fit_members(learner, X, y, table, target, draws, older, n_members)
        self._remember(table, target)
        return self

    # Our own trees: encoded once.

    def _fit_trees(
        self,
        learner: Any,
        table: Table,
        target: Target,
        draws: Draws,
        older: Sequence[Any],
        n_members: int,
    ) -> None:
        asked = check(learner, self._criteria)
        threads = threads_for(self.n_jobs, table.n_rows * len(table.columns) * n_members)
        rows = encode(table, max_bins=asked.max_bins, weight=target.weight, threads=threads)
        by_class, balanced = self._class_weight(learner, target)

        def grown(first: int, many: int) -> Forest:
            if self._n_columns(len(table.columns)) == len(table.columns) and not self.bootstrap_features:
                forest = grow_forest(
                    rows,
                    target,
                    asked.criterion,
                    asked.limits(len(draws.order), len(table.columns), float(draws.size)),
                    draws,
                    many,
                    first_tree=first,
                    class_weight=by_class,
                    balanced=balanced,
                    monotone=monotone_of(asked.monotone, rows.schema.names, rows.schema.kinds),
                    threads=threads,
                )
            else:
                one = delayed(self._grow_one)
                trees = Parallel(threads, prefer="threads")(
                    one(rows, target, asked, draws, t, by_class, balanced) for t in range(first, first + many)
                )
                forest = Forest(tuple(trees), draws)
            if asked.alpha == 0:
                return forest
            return replace(forest, trees=tuple(cut(t, cut_path(t).mask(asked.alpha)) for t in forest.trees))

        self._missing = frozenset(np.flatnonzero(rows.n_missing).tolist())
        if self.stop is None:
            more = grown(len(older), n_members - len(older))
            self.forest_ = replace(more, trees=(*older, *more.trees))
        else:
            self.forest_ = self._until_flat(
                grown, Forest(tuple(older), draws), table, target, n_members, threads
            )

    def _grow_one(
        self,
        rows: Encoded,
        target: Target,
        asked: Asked,
        draws: Draws,
        t: int,
        by_class: Float | None,
        balanced: bool,
    ) -> Tree:
        columns = np.unique(self._columns(t, len(rows.codes)))
        part = only(rows, columns)
        own = replace(target, weight=tree_weight(target, draws, t, by_class, balanced))
        limits = asked.limits(len(draws.order), len(columns), float(draws.size))
        monotone = monotone_of(asked.monotone, rows.schema.names, rows.schema.kinds)
        tree = grow(
            part,
            own,
            asked.criterion,
            limits,
            monotone=None if monotone is None else np.ascontiguousarray(monotone[columns]),
            seed=native.tree_seed(draws.seed, t),
        )
        return widened(tree, columns, rows.schema.n_levels)

    # Members of any kind.

    def _fit_members(
        self,
        learner: Any,
        X: Any,
        y: Any,
        table: Table,
        target: Target,
        draws: Draws,
        older: Sequence[Any],
        n_members: int,
    ) -> None:
        given = table if isinstance(learner, self._tree_type) else rows_to_give(X, table)
        labels = self._labels_of(target)
        n_columns = len(table.columns)
        threads = threads_for(self.n_jobs, table.n_rows * n_columns * n_members)
        self._given = given

        def trained(first: int, many: int) -> list[Any]:
            one = delayed(fit_member)
            return list(
                Parallel(threads, prefer="threads")(
                    one(
                        learner,
                        given,
                        labels,
                        draws.weights(t),
                        whole=not draws.carries_weight,
                        columns=self._columns(t, n_columns),
                        seed=native.tree_seed(draws.seed, t) % (2**31 - 1),
                    )
                    for t in range(first, first + many)
                )
            )

        members = list(older)
        if self.stop is None:
            members += trained(len(members), n_members - len(members))
        else:
            members = self._members_until_flat(trained, members, target, n_members)
        self._members = members
        if all(isinstance(m, self._tree_type) for m in members):
            self.forest_ = Forest(tuple(self._widened(t, m) for t, m in enumerate(members)), draws)
            self._missing = frozenset().union(*(m._missing for m in members))

    def _widened(self, t: int, member: Any) -> Tree:
        """The member's tree, in all columns and all classes."""
        tree = widened(member.tree_, self._columns(t, self.n_features_in_), self.schema_.n_levels)
        classes = self._classes()
        if classes is None or len(classes) == tree.n_outputs:
            return tree
        value = np.zeros((tree.n_nodes, len(classes)))
        value[:, np.searchsorted(classes, member.classes_)] = tree.value
        return replace(tree, value=value)

    def _members_until_flat(self, trained: Any, members: list[Any], target: Target, most: int) -> list[Any]:
        tally = empty_tally(self.draws_.n_rows, self._n_outputs(target), self.draws_.weight)
        members = members or trained(0, min(FEWEST, most))
        while True:
            for t in range(len(tally.loss), len(members)):
                tally = self._add(tally, members[t], t, target)
            judged = tally.judged
            self.stopped_ = look(tally.loss, losses(tally.mean[judged], target, judged), most)
            if self.stopped_.flat or len(members) >= most:
                return members
            members = members + trained(len(members), min(STEP, most - len(members)))

    def _add(self, tally: Tally, member: Any, t: int, target: Target) -> Tally:
        out = self.draws_.oob(t)
        if not out.any():
            return replace(tally, loss=np.append(tally.loss, tally.loss[-1:] if len(tally.loss) else np.nan))
        rows = take_rows(self._given, np.flatnonzero(out))
        values = member_values(member, rows, self._columns(t, self.n_features_in_), self._classes())
        return add_member(tally, out, values, target)

    def out_of_bag(self, X: Any = None, y: Any = None) -> OutOfBag:
        """Predictions of the rows of training by the members that have not seen them. X and y: these rows, for a model
        that was copied or loaded."""
        if hasattr(self, "forest_"):
            return super().out_of_bag(X, y)
        check_is_fitted(self)
        self._need_rows_outside()
        if X is not None and y is not None:
            target: Target = self._known_target(y)
            self._given = rows_to_give(X, to_table(X))
        elif getattr(self, "_training", None) is not None:
            target = self._training.checked().target
        else:
            raise ValueError(
                "This model was copied or loaded, and the rows it was trained on did not come along. Give them: X "
                "and y."
            )
        tally = empty_tally(self.draws_.n_rows, self._n_outputs(target), self.draws_.weight)
        for t, member in enumerate(self._members):
            tally = self._add(tally, member, t, target)
        return OutOfBag(tally, target, self._classes())

    def _need_trees(self) -> None:
        if not hasattr(self, "forest_"):
            raise AttributeError(
                f"This is for members that are hedgerow's trees, but they are {type(self._members[0]).__name__}. "
                "sklearn.inspection has permutation_importance for any model."
            )

    def _need_rows_outside(self) -> None:
        if self.draws_.how == "all":
            raise AttributeError(
                f"{type(self).__name__} was trained with every row in every bag, so that nothing is out of bag. "
                "Fit with bootstrap=True, or with max_samples below the number of rows."
            )

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items() if name != "_given"}

    # Parameters.

    def _checked_numbers(self) -> int:
        n, share = self.n_estimators, self.max_samples
        if not isinstance(n, Integral) or isinstance(n, bool) or int(n) < 1:
            raise ValueError(
                f"n_estimators={n!r} is out of range. Give a whole number of members, at least 1."
            )
        if share is not None and not _is_size(share):
            raise ValueError(
                f"max_samples={share!r} is out of range. Give a number of rows, at least 1, or a share above 0, or "
                "None for as many as there are."
            )
        if not _is_size(self.max_features) or (
            isinstance(self.max_features, float) and self.max_features > 1
        ):
            raise ValueError(
                f"max_features={self.max_features!r} is out of range. Give a number of columns, at least 1, or a share "
                "above 0, up to 1.0. (Columns drawn at each node: RandomForest.)"
            )
        if self.stop is not None:
            one_of("stop", self.stop, ("oob",))
        asks = "oob_score" if self.oob_score else "stop='oob'" if self.stop else ""
        if asks and not self.bootstrap and (share is None or share == 1.0):
            raise ValueError(
                f"{asks} needs rows that a member has not seen. Give bootstrap=True, or a max_samples below all rows."
            )
        return int(n)

    def _categories(self, learner: Any) -> Any:
        """Number columns that are categories, as our own trees say it."""
        return learner.categorical_features if isinstance(learner, self._tree_type) else None

    def _n_columns(self, n_columns: int) -> int:
        share: Any = self.max_features
        if not isinstance(share, float):
            if share > n_columns and not self.bootstrap_features:
                raise ValueError(
                    f"max_features={share} columns cannot be drawn from {n_columns} without drawing one twice. Give "
                    "fewer."
                )
            return int(share)
        return max(1, int(share * n_columns))

    def _columns(self, t: int, n_columns: int) -> Count:
        size = self._n_columns(n_columns)
        return columns_of(self.draws_.seed, t, n_columns, size, repeat=bool(self.bootstrap_features))

    def _draws(self, table: Table, target: Target) -> Draws:
        y: Any = target.codes if isinstance(target, Classes) else target.values
        share = (
            None
            if self.max_samples == 1.0 and not isinstance(self.max_samples, Integral)
            else self.max_samples
        )
        how: Any = "bootstrap" if self.bootstrap else "all" if share is None else "subsample"
        return draws_of(table, y, target.weight, how=how, size=share, seed=self._seed)

    def _older(self, n_members: int) -> Sequence[Any]:
        if not (self.warm_start and hasattr(self, "draws_")):
            self._seed = int(check_random_state(self.random_state).randint(2**31 - 1))
            return ()
        older: Sequence[Any] = self._members if hasattr(self, "_members") else self.forest_.trees
        if n_members < len(older):
            raise ValueError(
                f"n_estimators={n_members} is fewer than the {len(older)} members that are there already. With "
                "warm_start=True it must not fall."
            )
        if n_members == len(older):
            warnings.warn(
                "Warm-start fitting without increasing n_estimators does not fit new members.", stacklevel=3
            )
        return older

    def _class_weight(self, learner: Any, target: Target) -> tuple[Float | None, bool]:
        given = getattr(learner, "class_weight", None)
        if given is None or not isinstance(target, Classes):
            return None, False
        if isinstance(given, str) and given == "balanced":  # in each member, as it would be if fitted alone
            return None, True
        return class_weights(given, self.classes_, target.codes, target.weight), False

    # What it says.

    def _rows(self, X: Any) -> tuple[FloatAny, int]:
        check_is_fitted(self)
        categories = [j for j, kind in enumerate(self.schema_.kinds) if kind == "category"]
        named = self._categories(self.estimator) is not None
        table = to_table(X, categories=categories if named else None)
        rows = rows_of(self, X, table, self.schema_)
        return rows, threads_for(self.n_jobs, rows.size * self._many())

    def _many(self) -> int:
        return len(self.forest_.trees) if hasattr(self, "forest_") else len(self._members)

    def _values(self, X: Any) -> Float:
        """Rows x outputs: the mean over the members."""
        rows, threads = self._rows(X)
        if hasattr(self, "forest_"):
            return predict.values(self.forest_, rows, threads)
        said = self._member_values(X, threads)
        total = np.zeros_like(said[0])
        for values in said:  # in their order
            total += values
        return np.asarray(total / len(said))

    def _member_values(self, X: Any, threads: int) -> list[Float]:
        """What members that are not our trees say, each rows x outputs."""
        given, classes = rows_to_give(X, to_table(X)), self._classes()
        one = delayed(member_values)
        return list(
            Parallel(threads, prefer="threads")(
                one(member, given, self._columns(t, self.n_features_in_), classes)
                for t, member in enumerate(self._members)
            )
        )

    @property
    def estimators_(self) -> list[Any]:
        """The members, fitted. Those on some columns want these columns only: `estimators_features_`."""
        check_is_fitted(self)
        if hasattr(self, "_members"):
            return list(self._members)
        return [self._fitted_tree(t) for t in range(self._many())]

    @property
    def estimators_features_(self) -> list[Count]:
        """The columns of each member."""
        check_is_fitted(self)
        return [self._columns(t, self.n_features_in_) for t in range(self._many())]

    @property
    def estimators_samples_(self) -> list[Count]:
        """The rows of each member, as often as it drew them."""
        check_is_fitted(self)
        rows = np.arange(self.draws_.n_rows)
        return [np.repeat(rows, self.draws_.counts(t).astype(np.int64)) for t in range(self._many())]

    def _fitted_tree(self, t: int) -> Any:
        """A tree of the fast way as an estimator of its own, on all columns."""
        one = self._tree_type() if self.estimator is None else self.estimator
        one = type(one)(**one.get_params(deep=False))
        one.tree_, one.schema_, one._missing = self.forest_.trees[t], self.schema_, self._missing
        one.n_features_in_ = self.n_features_in_
        if hasattr(self, "feature_names_in_"):
            one.feature_names_in_ = self.feature_names_in_
        classes: list[Any] = []
        if hasattr(self, "classes_"):
            one.classes_, one.n_classes_ = self.classes_, self.n_classes_
            classes = self.classes_.tolist()
        schema: Schema = self.schema_
        one.labels_ = labels_of(
            schema.names,
            schema.kinds,
            schema.levels,
            classes,
            criterion=one.criterion,
            missing=self._missing,
        )
        return one

    def _classes(self) -> NDArray[Any] | None:
        return getattr(self, "classes_", None)

    def _n_outputs(self, target: Target) -> int:
        return target.n_classes if isinstance(target, Classes) else 1

    def _target(self, y: Any, n_rows: int, weight: Float | None) -> Target:
        raise TypeError("a bagging says what its target is")

    def _labels_of(self, target: Target) -> NDArray[Any]:
        if isinstance(target, Classes):
            return self.classes_[target.codes]  # type: ignore[no-any-return]
        return target.values

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        member = get_tags(self._tree_type() if self.estimator is None else self.estimator)
        tags.input_tags.allow_nan = member.input_tags.allow_nan
        tags.input_tags.categorical = member.input_tags.categorical
        return tags


def _is_plain_tree(learner: Any, kind: Any) -> bool:
    """Our own tree, grown and left as it is (or cut by ccp_alpha)."""
    return type(learner) is kind and learner.prune is None and not learner.trace


def _is_size(given: Any) -> bool:
    if isinstance(given, bool):
        return False
    if isinstance(given, Integral):
        return int(given) >= 1
    return isinstance(given, Real) and 0 < float(given) < np.inf


class BaggingClassifier(ClassifierMixin, _Bagging):  # type: ignore[misc]
    """Classifiers, each trained on rows (and columns) drawn for it; their mean chances, or votes, decide.

    Parameters are scikit-learn's, with the same meaning, and `stop`. With hedgerow's trees, text, categories and
    missing cells are taken as they are; other learners get X as it came.

    Parameters
    ----------
    estimator : any classifier of scikit-learn; DecisionTreeClassifier() if not given
    n_estimators : members
    max_samples : draws a member, or a share of the rows; None for as many as there are
    max_features : columns a member, or a share of them. (Columns drawn at each NODE: RandomForestClassifier)
    bootstrap, bootstrap_features : draw rows, columns, with replacement
    oob_score : True, or a function of (y, predictions): score the rows by the members that have not seen them
    warm_start : go on from the members of the last fit, which must have been on the same rows
    n_jobs : threads; the ensemble does not depend on it.   random_state : the seed.   verbose : not used
    stop : "oob" ends when the out-of-bag curve is flat (`stopped_` says why); n_estimators is then the most

    Attributes
    ----------
    estimators_, estimators_features_, estimators_samples_, classes_, n_classes_, n_features_in_, feature_names_in_
    oob_ : out-of-bag predictions, scores with intervals, the curve
    forest_ : the members as Trees, where they are hedgerow's
    """

    _tree_type = DecisionTreeClassifier
    _criteria = CLASS_CRITERIA

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 10,
        *,
        max_samples: int | float | None = None,
        max_features: int | float = 1.0,
        bootstrap: bool = True,
        bootstrap_features: bool = False,
        oob_score: Any = False,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        stop: str | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.max_features = max_features
        self.bootstrap = bootstrap
        self.bootstrap_features = bootstrap_features
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.stop = stop

    def _target(self, y: Any, n_rows: int, weight: Float | None) -> Target:
        target, self.classes_ = classes_of(type(self).__name__, y, n_rows, weight, None)
        self.n_classes_ = len(self.classes_)
        return target

    def predict_proba(self, X: Any) -> Float:
        """The mean over the members of their chances; of members without chances, the share of votes."""
        return self._values(X)

    def predict_log_proba(self, X: Any) -> Float:
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """The class with the largest mean chance; ties go to the first class."""
        largest = np.argmax(self._values(X), axis=1)
        return self.classes_[largest]  # type: ignore[no-any-return]

    def predict_votes(self, X: Any) -> Float:
        """The share of the members that vote for each class."""
        rows, threads = self._rows(X)
        if hasattr(self, "forest_"):
            return predict.votes(self.forest_, rows, threads)
        given = rows_to_give(X, to_table(X))
        total = np.zeros((len(rows), len(self.classes_)))
        for t, member in enumerate(self._members):
            total += member_votes(member, given, self._columns(t, self.n_features_in_), self.classes_)
        return np.asarray(total / len(self._members))


class BaggingRegressor(RegressorMixin, QuantileFace, _Bagging):  # type: ignore[misc]
    """Regressions, each trained on rows (and columns) drawn for it; their mean decides. Parameters are those of
    BaggingClassifier.

    With hedgerow's trees, `predict_quantiles` speaks of the target's distribution; of other members it gives quantiles
    of what the members say: how far they are apart, not how far the target may be.
    """

    _tree_type = DecisionTreeRegressor
    _criteria = NUMBER_CRITERIA

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 10,
        *,
        max_samples: int | float | None = None,
        max_features: int | float = 1.0,
        bootstrap: bool = True,
        bootstrap_features: bool = False,
        oob_score: Any = False,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        stop: str | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.max_features = max_features
        self.bootstrap = bootstrap
        self.bootstrap_features = bootstrap_features
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.stop = stop

    def _target(self, y: Any, n_rows: int, weight: Float | None) -> Target:
        criterion = getattr(self.estimator, "criterion", "squared_error")
        return numbers_of(type(self).__name__, y, n_rows, weight, criterion)

    def predict(self, X: Any) -> Float:
        """The mean over the members."""
        return self._values(X)[:, 0]

    def predict_quantiles(self, X: Any, quantiles: Any = (0.1, 0.5, 0.9)) -> Float:
        """Rows x quantiles."""
        check_is_fitted(self)
        if hasattr(self, "forest_"):
            return super().predict_quantiles(X, quantiles)
        wanted = wanted_quantiles(quantiles)
        _, threads = self._rows(X)
        said = np.stack([values[:, 0] for values in self._member_values(X, threads)])
        return np.asarray(np.quantile(said, wanted, axis=0).T)
