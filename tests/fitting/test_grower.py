"""Growing stops where cost-complexity pruning would cut in any case: the same tree, the same table, less work."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hedgerow.fitting.grower as here
from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor
from hedgerow.grow import grow
from hedgerow.prune import CostComplexity
from hedgerow.prune.cp_table import COLUMNS
from tree.same import assert_same


def drawn(seed, n=400):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4)).round(1 if seed % 2 else 9)
    score = X[:, 0] + (X[:, 1] > 0) * X[:, 2] + rng.normal(size=n)
    return X, score, rng.integers(0, 4, n).astype(float) if seed % 3 else None


def fitted(model, seed, monkeypatch, early):
    """And the nodes that were grown."""
    X, score, weight = drawn(seed)
    y = np.digitize(score, [-1, 0.5, 1]) if isinstance(model, DecisionTreeClassifier) else score
    nodes = []

    def counted(*rows, **more):
        nodes.append(grow(*rows, **more))
        return nodes[-1]

    with monkeypatch.context() as patch:
        patch.setattr(here, "grow", counted)
        if not early:
            patch.setattr(here, "prune_while_growing", lambda limits, params, target: limits)
        model.fit(X, y, weight)
    return model, sum(tree.n_nodes for tree in nodes)


CLASSES = [
    {"ccp_alpha": 0.004},
    {"ccp_alpha": 0.03, "criterion": "entropy"},
    {"prune": CostComplexity(alpha=0.01, risk="misclassification")},
    {"prune": CostComplexity(alpha=0.004)},
    {"prune": CostComplexity(cp=0.01)},
    {"prune": CostComplexity(cp=0.02, links="exact", choose="min")},
    {"prune": CostComplexity(cp=0.01), "splits": "multiway", "missing": "fractional"},
]
NUMBERS = [
    {"ccp_alpha": 0.02},
    {"ccp_alpha": 0.01, "criterion": "absolute_error"},
    {"prune": CostComplexity(cp=0.01)},
    {"prune": CostComplexity(alpha=0.02)},
]
CASES = [(DecisionTreeClassifier, more) for more in CLASSES] + [
    (DecisionTreeRegressor, more) for more in NUMBERS
]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "more"), CASES, ids=str)
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_nothing_is_lost(kind, more, seed):
    with pytest.MonkeyPatch.context() as monkeypatch:
        early, small = fitted(kind(**more), seed, monkeypatch, True)
        late, large = fitted(kind(**more), seed, monkeypatch, False)
    assert_same(early.hedgerow_tree_, late.hedgerow_tree_)
    assert small < large
    if hasattr(late, "cp_table_"):
        for name in COLUMNS:
            np.testing.assert_allclose(
                getattr(early.cp_table_, name), getattr(late.cp_table_, name), rtol=1e-12
            )


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"prune": "cost_complexity"},
        {"ccp_alpha": 0.01, "max_leaf_nodes": 9},
        {"ccp_alpha": 0.01, "trace": True},
    ],
)
def test_where_all_of_the_tree_is_wanted_it_is_grown(more, monkeypatch):
    small = fitted(DecisionTreeClassifier(**more), 4, monkeypatch, True)[1]
    assert small == fitted(DecisionTreeClassifier(**more), 4, monkeypatch, False)[1]
