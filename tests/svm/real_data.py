"""Rows of real data for margins, and how far a machine is from LIBSVM's optimum."""

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from scipy.sparse import csr_matrix
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.svm import SVC as LibSVC

from hedgerow import SVC

TARGETS = {"a9a": "label", "ijcnn1": "label", "usps": "digit", "letter": "lettr", "spambase": "type"}
TEXT = "sentence_polarity"
NAMES = (*TARGETS, TEXT)


def rows_of(folder: Path, name: str, n_rows: int) -> tuple[Any, Any]:
    """Rows evenly spaced in the file; text as sparse counts of words, spam in logarithms, others as they are."""
    frame = pl.read_parquet(folder / f"{name}.parquet")
    frame = frame[np.linspace(0, len(frame) - 1, min(n_rows, len(frame))).astype(int)]
    if name == TEXT:
        return _counts(frame["text"].to_list()), frame["label"].cast(pl.String).to_numpy()
    y = frame[TARGETS[name]]
    X = frame.drop(TARGETS[name]).to_numpy().astype(np.float64)
    X = np.log1p(X) if name == "spambase" else X / 15 if name == "letter" else X
    return X, (y.cast(pl.String) if y.dtype == pl.Categorical else y).to_numpy()


def _counts(texts: list[str]) -> csr_matrix:
    words: dict[str, int] = {}
    at = [[words.setdefault(word, len(words)) for word in text.split()] for text in texts]
    row = np.repeat(np.arange(len(at)), [len(one) for one in at])
    cells = (np.ones(len(row)), (row, np.concatenate([np.array(one, int) for one in at])))
    return csr_matrix(cells, shape=(len(texts), len(words)))


def dual(model: Any, X: Any, **kernel: Any) -> float:
    """sum |b| - 1/2 b'Kb, from the support vectors a model of either library has; summed over pairs of classes."""
    name = kernel.pop("kernel")
    K = pairwise_kernels(X[model.support_], metric=name, **kernel)
    dense = model.dual_coef_
    coef = dense.toarray() if hasattr(dense, "toarray") else np.asarray(dense)
    if len(coef) == 1:
        return _worth(coef[0], K)
    ends = np.cumsum([0, *model.n_support_])
    total = 0.0
    for i, j in combinations(
        range(len(ends) - 1), 2
    ):  # row j - 1 holds class i against j, row i class j against i
        one, other = np.arange(ends[i], ends[i + 1]), np.arange(ends[j], ends[j + 1])
        both = np.concatenate([one, other])
        total += _worth(np.concatenate([coef[j - 1, one], coef[i, other]]), K[np.ix_(both, both)])
    return total


def _worth(b: Any, K: Any) -> float:
    return float(np.abs(b).sum() - 0.5 * b @ K @ b)


def gamma_for(X: Any) -> float:
    """The default of both libraries, as a number."""
    values = X.toarray() if hasattr(X, "toarray") else X
    return float(1 / (X.shape[1] * values.var()))


def both(X: Any, y: Any, settings: dict[str, Any], C: float, tol: float = 1e-4) -> tuple[Any, Any]:
    """Ours and LIBSVM's."""
    ours = SVC(C=C, tol=tol, **settings).fit(X, y)
    return ours, LibSVC(C=C, tol=tol, cache_size=500, **settings).fit(X, y)


def settings_of(kernel: str, X: Any) -> dict[str, Any]:
    gamma = gamma_for(X)
    return {
        "linear": {"kernel": "linear"},
        "rbf": {"kernel": "rbf", "gamma": gamma},
        "poly": {"kernel": "poly", "gamma": gamma, "coef0": 1.0, "degree": 3},
        "sigmoid": {"kernel": "sigmoid", "gamma": 0.1 * gamma, "coef0": -0.5},  # nearly semidefinite
    }[kernel]
