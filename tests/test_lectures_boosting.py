"""The lectures' numbers on boosting, as the library gives them."""

import numpy as np
import pytest

from hedgerow import AdaBoostClassifier, DecisionTreeClassifier, datasets
from hedgerow.boost.loss import load_loss


def matrix(table):
    return np.column_stack([column.values for column in table.columns]).astype(float)


def test_ten_points():
    """Lecture 000: three stumps, and no training error is left."""
    points = datasets.ten_points()
    model = AdaBoostClassifier(n_estimators=3).fit(points.table, points.target)
    rounds = model.rounds_.rounds
    assert [round.epsilon for round in rounds] == pytest.approx([0.30, 3 / 14, 3 / 22])
    assert [f"{round.epsilon:.3f}" for round in rounds] == ["0.300", "0.214", "0.136"]
    assert [f"{round.alpha:.2f}" for round in rounds] == ["0.42", "0.65", "0.92"]
    assert [(weak.column, weak.threshold) for weak in model.estimators_] == [(0, 2.5), (0, 8.5), (1, 6.5)]
    assert rounds[-1].error == 0
    assert model.score(points.table, points.target) == 1


def test_beta_and_the_bound_of_the_training_error():
    points = datasets.ten_points()
    model = AdaBoostClassifier(n_estimators=3).fit(points.table, points.target)
    bound = 1.0
    for round in model.rounds_.rounds:
        eps = round.epsilon
        assert round.alpha == pytest.approx(0.5 * np.log((1 - eps) / eps))
        bound *= 2 * np.sqrt(eps * (1 - eps))
        assert round.error <= bound == pytest.approx(round.loss)


def test_log_loss_weights_by_both_formulas():
    """q = 1 / (1 + exp(y f)), and q / (q + (1 - q) exp(y alpha h)) from round to round (lecture 001)."""
    heart = datasets.heart()
    x, y = heart.table, np.asarray(heart.target)
    model = AdaBoostClassifier(n_estimators=12, loss="logistic").fit(x, y)
    signs = np.where(y == model.classes_[1], 1.0, -1.0)
    q, score = np.full(len(y), 0.5), np.zeros(len(y))
    for after in model.staged_decision_function(x):
        step = signs * (after - score)
        q, score = q / (q + (1 - q) * np.exp(step)), after
        assert q == pytest.approx(1 / (1 + np.exp(signs * score)))
        assert q == pytest.approx(load_loss("logistic").weight(signs * score))
    assert model.rounds_.weight[:, 0] == pytest.approx(q / q.sum())


def test_a_confident_tree_answers_half_the_log_odds_of_its_leaves():
    """Lecture 001: leaf value 1/2 log(mu+/mu-), and the gain it is grown by."""
    heart = datasets.heart()
    y = np.asarray(heart.target)
    tree = DecisionTreeClassifier(max_depth=2, min_samples_leaf=30)
    model = AdaBoostClassifier(tree, n_estimators=1, predictions="confident", smoothing=0.0)
    model.fit(heart.table, y)
    score = model.decision_function(heart.table)
    up = y == model.classes_[1]
    for value in np.unique(score):
        here = score == value
        assert value == pytest.approx(0.5 * np.log(np.sum(up & here) / np.sum(~up & here)))


@pytest.mark.slow
def test_letter():
    """C4.5-like trees: training error 0 at round 5, the test error still falling after that (lecture 000: 8.4 % at 5
    rounds, 3.3 % at 100). benchmarks/letter.py goes on to 1,000 rounds."""
    letter = datasets.letter()
    x, y = matrix(letter.table), np.asarray(letter.target)
    model = AdaBoostClassifier("c45", n_estimators=20, multi_class="vote").fit(x[:16000], y[:16000])
    test = [float(np.mean(said != y[16000:])) for said in model.staged_predict(x[16000:])]
    assert model.rounds_.rounds[4].error == 0
    assert test[4] < 0.085
    assert test[19] < 0.045
    assert test[19] < test[9] < test[4]


def test_heart_overfits():
    """Lecture 000: stumps on heart disease. The training error falls on, the test error rises again."""
    heart = datasets.heart()
    y = np.asarray(heart.target)
    test, train = np.zeros(250), np.zeros(250)
    for seed in range(8):
        held = np.random.default_rng(seed).permutation(len(y))
        part, rest = held[:100], held[100:]
        model = AdaBoostClassifier(n_estimators=250).fit(heart.table.take(rest), y[rest])
        errors = [np.mean(said != y[part]) for said in model.staged_predict(heart.table.take(part))]
        test += np.array(errors) / 8
        train += np.array([round.error for round in model.rounds_.rounds]) / 8
    best = int(test[:50].argmin())
    assert best < 40
    assert test[-50:].mean() > test[best] + 0.02
    assert train[-1] < train[best] - 0.05


def test_spam_by_words():
    """Round by round, rules about single words."""
    spam = datasets.spam()
    y = np.asarray(spam.target)
    model = AdaBoostClassifier(n_estimators=60).fit(spam.table, y)
    assert model.rounds_.rounds[-1].error < 0.06
    tested = {spam.table.names[weak.column] for weak in model.estimators_[:6]}
    assert len(tested) >= 4
    words = str(model.diagnostics_)
    assert all(name in words for name in tested)
