"""Ten rows from standard input to label, probability and reasons: how long the process takes, for each kind of model.

    python benchmarks/first_answers.py [--runs 5] [--only tree --only study]

    hedgerow predict MODEL - --reasons 3 < ten.csv

The models take turns, so that a busy moment of the machine falls on all of them. `study` is the folder of a quick study
of texts; all others, every candidate there is, are fitted to the Titanic that comes along. Byte code is cached, as
installers do.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from hedgerow.candidate import candidate_names
from hedgerow.datasets import titanic

COMMAND = Path(sys.executable).with_name("hedgerow.exe" if sys.platform == "win32" else "hedgerow")
MODELS = (*(name for name in candidate_names() if name != "optimal"), "study")  # optimal: of yes-no columns
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
N_TEXTS, N_ROWS = 2_000, 10


def write_texts(file: Path) -> None:
    """A sentence a row, of 3,000 words, some of which tell the class."""
    rng = random.Random(0)
    lines = ["text,label"]
    for _ in range(N_TEXTS):
        label = rng.choice(["bad", "good"])
        told = [f"{label}{rng.randrange(40)}" for _ in range(2)]
        words = told + [f"word{int(rng.random() ** 2 * 3_000)}" for _ in range(18)]
        rng.shuffle(words)
        lines.append(f"{' '.join(words)},{label}")
    file.write_text("\n".join(lines) + "\n")


def write_people(file: Path) -> None:
    titanic().frame().write_csv(file)


def train(name: str, folder: Path) -> Path:
    """The path of the model."""
    if name == "study":
        command = ["study", "texts.csv", "--target", "label", "--quick", "--folder", name]
        made = folder / name
    else:
        made = folder / f"{name}.hedgerow"
        command = ["fit", "people.csv", "--target", "survived", "--model", name, "--save", made.name]
    subprocess.run([str(COMMAND), *command], check=True, cwd=folder, stdout=subprocess.DEVNULL)
    return made


def seconds(model: Path, rows: Path) -> float:
    begin = time.perf_counter()
    with rows.open() as opened:
        command = [str(COMMAND), "predict", str(model), "-", "--reasons", "3"]
        subprocess.run(
            command,
            check=True,
            stdin=opened,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=ENVIRONMENT,
        )
    return time.perf_counter() - begin


def main() -> None:
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", action="append", choices=MODELS, help="these models; all, if not given")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        write_texts(folder / "texts.csv")
        write_people(folder / "people.csv")
        tens = {}
        for table in ("texts", "people"):
            lines = (folder / f"{table}.csv").read_text().splitlines(keepends=True)
            tens[table] = folder / f"ten_{table}.csv"
            tens[table].write_text("".join(lines[: N_ROWS + 1]))
        rows = {name: tens["texts" if name == "study" else "people"] for name in options.only or MODELS}
        models = {name: train(name, folder) for name in rows}
        for name, model in models.items():
            seconds(model, rows[name])  # files into the page cache, byte code written
        took: dict[str, list[float]] = {name: [] for name in models}
        for _ in range(options.runs):
            for name, model in models.items():
                took[name].append(seconds(model, rows[name]))
    print(f"{'':<20}{'median s':>10}{'min s':>10}")
    for name, found in took.items():
        print(f"{name:<20}{statistics.median(found):>10.3f}{min(found):>10.3f}")


if __name__ == "__main__":
    main()
