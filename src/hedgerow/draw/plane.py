"""What a classifier says everywhere in the plane.   In: a fitted classifier of two columns, its rows.   Out: the Axes.

For any classifier: probabilities are taken from predict_proba, else from decision_function, else all certain. The shade
is the strength of the vote, the line is where the decision changes.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.draw.style import INK, LINE, SHAPES, axes_for, class_colour, label, legend, panels
from hedgerow.types import Float

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_boundary(
    model: Any,
    X: Any,
    y: Any,
    *,
    ax: "Axes | None" = None,
    title: str = "",
    steps: int = 300,
    room: float = 0.06,
    names: tuple[str, str] | None = None,
) -> "Axes":
    """X : rows x 2, an array or a frame of two columns.   y : their classes.   steps : points each way."""
    points, given = _points(X)
    ax = axes_for(ax, (5.4, 4.8))
    low, high = np.nanmin(points, axis=0), np.nanmax(points, axis=0)
    width = np.where(high > low, high - low, 1.0)
    low, high = low - room * width, high + room * width
    across, up = (np.linspace(low[k], high[k], steps) for k in (0, 1))
    grid = np.column_stack([side.ravel() for side in np.meshgrid(across, up)])
    classes: NDArray[Any] = np.asarray(model.classes_)
    shares = _shares(model, _like(X, grid), len(classes)).reshape(steps, steps, len(classes))
    ax.imshow(
        _painted(shares),
        extent=(low[0], high[0], low[1], high[1]),
        origin="lower",
        aspect="auto",
        interpolation="nearest",
        zorder=0,
    )
    won = shares.argmax(axis=2)
    for k in range(len(classes) - (len(classes) == 2)):
        if 0 < np.count_nonzero(won == k) < won.size:
            ax.contour(
                across, up, (won == k).astype(float), levels=[0.5], colors=[INK], linewidths=0.9, zorder=1
            )
    _rows(ax, points, np.asarray(y), classes)
    given = names or given
    ax.set_xlabel(label(given[0], 32))
    ax.set_ylabel(label(given[1], 32))
    ax.set_xlim(low[0], high[0])
    ax.set_ylim(low[1], high[1])
    if title:
        ax.set_title(title, fontsize=10.5, color=INK)
    for spine in ax.spines.values():
        spine.set_color(LINE)
    ax.tick_params(color=LINE)
    return ax


def draw_boundaries(models: Mapping[str, Any], X: Any, y: Any, *, steps: int = 300) -> "list[Axes]":
    """Side by side, one for each named model: a tree beside a hundred bagged ones. Returns the Axes."""
    _, places = panels(len(models), len(models), (4.9, 4.5), sharey=True)
    for k, (ax, (name, model)) in enumerate(zip(places, models.items(), strict=True)):
        draw_boundary(model, X, y, ax=ax, title=name, steps=steps)
        if k:
            ax.set_ylabel("")
            ax.get_legend().remove()  # type: ignore[union-attr]
    return places


def _points(X: Any) -> tuple[Float, tuple[str, str]]:
    names = [str(name) for name in getattr(X, "columns", [])] or ["x0", "x1"]
    cells = np.asarray(X, np.float64)
    if cells.ndim != 2 or cells.shape[1] != 2:
        raise ValueError(f"X has shape {cells.shape}; a boundary is drawn over two columns. Give rows x 2.")
    return cells, (names[0], names[1])


def _like(X: Any, grid: Float) -> Any:
    """The grid in the form the model was trained on: a frame for a frame."""
    if hasattr(X, "columns") and not isinstance(X, np.ndarray):
        return type(X)({name: grid[:, k] for k, name in enumerate(X.columns)})
    return grid.astype(X.dtype) if isinstance(X, np.ndarray) and X.dtype.kind == "f" else grid


def _shares(model: Any, grid: Any, n_classes: int) -> Float:
    if hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(grid))
    if hasattr(model, "decision_function"):
        side = np.asarray(model.decision_function(grid), np.float64)
        if side.ndim == 1:
            side = np.column_stack([-side, side])
        if side.shape[1] == n_classes:
            scaled = side / (float(np.abs(side).max()) or 1.0) * 4
            raised = np.exp(scaled - scaled.max(axis=1, keepdims=True))
            return np.asarray(raised / raised.sum(axis=1, keepdims=True))
    code = np.searchsorted(model.classes_, model.predict(grid))
    return np.asarray(np.eye(n_classes)[code])


def _painted(shares: Float) -> Float:
    """Rows x columns x RGB: the colour of the class that wins, the stronger the surer."""
    n_classes = shares.shape[2]
    colours = (
        np.array([[int(class_colour(k)[i : i + 2], 16) for i in (1, 3, 5)] for k in range(n_classes)]) / 255
    )
    most = shares.max(axis=2)
    sure = (
        np.clip((most - 1 / n_classes) / (1 - 1 / n_classes), 0, 1) if n_classes > 1 else np.ones_like(most)
    )
    strength = (0.08 + 0.47 * sure)[:, :, None]
    return np.asarray((1 - strength) + strength * colours[shares.argmax(axis=2)])


def _rows(ax: "Axes", points: Float, y: NDArray[Any], classes: NDArray[Any]) -> None:
    for k, name in enumerate(classes.tolist()):
        here = y == name
        ax.scatter(
            points[here, 0],
            points[here, 1],
            s=22 if len(points) < 500 else 8,
            color=class_colour(k),
            marker=SHAPES[k % len(SHAPES)],
            edgecolors="white",
            linewidths=0.6,
            label=label(str(name), 32),
            zorder=2,
        )
    legend(ax)
