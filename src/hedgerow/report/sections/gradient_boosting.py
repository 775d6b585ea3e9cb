"""Gradient boosting: the loss by round, what the columns gained, and what each does to the prediction."""

from math import sqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hedgerow.studies.result import StudyResult
    from hedgerow.studies.train import Trained

TITLE = "Rounds and shapes"
HEADING = "Gradient boosting: rounds, gains and shapes"
ORDER = 72
MOST_COLUMNS = 6  # with a curve
MOST_SHAPES = 24  # of an additive model, which is their sum
N_REFITS = 10  # for the bands of an additive model


def summarize(trained: "Trained") -> dict[str, Any] | None:
    from hedgerow.gradient import GradientTrees

    model, rows, goal = trained.estimator, trained.inner_rows, trained.loaded.goal
    if not isinstance(getattr(model, "trees_", None), GradientTrees):
        return None
    y = rows.target if goal.classes is None else goal.classes[rows.target]
    kept = len(model.train_score_) and model.scoring == "loss"
    losses = model.diagnose() if kept else model.diagnose(rows.table, y, rows.weight)
    gain = model.importance("gain")
    names = [name for name in gain.top(MOST_COLUMNS) if gain.value[gain.names.index(name)] > 0]
    additive = _shapes(model, rows, y)
    return {
        "loss": losses.loss.replace("_", " "),
        "train": losses.train.tolist(),
        "test": losses.test.tolist(),
        "best": losses.best_round,
        "n_rounds": model.n_iter_,
        "gains": [
            {"name": gain.names[j], "value": float(gain.relative[j])} for j in gain.order if gain.value[j] > 0
        ],
        "is_additive": additive is not None,
        "curves": additive or [_dependence(model, name, rows.table) for name in names],
    }


def _shapes(model: Any, rows: Any, y: Any) -> list[dict[str, Any]] | None:
    """The shapes with their bands; None where trees test several columns."""
    try:
        found = model.additive()
    except ValueError:
        return None
    if found.pairs:
        return None
    found = model.additive(rows.table, y, rows.weight, n_refits=N_REFITS)
    return [_shape(one, found.outputs[-1], rows.table) for one in found.shapes[:MOST_SHAPES]]


def _shape(shape: Any, output: str, table: Any) -> dict[str, Any]:
    """Of the last output. A piece of a number has two points, so that the line has steps."""
    from hedgerow.draw.shapes import edges_of

    lines = {name: getattr(shape, name)[:-1, -1] for name in ("values", "low", "high")}
    if shape.levels:
        x = []
    else:
        x = edges_of(shape.ends).repeat(2)[1:-1].tolist()
        lines = {name: values.repeat(2) for name, values in lines.items()}
    named = zip(("y", "low", "high"), lines.values(), strict=True)
    return {
        "name": shape.name,
        "is_date": _is_date(table, shape.name),
        "output": f"added to {output}",
        "levels": list(shape.levels),
        "x": x,
        **{name: values.tolist() for name, values in named},
    }


def _is_date(table: Any, name: str) -> bool:
    return name in table.names and table.column(name).kind in ("date", "datetime")


def _dependence(model: Any, name: str, table: Any) -> dict[str, Any]:
    """Of the last output: of two classes the second."""
    found = model.partial_dependence(name, table)
    return {
        "name": name,
        "is_date": _is_date(table, name),
        "output": found.outputs[-1],
        "levels": list(found.levels),
        "x": [] if found.levels else found.points.tolist(),
        "y": found.mean[:, -1].tolist(),
        "low": found.low[:, -1].tolist(),
        "high": found.high[:, -1].tolist(),
    }


def context(result: "StudyResult") -> dict[str, Any] | None:
    found = result.extra.get("gradient_boosting")
    return {"g": found | _measure(found)} if found else None


def _measure(found: dict[str, Any]) -> dict[str, Any]:
    """What is drawn by round: of squared errors, which the loss halves, the roots, in the units of the target."""
    if found["loss"] != "squared error":
        return {"measure": f"mean {found['loss']}"}
    roots = {part: [sqrt(2 * one) for one in found[part]] for part in ("train", "test")}
    return {"measure": "root mean squared error", **roots}
