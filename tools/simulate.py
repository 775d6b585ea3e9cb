"""Are the statistics true?   In: names of simulations.   Out: tables, as docs/statistics.md and ensembles.md have them.

    python tools/simulate.py                    all of them: some twenty minutes on one core
    python tools/simulate.py hold_out power     some of them
    python tools/simulate.py --share 0.1        a tenth of the repetitions, to see that they run

Data come from a distribution that is written down here, so that the truth is known: from fresh rows without number.
Every figure has a standard error beside it: sqrt(p (1 - p) / repetitions).
"""

import argparse
import sys
import time
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from simulations import (
    equal_models,
    folds,
    hold_out,
    importance,
    intervals,
    learning,
    noise,
    planted,
    power,
    race,
    studies,
    unlike,
)

Simulation = Callable[[float], Iterable[str]]
ALL: dict[str, Simulation] = {
    "hold_out": hold_out.table,
    "folds": folds.table,
    "equal_models": equal_models.table,
    "power": power.table,
    "learning": learning.table,
    "importance": importance.table,
    "intervals": intervals.table,
    "noise": noise.table,
    "planted": planted.table,
    "race": race.table,
    "studies": studies.table,
    "unlike": unlike.table,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", choices=[[], *ALL], default=[])
    parser.add_argument("--share", type=float, default=1.0, help="of the repetitions")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in options.names or ALL:
        begin = time.perf_counter()
        print(f"\n## {name}\n", flush=True)
        for line in ALL[name](options.share):
            print(line, flush=True)
        print(f"\n({time.perf_counter() - begin:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
