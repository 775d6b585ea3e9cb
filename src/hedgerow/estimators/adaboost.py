"""AdaBoostClassifier: any weak learner, boosted, with scikit-learn's API.

`fit` is the path of data: check, rows, target, boost. Everything it does stands in hedgerow.boost.
"""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.validation import check_is_fitted

from hedgerow.boost import BoostInput, Rounds, ValidationRows, boost
from hedgerow.boost.weak_learner import load_weak_learner, weak_learner_names
from hedgerow.docstrings import document
from hedgerow.encode import Schema
from hedgerow.estimators.boost_params import (
    BoostParams,
    make_target,
    options_for,
    validate_boost,
    weighting_of,
)
from hedgerow.estimators.boost_rows import new_rows, select_rows, training_rows
from hedgerow.estimators.boosted_predictions import BoostedPredictionsMixin
from hedgerow.estimators.diagnostics import DiagnosticsMixin
from hedgerow.estimators.targets import check_classes, codes_of
from hedgerow.fitting.target import check_sample_weight
from hedgerow.store import ModelState
from hedgerow.table.copies import find_copies
from hedgerow.table.split import stratified_split
from hedgerow.types import Count, Float, Index


@document()
class AdaBoostClassifier(BoostedPredictionsMixin, DiagnosticsMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""Weak predictors, each fitted to the rows that those before it have wrong, and summed.

    Parameters
    ----------
    estimator : str, estimator or None
        What is boosted: "stump" (what None takes; one test of one column), "tree", "c45", "leaf" (one leaf of a tree,
        silent elsewhere), "word" (one word of sparse counts), "linear", "neuron"; any classifier; or a learner of
        `hedgerow.boost.weak` with settings. hedgerow's own take categories and missing cells as they are; others are
        given X itself.
    n_estimators : int
        Rounds.
    max_depth : int or None
        Depth of `estimator="tree"`. None for no limit.
    loss : {"exponential", "logistic"}
        AdaBoost's loss, or one in which wrong labels weigh less.
    alpha : {"one", "two", "search", "own"} or None
        How much a predictor counts: "one" is :math:`\frac12 \log(\mu_+/\mu_-)`, "two" is one for its yes and one
        for its no, "search" the least loss, "own" for outputs that are weighted already. None: "one" for discrete
        and abstaining predictions, "own" for confident stumps and trees, "search" for other confident ones.
    smoothing : float or None
        Added to :math:`\mu_+` and :math:`\mu_-`, so that no predictor is infinitely sure. None: nothing unless one
        of them is zero; half a row in leaves of confident outputs.
    over_half : {"negate", "reset", "stop"} or None
        When a predictor is wrong more often than right: negate it, reset the weights to where they started, or
        stop. None: "negate", and "reset" where classes are voted for.
    multi_class : {"samme", "vote", "mh"} or None
        Three and more classes: SAMME, the argmax of the alphas, or each class against the rest on shared rounds.
        None: "samme" for discrete predictions, else "mh".
    sampling : {"weights", "resample"}
        Give a learner the weights of the rows; or as many rows as there are, drawn by weight anew in each round.
        Learners that take no weights are given such rows in any case.
    validation_fraction : float
        Share of the rows that early stopping holds out. `fit(..., validation=(X, y))` takes rows of your own.
    tol : float
        What counts as a lower loss in early stopping.

    Attributes
    ----------
    rounds_, stopped_, weighting_, estimators_, estimator_weights_, estimator_errors_, feature_importances_,
    classes_, n_classes_, n_features_in_, feature_names_in_, schema_
    diagnostics_ : RoundTable
        Each round's epsilon, alpha, loss, bound, training error and rule. Prints and draws itself.

    See Also
    --------
    AdaBoostRegressor : Boosting of regressions.
    BoostedNeuronsClassifier : Boosted neurons as a network.
    HistGradientBoostingClassifier : Trees on the gradient of a loss.

    Notes
    -----
    Round t fits :math:`h_t` to rows of weight :math:`w_i`. With :math:`\mu_+` the weight it has right and
    :math:`\mu_-` the weight it has wrong, it counts :math:`\alpha_t = \frac12 \log (\mu_+ / \mu_-)`, and weights
    become :math:`w_i e^{-\alpha_t y_i h_t(x_i)}`. The training error is at most :math:`\prod_t Z_t` with :math:`Z_t
    = \mu_0 + 2 \sqrt{\mu_+ \mu_-}`.

    References
    ----------
    .. [1] Y. Freund and R. Schapire, "A decision-theoretic generalization of on-line learning", JCSS 55, 1997.
    .. [2] R. Schapire and Y. Singer, "Improved boosting algorithms using confidence-rated predictions", Machine
       Learning 37, 1999.
    .. [3] J. Zhu, H. Zou, S. Rosset and T. Hastie, "Multi-class AdaBoost", Statistics and Its Interface 2, 2009.

    Examples
    --------
    >>> from hedgerow import AdaBoostClassifier, datasets
    >>> points = datasets.ten_points()
    >>> model = AdaBoostClassifier(n_estimators=3).fit(points.table, points.target)
    >>> print(model.score(points.table, points.target))
    1.0
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        max_depth: int | None = 3,
        learning_rate: float = 1.0,
        predictions: str = "discrete",
        loss: str = "exponential",
        alpha: str | None = None,
        smoothing: float | None = None,
        over_half: str | None = None,
        multi_class: str | None = None,
        sampling: str = "weights",
        abstain_below: float = 0.5,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 10,
        tol: float = 0.0,
        warm_start: bool = False,
        categorical_features: Any = None,
        feature_names: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.learning_rate = learning_rate
        self.predictions = predictions
        self.loss = loss
        self.alpha = alpha
        self.smoothing = smoothing
        self.over_half = over_half
        self.multi_class = multi_class
        self.sampling = sampling
        self.abstain_below = abstain_below
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.warm_start = warm_start
        self.categorical_features = categorical_features
        self.feature_names = feature_names
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, validation: tuple[Any, Any] | None = None
    ) -> Self:
        """Fit the rounds to rows X and their classes y.

        Parameters
        ----------
        validation : tuple of (X, y) or None
            Rows to end the fit by, instead of held-out ones.
        """
        params = validate_boost(self)
        going_on = bool(self.warm_start) and hasattr(self, "rounds_")
        earlier = (self.classes_, self.schema_) if going_on else None
        rows = training_rows(self, X, y, sample_weight)
        given = check_sample_weight(sample_weight, rows.n_rows)
        target, classes = check_classes(type(self).__name__, y, rows.n_rows, given, None)
        if earlier is not None:
            self._refuse_other_data(*earlier, classes, rows)
        self.classes_, codes, n_classes = classes, target.codes, len(classes)
        if n_classes == 1:
            return self._fit_one_class(rows)
        weight = np.ones(rows.n_rows) if given is None else given
        self._seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        rng = np.random.default_rng([self._seed, len(self.rounds_)] if going_on else self._seed)
        used = weight > 0
        aside = self._aside(rows, codes, used, rng, validation)
        self._places: Count = np.flatnonzero(used & ~aside)
        self._refuse_one_class(codes[self._places])
        base = weight[self._places] / weight[self._places].sum()
        options = options_for(params, n_classes)
        watch = self._watch(params, rows, codes, weight, np.flatnonzero(used & aside), validation)
        self.schema_ = rows.schema
        self.weighting_ = weighting_of(params)
        self.rounds_ = boost(
            params.learner,
            select_rows(rows, self._places, weight),
            make_target(params, codes[self._places], n_classes),
            base,
            options,
            rng,
            validation=watch,
            earlier=self.rounds_.rounds if going_on else (),
        )
        self.stopped_ = self.rounds_.stopped
        self.n_classes_ = n_classes
        return self

    def _fit_one_class(self, rows: BoostInput) -> Self:
        """Nothing to boost: every row is of the one class there is."""
        nothing = np.zeros((0, 1))
        stopped = "y has one class, so that there is nothing to boost"
        self.rounds_ = Rounds((), "votes", 1, self.loss, stopped, np.ones(1), np.empty(0), nothing, nothing)
        self.schema_, self.stopped_, self.n_classes_ = rows.schema, stopped, 1
        self._places, self.weighting_ = np.empty(0, np.int64), "weights"
        return self

    def _stored_body(self) -> Rounds | None:
        return getattr(self, "rounds_", None)

    def _restore(self, state: ModelState) -> None:
        """What fit would have left, but for where the training rows stood, from a model file."""
        params = validate_boost(self)
        self.rounds_, self.schema_ = state.body, state.schema
        self.stopped_, self.weighting_ = self.rounds_.stopped, weighting_of(params)

    def _refuse_one_class(self, codes: Index) -> None:
        present = np.unique(codes)
        if len(present) < 2:
            raise ValueError(
                f"{type(self).__name__} needs at least two classes, but the rows that count have one class only: "
                f"{self.classes_[present].tolist()}."
            )

    def _refuse_other_data(
        self, earlier: NDArray[Any], schema: Schema | None, classes: NDArray[Any], rows: BoostInput
    ) -> None:
        if not np.array_equal(earlier, classes) or schema != rows.schema:
            raise ValueError(
                "warm_start=True goes on with the rounds there are, but y has other classes or X other columns than "
                "before. Give the same, or warm_start=False."
            )
        if len(self.rounds_) > self.n_estimators:
            raise ValueError(
                f"n_estimators={self.n_estimators} is fewer than the {len(self.rounds_)} rounds there are already. "
                "With warm_start=True it counts all rounds."
            )

    def _aside(
        self, rows: BoostInput, codes: Index, used: Any, rng: np.random.Generator, validation: Any
    ) -> Any:
        """The rows held out for early stopping, copies of a row together."""
        aside = np.zeros(len(codes), bool)
        if self.early_stopping and validation is None:
            if used.sum() < 2:
                raise ValueError("early_stopping=True holds rows out, but there is only one row.")
            where = np.flatnonzero(used)
            seed = int(rng.integers(2**31 - 1))
            sets = None if rows.table is None else find_copies(rows.table)
            aside[where] = stratified_split(
                codes[where].astype(np.int64),
                self.validation_fraction,
                seed,
                sets=None if sets is None else sets[where],
            )
        return aside

    def _watch(
        self,
        params: BoostParams,
        rows: BoostInput,
        codes: Index,
        weight: Float,
        aside: Count,
        validation: Any,
    ) -> ValidationRows | None:
        if validation is not None:
            watched = new_rows(self, validation[0], rows.schema)
            codes, weight = codes_of(self.classes_, validation[1], watched.n_rows), np.ones(watched.n_rows)
        elif len(aside):
            watched, codes, weight = select_rows(rows, aside, weight), codes[aside], weight[aside]
        else:
            return None
        target = make_target(params, codes, len(self.classes_))
        return ValidationRows(watched, target, weight / weight.sum(), params.patience, params.tol)

    def _boosted_rows(self, X: Any, y: Any, sample_weight: Any) -> tuple[BoostInput, Index, Count]:
        rows = self._judged_rows(X)
        codes = codes_of(self.classes_, y, rows.n_rows)
        places = self._places[self._places < rows.n_rows]
        return select_rows(rows, places, np.ones(rows.n_rows)), codes[places], places

    def to_text(self) -> str:
        """What was done, and every round."""
        check_is_fitted(self)
        what = "stump" if self.estimator is None else self.estimator
        how = {
            "weights": "the learner was given the weights",
            "resampling": "each round the learner was given rows drawn by weight",
        }[self.weighting_]
        head = (
            f"{len(self.rounds_)} rounds of {what}, {self.predictions} predictions, {self.loss} loss; {how}."
        )
        return f"{head}\nEnded: {self.stopped_}.\n{self.diagnostics_}"

    def _reads_sparse(self) -> bool:
        name = self.estimator
        return isinstance(name, str) and name in weak_learner_names() and load_weak_learner(name).READS_SPARSE

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        other = self.estimator is not None and hasattr(self.estimator, "get_params")
        base = get_tags(self.estimator).input_tags if other else None
        tags.input_tags.allow_nan = base.allow_nan if base else True
        tags.input_tags.categorical = base.categorical if base else True
        tags.input_tags.sparse = base.sparse if base else True
        return tags
