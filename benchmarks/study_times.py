"""How long a study takes, from the command to the report, and how much memory: each against its bar.

    python benchmarks/study_times.py                   titanic, telco-like, adult (../shared/data), 200,000 x 16
    python benchmarks/study_times.py titanic telco     some of them

Each cell is the command `hedgerow study` in a process of its own: wall seconds with imports (from byte code, as an
installed package has it), and the high-water mark of resident memory. `--quick` has a fifth of the bar; its share is of
the whole study's seconds. telco-like and 200,000 x 16 are made up here: customers with
services and contracts of which a quarter leave, and ten numbers with six categories. Close other programs first.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@dataclass(frozen=True)
class Bar:
    title: str
    seconds: float
    gigabytes: float
    make: Callable[[Path], list[str]]  # arguments of the command


def telco(rows: int = 7043) -> pl.DataFrame:
    random = np.random.default_rng(0)

    def draw(*levels: str) -> np.ndarray:
        return random.choice(levels, rows)

    tenure = np.where(random.random(rows) < 0.25, random.integers(0, 6, rows), random.integers(1, 73, rows))
    internet = random.choice(["DSL", "fibre", "none"], rows, p=[0.34, 0.44, 0.22])
    contract = np.where(
        random.random(rows) < 0.55 + 0.3 * (tenure < 12), "monthly", draw("one year", "two years")
    )
    extras = ("security", "backup", "protection", "support", "television", "films")
    cells = {
        name: np.where(internet == "none", "no internet", np.where(random.random(rows) < 0.43, "yes", "no"))
        for name in extras
    }
    cells |= {name: draw("yes", "no") for name in ("partner", "dependents", "phone", "lines", "paperless")}
    cells |= {"gender": draw("female", "male"), "senior": random.choice(["no", "yes"], rows, p=[0.84, 0.16])}
    cells |= {"payment": draw("electronic check", "mailed check", "transfer", "card")}
    fee = 20 + 25 * (internet == "DSL") + 50 * (internet == "fibre") + random.normal(0, 1.5, rows)
    fee += sum(6 * (cells[name] == "yes") for name in extras)
    logit = (
        -1.9 - 0.035 * tenure + 1.2 * (contract == "monthly") - 0.8 * (contract == "two years") + 0.005 * fee
    )
    logit += 0.9 * (internet == "fibre") - 0.7 * (internet == "none") + (tenure < 6)
    logit += 0.45 * (cells["payment"] == "electronic check") - 0.45 * (cells["security"] == "yes")
    leaves = np.where(random.random(rows) < 1 / (1 + np.exp(-logit)), "yes", "no")
    more = {"tenure": tenure, "internet": internet, "contract": contract, "monthly": fee.round(2)}
    total = (fee * tenure * random.normal(1, 0.04, rows)).round(2)
    return pl.DataFrame(cells | more | {"total": total, "churn": leaves})


def many_rows(rows: int = 200_000) -> pl.DataFrame:
    random = np.random.default_rng(0)
    x = random.normal(size=(rows, 10))
    codes = [random.integers(0, n, rows) for n in (2, 3, 5, 8, 12, 30)]
    logit = x[:, 0] + 0.7 * x[:, 1] * x[:, 2] + np.sin(2 * x[:, 3]) + 0.5 * (x[:, 4] > 0.5) * x[:, 5] - 1
    logit += sum(random.normal(0, 0.5, 30)[code] for code in codes)
    cells = {f"x{j}": x[:, j].round(3) for j in range(10)}
    cells |= {f"c{j}": np.char.add("v", code.astype(str)) for j, code in enumerate(codes)}
    return pl.DataFrame(cells | {"y": np.where(random.random(rows) < 1 / (1 + np.exp(-logit)), "yes", "no")})


def _written(table: Callable[[], pl.DataFrame], target: str) -> Callable[[Path], list[str]]:
    def make(folder: Path) -> list[str]:
        path = folder / f"{table.__name__}.csv"
        table().write_csv(path)
        return [str(path), "--target", target]

    return make


BARS = {
    "titanic": Bar("titanic", 10, 1.5, lambda folder: ["titanic"]),
    "telco": Bar("telco-like, 7,043 x 19", 25, 1.5, _written(telco, "churn")),
    "adult": Bar(
        "adult, 48,842 x 14",
        90,
        1.5,
        lambda folder: [str(SHARED / "adult.parquet"), "--target", "income"],
    ),
    "many_rows": Bar("200,000 x 16", 360, 1.5, _written(many_rows, "y")),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", choices=[[], *BARS], default=[])
    names = parser.parse_args().names or [
        name for name in BARS if name != "adult" or (SHARED / "adult.parquet").exists()
    ]
    print(
        f"{'':24}{'seconds':>9}{'bar':>6}{'GB':>7}{'bar':>6}{'quick s':>9}{'bar':>6}{'share':>7}", flush=True
    )
    for name in names:
        bar = BARS[name]
        with tempfile.TemporaryDirectory() as place:
            given = bar.make(Path(place))
            run([*given, "--quick", "--folder", f"{place}/first"])  # writes the byte code
            quick, _ = run([*given, "--quick", "--folder", f"{place}/quick"])
            seconds, memory = run([*given, "--folder", f"{place}/whole"])
        row = f"{bar.title:24}{seconds:9.1f}{bar.seconds:6.0f}{memory:7.2f}{bar.gigabytes:6.1f}"
        print(f"{row}{quick:9.2f}{bar.seconds / 5:6.0f}{quick / seconds:7.0%}", flush=True)


def run(arguments: list[str]) -> tuple[float, float]:
    """Seconds and gigabytes of one study."""
    command = [str(Path(sys.executable).parent / "hedgerow"), "study", *arguments]
    byte_code = Path(tempfile.gettempdir()) / "hedgerow-benchmark-byte-code"
    setting = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    setting["PYTHONPYCACHEPREFIX"] = str(byte_code)
    begin = time.perf_counter()
    with open(os.devnull, "w") as nowhere:
        child = os.posix_spawn(
            command[0], command, setting, file_actions=[(os.POSIX_SPAWN_DUP2, nowhere.fileno(), 1)]
        )
    _, status, usage = os.wait4(child, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(command)}")
    return time.perf_counter() - begin, usage.ru_maxrss / 1e6


if __name__ == "__main__":
    main()
