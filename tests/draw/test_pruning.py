"""The pictures of pruning say what the tables say."""

import numpy as np
from matplotlib.figure import Figure

from hedgerow import DecisionTreeClassifier
from hedgerow.estimators.comparison import compare_prunings

RNG = np.random.default_rng(5)
X = RNG.normal(size=(241, 3))
Y = (X[:, 0] + RNG.normal(size=241) > 0).astype(int)


def test_the_table_is_drawn_with_the_kept_tree_marked():
    table = DecisionTreeClassifier(prune="cost_complexity").fit(X, Y).cp_table_
    ax = table.draw()
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert any(word.startswith("kept (") and f"{table.nsplit[table.chosen]} split" in word for word in legend)
    assert ax.get_xlabel() == "complexity parameter (CP)"
    ax.figure.canvas.draw()


def test_on_axes_of_ones_own():
    figure = Figure()
    axes = figure.subplots(1, 2)
    comparison = compare_prunings(DecisionTreeClassifier(), X, Y)
    assert comparison.draw(ax=axes[0]) is axes[0]
    names = {text.get_text() for text in axes[0].get_legend().get_texts()}
    assert {"chi square", "cost complexity", "pessimistic"} <= names
    single = (
        DecisionTreeClassifier(prune="cost_complexity", max_depth=1).fit(X, RNG.integers(0, 2, 241)).cp_table_
    )
    assert single.draw(ax=axes[1]) is axes[1]
    figure.canvas.draw()
