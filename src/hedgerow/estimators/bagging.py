"""Bagging: members of any kind, each trained on rows (and columns) drawn for it.

`fit` is the path of data: check, table, draw, train. Our own trees take a fast way (bag_trees.py), any other learner
the general one (bag_any.py). What an ensemble of trees can say is in forest_inspection.py.
"""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, RegressorMixin
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from hedgerow.core import threads_for
from hedgerow.core.sparse_rows import SparseRows
from hedgerow.docstrings import document
from hedgerow.encode import schema_of
from hedgerow.ensemble import predict
from hedgerow.ensemble.draws import Draws, drawn_rows, draws_of
from hedgerow.estimators.bag_any import MemberBag
from hedgerow.estimators.bag_members import member_scores, member_votes, rows_to_give, table_of_members
from hedgerow.estimators.bag_routing import RoutedBag
from hedgerow.estimators.bag_trees import TreeBag
from hedgerow.estimators.bagging_params import validate_bagging
from hedgerow.estimators.columns import read_rows, read_training_rows
from hedgerow.estimators.forest_quantiles import QuantileMixin, check_quantiles
from hedgerow.estimators.outputs import (
    check_output_classes,
    check_output_numbers,
    count_outputs,
    log_of,
    means,
    most_probable,
    one_number_a_row,
    probabilities,
)
from hedgerow.estimators.saving import extract_member, restore_model
from hedgerow.estimators.targets import check_classes, check_numbers
from hedgerow.estimators.tree import DecisionTreeClassifier, DecisionTreeRegressor
from hedgerow.grow import Classes, Outputs, Target
from hedgerow.store import ModelState
from hedgerow.store.kinds import forest
from hedgerow.store.kinds.bagging import Bag
from hedgerow.store.kinds.forest import NOBODY_KNOWS
from hedgerow.table import Table, to_table
from hedgerow.types import Count, Float, FloatAny


def _decides(bagging: Any) -> bool:
    """Whether the members have decision functions."""
    getattr(bagging.estimator_, "decision_function")  # noqa: B009  an AttributeError names what is missing
    return True


class _Bagging(RoutedBag, TreeBag, MemberBag, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """What the two have in common."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fit the members to draws of the rows.

        Parameters
        ----------
        **fit_params : dict
            Metadata that the members' fit has requested (scikit-learn's enable_metadata_routing).
        """
        more = self._routed_to_fit(fit_params)
        n_members = validate_bagging(self).n_members
        learner = self._tree_type() if self.estimator is None else self.estimator
        fast = _is_plain_tree(learner, self._tree_type)
        older = self._older(n_members)
        table, weight = read_training_rows(self, X, y, sample_weight, lambda X: self._table_of(X, learner))
        self.n_outputs_ = count_outputs(y)
        many = self.n_outputs_ > 1
        target: Any = (
            self._outputs(y, table.n_rows, weight) if many else self._target(y, table.n_rows, weight)
        )
        draws = self._draws(table, target)
        self.schema_ = schema_of(table)
        for name in ("_members", "forest_", "stopped_"):
            self.__dict__.pop(name, None)
        self.draws_ = draws
        if fast and not many and not more:
            self._fit_trees(learner, table, target, draws, older, n_members)
        else:
            self._fit_members(learner, X, table, target, draws, older, n_members, more)
        if not many:
            self._remember(table, target)
        return self

    def _table_of(self, X: Any, learner: Any) -> Table:
        """Our own trees refuse infinities here; others see X as it came."""
        if learner is None or isinstance(learner, self._tree_type):
            return to_table(X, categories=self._categories(learner))
        return table_of_members(X)

    def _outputs(self, y: Any, n_rows: int, weight: Float | None) -> Outputs:
        raise TypeError("a bagging says what its targets are")

    def _stored_body(self) -> Bag | None:
        if not hasattr(self, "draws_"):
            return None
        if hasattr(self, "forest_"):
            return Bag(True, (self._forest_state(),), self.draws_.seed)
        members = (extract_member(str(k), member) for k, member in enumerate(self.estimators_))
        return Bag(False, tuple(members), self.draws_.seed)

    def _forest_state(self) -> ModelState:
        classes = getattr(self, "classes_", None)
        tag = "forest regressor" if classes is None else "forest classifier"
        criterion = getattr(self.estimator, "criterion", forest.DEFAULTS[tag]["criterion"])
        return ModelState(
            model=tag,
            body=forest.Body(self.forest_, forest.criterion_of(criterion)),
            schema=self.schema_,
            classes=classes,
            names_in=hasattr(self, "feature_names_in_"),
            parameters={**forest.DEFAULTS[tag], "criterion": criterion},
        )

    def _restore(self, state: ModelState) -> None:
        """What fit would have left, from a model file."""
        validate_bagging(self)
        body = state.body
        self._seed = body.seed
        self.schema_, self.draws_ = state.schema, replace(NOBODY_KNOWS, seed=body.seed)
        if body.trees:
            self.forest_ = replace(body.members[0].body.forest, draws=self.draws_)
            self._missing = frozenset(range(len(state.schema.names)))
        else:
            self._members = [restore_model(member) for member in body.members]

    def _categories(self, learner: Any) -> Any:
        """Number columns that are categories, as our own trees say it."""
        return learner.categorical_features if isinstance(learner, self._tree_type) else None

    def _draws(self, table: Table, target: Any) -> Draws:
        y: Any = one_number_a_row(target) if self.n_outputs_ > 1 else _values_of(target)
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

    def _rows(self, X: Any) -> tuple[FloatAny | SparseRows, int]:
        check_is_fitted(self)
        categories = [j for j, kind in enumerate(self.schema_.kinds) if kind == "category"]
        named = self._categories(self.estimator) is not None
        table = to_table(X, categories=categories) if named else self._table_of(X, self.estimator)
        rows = read_rows(self, X, table, self.schema_)
        return rows, threads_for(self.n_jobs, rows.size * self._many())

    def _many(self) -> int:
        return len(self.forest_.trees) if hasattr(self, "forest_") else len(self._members)

    def _values(self, X: Any, **more: Any) -> Float:
        """Rows x outputs: the mean over the members. `more`: what they are given beside X."""
        rows, threads = self._rows(X)
        if hasattr(self, "forest_"):
            return predict.values(self.forest_, rows, threads)
        predicted = self._member_values(X, threads, **more)
        total = np.zeros_like(predicted[0])
        for values in predicted:  # in their order
            total += values
        return np.asarray(total / len(predicted))

    @property
    def estimators_(self) -> list[Any]:
        """The members, fitted. hedgerow's trees take all columns, also where they were grown on some; other members
        take theirs only: `estimators_features_`."""
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
        return drawn_rows(self.draws_, self._many())

    @property
    def estimator_(self) -> Any:
        """The learner that the members are copies of."""
        return self._tree_type() if self.estimator is None else self.estimator

    def __len__(self) -> int:
        return self._many()

    def __getitem__(self, place: Any) -> Any:
        return self.estimators_[place]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.estimators_)

    def _target(self, y: Any, n_rows: int, weight: Float | None) -> Target:
        raise TypeError("a bagging says what its target is")

    def _refuse_oob(self) -> None:
        if self.oob_score or self.stop:
            raise ValueError(
                "oob_score and stop='oob' of bagging are for one target, but y has several columns. Leave them out; "
                "random forests score several targets out of bag."
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        member = get_tags(self._tree_type() if self.estimator is None else self.estimator)
        tags.input_tags.allow_nan = member.input_tags.allow_nan
        tags.input_tags.categorical = member.input_tags.categorical
        tags.input_tags.sparse = member.input_tags.sparse
        return tags


def _values_of(target: Target) -> Any:
    return target.codes if isinstance(target, Classes) else target.values


def _is_plain_tree(learner: Any, kind: Any) -> bool:
    """Our own tree, grown and left as it is (or cut by ccp_alpha)."""
    return type(learner) is kind and learner.prune is None and not learner.trace


@document()
class BaggingClassifier(ClassifierMixin, _Bagging):  # type: ignore[misc]
    """Classifiers, each trained on rows (and columns) drawn for it; their mean probabilities, or votes, decide. With
    hedgerow's trees, text, categories and missing cells are taken as they are; other learners get X as it came.

    Parameters
    ----------
    estimator : estimator or None
        Any classifier of scikit-learn's form; None for DecisionTreeClassifier().
    max_features : int or float
        Columns of each member, or a share of them. RandomForestClassifier draws columns at each node.
    verbose : int
        Accepted for compatibility with scikit-learn and ignored.

    Attributes
    ----------
    estimator_, estimators_, estimators_features_, estimators_samples_, classes_, n_classes_, n_features_in_,
    feature_names_in_, oob_, oob_score_, oob_decision_function_, schema_
    draws_ : Draws
        What each member drew.
    forest_ : Forest
        The members as trees, where they are hedgerow's.
    stopped_ : str
        Why there are no more members, with `stop="oob"`.

    See Also
    --------
    BaggingRegressor : The same for numbers.
    RandomForestClassifier : Columns drawn at each node.

    References
    ----------
    .. [1] L. Breiman, "Bagging Predictors", Machine Learning 24, 1996.

    Examples
    --------
    >>> from hedgerow import BaggingClassifier, datasets
    >>> titanic = datasets.titanic()
    >>> model = BaggingClassifier(n_estimators=25, random_state=0).fit(titanic.table, titanic.target)
    >>> bool(0.75 < model.oob_.score().value < 0.85)
    True
    """

    _tree_type = DecisionTreeClassifier

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
        target, self.classes_ = check_classes(type(self).__name__, y, n_rows, weight, None)
        self.n_classes_ = len(self.classes_)
        return target

    def _outputs(self, y: Any, n_rows: int, weight: Float | None) -> Outputs:
        self._refuse_oob()
        target, self.classes_, _ = check_output_classes(y, n_rows, weight)
        self.n_classes_ = list(target.n_classes)
        return target

    def predict_proba(self, X: Any, **params: Any) -> Any:
        """The mean over the members of their probabilities; of members without probabilities, the share of votes. Of
        several outputs a list. `params`: metadata for the members, where scikit-learn routes it."""
        return probabilities(self, self._values(X, **self._routed("predict_proba", params)))

    def predict_log_proba(self, X: Any, **params: Any) -> Any:
        return log_of(probabilities(self, self._values(X, **self._routed("predict_log_proba", params))))

    def predict(self, X: Any, **params: Any) -> NDArray[Any]:
        """The class with the largest mean probability; ties go to the first class."""
        return most_probable(self, self._values(X, **self._routed("predict", params)))

    @available_if(_decides)  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Float:
        """The mean over the members of their decision functions."""
        rows, threads = self._rows(X)
        given = rows_to_give(X, table_of_members(X), self._members)
        one = delayed(member_scores)
        work = (one(m, given, self._columns(t, rows.shape[1])) for t, m in enumerate(self._members))
        return np.asarray(np.mean(Parallel(threads, prefer="threads")(work), axis=0))

    def predict_votes(self, X: Any) -> Float:
        """The share of the members that vote for each class."""
        rows, threads = self._rows(X)
        if hasattr(self, "forest_"):
            return predict.votes(self.forest_, rows, threads)
        given = rows_to_give(X, table_of_members(X), self._members)
        total = np.zeros((len(rows), len(self.classes_)))
        for t, member in enumerate(self._members):
            total += member_votes(member, given, self._columns(t, self.n_features_in_), self.classes_)
        return np.asarray(total / len(self._members))


@document(BaggingClassifier)
class BaggingRegressor(RegressorMixin, QuantileMixin, _Bagging):  # type: ignore[misc]
    """Regressions, each trained on rows (and columns) drawn for it; their mean decides. With hedgerow's trees,
    `predict_quantiles` speaks of the target's distribution; of other members it gives quantiles of what the members
    say: how far they are apart, not how far the target may be.

    Parameters
    ----------
    estimator : estimator or None
        Any regressor of scikit-learn's form; None for DecisionTreeRegressor().

    Attributes
    ----------
    estimator_, estimators_, estimators_features_, estimators_samples_, n_features_in_, feature_names_in_, oob_,
    oob_score_, oob_prediction_, forest_, stopped_, draws_, schema_

    See Also
    --------
    BaggingClassifier : The same for classes.
    RandomForestRegressor : Columns drawn at each node.

    References
    ----------
    .. [1] L. Breiman, "Bagging Predictors", Machine Learning 24, 1996.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import BaggingRegressor
    >>> x = np.linspace(0, 3, 100)[:, np.newaxis]
    >>> model = BaggingRegressor(random_state=0).fit(x, x[:, 0])
    >>> model.predict_quantiles([[1.0]]).shape
    (1, 3)
    """

    _tree_type = DecisionTreeRegressor

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
        return check_numbers(type(self).__name__, y, n_rows, weight, criterion)

    def _outputs(self, y: Any, n_rows: int, weight: Float | None) -> Outputs:
        self._refuse_oob()
        return check_output_numbers(y, n_rows, weight, getattr(self.estimator, "criterion", "squared_error"))

    def predict(self, X: Any, **params: Any) -> Float:
        """The mean over the members. `params`: metadata for the members, where scikit-learn routes it."""
        return means(self, self._values(X, **self._routed("predict", params)))

    def predict_quantiles(self, X: Any, quantiles: Any = (0.1, 0.5, 0.9)) -> Float:
        """Predict quantiles of the target; of members from elsewhere, quantiles of what the members say."""
        check_is_fitted(self)
        if hasattr(self, "forest_"):
            return super().predict_quantiles(X, quantiles)
        wanted = check_quantiles(quantiles)
        _, threads = self._rows(X)
        predicted = np.stack([values[:, 0] for values in self._member_values(X, threads)])
        return np.asarray(np.quantile(predicted, wanted, axis=0).T)
