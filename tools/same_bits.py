"""Are models of gradient boosting the same bytes when its native code is built at another optimisation level?

    python tools/same_bits.py

Builds a second module into build/same_bits with native/gradient at -O1, fits with both, saves, compares.
In: this checkout, built, with cmake and nanobind.   Out: a line for each model with the digests of both builds; the
exit code is 1 where two differ. The second module takes the place of hedgerow.core._native in a process of its own.
"""

import hashlib
import importlib.util
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HOME = Path(__file__).resolve().parents[1]
FOLDER = HOME / "build" / "same_bits"
LEVEL = "-O1"
ROWS = 4_001


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


def digests() -> dict[str, str]:
    """Of saved models: classes, numbers, rows drawn, categories and missing cells in all."""
    import numpy as np
    import pandas as pd

    from hedgerow import HistGradientBoostingClassifier, HistGradientBoostingRegressor, save

    rng = np.random.default_rng(4)
    numbers = rng.normal(size=(ROWS, 5))
    numbers[rng.random((ROWS, 5)) < 0.05] = np.nan
    level = rng.integers(0, 40, ROWS)
    score = np.nan_to_num(numbers[:, 0]) * np.nan_to_num(numbers[:, 1]) + level % 3 + rng.normal(size=ROWS)
    X = pd.DataFrame(numbers, columns=list("abcde")).assign(town=pd.Categorical([f"t{k}" for k in level]))
    common = {"max_iter": 25, "random_state": 0}
    models = {
        "two classes": (HistGradientBoostingClassifier(**common), score > 1),
        "four classes": (HistGradientBoostingClassifier(**common), np.digitize(score, [0, 1, 2])),
        "a rule with exceptions": (
            HistGradientBoostingClassifier(max_iter=60, learning_rate=0.2, random_state=0),
            (level % 3 + (np.arange(ROWS) % 500 == 0)) % 3,
        ),
        "rows drawn": (HistGradientBoostingClassifier(subsample=0.6, max_features=0.5, **common), score > 1),
    }
    for loss in ("squared_error", "absolute_error", "poisson", "tweedie", "huber"):
        models[loss] = HistGradientBoostingRegressor(loss, **common), np.exp(score / 3)
    found = {}
    for name, (model, y) in models.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "m.hedgerow"
            save(model.fit(X, y), path)
            found[name] = hashlib.sha256(
                path.read_bytes() + model.trees_.raw(_cells(numbers, level)).tobytes()
            ).hexdigest()
    return found


def _cells(numbers, level):  # type: ignore[no-untyped-def]
    import numpy as np

    return np.column_stack([numbers, level % 40])


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
    for name, digest in both[0].items():
        verdict = "the same" if both[1][name] == digest else "DIFFERENT"
        print(f"{name:16} {digest[:16]}  {both[1][name][:16]}  {verdict}")
    return int(both[0] != both[1])


if __name__ == "__main__":
    sys.exit(main())
