"""The harness: a workload and a peer in, one measured cell out.

Every cell runs in a process of its own, with a time limit and two threads. The child reports after each fit,
so that one that runs out of time still leaves what it measured. Seconds are of the fit alone, after a warm-up
fit on a few rows (imports, thread pools). Memory is the high-water mark of the resident set during the first
fit, less the resident set just before it: imports and data do not count.
"""

import argparse
import ctypes
import gc
import importlib.metadata
import importlib.util
import json
import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

Data = dict[str, np.ndarray]
Cell = dict[str, Any]

CACHE = Path(__file__).resolve().parent / "cache"
THREADS = int(os.environ.get("BENCH_THREADS", "2"))
WARM_UP_ROWS = 300
MB = 1e6


@dataclass(frozen=True)
class Peer:
    """`fit(X, y)` gives a model, `shares(model, X)` its class shares (or only those of class 1)."""

    module: str  # what must be importable
    package: str  # whose version is printed
    fit: Callable[[np.ndarray, np.ndarray], Any]
    shares: Callable[[Any, np.ndarray], np.ndarray]
    size: Callable[[Any], int] | None = None  # number of leaves

    @property
    def installed(self) -> bool:
        return importlib.util.find_spec(self.module) is not None


@dataclass(frozen=True)
class Workload:
    note: str
    load: Callable[[], Data]  # Xtr, ytr, Xte, yte


# ---------------------------------------------------------------------------------------------- data
def tabular(rows: int, columns: int, classes: int = 2, seed: int = 0, held_out: int = 10_000) -> Data:
    """Correlated numbers, some whole, some heavy-tailed; noisy interactions. Cached, the same everywhere.

    columns = [ informative | mixtures of those | noise ], every 5th rounded, every 7th log-normal, shuffled.
    The order of the random draws is part of the data: figures of other days compare only if it stays.
    """
    return _cached(
        f"tabular_{rows}_{columns}_{classes}_{seed}_{held_out}",
        rows,
        lambda: _draw(rows + held_out, columns, classes, np.random.default_rng(seed)),
    )


def pixels(rows: int, held_out: int = 10_000) -> Data:
    """Handwriting of ten made-up signs, 28 x 28 pixels of 0 to 255: most are 0, those at the border always."""
    return _cached(f"pixels_{rows}_{held_out}", rows, lambda: _write_signs(rows + held_out))


def _cached(name: str, rows: int, draw: Callable[[], tuple[np.ndarray, np.ndarray]]) -> Data:
    path = CACHE / f"{name}.npz"
    if not path.exists():
        X, y = draw()
        CACHE.mkdir(exist_ok=True)
        partial = path.with_name(f"{path.stem}.{os.getpid()}.npz")
        np.savez(partial, Xtr=X[:rows], ytr=y[:rows], Xte=X[rows:], yte=y[rows:])
        partial.replace(path)
    with np.load(path) as arrays:
        return {name: arrays[name] for name in arrays.files}


def _write_signs(rows: int, side: int = 28, points: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Each sign is a line through a few points; each writer moves, turns and bends it and has a pen of his own."""
    rng = np.random.default_rng(8)
    signs = rng.uniform(-0.62, 0.62, (10, points, 2))
    y = rng.integers(0, 10, rows).astype(np.int32)
    X = np.empty((rows, side * side), np.float32)
    axis = np.linspace(-1, 1, side, dtype=np.float32)
    grid = np.stack(np.meshgrid(axis, axis), -1).reshape(-1, 1, 1, 2)
    for begin in range(0, rows, 500):
        own = signs[y[begin : begin + 500]]
        turn, size = rng.normal(0, 0.22, len(own)), rng.normal(1, 0.1, (len(own), 1, 1))
        around = np.stack([np.cos(turn), -np.sin(turn), np.sin(turn), np.cos(turn)], -1).reshape(-1, 2, 2)
        own = (own + rng.normal(0, 0.11, own.shape)) @ around * size + rng.normal(0, 0.06, (len(own), 1, 2))
        a, b = own[:, :-1].astype(np.float32), own[:, 1:].astype(np.float32)
        along = ((grid - a) * (b - a)).sum(-1) / np.maximum(((b - a) ** 2).sum(-1), 1e-6)
        away = np.square(grid - a - np.clip(along, 0, 1)[..., None] * (b - a)).sum(-1).min(-1)
        pen = rng.uniform(0.06, 0.12, len(own)).astype(np.float32)
        X[begin : begin + 500] = np.clip(np.round(380 * np.exp(-away / pen**2) - 40), 0, 255).T
    return X, y


def _draw(rows: int, columns: int, classes: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    informative = max(columns // 2, 4)
    mixed = max(columns // 4, 1)
    mix = rng.normal(size=(informative, informative)) * 0.25 + np.eye(informative)
    base = rng.normal(size=(rows, informative)).astype(np.float32) @ mix.astype(np.float32)
    mixtures = base @ rng.normal(size=(informative, mixed)).astype(np.float32) * 0.4
    mixtures += 0.7 * rng.normal(size=mixtures.shape).astype(np.float32)
    noise = rng.normal(size=(rows, columns - informative - mixed)).astype(np.float32)
    score = np.stack([_class_score(base, rng) for _ in range(classes)], axis=1)

    X = np.concatenate([base, mixtures, noise], axis=1)
    for i in range(0, columns, 5):
        X[:, i] = np.clip(np.round(X[:, i] * (1 + i % 4 * 3)), -40, 40)
    for i in range(3, columns, 7):
        X[:, i] = np.exp(0.8 * X[:, i])
    X = np.ascontiguousarray(X[:, rng.permutation(columns)], np.float32)

    score = (score - score.mean(0)) / score.std(0)
    score += 0.7 * rng.gumbel(size=score.shape).astype(np.float32) / 1.28
    return X, score.argmax(1).astype(np.int32)


def _class_score(base: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    informative = base.shape[1]
    score = base @ rng.normal(size=informative).astype(np.float32) * 0.35
    for _ in range(8):
        i, j = rng.integers(0, informative, 2)
        shift = rng.normal()
        score += rng.normal() * np.sin(base[:, i] * 1.5 + shift) * (base[:, j] > shift)
    for _ in range(4):
        i, j = rng.integers(0, informative, 2)
        score += 0.4 * rng.normal() * base[:, i] * base[:, j]
    return score


# ---------------------------------------------------------------------------------------------- one cell
def measure(peer: Peer, data: Data, repeats: int, budget: float) -> Iterable[Cell]:
    """Yields the cell as known so far: after the first fit, after predicting, after each further fit."""
    X, y = data["Xtr"], data["ytr"]
    peer.shares(peer.fit(X[:WARM_UP_ROWS], y[:WARM_UP_ROWS]), X[:WARM_UP_ROWS])
    before = reset_peak()
    seconds, others, started = [], [], time.perf_counter()
    while len(seconds) < repeats or (sum(seconds) < 0.5 and len(seconds) < 50):
        model = None  # two models at once would count twice
        busy = _busy_elsewhere()
        begin = time.perf_counter()
        model = peer.fit(X, y)
        seconds.append(time.perf_counter() - begin)
        others.append((_busy_elsewhere() - busy) / seconds[-1] if seconds[-1] > 0.2 else 0.0)
        if len(seconds) == 1:
            cell: Cell = {"version": importlib.metadata.version(peer.package)}
            cell |= _memory(before, X.nbytes + y.nbytes) | {"seconds": seconds, "other_cores": others}
            yield cell
            cell |= _quality(peer, model, data)
        yield cell
        if time.perf_counter() - started > budget:
            break


def _quality(peer: Peer, model: Any, data: Data) -> Cell:
    new, new_seconds = _best(lambda: peer.shares(model, data["Xte"]))
    _, old_seconds = _best(lambda: peer.shares(model, data["Xtr"]))
    return {
        "accuracy": _accuracy(new, data["yte"]),
        "new_rows_per_s": len(data["yte"]) / new_seconds,
        "train_rows_per_s": len(data["ytr"]) / old_seconds,
        "leaves": peer.size(model) if peer.size else None,
    }


def _accuracy(said: np.ndarray, truth: np.ndarray) -> float:
    """Of numbers: the share of their variance that is explained."""
    if truth.dtype.kind == "f":
        return float(1 - np.mean((said - truth) ** 2) / np.var(truth))
    return float(np.mean((said.argmax(1) if said.ndim == 2 else said > 0.5) == truth))


def _best(call: Callable[[], np.ndarray]) -> tuple[np.ndarray, float]:
    """Of five calls, fewer if they take seconds, more (for 0.3 s) if they take milliseconds."""
    best, started, calls = np.inf, time.perf_counter(), 0
    while calls < 5 or time.perf_counter() - started < 0.3:
        begin = time.perf_counter()
        answer = np.asarray(call())
        best, calls = min(best, time.perf_counter() - begin), calls + 1
        if best > 3:
            break
    return answer, best


# ---------------------------------------------------------------------------------------------- memory, load
def reset_peak() -> float | None:
    """Give freed memory back and start a new high-water mark. Bytes resident now; None where not Linux."""
    gc.collect()
    try:
        ctypes.CDLL("libc.so.6").malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return None
    return status_bytes("VmRSS")


def _memory(before: float | None, input_bytes: int) -> Cell:
    if before is None:
        return {"peak_mb": None, "peak_inputs": None}
    peak = max(status_bytes("VmHWM") - before, 0)
    return {"peak_mb": peak / MB, "peak_inputs": peak / input_bytes}


def status_bytes(field: str) -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise KeyError(field)


def _busy_elsewhere() -> float:
    """CPU seconds that others on this machine have used so far (0 where it cannot be known)."""
    try:
        ticks = [int(x) for x in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    except OSError:
        return 0.0
    user, nice, system, _, _, irq, soft, stolen = ticks
    own = os.times()
    return (user + nice + system + irq + soft + stolen) / os.sysconf("SC_CLK_TCK") - own.user - own.system


# ---------------------------------------------------------------------------------------------- many cells
@dataclass(frozen=True)
class Bench:
    """A script with its workloads and peers, and what the command line asked of it."""

    script: str
    workloads: dict[str, Workload]
    peers: dict[str, Peer]
    args: argparse.Namespace


def bench_of(script: str, workloads: dict[str, Workload], peers: dict[str, Peer]) -> Bench:
    """Read the command line. In the child of one cell: measure that cell and leave."""
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--workload", action="append", choices=workloads, help="only these")
    parser.add_argument("--peer", action="append", choices=peers, help="only these")
    parser.add_argument("--repeats", type=int, default=3, help="fits per peer; more while they are short")
    parser.add_argument("--budget", type=float, default=30, help="no further repeat after this many seconds")
    parser.add_argument("--limit", type=float, default=240, help="seconds after which a peer is ended")
    parser.add_argument("--json", type=Path, help="append each cell to this file as a line of JSON")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        workload, peer = args.child
        for cell in measure(peers[peer], workloads[workload].load(), args.repeats, args.budget):
            print("@@" + json.dumps(cell), flush=True)
        sys.exit()
    return Bench(script, workloads, peers, args)


def cells_of(bench: Bench, workload: str, peers: Iterable[str]) -> Iterable[Cell]:
    """One cell per peer; those not installed are said to be so."""
    bench.workloads[workload].load()  # made and cached here, not in a timed child
    for peer in peers:
        if not bench.peers[peer].installed:
            yield {"peer": peer, "status": "not installed"}
            continue
        cell = {"workload": workload, "peer": peer} | _run_child(bench, workload, peer)
        if bench.args.json:
            with bench.args.json.open("a") as file:
                file.write(json.dumps(cell) + "\n")
        yield cell


def _run_child(bench: Bench, workload: str, peer: str) -> Cell:
    """Run the script again for one cell; what it said last is the cell."""
    command = [sys.executable, bench.script, "--child", workload, peer]
    command += ["--repeats", str(bench.args.repeats), "--budget", str(bench.args.budget)]
    cell = cell_said_by(command, bench.args.limit)
    if "seconds" in cell:
        cell |= {"min": min(cell["seconds"]), "median": statistics.median(cell["seconds"])}
    return cell


def cell_said_by(command: list[str], limit: float) -> Cell:
    """What a command says last, in a line that begins with @@; `status` tells how it ended, nothing if well."""
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BENCH_THREADS")
    child = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | dict.fromkeys(threads, str(THREADS)) | {"PYTHONWARNINGS": "ignore"},
    )
    try:
        out, err = child.communicate(timeout=limit)
        status = "" if child.returncode == 0 else "failed: " + (err.strip().splitlines() or ["?"])[-1][:120]
    except subprocess.TimeoutExpired:
        _end(child)
        out, _ = child.communicate()
        status = f"over {limit:.0f} s"
    lines = [line for line in out.splitlines() if line.startswith("@@")]
    return {"status": status} | (json.loads(lines[-1][2:]) if lines else {})


def _end(child: "subprocess.Popen[str]") -> None:
    if hasattr(os, "killpg"):
        os.killpg(child.pid, signal.SIGKILL)
    else:
        child.kill()


# ---------------------------------------------------------------------------------------------- printing
COLUMNS = (
    f"{'peer':<22}{'version':>10}{'fit min s':>11}{'median':>9}{'/ ours':>8}{'accuracy':>10}"
    f"{'leaves':>9}{'new rows/s':>13}{'/ ours':>8}{'train rows/s':>14}{'/ ours':>8}"
    f"{'peak MB':>9}{'x input':>9}"
)


def print_table(cells: Iterable[Cell], ours: str = "hedgerow") -> None:
    """Rows appear as they are measured. `/ ours`: their figure divided by ours, when ours was run first."""
    print(COLUMNS)
    reference: Cell = {}
    busy = False
    for cell in cells:
        if cell["peer"] == ours:
            reference = cell
        print(_line(cell, reference), flush=True)
        busy |= any(other > 0.3 for other in cell.get("other_cores", ()))
    if busy:
        print("Note: other programs used the processor during some fits; trust the smallest seconds most.")


def _line(cell: Cell, reference: Cell) -> str:
    if "seconds" not in cell:
        return f"{cell['peer']:<22}  {cell['status']}"

    def show(key: str, form: str) -> str:
        width = form.split(".")[0].rstrip(",d")
        return f"{cell[key]:{form}}" if cell.get(key) is not None else f"{'-':>{width}}"

    def over(key: str) -> str:
        known = cell.get(key) is not None and reference.get(key) is not None
        return f"{cell[key] / reference[key]:8.2f}" if known else f"{'-':>8}"

    return (
        f"{cell['peer']:<22}{cell['version']:>10}{show('min', '11.4f')}{show('median', '9.4f')}{over('min')}"
        f"{show('accuracy', '10.4f')}{show('leaves', '9d')}"
        f"{show('new_rows_per_s', '13,.0f')}{over('new_rows_per_s')}"
        f"{show('train_rows_per_s', '14,.0f')}{over('train_rows_per_s')}"
        f"{show('peak_mb', '9.1f')}{show('peak_inputs', '9.2f')}  {cell['status']}"
    )
