"""Each kind of model as a scoring program.   In: a model's state.   Out: the Program, without test rows.

A kind of model is one function here, and is then written in every language. It adds its steps and says where its answer
is: scores that decide, and probabilities.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from hedgerow.boost.loss import load_loss
from hedgerow.boost.packed import Tables, Trees, scores_form
from hedgerow.boost.regress import NumberRounds
from hedgerow.decision import PredictionIntervals, ProbabilityCalibrator
from hedgerow.decision.calibrator import MOST_SIZE
from hedgerow.decision.conformal import check_coverage
from hedgerow.decision.isotonic import Knots
from hedgerow.encode import Schema
from hedgerow.ensemble.columns import columns_a_member, columns_of
from hedgerow.export.program.features import add_features
from hedgerow.export.program.steps import CELLS, FORMAT, VERSION, Program, Step
from hedgerow.export.program.trees import (
    from_bins,
    from_gradient,
    from_packed,
    from_rules,
    from_table,
    from_tree,
)
from hedgerow.store import ModelState

COVERAGE = 0.9  # of intervals


class Answer(NamedTuple):
    value: int  # a step: a number, or scores by which the class is decided
    probabilities: int | None = None
    interval: int | None = None  # of a number: its low and high end
    decision: int | None = None  # scores of a machine, from which a study may have calibrated probabilities


@dataclass
class Builder:
    """The steps so far. `cells` is the step that a member reads."""

    steps: list[Step] = field(default_factory=list)

    def add(self, do: str, of: int = CELLS, **values: Any) -> int:
        self.steps.append({"do": do, "of": of, **values})
        return len(self.steps) - 1


def build_program(state: ModelState) -> Program:
    builder = Builder()
    answer = _add_decision(builder, state, _add_model(builder, state, CELLS))
    schema = state.schema
    columns = [
        {
            "name": name,
            "kind": "number" if kind in ("date", "datetime") else kind,
            "levels": list(levels) if kind == "category" else None,
        }
        for name, kind, levels in zip(schema.names, schema.kinds, schema.levels, strict=True)
    ]
    return {
        "format": FORMAT,
        "version": VERSION,
        "model": state.model,
        "target": state.target,
        "columns": columns,
        "classes": None if state.classes is None else state.classes.tolist(),
        "steps": builder.steps,
        "answer": {"value": answer.value, "probabilities": answer.probabilities, "interval": answer.interval},
    }


def _add_decision(builder: Builder, state: ModelState, answer: Answer) -> Answer:
    """Calibrated probabilities, and the class by an operating point, where a study chose them."""
    decision = state.decision
    calibrator, point = (None, None) if decision is None else (decision.calibrator, decision.point)
    if decision is not None and decision.intervals is not None and state.classes is None:
        return answer._replace(interval=_add_interval(builder, answer.value, decision.intervals))
    given = answer.decision if calibrator is not None and calibrator.floor == 0 else answer.probabilities
    if given is None or (calibrator is None and point is None) or state.classes is None:
        return answer
    n, shares = len(state.classes), given
    if calibrator is not None:
        shares = _add_calibrator(builder, given, calibrator, n)
    if point is None or (point.threshold is None and not point.costs):
        return Answer(shares, shares)
    if point.threshold is None:
        costs = (-np.asarray(point.costs)).T
        return Answer(builder.add("linear", shares, coef=costs.tolist(), intercept=[0.0] * n), shares)
    if point.positive == 1:  # from the threshold on: above the float before it
        before = float(np.nextafter(point.threshold, -np.inf))
        return Answer(builder.add("linear", shares, coef=[[0.0, 1.0]], intercept=[-before]), shares)
    return Answer(builder.add("linear", shares, coef=[[-1.0, 0.0]], intercept=[point.threshold]), shares)


def _add_calibrator(builder: Builder, given: int, calibrator: ProbabilityCalibrator, n: int) -> int:
    """Of probabilities by their logarithms, or of the scores of a machine."""
    unit = calibrator.unit
    if calibrator.floor > 0:
        scores = builder.add("link", given, name="log", factor=calibrator.floor, above=1.0)
    else:
        if n == 2:
            given = builder.add("linear", given, coef=[[-1.0], [1.0]], intercept=[0.0, 0.0])
        scores = builder.add("link", given, name="clip", factor=MOST_SIZE * unit, above=1.0)
    if calibrator.knots:
        line = _add_knots(builder, scores, calibrator.knots, unit)
    else:
        slopes = np.diag(np.asarray(calibrator.slope) / unit).tolist()
        line = builder.add("linear", scores, coef=slopes, intercept=list(calibrator.intercept))
    return builder.add("link", line, name="softmax", factor=1.0, above=1.0)


def _add_knots(builder: Builder, scores: int, knots: Knots, unit: float) -> int:
    """A bent line is a sum of pieces, each a line between its two knots and flat beyond: clipped to -1 and 1."""
    x, y = np.array(knots).T
    half, middle, rise = np.diff(x) / 2, (x[:-1] + x[1:]) / 2, np.diff(y) / 2
    slopes = np.column_stack([-1 / half, 1 / half]) / unit
    pieces = builder.add("linear", scores, coef=slopes.tolist(), intercept=(-middle / half).tolist())
    clipped = builder.add("link", pieces, name="clip", factor=1.0, above=1.0)
    coef = np.vstack([np.zeros_like(rise), rise])
    return builder.add("linear", clipped, coef=coef.tolist(), intercept=[0.0, float(y[0] + rise.sum())])


def _add_interval(builder: Builder, value: int, intervals: PredictionIntervals) -> int:
    """What is added to the prediction depends on how large it is: a tree that asks it."""
    k = check_coverage(COVERAGE)
    ends = [[low[k], high[k]] for low, high in zip(intervals.low, intervals.high, strict=True)]
    tree = from_bins([float(np.nextafter(edge, -np.inf)) for edge in intervals.edges], ends)
    added = _add_trees(builder, value, [tree], [0.0, 0.0], None)
    return builder.add(
        "weigh",
        sources=[value, value, added],
        weights=[None] * 3,
        places=[[0], [1], [0, 1]],
        width=2,
        divide=None,
    )


def _add_model(builder: Builder, state: ModelState, of: int) -> Answer:
    if state.features is not None:
        of = add_features(builder.add, partial(_add_preparation, builder), state.features, of)
        state = state.without_features
    of = of if state.preparation is None else _add_preparation(builder, state.preparation, of)
    kind = state.model.removesuffix(" classifier").removesuffix(" regressor")
    return ADD[kind](builder, state, of)


def _add_preparation(builder: Builder, preparation: Any, of: int) -> int:
    columns = [
        {
            "centre": float(preparation.centre[j]),
            "scale": float(preparation.scale[j]),
            "levels": preparation.levels[j].tolist() if kind == "category" else None,
            "gap": bool(preparation.gaps[j]),
        }
        for j, kind in enumerate(preparation.schema.kinds)
    ]
    return builder.add("prepare", of, columns=columns)


def _add_trees(builder: Builder, of: int, trees: list[Any], start: list[float], divide: float | None) -> int:
    return builder.add("trees", of, trees=trees, start=start, divide=divide)


def _shares(state: ModelState, step: int) -> Answer:
    return Answer(step, None if state.classes is None else step)


def _add_tree(builder: Builder, state: ModelState, of: int) -> Answer:
    width = state.body.n_outputs
    return _shares(state, _add_trees(builder, of, [from_tree(state.body)], [0.0] * width, None))


def _add_forest(builder: Builder, state: ModelState, of: int) -> Answer:
    trees = [from_tree(tree) for tree in state.body.forest.trees]
    width = state.body.forest.n_outputs
    return _shares(state, _add_trees(builder, of, trees, [0.0] * width, float(len(trees))))


def _add_rules(builder: Builder, state: ModelState, of: int) -> Answer:
    rules, chosen, shares = from_rules(state.body)
    value = builder.add("rules", of, rules=rules, value=chosen)
    return Answer(value, builder.add("rules", of, rules=rules, value=shares))


def _add_gradient(builder: Builder, state: ModelState, of: int) -> Answer:
    trees = from_gradient(state.body)
    raw = _add_trees(builder, of, trees, state.body.baseline.tolist(), None)
    loss = state.parameters["loss"]
    if state.classes is None:
        if loss not in ("gamma", "poisson", "tweedie"):
            return Answer(raw)
        return Answer(builder.add("link", raw, name="exp", factor=1.0, above=1.0))
    if state.body.n_outputs > 1:
        return Answer(raw, builder.add("link", raw, name="softmax", factor=1.0, above=1.0))
    factor = 2.0 if loss == "exponential" else 1.0
    return Answer(raw, builder.add("link", raw, name="logistic", factor=factor, above=1.0))


def _add_adaboost(builder: Builder, state: ModelState, of: int) -> Answer:
    body = state.body
    if isinstance(body, NumberRounds):
        trees = [from_tree(round.weak.tree) for round in body.rounds]
        leaves = builder.add("leaves", of, trees=trees)
        return Answer(builder.add("median", leaves, weights=[round.alpha for round in body.rounds]))
    packed = scores_form(body)
    if isinstance(packed, Tables):
        n_levels = packed.n_levels.tolist()
        trees = [from_table(packed, k, n_levels[k]) for k in range(len(packed.column))]
    elif isinstance(packed, Trees):
        trees = from_packed(packed, state.inner.n_levels)
    else:
        raise ValueError(
            "Boosted predictors other than stumps and trees of two-way tests cannot be exported this way. Expected: "
            "AdaBoostClassifier() or AdaBoostClassifier('tree')."
        )
    total = _add_trees(builder, of, trees, [0.0] * body.width, None)
    if body.form == "votes":
        shares = builder.add("link", total, name="softmax", factor=2.0, above=1.0)
    else:
        shares = _add_odds(builder, total, body.loss)
    most = int(body.prior.argmax())
    decided = [float(k == most) for k in range(body.width)] if body.width > 1 else [float(most)]
    return Answer(
        builder.add("silent", total, source=total, value=decided),
        builder.add("silent", total, source=shares, value=body.prior.tolist()),
    )


def _add_odds(builder: Builder, scores: int, loss: str) -> int:
    factor = float(load_loss(loss).log_odds(np.ones(1))[0])
    return builder.add("link", scores, name="odds", factor=factor, above=1.0)


def _add_neurons(builder: Builder, state: ModelState, of: int) -> Answer:
    network = state.body
    inputs = _add_preparation(builder, network.inputs, of)
    sums = builder.add("linear", inputs, coef=network.hidden.tolist(), intercept=network.bias.tolist())
    units = builder.add("link", sums, name=network.activation, factor=network.delta, above=1.0)
    scores = builder.add("linear", units, coef=network.output.tolist(), intercept=network.intercept.tolist())
    return Answer(scores, _add_odds(builder, scores, str(state.parameters["loss"])))


def _add_linear(builder: Builder, state: ModelState, of: int) -> Answer:
    body = state.body
    scores = builder.add("linear", of, coef=body.coef.tolist(), intercept=body.intercept.tolist())
    return _calibrated(builder, state, scores, scores)


def _add_svm(builder: Builder, state: ModelState, of: int) -> Answer:
    body, n_columns = state.body, len(state.inner.names)
    rows = body.rows.toarray() if hasattr(body.rows, "toarray") else np.asarray(body.rows)
    centre = np.zeros(n_columns) if body.scale is None or body.scale.centre is None else body.scale.centre
    spread = np.ones(n_columns) if body.scale is None else body.scale.spread
    kernel = {"name": body.kernel.name, "gamma": body.kernel.gamma}
    kernel |= {"coef0": body.kernel.coef0, "degree": body.kernel.degree}
    scores = builder.add(
        "kernel", of, rows=rows.tolist(), coef=body.coef.tolist(), intercept=body.intercept.tolist(),
        kernel=kernel, centre=centre.tolist(), spread=spread.tolist(),
    )  # fmt: skip
    if state.classes is None or len(state.classes) == 2 or state.parameters["multi_class"] == "ovr":
        return _calibrated(builder, state, scores, scores)
    many, rounded = len(state.classes), not state.parameters["break_ties"]
    votes = builder.add("pairs", scores, classes=many, rounded=False)
    value = builder.add("pairs", scores, classes=many, rounded=True) if rounded else votes
    return _calibrated(builder, state, value, votes)


def _calibrated(builder: Builder, state: ModelState, value: int, scores: int) -> Answer:
    body = state.body
    if state.classes is None or body.calibrator is None or not state.parameters["probability"]:
        return Answer(value, decision=scores)
    name = "shares" if len(state.classes) == 2 else "softmax"
    factor = body.calibrator.below if name == "shares" else body.calibrator.above
    return Answer(value, builder.add("link", scores, name=name, factor=factor, above=body.calibrator.above))


def _add_bag(builder: Builder, state: ModelState, of: int) -> Answer:
    body = state.body
    if body.trees:
        return _add_forest(builder, body.members[0], of)
    n = len(state.inner.names)
    size = columns_a_member(state.parameters["max_features"], n)
    repeat = state.parameters["bootstrap_features"]
    sources = []
    for k, member in enumerate(body.members):
        columns = columns_of(body.seed, k, n, size, repeat=repeat).tolist()
        inside = of if columns == list(range(n)) else builder.add("take", of, columns=columns)
        sources.append(
            (_add_member(builder, member, _take(state.inner, columns), inside, votes=False), member)
        )
    return _weigh(builder, state, sources, [None] * len(sources), float(len(sources)))


def _add_vote(builder: Builder, state: ModelState, of: int) -> Answer:
    votes = state.parameters.get("voting") == "hard"
    sources = [(_add_member(builder, one, state.inner, of, votes=votes), one) for one in state.body.members]
    return _weigh(builder, state, sources, state.body.weights.tolist(), None)


def _add_member(builder: Builder, member: ModelState, outer: Schema, of: int, *, votes: bool) -> int:
    """Its number, its probabilities, or one for the class it votes for."""
    if member.classes is not None and len(member.classes) == 1:
        return _add_trees(builder, of, [], [1.0], None)
    answer = _add_model(builder, member, _add_recode(builder, outer, member.schema, of))
    if member.classes is None:
        return answer.value
    if votes or answer.probabilities is None:
        return builder.add("vote", answer.value)
    return answer.probabilities


def _take(schema: Schema, columns: list[int]) -> Schema:
    names, kinds, levels = schema.names, schema.kinds, schema.levels
    return Schema(
        tuple(names[j] for j in columns),
        tuple(kinds[j] for j in columns),
        tuple(levels[j] for j in columns),
        schema.named,
    )


def _add_recode(builder: Builder, outer: Schema, inner: Schema, of: int) -> int:
    """A member may take for a category what is a number outside, or know other levels."""
    columns = []
    for j, kind in enumerate(inner.kinds):
        same = kind != "category" or (outer.kinds[j] == kind and outer.levels[j] == inner.levels[j])
        columns.append(None if same else [_number_of(level, outer, j) for level in inner.levels[j]])
    return of if not any(columns) else builder.add("recode", of, columns=columns)


def _number_of(level: str, outer: Schema, j: int) -> float | None:
    """How a cell that holds this level is written outside; None: not at all."""
    if outer.kinds[j] == "category":
        return float(outer.levels[j].index(level)) if level in outer.levels[j] else None
    if outer.kinds[j] == "boolean":
        return {"True": 1.0, "False": 0.0}.get(level)
    try:
        return float(level)
    except ValueError:
        return None


def _weigh(
    builder: Builder,
    state: ModelState,
    sources: list[tuple[int, ModelState]],
    weights: list[Any],
    divide: float | None,
) -> Answer:
    width = 1 if state.classes is None else len(state.classes)
    places = [
        [0]
        if state.classes is None or member.classes is None
        else np.searchsorted(state.classes, member.classes).tolist()
        for _, member in sources
    ]
    made = builder.add(
        "weigh",
        sources=[step for step, _ in sources],
        weights=weights,
        places=places,
        width=width,
        divide=divide,
    )
    return _shares(state, made)


ADD: dict[str, Callable[[Builder, ModelState, int], Answer]] = {
    "tree": _add_tree,
    "tree optimal": _add_tree,
    "forest": _add_forest,
    "extra trees": _add_forest,
    "rule list": _add_rules,
    "gradient boosting": _add_gradient,
    "adaboost": _add_adaboost,
    "linear svm": _add_linear,
    "svm": _add_svm,
    "bagging": _add_bag,
    "voting": _add_vote,
    "boosted neurons": _add_neurons,
}
