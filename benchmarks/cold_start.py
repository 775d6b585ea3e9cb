"""How long a user waits before anything happens: imports and `--help`, each in a fresh process.

    python benchmarks/cold_start.py [--runs 10]

The commands take turns, so that a busy moment of the machine falls on all of them.
"""

import argparse
import importlib.util
import statistics
import subprocess
import sys
import time
from pathlib import Path

COMMAND = Path(sys.executable).with_name("hedgerow.exe" if sys.platform == "win32" else "hedgerow")


def args() -> dict[str, list[str] | None]:
    """What to run; None where it is not installed."""
    runs: dict[str, list[str] | None] = {"python (bare)": [sys.executable, "-c", "pass"]}
    for module in ("hedgerow", "numpy", "sklearn", "ydf"):
        found = importlib.util.find_spec(module) is not None
        runs[f"import {module}"] = [sys.executable, "-c", f"import {module}"] if found else None
    runs["hedgerow --help"] = [str(COMMAND), "--help"] if COMMAND.exists() else None
    return runs


def seconds(command: list[str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def main() -> None:
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--runs", type=int, default=10)
    runs = parser.parse_args().runs
    commands = args()
    present = {name: command for name, command in commands.items() if command}
    for command in present.values():
        seconds(command)  # files into the page cache, byte code written
    took: dict[str, list[float]] = {name: [] for name in present}
    for _ in range(runs):
        for name, command in present.items():
            took[name].append(seconds(command))
    print(f"{'':<20}{'median s':>10}{'min s':>10}")
    for name in commands:
        if name in took:
            print(f"{name:<20}{statistics.median(took[name]):>10.3f}{min(took[name]):>10.3f}")
        else:
            print(f"{name:<20}{'not installed':>20}")


if __name__ == "__main__":
    main()
