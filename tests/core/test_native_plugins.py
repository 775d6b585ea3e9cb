"""One new file is a new criterion, one new file a new kernel: written into a copy of the source, built, used.

The new ones are known ones in disguise, so that what they must answer is known.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

CRITERION = """
#pragma once
#include "grow/criterion.hpp"
namespace hedgerow {
struct PlainGini : ClassCriterion {
  static double merit(const double* moments, double weight, const MomentContext& context) {
    double sum = 0;
    for (int k = 0; k < context.n_moments; ++k) sum += moments[k] * moments[k];
    return weight > 0 ? sum / weight : 0.0;
  }
  static double impurity(const double* moments, double weight, const MomentContext& context) {
    return weight > 0 ? 1.0 - merit(moments, weight, context) / weight : 0.0;
  }
};
}  // namespace hedgerow
"""

KERNEL = """
#pragma once
#include "svm/kernel.hpp"
namespace hedgerow::svm {
struct TwiceLinear : KernelDefaults {
  static constexpr bool kGamma = false;
  explicit TwiceLinear(const KernelParams&) {}
  template <class T>
  HEDGEROW_INLINE Lanes<T> of(Lanes<T> dot, Lanes<T>) const {
    return dot + dot;
  }
};
}  // namespace hedgerow::svm
"""

USE = """
import numpy as np
from hedgerow import SVC, DecisionTreeClassifier, RandomForestClassifier
from hedgerow.core.criteria import CLASS_CRITERIA
from hedgerow.core.kernels import KERNELS

assert CLASS_CRITERIA[-1] == "plain_gini" and "twice_linear" in KERNELS
random = np.random.default_rng(0)
X, y = random.normal(size=(97, 3)).round(1), random.integers(0, 3, 97)
trees = [DecisionTreeClassifier(criterion=name, max_depth=4).fit(X, y) for name in ("gini", "plain_gini")]
np.testing.assert_array_equal(*[tree.predict_proba(X) for tree in trees])
forest = RandomForestClassifier(5, criterion="plain_gini", random_state=0).fit(X, y)
assert forest.predict(X).shape == (97,)
ours = SVC(kernel="twice_linear", C=0.7).fit(X, y > 0)
given = SVC(kernel="precomputed", C=0.7).fit(2 * X @ X.T, y > 0)
np.testing.assert_allclose(ours.decision_function(X), given.decision_function(2 * X @ X.T), atol=1e-3)
print("both work")
"""


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("cmake") is None or shutil.which("ninja") is None, reason="needs cmake and ninja"
)
def test_a_criterion_and_a_kernel_are_one_file_each(tmp_path):
    pytest.importorskip("nanobind")
    for folder in ("native", "cmake", "src"):
        shutil.copytree(
            ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("*.so", "__pycache__")
        )
    shutil.copy(ROOT / "CMakeLists.txt", tmp_path)
    (tmp_path / "native/criteria/plain_gini.hpp").write_text(CRITERION)
    (tmp_path / "native/svm/kernels/twice_linear.hpp").write_text(KERNEL)
    build = tmp_path / "build"
    settings = [
        "-DCMAKE_BUILD_TYPE=Debug",
        "-DCMAKE_CXX_FLAGS=-O0 -g0",
        f"-DPython_EXECUTABLE={sys.executable}",
    ]
    for command in (
        ["cmake", "-S", tmp_path, "-B", build, "-G", "Ninja", *settings],
        ["ninja", "-C", build, "_native"],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    for module in build.glob("_native*"):
        if module.is_file():
            shutil.copy(module, tmp_path / "src/hedgerow/core")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "src")}
    used = subprocess.run(
        [sys.executable, "-c", USE],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        cwd=tmp_path,
    )
    assert used.stdout.strip() == "both work", used.stderr[-4000:]
