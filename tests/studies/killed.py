"""A study that is killed twenty times.   In: a CSV, a folder.   Out: the folder, finished at the twenty-first try.

Each try is a process of its own (forked, so that imports are paid once) which kills itself, by the signal that cannot
be caught, at an event: before or after a fold result is written, at a step, in the middle of a file. Which event
is drawn from a fixed seed over all that an undisturbed study has; so luck plays no part.
"""

import os
import signal
import sys
from pathlib import Path

import numpy as np

from hedgerow.studies import folder as folders
from hedgerow.studies.checkpoint import CheckpointStore
from hedgerow.studies.study import study

KILLS = 20
OPTIONS = {"models": ("stump", "tree"), "folds": 3, "repeats": 1, "n_jobs": 2}


class Events:
    """Counts what happens, and ends the process when its number is up."""

    def __init__(self, last: int) -> None:
        self.last = last
        self.n = 0

    def __call__(self) -> None:
        self.n += 1
        if self.n == self.last:
            os.kill(os.getpid(), signal.SIGKILL)

    def on_step(self, message: str) -> None:
        self()

    def on_data(self, loaded: object) -> None:
        self()

    def on_comparison(self, models: list[str], n_splits: int, n_known: int) -> None:
        self()

    def on_fold_result(self, model: str, result: object) -> None:
        self()


def run(table: str, folder: str, events: Events) -> None:
    write, write_atomically = CheckpointStore.save, folders.write_atomically

    def written(self, *result):
        events()
        write(self, *result)
        events()

    def put(file, data):
        half = file.with_name(f".{file.name}.0.part")
        half.write_bytes(data[: len(data) // 2])
        events()
        half.unlink()
        write_atomically(file, data)

    CheckpointStore.save, folders.write_atomically = written, put  # in this process only
    study(table, "kept", folder=folder, callback=events, command="the same", **OPTIONS)


def tried(table: str, folder: str, events: Events) -> int:
    """The signal that ended it, 0 if it ended by itself; and how many events there were."""
    child = os.fork()
    if child == 0:
        try:
            run(table, folder, events)
            Path(folder, "events").write_text(str(events.n))
            os._exit(0)
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
            os._exit(1)
    status = os.waitpid(child, 0)[1]
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        raise SystemExit("a study failed")
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def main() -> None:
    table, whole, cut = sys.argv[1:]
    tried(table, whole, Events(-1))
    n_events = int(Path(whole, "events").read_text())
    random, killed, finished = np.random.default_rng(8), 0, 0
    while killed < KILLS:
        place = f"{cut}-{finished}"
        if tried(table, place, Events(int(random.integers(1, max(2, n_events // 4))))):
            killed += 1
        else:
            finished += 1
    tried(table, f"{cut}-{finished}", Events(-1))
    print(killed, finished + 1)


if __name__ == "__main__":
    main()
