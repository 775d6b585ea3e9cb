"""Are models of gradient boosting the same bytes for any number of threads, for rows in any number of blocks, and when
its native code is built at another optimisation level?

    python tools/same_bits.py

Builds a second module into build/same_bits with native/gradient at -O1, fits with both in every way of WAYS, saves,
compares. In: this checkout, built, with cmake and nanobind.   Out: a line for each model with the number of digests
found, which should be one; the exit code is 1 where there are more. The second module takes the place of
hedgerow.core._native in a process of its own.
"""

import hashlib
import importlib.util
import json
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

HOME = Path(__file__).resolve().parents[1]
FOLDER = HOME / "build" / "same_bits"
LEVEL = "-O1"
ROWS = 40_001  # enough for threads
WAYS = [(1, 1), (2, 1), (3, 1), (8, 1), (1, 7), (1, 64), (2, 7), (8, 64)]  # n_jobs, blocks of rows


def build_module() -> Path:
    given = [
        "-DCMAKE_BUILD_TYPE=Release",
        f"-DHEDGEROW_GRADIENT_LEVEL={LEVEL}",
        f"-DPython_EXECUTABLE={sys.executable}",
    ]
    subprocess.run(
        ["cmake", "-S", str(HOME), "-B", str(FOLDER), *given], check=True, stdout=subprocess.DEVNULL
    )
    subprocess.run(["cmake", "--build", str(FOLDER), "--target", "_native", "--parallel", "2"], check=True)
    return next(FOLDER.glob("_native*.so"))


def replace_module(path: str) -> None:
    spec = importlib.util.spec_from_file_location("hedgerow.core._native", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules["hedgerow.core._native"] = module


def cases() -> dict[str, tuple[Any, Any, Any]]:
    """Models with rows and target: classes, numbers, rows drawn, words; categories and missing cells."""
    import numpy as np
    import pandas as pd
    from scipy.sparse import csr_array

    from hedgerow import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    rng = np.random.default_rng(4)
    numbers = rng.normal(size=(ROWS, 5))
    numbers[rng.random((ROWS, 5)) < 0.05] = np.nan
    level = rng.integers(0, 40, ROWS)
    score = np.nan_to_num(numbers[:, 0]) * np.nan_to_num(numbers[:, 1]) + level % 3 + rng.normal(size=ROWS)
    X = pd.DataFrame(numbers, columns=list("abcde")).assign(town=pd.Categorical([f"t{k}" for k in level]))
    words = csr_array(rng.poisson(0.05, (ROWS, 60)).astype(float))
    common = {"max_iter": 12, "random_state": 0}
    drawn = HistGradientBoostingClassifier(subsample=0.6, max_features=0.5, **common)
    found = {
        "two classes": (HistGradientBoostingClassifier(**common), X, score > 1),
        "four classes": (HistGradientBoostingClassifier(**common), X, np.digitize(score, [0, 1, 2])),
        "a rule with exceptions": (
            HistGradientBoostingClassifier(max_iter=40, learning_rate=0.3, random_state=0),
            X,
            (level % 3 + (np.arange(ROWS) % 500 == 0)) % 3,
        ),
        "rows drawn": (drawn, X, score > 1),
        "words": (HistGradientBoostingClassifier(**common), words, words[:, [3]].toarray()[:, 0] + score > 1),
        "words, rows drawn": (drawn, words, words[:, [3]].toarray()[:, 0] + score > 1),
    }
    for loss in ("squared_error", "absolute_error", "poisson", "tweedie", "huber"):
        found[loss] = HistGradientBoostingRegressor(loss, **common), X, np.exp(score / 3)
    return found


def digests() -> dict[str, list[str]]:
    """Of saved models and of what they predict, in every way."""
    from hedgerow import save
    from hedgerow.encode import matrix
    from hedgerow.estimators import gradient_base
    from hedgerow.table import to_table

    given_params = gradient_base.boost_params
    found: dict[str, list[str]] = {}
    for n_jobs, blocks in WAYS:

        def params(*given: Any, n: int = blocks) -> Any:
            return replace(given_params(*given), block_rows=-(-ROWS // n))

        gradient_base.boost_params = params
        for name, (model, X, y) in cases().items():
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "m.hedgerow"
                model.set_params(n_jobs=n_jobs, early_stopping=False).fit(X, y).set_params(n_jobs=None)
                save(model, path)
                raw = model.trees_.raw(matrix(model.schema_, to_table(X)), n_jobs)
                digest = hashlib.sha256(path.read_bytes() + raw.tobytes()).hexdigest()
                found.setdefault(name, []).append(digest[:16])
    return found


def main() -> int:
    if sys.argv[1:2] == ["fit"]:
        if sys.argv[2:]:
            replace_module(sys.argv[2])
        print(json.dumps(digests()))
        return 0
    module = build_module()
    both = []
    for extra in ([], [str(module)]):
        command = [sys.executable, __file__, "fit", *extra]
        both.append(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
    different = 0
    for name in both[0]:
        found = both[0][name] + both[1][name]
        different += len(set(found)) > 1
        verdict = "the same" if len(set(found)) == 1 else f"DIFFERENT: {' '.join(found)}"
        print(f"{name:24} {found[0]}  {len(found)} fits  {verdict}")
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
