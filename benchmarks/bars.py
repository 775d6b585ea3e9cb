"""Tables that nobody tuned to, each against its bar: who is faster, by how much, and whether that is enough.

    python benchmarks/bars.py                     every row
    python benchmarks/bars.py --only pixels svc   rows whose name has one of these in it
    python benchmarks/bars.py --prepare           draws the tables and leaves

Each cell is one that `tree.py`, `forest.py`, `svm.py` or `linear.py` measures, in a process of its own. `x`: the peer's
seconds divided by ours (`predict`: our rows a second divided by the peer's). A bar is the least `x` against the fastest
peer, against scikit-learn, and of the prediction against scikit-learn's; a star: missed.
"""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

import forest
import linear
import svm
import tree
from common import Cell, cell_said_by

HERE = Path(__file__).parent
LOADERS = {"tree": tree.WORKLOADS, "forest": forest.WORKLOADS, "svm": svm.WORKLOADS}


@dataclass(frozen=True)
class Row:
    script: str
    workload: str
    ours: str
    peers: tuple[str, ...]
    fastest: float = 1.5  # bars: against the fastest peer,
    scikit_learn: float = 0.0  # against scikit-learn,
    predict: float = 0.0  # of the prediction against scikit-learn's


FOREST = ("sklearnex bins", "scikit-learn")
MACHINES = ("sklearnex float64", "sklearnex float32", "scikit-learn")
ROWS = {
    "tree pixels 60,000 x 784": Row(
        "tree", "tree_pixels", "hedgerow", ("scikit-learn",), scikit_learn=3, predict=2
    ),
    "forest pixels 60,000 x 784": Row("forest", "forest_pixels", "hedgerow", FOREST, scikit_learn=3),
    "extra pixels 60,000 x 784": Row(
        "forest", "forest_pixels", "hedgerow extra", ("scikit-learn extra",), scikit_learn=4
    ),
    "forest numbers 11,000 x 40": Row(
        "forest",
        "forest_r11k",
        "hedgerow numbers",
        ("sklearnex numbers", "scikit-learn numbers"),
        scikit_learn=3,
    ),
    "extra numbers 11,000 x 40": Row(
        "forest", "forest_r11k", "hedgerow extra numbers", ("scikit-learn extra numbers",), scikit_learn=4
    ),
    "forest classes 36,000 x 8": Row("forest", "forest_36k", "hedgerow", FOREST, scikit_learn=3),
    "extra classes 36,000 x 8": Row(
        "forest", "forest_36k", "hedgerow extra", ("scikit-learn extra",), scikit_learn=4
    ),
    "linear 20,000 x 784": Row("linear", "pictures", "hedgerow squared", ("scikit-learn dual",)),
    "svc readings 46,400 x 9": Row("svm", "readings", "hedgerow", MACHINES),
    "svc pen strokes 7,494 x 16": Row("svm", "pen_strokes", "hedgerow", MACHINES),
    "svc pictures 10,000 x 784": Row("svm", "pictures_10k", "hedgerow", MACHINES),
    "tree 500,000 x 20": Row(
        "tree", "tree_500k", "hedgerow", ("snapml exact", "scikit-learn"), scikit_learn=3, predict=1.5
    ),
}


def cell(row: Row, peer: str, args: argparse.Namespace) -> Cell:
    command = [sys.executable, str(HERE / f"{row.script}.py"), "--child", row.workload, peer]
    command += ["--repeats", str(args.repeats)]
    if row.script != "linear":
        command += ["--budget", str(args.budget)]
    return cell_said_by(command, args.limit)


def star(ratio: float, bar: float) -> str:
    return f"{ratio:6.2f}{'*' if ratio < bar else ' '}({bar:g})" if bar else f"{ratio:6.2f}"


def show(name: str, row: Row, args: argparse.Namespace) -> None:
    ours = cell(row, row.ours, args)
    if "seconds" not in ours:
        print(f"{name:<28}{ours['status']}", flush=True)
        return
    own = min(ours["seconds"])
    rate = f"{ours['new_rows_per_s']:>14,.0f}" if "new_rows_per_s" in ours else ""
    print(f"{name:<28}{row.ours:<28}{own:>9.3f}{'':>12}{ours['accuracy']:>9.4f}{rate}", flush=True)
    found = {peer: cell(row, peer, args) for peer in row.peers}
    ended = {peer: min(there["seconds"]) for peer, there in found.items() if "seconds" in there}
    first = min(ended, key=lambda peer: ended[peer], default="")
    for peer, there in found.items():
        if peer not in ended:
            print(f"{'':<28}{peer:<28}  {there['status'] or 'not installed'}", flush=True)
            continue
        bar = max(
            row.fastest if peer == first else 0.0,
            row.scikit_learn if peer.startswith("scikit-learn") else 0.0,
        )
        times = f"{ended[peer]:>9.3f}{star(ended[peer] / own, bar):<12}"
        line = f"{'':<28}{peer:<28}{times}{there.get('accuracy', 0):>9.4f}"
        if rate and "new_rows_per_s" in there:
            least = row.predict if peer.startswith("scikit-learn") else 0.0
            line += f"{there['new_rows_per_s']:>14,.0f}{star(ours['new_rows_per_s'] / there['new_rows_per_s'], least)}"
        print(line, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--only", nargs="+", help="rows whose name has one of these in it")
    parser.add_argument("--prepare", action="store_true", help="draw the tables, measure nothing")
    parser.add_argument("--repeats", type=int, default=2, help="fits a cell; the least counts")
    parser.add_argument("--budget", type=float, default=5, help="no further fit after this many seconds")
    parser.add_argument("--limit", type=float, default=240, help="seconds after which a cell is ended")
    args = parser.parse_args()
    rows = {name: row for name, row in ROWS.items() if any(part in name for part in args.only or [""])}
    for row in rows.values():  # made and cached here, not in a timed child
        linear.WORKLOADS[row.workload][1]() if row.script == "linear" else LOADERS[row.script][
            row.workload
        ].load()
    if args.prepare:
        return
    print(f"{'':<28}{'':<28}{'fit s':>9}{'x (bar)':>12}{'score':>9}{'predict rows/s':>14}  x (bar)")
    for name, row in rows.items():
        show(name, row, args)


if __name__ == "__main__":
    main()
