"""Trees of two columns as pictures.   In: a fitted tree, its rows.   Out: the Axes: its regions R_m, or its surface."""

from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.docstrings import document
from hedgerow.draw.style import INK, LINE, SHAPES, axes_for, class_colour, label, legend, new_figure
from hedgerow.tree.conditions import Span, conditions_of_leaves
from hedgerow.tree.formatting import number
from hedgerow.types import Float

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STEPS = 90  # points each way of a surface


@document(returns="matplotlib.axes.Axes\n    The picture.")
def draw_regions(model: Any, X: Any, y: Any, *, ax: "Axes | None" = None) -> "Axes":
    """The regions R_m of a fitted tree of two columns of numbers, each with what it predicts, over the rows.

    Parameters
    ----------
    model : DecisionTreeClassifier or DecisionTreeRegressor
        Fitted to two columns.

    See Also
    --------
    draw_surface : The same as a surface, for any regressor.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import DecisionTreeRegressor, teaching
    >>> X = np.random.default_rng(0).uniform(size=(60, 2))
    >>> tree = DecisionTreeRegressor(max_depth=2).fit(X, X.sum(axis=1))
    >>> axes = teaching.draw_regions(tree, X, X.sum(axis=1))
    """
    cells, names = _plane(model, X)
    ax = axes_for(ax, (6.2, 5.0))
    low, high = _ends(cells)
    tree, classes = model.hedgerow_tree_, getattr(model, "classes_", None)
    values = tree.value[:, 0]
    least, span = float(values.min()), float(np.ptp(values)) or 1.0
    for m, (leaf, met) in enumerate(conditions_of_leaves(tree), 1):
        box = np.array([low, high])
        for one in met:
            assert isinstance(one, Span)
            box[0, one.feature] = max(box[0, one.feature], one.low)
            box[1, one.feature] = min(box[1, one.feature], one.high)
        if (box[1] <= box[0]).any():
            continue
        if classes is None:
            colour, strength, words = (
                class_colour(0),
                0.05 + 0.5 * (values[leaf] - least) / span,
                number(float(values[leaf])),
            )
        else:
            k = int(tree.value[leaf].argmax())
            colour, strength, words = (
                class_colour(k),
                0.1 + 0.3 * float(tree.value[leaf, k]),
                label(str(classes[k]), 14),
            )
        ax.fill_between(
            [box[0, 0], box[1, 0]], box[0, 1], box[1, 1], color=colour, alpha=strength, linewidth=0
        )
        ax.plot(*_outline(box), color=INK, linewidth=0.9)
        x, height = box.mean(axis=0).tolist()
        ax.text(x, height, f"$R_{{{m}}}$\n{words}", ha="center", va="center", fontsize=8.5, color=INK)
    _rows(ax, cells, np.asarray(y), classes)
    ax.set_xlim(low[0], high[0])
    ax.set_ylim(low[1], high[1])
    ax.set_xlabel(label(names[0], 32))
    ax.set_ylabel(label(names[1], 32))
    for spine in ax.spines.values():
        spine.set_color(LINE)
    return ax


@document(returns="matplotlib.axes.Axes\n    The picture.")
def draw_surface(model: Any, X: Any, *, ax: Any = None) -> Any:
    """What a fitted regressor of two columns predicts, as a surface over the plane.

    Parameters
    ----------
    model : regressor
        Fitted to two columns of numbers.

    See Also
    --------
    draw_regions : The regions of a tree, over its rows.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import DecisionTreeRegressor, teaching
    >>> X = np.random.default_rng(0).uniform(size=(60, 2))
    >>> axes = teaching.draw_surface(DecisionTreeRegressor(max_depth=3).fit(X, X.sum(axis=1)), X)
    """
    cells, names = _plane(model, X, tree=False)
    if ax is None:
        ax = new_figure((6.4, 5.2)).add_subplot(projection="3d")
    low, high = _ends(cells)
    across, along = np.meshgrid(*(np.linspace(low[k], high[k], STEPS) for k in (0, 1)))
    points = np.column_stack([across.ravel(), along.ravel()])
    framed = hasattr(X, "columns") and not isinstance(X, np.ndarray)
    given = type(X)({name: points[:, k] for k, name in enumerate(X.columns)}) if framed else points
    height = np.asarray(model.predict(given), np.float64).reshape(across.shape)
    ax.plot_surface(
        across, along, height, cmap="viridis", linewidth=0, antialiased=False, rcount=STEPS, ccount=STEPS
    )
    ax.set_xlabel(label(names[0], 24))
    ax.set_ylabel(label(names[1], 24))
    ax.set_zlabel("prediction")
    return ax


def _plane(model: Any, X: Any, *, tree: bool = True) -> tuple[Float, tuple[str, str]]:
    if tree and not hasattr(model, "hedgerow_tree_"):
        raise ValueError(
            f"{type(model).__name__} has no regions of a tree. Give a fitted tree of two columns."
        )
    names = tuple(str(name) for name in getattr(X, "columns", ())) or ("x0", "x1")
    cells = np.asarray(X, np.float64)
    if cells.ndim != 2 or cells.shape[1] != 2 or np.isnan(cells).any():
        raise ValueError(f"X has shape {cells.shape}; wanted rows x 2 of numbers, none missing.")
    return cells, (names[0], names[1])


def _ends(cells: Float) -> tuple[Float, Float]:
    low, high = cells.min(axis=0), cells.max(axis=0)
    room = 0.06 * np.where(high > low, high - low, 1.0)
    return low - room, high + room


def _outline(box: Float) -> tuple[list[float], list[float]]:
    (a, b), (c, d) = box
    return [a, c, c, a, a], [b, b, d, d, b]


def _rows(ax: "Axes", cells: Float, y: Any, classes: Any) -> None:
    if classes is None:
        ax.scatter(cells[:, 0], cells[:, 1], s=9, color=INK, alpha=0.5, linewidths=0)
        return
    for k, name in enumerate(classes.tolist()):
        here = y == name
        ax.scatter(cells[here, 0], cells[here, 1], s=16, color=class_colour(k), marker=SHAPES[k % len(SHAPES)],
                   edgecolors="white", linewidths=0.5, label=label(str(name), 24), zorder=2)  # fmt: skip
    legend(ax)
