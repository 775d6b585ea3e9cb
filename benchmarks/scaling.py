"""How time grows with rows: one tree on the first n rows of the million, n from 10,000 up, full depth.

    python benchmarks/scaling.py                       hedgerow
    python benchmarks/scaling.py --peer scikit-learn   another

Prints the slope of log(seconds) against log(n), and against log(n log n): no more than 1 there means that
time grows no faster than n log n.
"""

import numpy as np

from common import Bench, Data, Workload, bench_of, cells_of
from tree import PEERS, WORKLOADS

SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)


def first(rows: int) -> Data:
    data = WORKLOADS["tree_1m"].load()
    return data | {"Xtr": data["Xtr"][:rows].copy(), "ytr": data["ytr"][:rows].copy()}


STEPS = {f"rows_{n}": Workload(f"{n:,} x 20", lambda n=n: first(n)) for n in SIZES}


def slope(size: np.ndarray, seconds: np.ndarray) -> float:
    return float(np.polyfit(np.log(size), np.log(seconds), 1)[0])


def climb(bench: Bench, peer: str) -> dict[int, float]:
    """Seconds by number of rows; prints each step as it is measured."""
    print(f"\n{peer}\n{'rows':>12}{'seconds':>12}{'ns / (n log2 n)':>18}{'peak x input':>14}")
    seconds = {}
    for rows, step in zip(SIZES, STEPS, strict=True):
        if bench.asked.workload and step not in bench.asked.workload:
            continue
        (cell,) = cells_of(bench, step, [peer])
        if "seconds" not in cell:
            print(f"{rows:>12,}  {cell['status']}")
            continue
        best = seconds[rows] = min(cell["seconds"])
        memory = "-" if cell["peak_inputs"] is None else f"{cell['peak_inputs']:.2f}"
        print(f"{rows:>12,}{best:>12.4f}{1e9 * best / (rows * np.log2(rows)):>18.2f}{memory:>14}", flush=True)
    return seconds


def main() -> None:
    bench = bench_of(__file__, STEPS, PEERS)
    for peer in bench.asked.peer or ["hedgerow"]:
        took = climb(bench, peer)
        if len(took) > 1:
            n, s = np.array(list(took), np.float64), np.array(list(took.values()))
            print(f"exponent against n: {slope(n, s):.3f}   against n log n: {slope(n * np.log(n), s):.3f}")


if __name__ == "__main__":
    main()
