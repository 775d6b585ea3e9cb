"""Boosted stumps and trees.   Body: Rounds (classes) or NumberRounds. Where the training rows stood is not kept."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.boost.additive import additive_of, is_additive
from hedgerow.boost.boost_input import BoostInput, rows_of_matrix
from hedgerow.boost.combine import classes_of_scores, probabilities
from hedgerow.boost.loss import loss_names
from hedgerow.boost.packed import scores
from hedgerow.boost.regress import NumberRound, NumberRounds, TreeNumbers, numbers
from hedgerow.boost.rounds import Round, Rounds
from hedgerow.boost.weak import stump
from hedgerow.boost.weak.tree import trees_from_arrays, trees_to_arrays
from hedgerow.boost.weak_learner import Stored, find_storage, storage_of, stored_names
from hedgerow.core import threads_for
from hedgerow.encode import align
from hedgerow.store.errors import InvalidModelFile
from hedgerow.store.header import Header
from hedgerow.store.kind import Arrays, Content, Contributions, Layout, Predictions
from hedgerow.store.state import ModelState
from hedgerow.table import Table
from hedgerow.table.sparse import SparseTable
from hedgerow.types import Float

STORED_AS = {"multi_class": "multiclass"}  # the parameter's name in files written before it was renamed
ESTIMATORS = {"adaboost classifier": "AdaBoostClassifier", "adaboost regressor": "AdaBoostRegressor"}
_BOTH: dict[str, Any] = {
    "estimator": None,
    "n_estimators": 50,
    "max_depth": 3,
    "learning_rate": 1.0,
    "warm_start": False,
    "categorical_features": None,
    "feature_names": None,
    "random_state": None,
    "n_jobs": None,
}
DEFAULTS: dict[str, dict[str, Any]] = {
    "adaboost classifier": {
        **_BOTH,
        "predictions": "discrete",
        "loss": "exponential",
        "alpha": None,
        "smoothing": None,
        "over_half": None,
        "multiclass": None,
        "sampling": "weights",
        "abstain_below": 0.5,
        "early_stopping": False,
        "validation_fraction": 0.1,
        "n_iter_no_change": 10,
        "tol": 0.0,
    },
    "adaboost regressor": {**_BOTH, "loss": "linear"},
}
ROUNDS = {"rounds": Layout("F64", rank=2)}  # rounds x FIGURES
# Files of stumps and of trees hold the arrays of both and no name; other weak learners are named and hold their own.
UNNAMED = ("stump", "tree")
FIGURES = (
    "alpha",
    "alpha_no",
    "right",
    "wrong",
    "silent",
    "normaliser",
    "loss",
    "error",
    "coverage",
    "reset",
    "checked",
)
NUMBER_FIGURES = ("alpha", "mean_loss")


def layout(extra: dict[str, Any]) -> dict[str, Layout]:
    """What a file holds, by its weak learner."""
    each = [storage_of(name).layout for name in _weak_learners(extra)]
    return ROUNDS | {name: Layout(*one) for own in each for name, one in own.items()}


def _weak_learners(extra: dict[str, Any]) -> tuple[str, ...]:
    name = extra.get("weak_learner")
    if name is None:
        return UNNAMED
    stored = stored_names()
    if name not in stored or name in UNNAMED:
        raise InvalidModelFile(
            f"has rounds of the unknown weak learner {name!r:.40}. Known: {', '.join(stored)}"
        )
    return (name,)


def write(body: Rounds | NumberRounds) -> Content:
    if isinstance(body, NumberRounds):
        return _written_numbers(body)
    weaks = [weak for round in body.rounds for weak in round.weaks]
    found = find_storage(weaks)
    if found is None:
        raise TypeError(
            f"Boosted predictors of the type {type(weaks[0]).__name__} cannot be saved as a model file. Expected: "
            f"those of {', '.join(stored_names())}; others can be pickled."
        )
    name, _ = found
    extra = {"stopped": body.stopped, "form": body.form, "loss": body.loss, "prior": body.prior.tolist()}
    extra |= {} if name in UNNAMED else {"weak_learner": name}
    arrays = _figures(body.rounds, FIGURES)
    for other in _weak_learners(extra):
        arrays |= storage_of(other).write(weaks if other == name else [])
    return Content(arrays, extra)


def _written_numbers(body: NumberRounds) -> Content:
    weaks = [round.weak for round in body.rounds]
    other = next((weak for weak in weaks if not isinstance(weak, TreeNumbers)), None)
    if other is not None:
        raise TypeError(
            f"Boosted predictors of the type {type(other).__name__} cannot be saved as a model file. Expected: "
            "hedgerow's trees; others can be pickled."
        )
    arrays = _figures(body.rounds, NUMBER_FIGURES) | stump.STORAGE.write([])
    return Content(arrays | trees_to_arrays([weak.tree for weak in weaks]), {"stopped": body.stopped})


def _figures(rounds: tuple[Any, ...], names: tuple[str, ...]) -> dict[str, NDArray[Any]]:
    lines = [[float(getattr(round, name)) for name in names] for round in rounds]
    return {"rounds": np.array(lines).reshape(-1, len(names))}


def read(arrays: Arrays, extra: dict[str, Any], header: Header) -> Rounds | NumberRounds:
    regression = header.classes is None
    figures = NUMBER_FIGURES if regression else FIGURES
    lines = arrays["rounds"]
    if lines.ndim != 2 or lines.shape[1] != len(figures) or not len(lines):
        raise InvalidModelFile(f"has rounds that are not {len(figures)} figures each")
    if not np.isfinite(lines[:, : len(figures) - (0 if regression else 1)]).all():
        raise InvalidModelFile("has rounds with figures that are not finite")
    stopped = extra.get("stopped")
    if not isinstance(stopped, str):
        raise InvalidModelFile("does not say why boosting ended")
    try:
        return (_read_numbers if regression else _read_rounds)(arrays, extra, header)
    except InvalidModelFile:
        raise
    except ValueError as defect:  # a weak learner's own words
        raise InvalidModelFile(str(defect)) from None


def _read_numbers(arrays: Arrays, extra: dict[str, Any], header: Header) -> NumberRounds:
    lines, stored = arrays["rounds"], Stored(header.inner.n_levels, "numbers", 0)
    trees, stumps = trees_from_arrays(arrays, stored.n_levels), stump.STORAGE.read(arrays, stored)
    if stumps or len(trees) != len(lines) or any(tree.n_outputs != 1 for tree in trees):
        raise InvalidModelFile("has not one tree of numbers a round")
    each = (NumberRound(TreeNumbers(tree), *line) for tree, line in zip(trees, lines.tolist(), strict=True))
    return NumberRounds(tuple(each), str(extra["stopped"]), np.empty(0), np.empty(0))


def _read_rounds(arrays: Arrays, extra: dict[str, Any], header: Header) -> Rounds:
    form, loss, lines = extra.get("form"), extra.get("loss"), arrays["rounds"]
    if form not in ("signs", "votes") or loss not in loss_names():
        raise InvalidModelFile("has rounds of an unknown form or loss")
    many = 0 if header.classes is None else len(header.classes)
    width = 1 if form == "signs" and many == 2 else many
    a_round = width if form == "signs" else 1
    stored = Stored(header.inner.n_levels, form, many)
    each = [storage_of(name).read(arrays, stored) for name in _weak_learners(extra)]
    if sum(bool(weaks) for weaks in each) > 1:
        raise InvalidModelFile("has both stumps and trees")
    weaks = [weak for some in each for weak in some]
    if many < 2 or len(weaks) != a_round * len(lines):
        raise InvalidModelFile(f"has {len(weaks)} predictors in {len(lines)} rounds for {many} classes")
    rounds = []
    for k, line in enumerate(lines.tolist()):
        figures = dict(zip(FIGURES, line, strict=True))
        figures["reset"] = bool(figures["reset"])
        rounds.append(Round(weaks=tuple(weaks[k * a_round : (k + 1) * a_round]), **figures))
    none, prior = np.empty((0, a_round)), _read_prior(extra, many)
    return Rounds(tuple(rounds), form, width, loss, str(extra["stopped"]), prior, np.empty(0), none, none)


def _read_prior(extra: dict[str, Any], n_classes: int) -> Float:
    """Class shares of the training rows; equal ones in files that were written without."""
    given = extra.get("prior", [1 / n_classes] * n_classes)
    fine = isinstance(given, list) and len(given) == n_classes and all(type(one) is float for one in given)
    if not fine or not all(0 <= one <= 1 for one in given) or abs(sum(given) - 1) > 1e-9:
        raise InvalidModelFile(f"has class shares that are not {n_classes} numbers that sum to one")
    return np.array(given)


def predict(state: ModelState, table: Table, threads: int | None) -> Predictions:
    rows = _rows(state, table, threads)
    if isinstance(state.body, NumberRounds):
        return Predictions(numbers(state.body, rows))
    rounds: Rounds = state.body
    total = scores(rounds, rows)
    return Predictions(
        classes_of_scores(total, rounds.prior), probabilities(total, rounds.form, rounds.loss, rounds.prior)
    )


def _rows(state: ModelState, table: Table, threads: int | None) -> BoostInput:
    if isinstance(table, SparseTable) and state.preparation is None:
        entries = align(state.schema, table)
        return BoostInput(table.n_rows, state.inner.names, entries, state.inner)
    matrix = state.rows(table)
    rows = BoostInput(table.n_rows, state.inner.names, threads=threads_for(threads, matrix.size))
    rows.__dict__["matrix"] = matrix
    return rows


def explain(state: ModelState, table: Table, threads: int | None) -> Contributions | None:
    """What the stumps on each column add; None where predictors look at several columns."""
    if isinstance(state.body, NumberRounds) or not is_additive(state.body):
        return None
    matrix, rounds = state.rows(table), state.body
    classes = () if state.classes is None else tuple(map(str, state.classes.tolist()))
    values = np.zeros((len(matrix), len(state.inner.names), rounds.width))
    for shape in additive_of(rounds, rows_of_matrix(matrix), state.inner, classes).shapes:
        values[:, shape.column] = shape.of(np.asarray(matrix[:, shape.column], np.float64))
    titles = tuple(f"score of {one}" for one in (classes[1:] if rounds.width == 1 else classes))
    return Contributions(values, np.zeros(rounds.width), titles)


def describe(state: ModelState) -> list[tuple[str, str]]:
    body: Rounds | NumberRounds = state.body
    found = None if isinstance(body, NumberRounds) else find_storage(list(body.rounds[0].weaks))
    what = "trees" if found is None else found[1].title
    return [("rounds", f"{len(body):,} of {what}"), ("ended", body.stopped)]
