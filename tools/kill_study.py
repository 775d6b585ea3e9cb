"""Kill a study at random moments, again and again: does it still end the same?

    python tools/kill_study.py                    titanic, a small panel, twenty kills
    python tools/kill_study.py --kills 50 --data flights.csv --target delay --models tree,forest

The study runs once undisturbed, which says how long it takes. Then it is begun, and killed (the signal that cannot be
caught) after a random part of that time, and begun again in the same folder, until it ends; then in a new folder, until
there were so many kills. Every file of every folder must be the one of the undisturbed study, byte for byte: report,
result, model, predictions, command. Two things may differ, both seconds: the ledger has those of each fit, and the
model file of a support vector machine those of its solver.
"""

import argparse
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FILES = ("result.json", "report.html", "holdout.csv", "command.txt", "model.hedgerow")
SCRIPT = """
import sys, hedgerow
data, target, models, folder = sys.argv[1:]
hedgerow.study(data, target or None, models=models.split(","), folds=3, folder=folder, command="the same")
"""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", default="titanic")
    parser.add_argument("--target", default="")
    parser.add_argument("--models", default="stump,tree,rules,adaboost")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    place = Path(tempfile.mkdtemp(prefix="killed-"))

    def begun(folder: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-c", SCRIPT, args.data, args.target, args.models, str(place / folder)]
        return subprocess.Popen(command)

    begin = time.perf_counter()
    if begun("whole").wait():
        raise SystemExit("The undisturbed study failed.")
    whole = time.perf_counter() - begin
    print(f"undisturbed: {whole:.1f} s", flush=True)
    rng, killed, folders, tries = random.Random(args.seed), 0, 0, 0
    while killed < args.kills:
        process, moment, tries = begun(f"cut-{folders}"), rng.uniform(0.1, whole), tries + 1
        try:
            ended = process.wait(timeout=moment)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            killed += 1
            print(f"  kill {killed:2} after {moment:5.1f} s", flush=True)
            continue
        if ended:
            raise SystemExit(f"A study that went on failed with {ended}: {place}")
        _compare(place, f"cut-{folders}", tries)
        folders, tries = folders + 1, 0
    if begun(f"cut-{folders}").wait():
        raise SystemExit(f"A study that went on failed: {place}")
    _compare(place, f"cut-{folders}", tries + 1)
    shutil.rmtree(place)
    print(f"{killed} kills, {folders + 1} studies, every file the same as undisturbed.")


def _compare(place: Path, folder: str, tries: int) -> None:
    for name in FILES:
        if _bytes(place / folder / name) != _bytes(place / "whole" / name):
            raise SystemExit(f"{name} differs from the undisturbed study: {place / folder}")
    print(f"  ended at try {tries}: the same files", flush=True)


def _bytes(file: Path) -> bytes:
    """Without the seconds of a solver, and the checksum, which covers them."""
    return re.sub(rb'"(seconds|checksum)\\*": *\\*"?[0-9a-f.e+-]+', b"", file.read_bytes())


if __name__ == "__main__":
    main()
