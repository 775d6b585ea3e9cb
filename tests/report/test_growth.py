"""The section of greedy beside optimal trees."""

from types import SimpleNamespace

import numpy as np
from tests.estimators.test_optimal_tree import parity

from hedgerow import DecisionTreeClassifier, OptimalTreeClassifier
from hedgerow.estimators.meta import Subsampled
from hedgerow.report.sections.growth import SIZES, context, summarize
from hedgerow.table import to_table


class Rows(SimpleNamespace):
    def __len__(self):
        return len(self.target)


def trained(model):
    X, y = parity(120)
    classes, codes = np.unique(y, return_inverse=True)
    rows = Rows(table=to_table(X), target=codes, weight=None)
    return SimpleNamespace(
        benchmark=SimpleNamespace(models={"one": DecisionTreeClassifier(), "two": model}),
        rows=rows,
        tree_rows=rows,
        estimator=model,
        loaded=SimpleNamespace(goal=SimpleNamespace(classes=classes)),
    )


def test_it_is_there_where_an_optimal_tree_is_compared():
    case = trained(Subsampled(OptimalTreeClassifier(max_thresholds=2), max_rows=1000))
    found = summarize(case)
    assert [p["max_leaves"] for p in found["points"] if p["method"] == "optimal"] == list(SIZES)
    assert all(p["gap"] >= 0 for p in found["points"])
    shown = context(SimpleNamespace(extra={"growth": found}))
    assert found["chosen"] is None  # it is compared, and not recommended
    assert shown["methods"] == ["greedy", "pruned", "optimal"]


def test_the_recommended_tree_is_shown_with_its_certificate():
    case = trained(OptimalTreeClassifier(max_depth=1, max_thresholds=2))
    case.estimator = OptimalTreeClassifier(max_depth=1, max_thresholds=2).fit(
        case.rows.table, case.rows.target
    )
    chosen = summarize(case)["chosen"]
    assert chosen["certificate"].startswith("No tree of at most 2 leaves")
    assert "all rows" in chosen["text"]


def test_other_studies_have_no_such_section():
    assert summarize(trained(DecisionTreeClassifier())) is None
    assert context(SimpleNamespace(extra={})) is None
