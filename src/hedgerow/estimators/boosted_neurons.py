"""BoostedNeuronsClassifier: a network with one hidden layer, found unit by unit.

`fit` is the path of data: check, table, inputs, boost, network, fine-tune. An estimator of its own beside
AdaBoostClassifier(estimator="neuron"): after fine-tuning the model is the network, no longer a sum of rounds.
"""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from hedgerow.boost import BoostInput, BoostOptions, Rounds, boost, classes_of_scores, signs_of
from hedgerow.boost.combine import probabilities_of_scores
from hedgerow.boost.fine_tune import Task, fine_tune
from hedgerow.boost.loss import load_loss, loss_names
from hedgerow.boost.network import Network, make_network
from hedgerow.boost.sgd import SAMPLINGS, Descent
from hedgerow.boost.unit import inputs_of, preparation_of
from hedgerow.boost.weak.neuron import Neuron
from hedgerow.core import threads_for
from hedgerow.docstrings import document
from hedgerow.encode import Schema, matrix, schema_of
from hedgerow.errors import check_choice
from hedgerow.estimators.columns import read_rows, read_training_rows
from hedgerow.estimators.diagnostics import DiagnosticsMixin
from hedgerow.estimators.outputs import log_of
from hedgerow.estimators.targets import check_classes, codes_of
from hedgerow.fitting.target import check_sample_weight
from hedgerow.fitting.validate import number, whole
from hedgerow.store import ModelState
from hedgerow.table import Table, to_table
from hedgerow.types import Count, Float, FloatAny, Index

ACTIVATIONS = ("tanh", "soft_threshold")


@dataclass(frozen=True, eq=False)
class DistinctRows:
    """Each different row once, in an order of its own, with the weight of all its copies. What is learned by drawing
    rows at random would otherwise depend on where a row stands, and on whether it stands there twice or with weight
    two."""

    first: Count  # where each different row first stands
    weight: Float


def merge_equal_rows(matrix: FloatAny, codes: Index, weight: Float) -> DistinctRows:
    """Rows without weight are left out."""
    kept = np.flatnonzero(weight > 0)
    cells = np.column_stack([np.asarray(matrix, np.float64)[kept], codes[kept]]) + 0.0  # -0.0 is 0.0
    cells[np.isnan(cells)] = np.nan  # NaN has many bit patterns
    bits = np.ascontiguousarray(cells).view(np.dtype((np.void, cells.shape[1] * 8))).reshape(-1)
    _, first, place = np.unique(bits, return_index=True, return_inverse=True)
    return DistinctRows(kept[first], np.bincount(place.reshape(-1), weight[kept]).astype(np.float64))


@document()
class BoostedNeuronsClassifier(DiagnosticsMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""Neurons Z(w.x + b), boosted: each is trained on the rows that those before it have wrong. Columns are
    standardised inside; a category becomes an input for each level; a missing cell counts as the mean, and where
    there were any, "is missing" is an input too. More than two classes are learned one against the rest, a neuron
    for each class and round.

    Parameters
    ----------
    n_estimators : int
        Rounds, and so units of the hidden layer (times the classes, if more than two).
    activation : {"tanh", "soft_threshold"}
        Z: tanh, or sign(z) max(\|z\| - delta, 0), which is silent near its plane.
    delta : float
        Half the width of that silence.
    loss : {"exponential", "logistic"}
        AdaBoost's loss, or one in which wrong labels weigh less.
    fine_tune : int
        Steps of L-BFGS on all layers together after boosting; 0 for none. The training loss never grows by it.
    starts : int
        Planes each neuron starts from; the best is kept.
    sampling : {"draws", "weights"}
        How weights count in the descent: rows are drawn by weight, or drawn alike with weights.
    n_steps : int
        Steps of one descent.
    step_size : float
        How far a step goes.
    l2 : float
        Penalty of half the squared length of w for each neuron while it is trained.

    Attributes
    ----------
    network_ : Network
        Arrays, `scores` and `to_dict` of the network.
    rounds_, diagnostics_, classes_, n_classes_, n_features_in_, feature_names_in_, schema_

    See Also
    --------
    AdaBoostClassifier : Boosting of any learner.

    References
    ----------
    .. [1] H. Schwenk and Y. Bengio, "Boosting neural networks", Neural Computation 12, 2000.

    Examples
    --------
    >>> from hedgerow import BoostedNeuronsClassifier, datasets
    >>> points = datasets.ten_points()
    >>> model = BoostedNeuronsClassifier(n_estimators=5, random_state=0).fit(points.table, points.target)
    >>> model.predict_proba(points.table).shape
    (10, 2)
    """

    network_: Network
    rounds_: Rounds
    schema_: Schema
    classes_: NDArray[Any]

    def __init__(
        self,
        *,
        n_estimators: int = 50,
        activation: str = "tanh",
        delta: float = 1.0,
        loss: str = "exponential",
        learning_rate: float = 1.0,
        fine_tune: int = 0,
        starts: int = 4,
        sampling: str = "draws",
        n_steps: int = 1000,
        batch_size: int = 32,
        step_size: float = 0.3,
        l2: float = 1e-3,
        categorical_features: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.activation = activation
        self.delta = delta
        self.loss = loss
        self.learning_rate = learning_rate
        self.fine_tune = fine_tune
        self.starts = starts
        self.sampling = sampling
        self.n_steps = n_steps
        self.batch_size = batch_size
        self.step_size = step_size
        self.l2 = l2
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        neuron, options, steps = self._boost_options()
        table, given = read_training_rows(self, X, y, sample_weight)
        codes, weight = self._target(y, table.n_rows, given)
        self.schema_ = schema_of(table)
        rows, distinct = self._distinct(table, codes, weight)
        base = distinct.weight / distinct.weight.sum()
        inputs = preparation_of(rows, base)
        target = signs_of(codes[distinct.first], len(self.classes_))
        rng = np.random.default_rng(check_random_state(self.random_state).randint(2**31 - 1))
        self.rounds_ = boost(replace(neuron, inputs=inputs), rows, target, base, options, rng)
        task = Task(inputs_of(rows, inputs), target.values, base, load_loss(options.loss))
        self.network_ = fine_tune(make_network(self.rounds_), task, steps)
        self.n_classes_ = len(self.classes_)
        return self

    def _stored_body(self) -> Network | None:
        return getattr(self, "network_", None)

    def _restore(self, state: ModelState) -> None:
        """What fit would have left, but for the rounds, from a model file."""
        self._boost_options()
        self.network_, self.schema_ = state.body, state.schema

    def _boost_options(self) -> tuple[Neuron, BoostOptions, int]:
        """Parameters, checked, in the form the algorithms take them."""
        sampling = check_choice("sampling", self.sampling, SAMPLINGS)
        descent = Descent(
            "draws" if sampling == "draws" else "weights",
            whole("n_steps", self.n_steps, 1),
            whole("batch_size", self.batch_size, 1),
            number("step_size", self.step_size, 1e-12, np.inf),
            number("l2", self.l2, 0.0, np.inf),
        )
        neuron = Neuron(
            check_choice("activation", self.activation, ACTIVATIONS),
            number("delta", self.delta, 0.0, np.inf),
            whole("starts", self.starts, 1),
            descent,
        )
        options = BoostOptions(
            n_rounds=whole("n_estimators", self.n_estimators, 1),
            loss=check_choice("loss", self.loss, loss_names()),
            alpha="search",
            learning_rate=number("learning_rate", self.learning_rate, 1e-12, np.inf),
        )
        return neuron, options, whole("fine_tune", self.fine_tune, 0)

    def _target(self, y: Any, n_rows: int, weight: Float | None) -> tuple[Index, Float]:
        target, self.classes_ = check_classes(type(self).__name__, y, n_rows, weight, None)
        if len(self.classes_) < 2:
            raise ValueError(
                f"{type(self).__name__} needs at least two classes, but y has one class only: "
                f"{self.classes_.tolist()[0]!r}."
            )
        return target.codes, np.ones(n_rows) if weight is None else weight

    def _distinct(self, table: Table, codes: Index, weight: Float) -> tuple[BoostInput, DistinctRows]:
        found = merge_equal_rows(matrix(self.schema_, table), codes, weight)
        rows = table.take(found.first)
        threads = threads_for(self.n_jobs, rows.n_rows * len(rows.columns))
        return BoostInput(rows.n_rows, rows.names, rows, self.schema_, threads=threads), found

    def _boosted_rows(self, X: Any, y: Any, sample_weight: Any) -> tuple[BoostInput, Index, Count]:
        check_is_fitted(self)
        table = to_table(X, categories=self._categories())
        codes = codes_of(self.classes_, y, table.n_rows)
        weight = check_sample_weight(sample_weight, table.n_rows)
        rows, distinct = self._distinct(table, codes, np.ones(table.n_rows) if weight is None else weight)
        return rows, codes[distinct.first], distinct.first

    def _judged_rows(self, X: Any) -> BoostInput:
        check_is_fitted(self)
        table = to_table(X, categories=self._categories())
        read_rows(self, X, table, self.schema_)  # refuses other columns
        return BoostInput(table.n_rows, self.schema_.names, table, self.schema_)

    def _categories(self) -> list[int] | None:
        if self.categorical_features is None:
            return None
        return [j for j, kind in enumerate(self.schema_.kinds) if kind == "category"]

    def _scores(self, X: Any) -> Float:
        check_is_fitted(self)
        return self.network_.scores(self._judged_rows(X).table)

    def decision_function(self, X: Any) -> Float:
        """The network's scores: one column of them for two classes (above zero: the second), else one a class."""
        scores = self._scores(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> NDArray[Any]:
        codes = classes_of_scores(self._scores(X))
        return self.classes_[codes]

    def predict_proba(self, X: Any) -> Float:
        """1 / (1 + exp(-2 f)) for the exponential loss, 1 / (1 + exp(-f)) for the logistic; they sum to one."""
        return probabilities_of_scores(self._scores(X), self.loss)

    def predict_log_proba(self, X: Any) -> Any:
        return log_of(self.predict_proba(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        return tags
