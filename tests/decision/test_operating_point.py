"""The operating point, for every aim."""

import numpy as np
import pytest

from hedgerow.decision import choose_operating_point, parse_aim
from hedgerow.decision.operating_point import class_costs

RANDOM = np.random.default_rng(5)
PROBA = np.round(RANDOM.beta(1, 6, size=701), 3)
TRUTH = (RANDOM.random(701) < PROBA).astype(np.int64)
WEIGHT = RANDOM.integers(1, 4, size=701).astype(float)


def _point(aim, cost=None, classes=("no", "yes")):
    both = np.column_stack([1 - PROBA, PROBA])
    return choose_operating_point(parse_aim(aim, cost), both, TRUTH, WEIGHT, classes)


def _measures(threshold):
    alarm = threshold <= PROBA
    found = WEIGHT @ (alarm & (TRUTH == 1))
    return found / max(WEIGHT @ alarm, 1e-9), found / (WEIGHT @ (TRUTH == 1)), WEIGHT @ alarm / WEIGHT.sum()


def _thresholds():
    return np.append(np.unique(PROBA), 1.1)


def test_break_even_points():
    assert _point("accuracy").threshold == 0.5
    assert _point(None, "no:yes=1,yes:no=20").threshold == pytest.approx(1 / 21)
    assert _point(None, {("no", "yes"): 3, ("yes", "no"): 1}).threshold == pytest.approx(0.75)
    share = WEIGHT @ (TRUTH == 1) / WEIGHT.sum()
    assert _point("balanced_accuracy").threshold == pytest.approx(share)


def test_f1_is_the_best_of_all_thresholds():
    def f1(threshold):
        precision, recall, _ = _measures(threshold)
        return 2 * precision * recall / max(precision + recall, 1e-12)

    assert f1(_point("f1").threshold) == pytest.approx(max(f1(t) for t in _thresholds()))


@pytest.mark.parametrize("share", [0.1, 0.55, 0.9, 1.0])
def test_a_recall_is_reached_with_the_highest_threshold(share):
    found = _point(f"recall={share}").threshold
    assert _measures(found)[1] >= share - 1e-9
    higher = [t for t in _thresholds() if t > found]
    assert all(_measures(t)[1] < share for t in higher[1:])


def test_a_precision_is_reached_with_the_lowest_threshold():
    for share in (0.2, 0.3):
        found = _point(f"precision={share}").threshold
        assert _measures(found)[0] >= share
        lower = [t for t in _thresholds() if t < found - 1e-9]
        assert all(_measures(t)[0] < share for t in lower[:-1])
    assert _point("precision=1").threshold > 0


def test_the_top_of_the_rows():
    found = _point("top=5%").threshold
    assert 0.05 <= _measures(found)[2] < 0.07


def test_several_classes_by_expected_cost():
    random = np.random.default_rng(6)
    proba = random.dirichlet([5, 2, 1], size=300)
    codes = np.array([random.choice(3, p=row) for row in proba])
    ones = np.ones(300)
    plain = choose_operating_point(parse_aim("accuracy", None), proba, codes, ones, "abc")
    assert np.array_equal(plain.decide(proba), proba.argmax(axis=1))
    cost = choose_operating_point(parse_aim(None, "c:a=50,c:b=50,a:c=1,b:c=1"), proba, codes, ones, "abc")
    matrix = np.array([[0, 0, 1], [0, 0, 1], [50, 50, 0]])
    assert np.array_equal(cost.decide(proba), (proba @ matrix).argmin(axis=1))
    fair = choose_operating_point(parse_aim("balanced_accuracy", None), proba, codes, ones, "abc")
    share = np.bincount(codes) / 300
    assert np.array_equal(fair.decide(proba), (proba / share).argmax(axis=1))
    order = np.array([1, 2, 0])
    assert np.array_equal(order[fair.reorder(order).decide(proba[:, order])], fair.decide(proba))


def test_what_a_mistake_about_a_class_costs():
    two = parse_aim(None, "good:bad=1,bad:good=20,good:good=0.5")
    assert class_costs(two, ["bad", "good"]) == {"bad": 20.0, "good": 0.5}
    three = parse_aim(None, "a:b=4,a:c=2,b:a=1")
    assert class_costs(three, ["a", "b", "c"]) == pytest.approx({"a": 3.0, "b": 0.5, "c": 0.03})
