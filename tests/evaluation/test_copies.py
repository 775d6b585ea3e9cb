"""Exact copies never stand on both sides of a split, and the result says how many there were."""

import json
import re

import numpy as np
import polars as pl
import pytest
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from tests.table.test_copies import customers, wines

import hedgerow
from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor, LinearSVC, ToNumbers, compare, evaluate
from hedgerow.estimators.meta import GridSearchC
from hedgerow.evaluation.checks import duplicated_rows
from hedgerow.evaluation.checks.duplicated_rows import describe_equal_rows
from hedgerow.evaluation.data import make_data
from hedgerow.evaluation.splits import make_splits
from hedgerow.table import to_table
from hedgerow.table.copies import find_equal_rows

N = 1200
X = wines(0, N)
KIND = np.unique(X, axis=0, return_inverse=True)[1].reshape(-1)
COIN = np.random.default_rng(1).choice(["bad", "good"], N, p=[0.4, 0.6])
Y = COIN[KIND]  # a copy has the same target
TREE = DecisionTreeClassifier()


@pytest.mark.parametrize(
    ("cv", "repeats", "groups"), [(7, 1, None), (5, 3, None), (0.3, 2, None), (4, 1, np.arange(N) // 2)]
)
def test_copies_stay_on_one_side(cv, repeats, groups):
    data = make_data([TREE], X, Y, groups=groups)
    splits = make_splits(cv, data, repeats=repeats)
    assert splits.repeats == repeats
    for part in splits.parts:
        assert not np.isin(KIND[part.test], KIND[part.train]).any()
        assert len(part.train) + len(part.test) == N
        if groups is None:
            share = 1 / cv if cv > 1 else cv
            assert abs(len(part.test) / N - share) < 0.05
            assert abs(np.mean(data.y[part.test]) - np.mean(data.y)) < 0.1
    tested = np.concatenate([part.test for part in splits.parts])
    assert cv == 0.3 or np.array_equal(np.sort(tested), np.repeat(np.arange(N), repeats))


def test_draws_differ_between_repeats_and_not_between_runs():
    data = make_data([TREE], X, Y)
    first, again = (make_splits(5, data, repeats=2, random_state=3).parts for _ in range(2))
    assert all(np.array_equal(one.test, other.test) for one, other in zip(first, again, strict=True))
    assert not np.array_equal(first[0].test, first[5].test)


def test_numbers_too():
    data = make_data([DecisionTreeRegressor()], X, KIND * 1.0)
    for part in make_splits(6, data).parts:
        assert not np.isin(KIND[part.test], KIND[part.train]).any()


def test_memory_is_not_skill():
    """The target is a coin, but copies share it: a full tree scores by memory, unless they stay together."""
    honest = evaluate(TREE, X, Y, cv=5, scoring="balanced_accuracy")
    naive = evaluate(TREE, X, Y, cv=KFold(5, shuffle=True, random_state=0), scoring="balanced_accuracy")
    assert honest["balanced_accuracy"].low < 0.5 < honest["balanced_accuracy"].high
    assert naive["balanced_accuracy"].value > 0.6
    assert all(result.findings[0].check == "duplicated_rows" for result in (honest, naive))
    assert honest.to_dict()["n_copies"] == 300
    assert "5 stratified folds, copies kept together" in str(honest)


def test_compare_says_so_too():
    found = compare({"stump": DecisionTreeClassifier(max_depth=1), "tree": TREE}, X, Y, cv=3, repeats=2)
    assert found.to_dict()["n_copies"] == 300
    assert "! 300 of 1,200 rows are exact copies of others" in str(found)


@pytest.mark.slow
def test_a_study_seals_no_copy_of_a_training_row(tmp_path):
    frame = pl.DataFrame({f"c{j}": X[:, j] for j in range(11)}).with_columns(quality=pl.Series(Y))
    result = hedgerow.study(frame, "quality", models=("stump", "tree"), folds=3, repeats=1, folder=tmp_path)
    sealed = pl.read_csv(tmp_path / "holdout.csv")["row"].to_numpy()
    assert not np.isin(KIND[sealed], np.delete(KIND, sealed)).any()
    assert 0.15 * N < len(sealed) < 0.25 * N
    assert result.profile.n_copies == 300
    words = f"300 of {N} rows are exact copies of others"
    assert words in str(result).replace(",", "")
    assert words in (tmp_path / "report.html").read_text().replace(",", "")
    assert (
        json.loads((tmp_path / "result.json").read_text())["profile"]["n_copies"] == result.profile.n_copies
    )


def test_equal_rows_of_a_wide_table_stay_on_one_side_and_are_counted_without_alarm():
    """85 columns of small whole numbers, as an insurer has them: some customers are equal."""
    rows = customers(0)
    y = np.random.default_rng(1).choice(["no", "yes"], len(rows), p=[0.9, 0.1])
    kind = np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)
    data = make_data([TREE], rows, y)
    splits = make_splits(5, data, repeats=2)
    assert not any(np.isin(kind[part.test], kind[part.train]).any() for part in splits.parts)
    finding = duplicated_rows.find(data, splits)[0]
    assert finding.message.startswith(
        f"{len(rows) - kind.max() - 1} of 2,000 rows are equal to an earlier row"
    )
    assert not finding.severe
    assert data.n_copies == 0


@pytest.mark.slow
def test_a_study_of_a_wide_table_counts_equal_rows_and_seals_none_of_them_apart(tmp_path):
    rows = customers(0)
    kind = np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)
    frame = pl.DataFrame({f"c{j}": rows[:, j] for j in range(85)}).with_columns(
        y=pl.Series(np.random.default_rng(1).choice(["no", "yes"], len(rows)))
    )
    result = hedgerow.study(frame, "y", models=("stump",), folds=3, repeats=1, folder=tmp_path)
    sealed = pl.read_csv(tmp_path / "holdout.csv")["row"].to_numpy()
    assert not np.isin(kind[sealed], np.delete(kind, sealed)).any()
    note = next(note for note in result.notes if "equal to an earlier row in all columns" in note.text)
    assert note.text.startswith(f"{len(rows) - kind.max() - 1} of 2,000 rows")
    assert not note.severe


def test_the_same_rows_with_another_target_are_copies_too():
    """The features alone say what a model may recognize; of copies with another target the number is given."""
    other = np.where(np.arange(N) % 2 == 0, Y, np.where(Y == "bad", "good", "bad"))
    data = make_data([TREE], X, other)
    splits = make_splits(5, data)
    assert not any(np.isin(KIND[part.test], KIND[part.train]).any() for part in splits.parts)
    message = duplicated_rows.find(data, splits)[0].message
    assert re.search(
        r"copies of others in all columns but the target, \d+ of them with another one\.", message
    )


def test_rows_that_are_mostly_equal_count_as_different_cases_with_a_word_of_caution():
    """Of coarse columns, or of persons asked every year: nobody can tell by the rows."""
    coarse = np.random.default_rng(0).integers(0, 3, (400, 3))
    found = describe_equal_rows(find_equal_rows(to_table(coarse), np.arange(400)), 400)
    assert (
        "373 of 400 rows are equal to an earlier row in all columns but the target, 373 of them with" in found
    )
    assert "They count as different cases" in found
    assert "if they are the same ones again (a person asked every year), the scores are too good." in found


def broods(n: int = 90, seed: int = 3) -> tuple[pl.DataFrame, np.ndarray]:
    """Chicks of a brood: all columns are those of the brood, and each chick has ticks of its own."""
    random = np.random.default_rng(seed)
    sites = random.normal(500, 40, (n, 3)).round(2)
    brood = np.sort(random.integers(0, n, 300))
    ticks = random.poisson(np.exp((560 - sites[brood, 0]) / 25))
    return pl.DataFrame({"height": sites[brood, 0], "slope": sites[brood, 1], "rain": sites[brood, 2]}), ticks


def test_cases_measured_more_than_once_are_no_copies():
    rows, ticks = broods()
    data = make_data([DecisionTreeRegressor()], rows, ticks.astype(float))
    found = duplicated_rows.find(data, make_splits(5, data))[0]
    assert "exact copies" not in found.message
    assert "it seems that one case was measured several times. They are kept on one side" in found.message
    assert not found.severe
    kind = np.unique(rows.to_numpy(), axis=0, return_inverse=True)[1].reshape(-1)
    again = make_data([DecisionTreeRegressor()], rows, kind.astype(float))  # the same in all rows of a set
    copies = duplicated_rows.find(again, make_splits(5, again))[0]
    assert "exact copies of others in all columns." in copies.message
    assert copies.severe


@pytest.mark.parametrize("method", ["cost_complexity", "reduced_error"])
def test_the_folds_inside_a_tree_keep_copies_together(method):
    """A full tree of coins is right on copies: folds that part them leave it large."""
    assert DecisionTreeClassifier(prune=method).fit(X, Y).get_n_leaves() < 40


def test_the_search_for_c_keeps_copies_together():
    search = GridSearchC(make_pipeline(ToNumbers(), LinearSVC()), values=(1.0,))
    for train, test in search._splits(to_table(X), Y):
        assert not np.isin(KIND[test], KIND[train]).any()
        assert 0.25 * N < len(test) < 0.42 * N
