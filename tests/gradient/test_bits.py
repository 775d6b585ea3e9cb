"""A fitted booster is the same to the bit for any number of threads and any cutting of the rows into blocks."""

from dataclasses import fields

import numpy as np
import pytest

from hedgerow.gradient import BoostParams, LossOptions, bin_table, boost, load_loss
from hedgerow.gradient import penalties as rule
from hedgerow.table import to_table

N = 5_003  # rows: no multiple of any block


def mixed():
    """Numbers with missing cells, few values, and a category of 23 levels; three classes, and a number."""
    rng = np.random.default_rng(8)
    numbers = rng.normal(size=(N, 4))
    numbers[rng.random((N, 4)) < 0.1] = np.nan
    level = rng.integers(0, 23, N)
    score = np.nan_to_num(numbers[:, 0]) + (level % 3) + rng.normal(size=N)
    columns = {f"x{j}": numbers[:, j] for j in range(4)} | {
        "few": rng.integers(0, 5, N).astype(float),
        "town": np.array([f"t{k}" for k in level], dtype=object),
    }
    return bin_table(to_table(columns)), np.digitize(score, [0.3, 1.7]).astype(np.float64), np.exp(score / 2)


def bits(trees):
    parts = [getattr(trees, field.name) for field in fields(trees) if field.name != "schema"]
    return b"".join(np.ascontiguousarray(part).tobytes() for part in parts)


CASES = [
    ("classes", "log_loss", 3, 1.0),
    ("classes", "log_loss", 3, 0.6),
    ("numbers", "gamma", 0, 0.6),
    ("numbers", "absolute_error", 0, 1.0),
]


@pytest.fixture(scope="module")
def rows():
    return mixed()


@pytest.mark.parametrize(("target", "name", "n_classes", "subsample"), CASES)
def test_threads_and_blocks_do_not_change_a_bit(monkeypatch, rows, target, name, n_classes, subsample):
    monkeypatch.setattr(rule, "LEFT_OUT_BELOW", 2.0)  # as on rows that are nearly fitted
    monkeypatch.setattr(rule, "SEVERAL_OUTPUTS", rule.Easing(below=2.0, least_hessian=0.02, guarded_step=0.5))
    binned, classes, numbers = rows
    y = classes if target == "classes" else numbers
    weight = np.random.default_rng(3).uniform(0.5, 2.0, N)

    def fitted(threads, blocks):
        params = BoostParams(
            max_iter=4,
            max_leaves=12,
            l2=1.0,
            subsample=subsample,
            node_features=0.8,
            threads=threads,
            block_rows=-(-N // blocks),
        )
        loss = load_loss(name, target, LossOptions(n_classes=n_classes))
        return bits(boost(binned, y, weight, loss, params, np.random.default_rng(0)))

    expected = fitted(1, 1)
    assert len(expected) > 1_000
    for threads, blocks in ((2, 1), (3, 1), (8, 1), (1, 7), (1, 64), (2, 7), (8, 64)):
        assert fitted(threads, blocks) == expected, (threads, blocks)
