"""All alphas at once must say what pruning, then predicting, one alpha at a time says."""

import numpy as np
import pytest

from hedgerow.cli.choose_alpha import _between, _errors, _Fold, choose_alpha
from hedgerow.cli.grown import Grower
from hedgerow.encode import encode
from hedgerow.grow import Classes, Limits, Numbers, Target
from hedgerow.prune import cut_path
from hedgerow.table import to_table
from hedgerow.tree import predict
from hedgerow.tree.cut import cut


def grower_of(target: Target, criterion: str, X: np.ndarray) -> Grower:
    return Grower(encode(to_table(X)), target, criterion, Limits(max_features=X.shape[1]), 1)


def examples(n_rows: int = 130) -> list[Grower]:
    random = np.random.default_rng(21)
    X = random.normal(size=(n_rows, 3))
    X[random.random((n_rows, 3)) < 0.1] = np.nan
    classes = Classes(random.integers(0, 3, n_rows).astype(np.int32), 3)
    numbers = Numbers(np.nan_to_num(X[:, 0]) + random.normal(size=n_rows))
    return [grower_of(classes, "gini", X), grower_of(numbers, "squared_error", X)]


@pytest.mark.parametrize("grower", examples(), ids=["classes", "numbers"])
def test_errors_at_every_alpha(grower: Grower) -> None:
    used = np.arange(130) % 4 != 1
    tree = grower.grow(used)
    fold = _Fold(tree, cut_path(tree), np.flatnonzero(~used))
    alphas = np.concatenate([[0.0], _between(cut_path(grower.grow()).alpha)])
    slow = []
    for alpha in alphas:
        pruned = cut(tree, fold.path.mask(alpha))
        slow.append(grower.losses(fold.unseen, predict.values(pruned, grower.matrix(fold.unseen))).sum())
    np.testing.assert_allclose(_errors(grower, fold, alphas), slow, rtol=1e-9)


def test_rows_of_weight_zero_are_rows_that_are_not_there() -> None:
    for grower in examples():
        used = np.arange(130) % 3 > 0
        part = encode(grower.rows.table.take(used))
        target = grower.target
        if isinstance(target, Classes):
            alone = Grower(part, Classes(target.codes[used], 3), grower.criterion, grower.limits, 1).grow()
        else:
            alone = Grower(part, Numbers(target.values[used]), grower.criterion, grower.limits, 1).grow()
        with_zeros = grower.grow(used)
        np.testing.assert_array_equal(with_zeros.feature, alone.feature)
        np.testing.assert_array_equal(with_zeros.threshold, alone.threshold)


def test_noise_is_pruned_away_and_signal_is_kept() -> None:
    random = np.random.default_rng(22)
    X = random.normal(size=(400, 4))
    signal = Classes((X[:, 2] > 0.3).astype(np.int32), 2)
    noise = Classes(random.integers(0, 2, 400).astype(np.int32), 2)
    leaves, full = [], []
    for target in (signal, noise):
        grower = grower_of(target, "gini", X)
        whole = grower.grow()
        choice = choose_alpha(grower, whole, target.codes.astype(np.int64), 0, lambda words: None)
        leaves.append(cut(whole, cut_path(whole).mask(choice.alpha)).n_leaves)
        full.append(whole.n_leaves)
    assert leaves[0] == full[0] == 2
    assert leaves[1] < full[1] / 20
