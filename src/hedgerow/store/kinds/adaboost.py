"""Boosted stumps and trees.   Body: Rounds (classes) or NumberRounds. Where the training rows stood is not kept."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.boost.chances import chances
from hedgerow.boost.combine import chances_of_votes, classes_of_scores
from hedgerow.boost.packed import scores
from hedgerow.boost.regress import NumberRound, NumberRounds, TreeNumbers, numbers
from hedgerow.boost.rounds import Round, Rounds
from hedgerow.boost.rows import Rows
from hedgerow.boost.weak.stump import StumpWeak
from hedgerow.boost.weak.tree import TreeWeak
from hedgerow.core import threads_for
from hedgerow.store.damage import Defect
from hedgerow.store.header import Header
from hedgerow.store.kind import Answers, Arrays, Layout, Written
from hedgerow.store.parts import Parts
from hedgerow.table import Table
from hedgerow.tree.check import check
from hedgerow.tree.damage import TreeError
from hedgerow.tree.tree import Tree

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
        "abstain_below": 0.5,
        "early_stopping": False,
        "validation_fraction": 0.1,
        "n_iter_no_change": 10,
        "tol": 0.0,
    },
    "adaboost regressor": {**_BOTH, "loss": "linear"},
}
NODES = {  # of all trees, one behind the other
    "feature": "I32",
    "kind": "U8",
    "threshold": "F64",
    "subset_start": "I64",
    "first_child": "I32",
    "n_children": "I32",
    "missing_child": "I32",
    "weight": "F64",
    "n_rows": "I64",
    "impurity": "F64",
}
ARRAYS = {
    "rounds": Layout("F64", rank=2),  # rounds x FIGURES
    "stump_column": Layout("I32"),
    "stump_threshold": Layout("F64"),
    "stump_answers": Layout("F64", rank=2),  # stumps x (first side, second side, missing, unseen)
    "stump_level_start": Layout("I64"),
    "stump_levels": Layout("I32"),
    "tree_size": Layout("I64", rank=2),  # trees x (nodes, words)
    "value": Layout("F64", rank=2),
    "subset_bits": Layout("U64"),
    **{name: Layout(dtype) for name, dtype in NODES.items()},
}
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


def taken(model: Any) -> Rounds | NumberRounds | None:
    return getattr(model, "rounds_", None)


def written(body: Rounds | NumberRounds) -> Written:
    figures: tuple[str, ...]
    if isinstance(body, NumberRounds):
        weaks: list[Any] = [round.weak for round in body.rounds]
        figures, extra = NUMBER_FIGURES, {"stopped": body.stopped}
    else:
        weaks = [weak for round in body.rounds for weak in round.weaks]
        figures = FIGURES
        extra = {"stopped": body.stopped, "form": body.form, "loss": body.loss}
    stumps = [weak for weak in weaks if isinstance(weak, StumpWeak)]
    trees = [weak.tree for weak in weaks if isinstance(weak, (TreeWeak, TreeNumbers))]
    if max(len(stumps), len(trees)) < len(weaks) or any(len(tree.surrogate_node) for tree in trees):
        other = next(type(weak).__name__ for weak in weaks if not isinstance(weak, (StumpWeak, TreeWeak)))
        raise TypeError(
            f"Boosted predictors of the type {other} cannot be saved as a model file. Wanted: stumps or "
            "hedgerow's trees; others can be pickled."
        )
    lines = [[float(getattr(round, name)) for name in figures] for round in body.rounds]
    arrays = {"rounds": np.array(lines).reshape(-1, len(figures)), **_stumps(stumps), **_trees(trees)}
    return Written(arrays, extra)


def _stumps(stumps: list[StumpWeak]) -> dict[str, NDArray[Any]]:
    return {
        "stump_column": np.array([weak.column for weak in stumps], np.int32),
        "stump_threshold": np.array([weak.threshold for weak in stumps], np.float64),
        "stump_answers": np.array(
            [[weak.first, weak.second, weak.missing, weak.unseen] for weak in stumps], np.float64
        ).reshape(-1, 4),
        "stump_level_start": np.cumsum([0, *(len(weak.levels) for weak in stumps)], dtype=np.int64),
        "stump_levels": np.array([level for weak in stumps for level in weak.levels], np.int32),
    }


def _trees(trees: list[Tree]) -> dict[str, NDArray[Any]]:
    out = {name: _joined([getattr(tree, name) for tree in trees], np.float64) for name in NODES}
    dtypes = {"I32": np.int32, "U8": np.uint8, "F64": np.float64, "I64": np.int64}
    out = {name: array.astype(dtypes[NODES[name]]) for name, array in out.items()}
    outputs = trees[0].n_outputs if trees else 1
    return {
        **out,
        "tree_size": np.array([[tree.n_nodes, len(tree.subset_bits)] for tree in trees], np.int64).reshape(
            -1, 2
        ),
        "value": np.vstack([tree.value for tree in trees]) if trees else np.empty((0, outputs)),
        "subset_bits": _joined([tree.subset_bits for tree in trees], np.uint64),
    }


def _joined(arrays: list[NDArray[Any]], empty: Any) -> NDArray[Any]:
    return np.concatenate(arrays) if arrays else np.empty(0, empty)


def read(arrays: Arrays, extra: dict[str, Any], header: Header) -> Rounds | NumberRounds:
    regression = header.classes is None
    figures = NUMBER_FIGURES if regression else FIGURES
    lines = arrays["rounds"]
    if lines.ndim != 2 or lines.shape[1] != len(figures) or not len(lines):
        raise Defect(f"has rounds that are not {len(figures)} figures each")
    if not np.isfinite(lines[:, : len(figures) - (0 if regression else 1)]).all():
        raise Defect("has rounds with figures that are not finite")
    stopped = extra.get("stopped")
    if not isinstance(stopped, str):
        raise Defect("does not say why boosting ended")
    trees, stumps = _read_trees(arrays, header), _read_stumps(arrays, header)
    if regression:
        if stumps or len(trees) != len(lines) or any(tree.n_outputs != 1 for tree in trees):
            raise Defect("has not one tree of numbers a round")
        each = (
            NumberRound(TreeNumbers(tree), *line) for tree, line in zip(trees, lines.tolist(), strict=True)
        )
        return NumberRounds(tuple(each), stopped, np.empty(0), np.empty(0))
    weaks: list[Any] = stumps or [TreeWeak(tree) for tree in trees]
    if stumps and trees:
        raise Defect("has both stumps and trees")
    return _read_rounds(lines, weaks, extra, header)


def _read_rounds(lines: Any, weaks: list[Any], extra: dict[str, Any], header: Header) -> Rounds:
    form, loss = extra.get("form"), extra.get("loss")
    if form not in ("signs", "votes") or loss not in ("exponential", "logistic"):
        raise Defect("has rounds of an unknown form or loss")
    many = 0 if header.classes is None else len(header.classes)
    width = 1 if form == "signs" and many == 2 else many
    a_round = width if form == "signs" else 1
    if many < 2 or len(weaks) != a_round * len(lines):
        raise Defect(f"has {len(weaks)} predictors in {len(lines)} rounds for {many} classes")
    for weak in weaks:
        _check_answers(weak, form, many)
    rounds = []
    for k, line in enumerate(lines.tolist()):
        figures = dict(zip(FIGURES, line, strict=True))
        figures["reset"] = bool(figures["reset"])
        rounds.append(Round(weaks=tuple(weaks[k * a_round : (k + 1) * a_round]), **figures))
    none = np.empty((0, a_round))
    return Rounds(tuple(rounds), form, width, loss, str(extra["stopped"]), np.empty(0), none, none)


def _check_answers(weak: Any, form: str, n_classes: int) -> None:
    """Signs and confidences are finite; votes are for classes there are."""
    if isinstance(weak, TreeWeak):
        if weak.tree.n_outputs not in ((n_classes,) if form == "votes" else (1, 2)):
            raise Defect(f"has a tree of {weak.tree.n_outputs} outputs for {n_classes} classes")
        return
    answers = np.array([weak.first, weak.second, weak.missing, weak.unseen])
    if not np.isfinite(answers).all():
        raise Defect("has a stump whose answers are not finite")
    if form == "votes" and not np.isin(answers, np.arange(-1, n_classes)).all():
        raise Defect("has a stump that votes for a class there is not")


def _read_stumps(arrays: Arrays, header: Header) -> list[StumpWeak]:
    column, threshold, answers = arrays["stump_column"], arrays["stump_threshold"], arrays["stump_answers"]
    start, levels = arrays["stump_level_start"], arrays["stump_levels"]
    many, n_levels = len(column), header.inner.n_levels
    if len(threshold) != many or answers.shape != (many, 4) or len(start) != many + 1:
        raise Defect("has stumps whose arrays differ in length")
    if many and (column.min() < 0 or column.max() >= len(n_levels)):
        raise Defect("has a stump of a column there is not")
    if start[0] != 0 or np.any(np.diff(start) < 0) or start[-1] != len(levels):
        raise Defect("has stumps whose levels do not follow each other")
    out = []
    for k in range(many):
        j, own = int(column[k]), levels[start[k] : start[k + 1]]
        if n_levels[j] == 0 and (len(own) or np.isnan(threshold[k])):
            raise Defect("has a stump without a threshold for a number")
        if len(own) and (own.min() < 0 or own.max() >= n_levels[j]):
            raise Defect("has a stump of a level there is not")
        sides = [float(answer) for answer in answers[k]]
        out.append(StumpWeak(j, float(threshold[k]), tuple(own.tolist()), int(n_levels[j]), *sides))
    return out


def _read_trees(arrays: Arrays, header: Header) -> list[Tree]:
    size, value, words = arrays["tree_size"], arrays["value"], arrays["subset_bits"]
    if size.ndim != 2 or size.shape[1] != 2 or np.any(size < 0) or (len(size) and size[:, 0].min() < 1):
        raise Defect("has trees of impossible sizes")
    total, n_words = (int(sum(size[:, k].tolist())) for k in (0, 1))
    if any(len(arrays[name]) != total for name in (*NODES, "value")) or len(words) != n_words:
        raise Defect("has trees whose arrays differ in length")
    out, node, word = [], 0, 0
    for nodes, bits in size.tolist():
        here = slice(node, node + nodes)
        own = {name: arrays[name][here] for name in NODES}
        tree = Tree(
            **own, value=value[here], subset_bits=words[word : word + bits], n_levels=header.inner.n_levels
        )
        try:
            check(tree)
        except TreeError as reason:
            raise Defect(f"holds no valid tree: {reason}") from None
        out.append(tree)
        node, word = node + nodes, word + bits
    return out


def answers(parts: Parts, table: Table, threads: int | None) -> Answers:
    matrix = parts.rows(table)
    rows = Rows(table.n_rows, parts.inner.names, threads=threads_for(threads, matrix.size))
    rows.__dict__["matrix"] = matrix
    if isinstance(parts.body, NumberRounds):
        return Answers(numbers(parts.body, rows))
    rounds: Rounds = parts.body
    total = scores(rounds, rows)
    shares = chances_of_votes(total) if rounds.form == "votes" else chances(total, rounds.loss)
    return Answers(classes_of_scores(total), shares)


def facts(parts: Parts) -> list[tuple[str, str]]:
    body: Rounds | NumberRounds = parts.body
    first = body.rounds[0].weak if isinstance(body, NumberRounds) else body.rounds[0].weaks[0]
    what = "stumps" if isinstance(first, StumpWeak) else "trees"
    return [("rounds", f"{len(body):,} of {what}"), ("ended", body.stopped)]
