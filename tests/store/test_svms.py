"""Kernel and linear machines in files: what fit left is there again, and files that hold no machine are refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.pipeline import make_pipeline
from tests.store.damaged import changed, closed, opened
from tests.store.models import Models, machines, mixed, numbers, target

from hedgerow import SVC, SVR, LinearSVC, ToNumbers
from hedgerow.estimators.saving import load, save
from hedgerow.store import InvalidModelFile, load_state
from hedgerow.store.kind import predict_state
from hedgerow.table import to_table

X = numbers()
MACHINES = Models(machines(X, mixed(), np.random.default_rng(6).normal(size=70)))
THIN = csr_matrix(np.where(X > 0.3, X, 0.0))
DENSE = SVC(probability=True, standardize=True).fit(X, target("text"))
SPARSE = SVC(standardize=True).fit(THIN, target("text"))
LINEAR = LinearSVC(probability=True).fit(X, target("text"))
LOST = {"progress_"}  # how the solver went is no part of the model


def same(first: Any, second: Any) -> bool:
    if hasattr(first, "tocsr"):
        return bool((first != second).nnz == 0)
    if isinstance(first, np.ndarray):
        return first.dtype == second.dtype and np.array_equal(first, second)
    return bool(first == second)


@pytest.mark.parametrize("name", MACHINES)
def test_all_that_fit_left_is_there_again(name: str, tmp_path: Path) -> None:
    model = MACHINES[name][0]
    save(model, tmp_path / "m.hedgerow")
    again = load(tmp_path / "m.hedgerow")
    if hasattr(model, "steps"):
        model, again = model[-1], again[-1]
    left = [word for word in vars(model) if word.endswith("_") and word not in LOST]
    assert [word for word in left if not same(getattr(model, word), getattr(again, word))] == []
    assert str(again.certificate_) == str(model.certificate_)
    assert again.get_params() == model.get_params()


def test_scores_and_coefficients_of_a_loaded_machine(tmp_path: Path) -> None:
    model = SVC(kernel="linear", standardize=True).fit(THIN, target("text"))
    save(model, tmp_path / "m.hedgerow")
    again = load(tmp_path / "m.hedgerow")
    assert again.decision_function(THIN).tobytes() == model.decision_function(THIN).tobytes()
    assert (again.coef_ != model.coef_).nnz == 0
    assert again.schema_ == model.schema_


@pytest.mark.parametrize("kernel", ["precomputed", lambda a, b: a @ b.T])
def test_kernels_that_no_file_can_hold(kernel: Any, tmp_path: Path) -> None:
    model = SVC(kernel=kernel).fit(X @ X.T, target("bool"))
    with pytest.raises(TypeError, match=r"SVC with kernel=.*only the built-in kernels linear, poly, rbf"):
        save(model, tmp_path / "m.hedgerow")
    with pytest.raises(TypeError, match="SVR with kernel="):
        save(
            make_pipeline(ToNumbers(), SVR(kernel=lambda a, b: a @ b.T)).fit(X, X[:, 0]),
            tmp_path / "m.hedgerow",
        )


def test_what_was_set_after_fit_is_refused(tmp_path: Path) -> None:
    for model, change in (
        (SVC(), {"kernel": "poly"}),
        (SVC(), {"probability": True}),
        (LinearSVC(), {"probability": True}),
    ):
        with pytest.raises(ValueError, match=r"was set after .* was fitted"):
            save(model.fit(X, target("bool")).set_params(**change), tmp_path / "m.hedgerow")
    with pytest.raises(ValueError, match="not fitted"):
        save(SVC(), tmp_path / "m.hedgerow")


@pytest.mark.parametrize("model", [DENSE, LINEAR])
def test_gaps_are_refused_without_scikit_learn_too(model: Any, tmp_path: Path) -> None:
    save(model, tmp_path / "m.hedgerow")
    parts = load_state(tmp_path / "m.hedgerow")
    with pytest.raises(ValueError, match="missing or infinite cells"):
        predict_state(parts, to_table(np.full((2, 3), np.nan)), None)


def put(name: str, value: Any, at: Any = 0) -> Any:
    def change(header: dict[str, Any], arrays: dict[str, Any]) -> None:
        arrays[name][at] = value

    return change


def cut(name: str) -> Any:
    def change(header: dict[str, Any], arrays: dict[str, Any]) -> None:
        arrays[name] = arrays[name][:-1]

    return change


def said(name: str, value: Any) -> Any:
    def change(header: dict[str, Any], arrays: dict[str, Any]) -> None:
        header["body"][name] = value

    return change


def kernel(**values: Any) -> Any:
    def change(header: dict[str, Any], arrays: dict[str, Any]) -> None:
        header["body"]["kernel"].update(values)

    return change


def first_certificate(**values: Any) -> Any:
    def change(header: dict[str, Any], arrays: dict[str, Any]) -> None:
        header["body"]["certificates"][0].update(values)

    return change


def parameter(**values: Any) -> Any:
    def change(header: dict[str, Any], arrays: dict[str, Any]) -> None:
        header["parameters"].update(values)

    return change


def twice(header: dict[str, Any], arrays: dict[str, Any]) -> None:
    arrays["support"][1] = arrays["support"][0]


BOTH = [
    (put("coef", np.nan), "no finite"),
    (put("intercept", np.inf), "no finite"),
    (cut("coef"), "no coefficients"),
    (cut("intercept"), "no (intercepts|coefficients)"),
    (said("odds", None), "probability=true"),
    (said("odds", [1.0, -1.0]), "does not rise"),
    (said("odds", [1.0]), "two slopes"),
    (said("odds", [1.0, 10**400]), "beyond 64 bits"),
    (put("coef", 1e308), "too large to compute with"),
    (said("certificates", []), "no list of certificates"),
    (said("code", 1), "SVM without"),
    (first_certificate(ending="os"), "ended in an unknown way"),
    (first_certificate(ending=[]), "ended in an unknown way"),
    (first_certificate(n_rows=-1), "n_rows that is no count"),
    (first_certificate(norm=None), "norm that is no finite number"),
    (first_certificate(other=1), "certificate without"),
    (parameter(C=-1), "C=-1 is out of range"),
    (parameter(tol="x"), "tol='x' is out of range"),
    (parameter(C=10**400), "beyond 64 bits"),
    (parameter(tol=10**30), "beyond 64 bits"),
]
KERNEL = [
    (cut("dense"), "no .* support vectors of 3 columns"),
    (put("dense", np.nan), "no finite"),
    (put("support", -1), "outside the 70 rows"),
    (put("support", 70), "outside the 70 rows"),
    (twice, "names a support vector twice"),
    (put("n_support", -4), "do not add up"),
    (cut("n_support"), "do not add up"),
    (put("n_iter", -1), "negative number of steps"),
    (cut("class_weight"), "weights of 3 classes"),
    (put("spread", 0.0), "no scale"),
    (cut("centre"), "no scale"),
    (said("sparse", True), "sparse support vectors"),
    (said("sparse", 1), "does not say whether"),
    (said("shape_fit", [10**30, 3]), "beyond 64 bits"),
    (said("shape_fit", [70, 4]), "how many rows"),
    (kernel(name="precomputed"), "has the kernel 'precomputed'"),
    (kernel(name="poly"), "has the kernel 'poly'"),
    (kernel(degree=-1), "degree -1"),
    (kernel(degree=10**30), "beyond 64 bits"),
    (kernel(gamma=-1.0), "negative gamma"),
    (kernel(gamma="1"), "no finite number"),
    (parameter(multi_class="all"), "multi_class='all'"),
    (parameter(kernel="precomputed"), "as its parameters say"),
    (parameter(gamma="big"), "gamma='big'"),
]
CELLS = [
    (put("at", 3), "outside its 3 columns"),
    (put("at", -1), "outside its 3 columns"),
    (put("starts", 1), "no .* sparse support vectors"),
    (put("starts", 10**9, 1), "no .* sparse support vectors"),
    (put("starts", 10**9, -1), "cells missing"),
    (cut("values"), "cells missing"),
    (said("sparse", False), "support vectors of 3 columns"),
    (lambda header, arrays: arrays["at"].sort(), "out of order"),
]
WRONG = [(DENSE, *case) for case in BOTH + KERNEL] + [(LINEAR, *case) for case in BOTH]
WRONG += [(SPARSE, *case) for case in CELLS]


@pytest.mark.parametrize("case", range(len(WRONG)))
def test_each_defect_is_named(case: int, tmp_path: Path) -> None:
    model, change, message = WRONG[case]
    save(model, tmp_path / "m.hedgerow")
    changed(tmp_path / "m.hedgerow", change)
    with pytest.raises(InvalidModelFile, match=r"(?s)m\.hedgerow.*" + message):
        load(tmp_path / "m.hedgerow")


@pytest.mark.slow
@pytest.mark.parametrize("model", [DENSE, SPARSE, LINEAR])
def test_changed_arrays_behind_a_right_checksum(model: Any, tmp_path: Path) -> None:
    """Refused, or a machine that answers with classes it has."""
    path = tmp_path / "m.hedgerow"
    save(model, path)
    random, (header, arrays) = np.random.default_rng(12), opened(path.read_bytes())
    names = sorted(arrays)
    for _ in range(200):
        broken = {name: array.copy() for name, array in arrays.items()}
        flat = broken[names[random.integers(len(names))]].reshape(-1).view(np.uint8)
        if len(flat):
            flat[random.integers(len(flat))] ^= np.uint8(1 << int(random.integers(0, 8)))
        path.write_bytes(closed(header, broken))
        try:
            parts = load_state(path)
        except InvalidModelFile:
            continue
        with np.errstate(all="ignore"):
            codes = predict_state(parts, to_table(X), 1).values
        assert set(codes.tolist()) <= {0, 1, 2}
