"""Files made to do harm, by the thousand.   In: a valid file of every kind, a seed.   Out: how many were refused, how
many loaded and predicted; every file that did anything else is kept, and the exit code is 1.

    make fuzz                                        five minutes, all kinds of files
    python tools/fuzz --seconds 60 --only model
    python tools/fuzz --replay build/fuzz/model-17-31.bin      one that was kept, again

What may happen to a file: the error its reader promises, in a short message, within SECONDS; or it loads, and then
it predicts finite numbers and probabilities that sum to one. Anything else (another exception, a crash, a hang) is a
fault.

mutations.py   what is changed
readers.py     what reads it, and what it may do
targets.py     the kinds of files
"""

import argparse
import random
import signal
import sys
import time
import warnings
from collections import Counter
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(CHECKOUT), str(Path(__file__).parent)]

from readers import Fault  # noqa: E402
from sklearn import set_config  # noqa: E402
from targets import Target, make_targets  # noqa: E402

SECONDS = 5  # of CPU that one file may take: on a busy machine the clock says nothing
WAITS = 120  # seconds after which a file is one that hangs
SAYS = 60  # seconds between lines about progress
KEPT = CHECKOUT / "build" / "fuzz"


class Late(Fault):
    """It takes too long, or hangs."""


def run_one(target: Target, data: bytes) -> str:
    """What is late is read once more: the process may have been stopped, and then nothing hangs."""
    try:
        return _run_once(target, data)
    except Late:
        return _run_once(target, data)


def _run_once(target: Target, data: bytes) -> str:
    if hasattr(signal, "SIGALRM"):
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        signal.alarm(WAITS)
    try:
        return target.read(data)
    finally:
        if hasattr(signal, "SIGALRM"):
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.alarm(0)


def _stop(number: int, frame: object) -> None:
    raise Late(f"takes more than {SECONDS} s of CPU, or hangs")


def fuzz(
    name: str, target: Target, seconds: float = 1e9, seed: int = 0, n_files: int = 10**12
) -> tuple[Counter[str], list[str]]:
    """So long, or so many, from this seed. The file is kept before it is read: a crash leaves it behind."""
    counts: Counter[str] = Counter()
    faults: list[str] = []
    begins = says = time.monotonic()
    number = 0
    KEPT.mkdir(parents=True, exist_ok=True)
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, _stop)
        signal.signal(signal.SIGPROF, _stop)
    with (KEPT / f"{name}-current.bin").open("wb", buffering=0) as current:
        while time.monotonic() < begins + seconds and number < n_files:
            rng = random.Random(f"{seed} {number}")
            data = target.mutate(rng.choice(target.seeds), rng, target.seeds)
            current.seek(0)
            current.write(data)
            current.truncate()
            try:
                counts[run_one(target, data)] += 1
            except Exception as fault:
                kept = KEPT / f"{name}-{seed}-{number}.bin"
                kept.write_bytes(data)
                faults.append(f"{kept}: {type(fault).__name__}: {str(fault)[:160]}")
            number += 1
            if time.monotonic() > says + SAYS:
                says = time.monotonic()
                print(f"  {name}: {_summary(counts, faults)} in {says - begins:.0f} s", flush=True)
    Path(current.name).unlink(missing_ok=True)
    return counts, faults


def _summary(counts: Counter[str], faults: list[str]) -> str:
    return (
        f"{sum(counts.values()) + len(faults):,} files, {counts['refused']:,} refused, {counts['loaded']:,} loaded, "
        f"{len(faults)} faults"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--replay", default="")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    set_config(print_changed_only=False)  # no signature is looked up for each file
    if given.replay:
        name = Path(given.replay).name.partition("-")[0]
        print(run_one(make_targets([name])[name], Path(given.replay).read_bytes()))
        return 0
    targets = make_targets([name for name in given.only.split(",") if name])
    n_faults = 0
    for name, target in targets.items():
        counts, faults = fuzz(name, target, given.seconds / len(targets), given.seed)
        print(f"{name}: {_summary(counts, faults)}", flush=True)
        for fault in faults[:20]:
            print(f"  {fault}")
        n_faults += len(faults)
    return 1 if n_faults else 0


if __name__ == "__main__":
    sys.exit(main())
