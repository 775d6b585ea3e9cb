"""Every comparison against a program nobody here wrote, or a published example; and what each must always do."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm
from scipy.stats import t as student

from hedgerow.evaluation.comparison_test import (
    ComparisonTest,
    Pair,
    PairedDifference,
    comparison_tests,
    load_comparison_test,
)
from hedgerow.evaluation.comparison_tests import (
    bayes,
    combined_5x2cv_f,
    corrected_t,
    delong,
    mcnemar,
    rowwise_t,
)
from hedgerow.evaluation.predictions import Predictions, ScoringData
from hedgerow.evaluation.ranks import Nemenyi, friedman_test, nemenyi_test
from hedgerow.evaluation.score import t_quantile, wilson_interval

# Made by tools/make_evaluation_references.py
KNOWN = json.loads((Path(__file__).parent / "fixtures" / "references.json").read_text())
R = KNOWN["R"]


def scoring_data(truth, score):
    order = np.column_stack([-np.asarray(score), score])
    values = (np.asarray(score) > 0).astype(int)
    return ScoringData(np.asarray(truth), Predictions(values, None, order), np.ones(len(truth)), 2)


def difference(value, variance=1e-4, dof=199, splits_variance=0.0, splits_dof=9, fold_covariance=0.0):
    return PairedDifference(value, variance, dof, splits_variance, splits_dof, fold_covariance)


def pair(differences=(), share=0.1, first=None, second=None, rope=0.01, rows=None):
    nothing = scoring_data([0, 1], [0.0, 1.0])
    return Pair(
        np.asarray(differences, float),
        share / (1 - share),
        first or nothing,
        second or nothing,
        rows,
        rope,
        0.95,
    )


@pytest.mark.parametrize("name", list(comparison_tests()))
def test_every_file_is_a_comparison(name):
    found = comparison_tests()[name]
    assert isinstance(found, ComparisonTest)
    assert found.title
    assert found.__doc__.startswith(f"{name}: ")


@pytest.mark.parametrize("name", list(comparison_tests()))
def test_turning_the_pair_around_turns_the_answer_around(name):
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 57)
    one, two = (
        scoring_data(truth, truth - 0.5 + rng.normal(size=57)),
        scoring_data(truth, truth - 0.5 + 2 * rng.normal(size=57)),
    )
    d = rng.normal(0.02, 0.05, 10)
    there = comparison_tests()[name].compare(pair(d, first=one, second=two, rows=difference(d.mean())))
    back = comparison_tests()[name].compare(pair(-d, first=two, second=one, rows=difference(-d.mean())))
    assert there.difference == pytest.approx(-back.difference)
    assert there.p_value == pytest.approx(back.p_value, nan_ok=True)
    assert there.low == pytest.approx(-back.high, nan_ok=True)
    if there.probabilities:
        assert there.probabilities == pytest.approx(back.probabilities[::-1])
        assert sum(there.probabilities) == pytest.approx(1)
    same = comparison_tests()[name].compare(
        pair(np.zeros(10), first=one, second=one, rows=difference(0.0, 0.0))
    )
    assert same.difference == 0
    assert same.probabilities is not None or same.p_value == 1


def test_an_unknown_test_is_named():
    with pytest.raises(ValueError, match=r"test='mcnemmar' is unknown.*Did you mean 'mcnemar'"):
        load_comparison_test("mcnemmar")


@pytest.mark.slow
def test_corrected_t_and_bayes_are_those_of_scikit_learn_s_example():
    """ "Statistical comparison of models using grid search": t 0.750, one-sided p 0.227, practically equal 0.432."""
    from sklearn.datasets import make_moons
    from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
    from sklearn.svm import SVC

    X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    radial, linear = (
        cross_val_score(SVC(kernel=k, random_state=0), X, y, cv=cv, scoring="roc_auc")
        for k in ("rbf", "linear")
    )
    found = corrected_t.compare(pair(radial - linear))
    assert found.statistic == pytest.approx(0.750, abs=5e-4)
    assert found.p_value / 2 == pytest.approx(0.227, abs=5e-4)
    assert bayes.compare(pair(radial - linear)).probabilities[1] == pytest.approx(0.432, abs=5e-4)


def test_bayes_is_baycomp_s():
    known = KNOWN["baycomp"]
    found = bayes.compare(pair(known["differences"], known["test_share"], rope=known["rope"]))
    assert found.probabilities == pytest.approx(known["chances"], abs=1e-9)


def test_five_two_f_is_mlxtend_s():
    known = KNOWN["mlxtend"]["five_two_f"]
    found = combined_5x2cv_f.compare(pair(known["differences"], 0.5))
    assert (found.statistic, found.p_value) == pytest.approx((known["f"], known["p"]))


@pytest.mark.parametrize("known", KNOWN["mlxtend"]["mcnemar"], ids=lambda known: str(known["table"]))
def test_mcnemar_is_mlxtend_s(known):
    assert mcnemar.exact_p(*known["table"]) == pytest.approx(known["exact"])


def test_mcnemar_s_published_example():
    """Fagerland, Lydersen and Laake 2013, airway hyper-responsiveness: 1 and 7; exact 0.070, mid-p 0.039."""
    assert mcnemar.exact_p(1, 7) == pytest.approx(0.070, abs=5e-4)
    assert mcnemar.mid_p(1, 7) == pytest.approx(0.039, abs=5e-4)


def test_mcnemar_from_rows():
    truth = np.array([1] * 34 + [1] * 30 + [0] * 36)
    first = scoring_data(truth, np.array([1.0] * 25 + [-1.0] * 9 + [1.0] * 30 + [-1.0] * 36))
    second = scoring_data(truth, np.array([-1.0] * 25 + [1.0] * 9 + [1.0] * 30 + [-1.0] * 36))
    found = mcnemar.compare(pair(first=first, second=second))
    assert found.difference == pytest.approx(0.16)
    assert found.statistic == pytest.approx(R["mcnemar_25_9"])
    assert found.p_value == mcnemar.exact_p(25, 9)
    assert found.low < 0.16 < found.high


def test_delong_is_mlstatkit_s():
    known = KNOWN["MLstatkit"]
    found = delong.compare(
        pair(
            first=scoring_data(known["truth"], known["first"]),
            second=scoring_data(known["truth"], known["second"]),
        )
    )
    assert abs(found.statistic) == pytest.approx(abs(known["z"]), rel=1e-6)
    assert 2 * norm.sf(abs(found.statistic)) == pytest.approx(known["p"], rel=1e-6)
    assert known["p"] < found.p_value < 1.3 * known["p"] + 0.01  # Student's


def test_delong_is_proc_s():
    known = KNOWN["pROC"]
    first, second = (scoring_data(known["truth"], np.array(known[name])) for name in ("first", "second"))
    found = delong.compare(pair(first=first, second=second))
    assert found.difference == pytest.approx(known["area"] - known["second_area"])
    assert found.statistic == pytest.approx(known["z"], rel=1e-6)
    assert 2 * norm.sf(abs(found.statistic)) == pytest.approx(known["p"], rel=1e-6)


def test_friedman_and_nemenyi_are_r_s():
    scores = np.array(R["scores"])
    ranks, pairs = friedman_test(scores), nemenyi_test(scores)
    assert (ranks.chi_square, ranks.chi_square_p) == pytest.approx(tuple(R["friedman"]), rel=1e-6)
    assert pairs.p_values.ravel() == pytest.approx(R["nemenyi_p"], abs=1e-4)
    assert pairs.critical_difference == pytest.approx(R["critical_difference"], rel=1e-4)


def test_friedman_is_scipy_s_and_the_f_is_demsar_s():
    from scipy.stats import friedmanchisquare

    scores = np.random.default_rng(4).normal(size=(14, 4)).round(1)
    found = friedman_test(scores)
    assert found.chi_square == pytest.approx(friedmanchisquare(*scores.T).statistic)
    # Demsar 2006, section 3.2.2: a chi-square of 9.28 with 14 data sets and 4 models is F = 3.69
    assert pytest.approx(3.69, abs=0.005) == 13 * 9.28 / (14 * 3 - 9.28)
    assert found.f == pytest.approx(13 * found.chi_square / (14 * 3 - found.chi_square))


def test_the_critical_difference_is_demsar_s():
    """Demsar 2006: 1.25 for 4 models and 14 data sets, at 5 %."""
    found = nemenyi_test(np.random.default_rng(0).normal(size=(14, 4)))
    assert found.critical_difference == pytest.approx(1.25, abs=0.005)


def test_groups_of_models_that_cannot_be_told_apart():
    ranks = np.array([1.0, 1.5, 3.0, 3.2, 6.0])
    found = Nemenyi(ranks, 2.0, np.ones((5, 5)))
    assert found.groups == [[0, 1, 2], [1, 2, 3]]


def test_wilson_is_r_s():
    assert wilson_interval(0.74, 50, t_quantile(0.95, 10**9)) == pytest.approx(R["wilson_37_of_50"], rel=1e-6)
    assert wilson_interval(0.74, 50, t_quantile(0.9, 10**9)) == pytest.approx(
        R["wilson_37_of_50_90"], rel=1e-6
    )


def test_too_few_splits_have_no_p_value():
    for test in (corrected_t, rowwise_t, combined_5x2cv_f, bayes):
        found = test.compare(pair([0.1]))
        assert np.isnan(found.p_value)
        assert found.probabilities is None


def test_rowwise_t_by_hand():
    """20 rows right for the first only, 8 for the second, of 200; nothing else is known to be unsure."""
    value, variance = 0.06, (28 / 200 - 0.06**2) / 199
    found = rowwise_t.compare(pair(rows=difference(value, variance)))
    error = np.sqrt(1.6 * variance)
    assert found.statistic == pytest.approx(value / error)
    assert found.p_value == pytest.approx(2 * student.sf(value / error, 199))
    assert (found.low + found.high) / 2 == pytest.approx(value)


def test_rowwise_t_is_less_sure_where_splits_or_folds_say_so():
    plain = rowwise_t.standard_error(difference(0.1))
    assert plain == pytest.approx((np.sqrt(1.6e-4), 199))
    wild, few = rowwise_t.standard_error(
        difference(0.1, splits_variance=9e-4)
    )  # ten times what rows explain: only splits count
    assert wild == pytest.approx(np.sqrt(1.6 * 9e-4))
    assert 9 < few < 12
    assert rowwise_t.standard_error(difference(0.1, splits_variance=0.5e-4)) == pytest.approx(plain)
    assert rowwise_t.standard_error(difference(0.1, fold_covariance=0.5e-4))[0] == pytest.approx(
        np.sqrt(2.1e-4)
    )
    assert rowwise_t.standard_error(difference(0.1, fold_covariance=7.0))[0] == pytest.approx(
        np.sqrt(2.6e-4)
    )  # at most once the rows
    assert rowwise_t.standard_error(difference(0.1, fold_covariance=-7.0)) == pytest.approx(plain)


def test_power_of_rowwise_t():
    drawn = np.random.default_rng(0).multinomial(500, [0.10, 0.05, 0.85], size=2000) / 500
    found = [
        rowwise_t.compare(
            pair(
                rows=difference(
                    a - b,
                    (a + b - (a - b) ** 2) / 499,
                    499,
                    fold_covariance=0.3 * (a + b - (a - b) ** 2) / 499,
                )
            )
        ).p_value
        <= 0.05
        for a, b, _ in drawn
    ]
    assert rowwise_t.power(500, 0.10, 0.05) == pytest.approx(np.mean(found), abs=0.03)
    assert rowwise_t.power(500, 0.05, 0.05) < 0.05
    assert rowwise_t.power(100_000, 0.10, 0.05) > 0.999
    with pytest.raises(ValueError, match="shares"):
        rowwise_t.power(100, 0.0, 0.0)


def test_power_of_mcnemar():
    assert (
        0.02 < mcnemar.power(300, 0.05, 0.05) <= 0.05
    )  # equal models: the confidence_level of the exact test
    drawn = np.random.default_rng(0).multinomial(300, [0.10, 0.064, 0.836], size=2000)
    found = np.mean([mcnemar.exact_p(one, two) <= 0.05 for one, two, _ in drawn])
    assert mcnemar.power(300, 0.10, 0.064) == pytest.approx(found, abs=0.03)
    assert mcnemar.power(10_000, 0.10, 0.05) > 0.999
    with pytest.raises(ValueError, match="shares"):
        mcnemar.power(100, 0.0, 0.0)
