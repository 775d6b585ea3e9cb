"""A metric, a comparison test and a check are one new file each: nothing else knows of it, and it works."""

import numpy as np
import pandas as pd
import pytest
from tests.temporary_plugin import temporary_plugin

from hedgerow import DecisionTreeRegressor, compare, evaluate, learning_curve
from hedgerow.evaluation.check import CHECKS, checks
from hedgerow.evaluation.comparison_test import COMPARISON_TESTS, comparison_tests
from hedgerow.evaluation.metric import METRICS, metrics

RNG = np.random.default_rng(11)
X = pd.DataFrame({"a": RNG.normal(size=130), "b": RNG.normal(size=130)})
Y = X["a"].to_numpy() + RNG.normal(size=130)
STUMP, TREE = DecisionTreeRegressor(max_depth=1), DecisionTreeRegressor(max_depth=3)

METRIC = '''
"""within_one: the proportion of predictions less than 1 away."""

import numpy as np

from hedgerow.evaluation.metric import count_rows, weighted_proportion

ORDER = 105
title, task, needs, scale = "within 1", "regression", "values", "proportion"
higher_is_better, is_percentage, by_fold = True, True, False
n_effective = count_rows


def _near(rows):
    return np.abs(rows.y_true - rows.y_pred) < 1


def value(rows):
    return float(_near(rows) @ rows.normalized_weight)


def influence(rows):
    near = _near(rows).astype(float)
    return near - near @ rows.normalized_weight


def proportions(rows):
    return [weighted_proportion(_near(rows), rows.weight)]
'''

SIGN_TEST = '''
"""sign_test: how many splits favour the first model."""

from scipy.stats import binomtest

from hedgerow.evaluation.comparison_test import Design, Outcome, Pair

title = "sign test over splits"
design = Design(4, 2, required=True)
metrics = ()


def compare(pair: Pair) -> Outcome:
    d, nan = pair.differences, float("nan")
    p = binomtest(int((d > 0).sum()), len(d)).pvalue
    return Outcome(float(d.mean()), nan, nan, nan, float(p))
'''

CHECK = '''
"""few_columns: tables of one or two columns."""

from hedgerow.evaluation.check import Finding


def find(data, splits):
    names = tuple(column.name for column in data.table.columns)
    return [Finding("few_columns", "there are few columns.", True, names)] if len(names) < 3 else []
'''


def test_a_new_metric_is_one_file(tmp_path):
    with temporary_plugin(METRICS, tmp_path, "within_one", METRIC):
        assert list(metrics()).index("within_one") == list(metrics()).index("rmse") - 1
        found = evaluate(TREE, X, Y, cv=5)
        score = found["within_one"]
        assert score.low < score.value < score.high
        assert "within 1" in str(found)
        assert "within_one" in [one["name"] for one in found.to_dict()["scores"]]
        assert evaluate(TREE, X, Y, cv=5, scoring="within_one")["within_one"] == score
        assert "by within 1" in str(compare([STUMP, TREE], X, Y, scoring="within_one", cv=4))
        curve = learning_curve(TREE, X, Y, scoring="within_one", train_sizes=[0.3, 0.6, 1.0])
        assert curve.draw().get_ylabel() == "within 1"
        assert metrics()["within_one"].is_percentage
    assert "within_one" not in metrics()
    with pytest.raises(ValueError, match="scoring='within_one' is unknown for a regression"):
        evaluate(TREE, X, Y, cv=5, scoring="within_one")


def test_a_new_comparison_test_is_one_file(tmp_path):
    with temporary_plugin(COMPARISON_TESTS, tmp_path, "sign_test", SIGN_TEST):
        found = compare({"stump": STUMP, "tree": TREE}, X, Y, test="sign_test")
        assert len(found.splits.parts) == 8  # as the file says
        assert 0 < found.pairs[0].p_value <= 1
        assert "sign test over splits; intervals and p-values hold" in str(found)
        with pytest.raises(ValueError, match="test='sign_test' wants 4 folds 2 times"):
            compare([STUMP, TREE], X, Y, test="sign_test", cv=3)
        with pytest.raises(ValueError, match=r"test='sign' is unknown. Known: .*sign_test"):
            compare([STUMP, TREE], X, Y, test="sign")
    assert "sign_test" not in comparison_tests()


def test_a_new_check_is_one_file(tmp_path):
    with temporary_plugin(CHECKS, tmp_path, "few_columns", CHECK):
        found = evaluate(STUMP, X, Y, cv=3)
        assert found.findings[0].check == "few_columns"
        assert "! there are few columns." in str(found)
        assert "! there are few columns." in str(compare([STUMP, TREE], X, Y, cv=3))
    assert "few_columns" not in checks()


@pytest.mark.parametrize(
    ("package", "call"),
    [(METRICS, metrics), (COMPARISON_TESTS, comparison_tests), (CHECKS, checks)],
    ids=["metric", "comparison test", "check"],
)
def test_a_file_that_lacks_something_is_an_error_that_says_what(tmp_path, package, call):
    with (
        temporary_plugin(package, tmp_path, "half", '"""half: nothing."""\n'),
        pytest.raises(TypeError, match=r"half is no \w+: it lacks"),
    ):
        call()
