"""Exports of a boosted model: rows a second and one row at a time, beside the model itself, LightGBM, and lleaves,
which compiles LightGBM's trees.

    python benchmarks/export.py                     100 rounds of 31 leaves, learned from 20,000 x 20
    python benchmarks/export.py --rounds 500

CPU seconds of one thread, the least of some turns in which all take part one after the other. LightGBM's model is
another one of the same size; the other rows are one model.
"""

import argparse
import ctypes
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from common import tabular

Predict = Callable[[np.ndarray], Any]
MANY = """
void many(const double *rows, long n, double *out);
void many(const double *rows, long n, double *out) {
  long i;
  for (i = 0; i < n; ++i) model_predict(rows + i * MODEL_COLUMNS, out + 2 * i);
}
"""


def compile_c(text: str, folder: Path) -> Predict:
    file, library = folder / "model.c", folder / "model.so"
    file.write_text(text + MANY)
    flags = ["-std=c99", "-O2", "-ffp-contract=off", "-shared", "-fPIC"]
    subprocess.run([shutil.which("cc") or "gcc", *flags, str(file), "-o", str(library), "-lm"], check=True)
    many = ctypes.CDLL(str(library)).many
    many.argtypes = [ctypes.c_void_p, ctypes.c_long, ctypes.c_void_p]

    def predict(rows: np.ndarray) -> np.ndarray:
        out = np.empty((len(rows), 2))
        many(rows.ctypes.data, len(rows), out.ctypes.data)
        return out

    return predict


def load_onnx(made: bytes) -> Predict:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(made, options, providers=["CPUExecutionProvider"])
    return lambda rows: session.run(["probabilities"], {"X": rows})[0]


def fit_lightgbm(X: np.ndarray, y: np.ndarray, rounds: int, folder: Path) -> dict[str, Predict]:
    import lightgbm

    options = {"objective": "binary", "num_leaves": 31, "verbose": -1, "num_threads": 1}
    booster = lightgbm.train(options, lightgbm.Dataset(X, y), rounds)
    found: dict[str, Predict] = {"LightGBM": lambda rows: booster.predict(rows, num_threads=1)}
    if find_spec("lleaves"):
        import lleaves

        file = folder / "model.txt"
        booster.save_model(file)
        compiled = lleaves.Model(model_file=str(file))
        begin = time.process_time()
        try:
            compiled.compile()
        except AttributeError as reason:  # lleaves 1.3 needs llvmlite before 0.44
            print(f"lleaves does not run here: {reason}")
            return found
        print(f"lleaves compiled in {time.process_time() - begin:.1f} CPU s")
        found["lleaves"] = lambda rows: compiled.predict(rows, n_jobs=1)
    return found


def make_predictors(X: np.ndarray, y: np.ndarray, rounds: int, folder: Path) -> dict[str, Predict]:
    from hedgerow import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(max_iter=rounds, early_stopping=False, n_jobs=1).fit(X, y)
    found: dict[str, Predict] = {"hedgerow": model.predict_proba}
    begin = time.process_time()
    text = str(model.export("c", check=False))
    print(f"C written in {time.process_time() - begin:.1f} CPU s, {len(text):,} bytes")
    found["export to C"] = compile_c(text, folder)
    if find_spec("onnxruntime") and find_spec("onnx"):
        found["export to ONNX"] = load_onnx(bytes(model.export("onnx", check=False)))
    wanted = model.predict_proba(X[:1000])
    for name, predict in found.items():
        assert np.allclose(predict(X[:1000]), wanted, rtol=1e-12), name
    return found | (fit_lightgbm(X, y, rounds, folder) if find_spec("lightgbm") else {})


def measure(predictors: dict[str, Predict], rows: np.ndarray, turns: int, one: int) -> None:
    """`one`: rows that are given one at a time."""
    least = {name: [np.inf, np.inf] for name in predictors}
    for _ in range(turns):
        for name, predict in predictors.items():
            begin = time.process_time()
            predict(rows)
            middle = time.process_time()
            for k in range(one):
                predict(rows[k : k + 1])
            end = time.process_time()
            least[name] = [min(least[name][0], middle - begin), min(least[name][1], end - middle)]
    print(f"{'':<16}{'rows/s':>12}{'us a row':>10}{'us, one row':>13}")
    for name, (many, single) in least.items():
        print(f"{name:<16}{len(rows) / many:12,.0f}{1e6 * many / len(rows):10.2f}{1e6 * single / one:13.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--turns", type=int, default=5)
    args = parser.parse_args()
    data = tabular(args.rows, 20, seed=7, held_out=20_000)
    with tempfile.TemporaryDirectory() as folder:
        X = np.ascontiguousarray(data["Xtr"], np.float64)
        predictors = make_predictors(X, data["ytr"], args.rounds, Path(folder))
        measure(predictors, np.ascontiguousarray(data["Xte"], np.float64), args.turns, 200)


if __name__ == "__main__":
    main()
