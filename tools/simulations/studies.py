"""Whole studies: is the score of the hold-out unbiased, and does its interval hold the truth?

Each study gets a table of its own, of 300 to 1,000 rows, chooses a model of a panel or their blend, and reports the
score of a fifth of the rows. The truth is what the very model it leaves behind scores on 20,000 fresh rows of the same
kind. The score that cross-validation gave the chosen model stands beside it: it was chosen for that score, so it
flatters.

A study that was simulated is kept in build/simulations and not made again: stop it when you like.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import polars as pl
from joblib import Parallel, delayed

from hedgerow import evaluate
from hedgerow.studies.options import StudyOptions
from hedgerow.studies.run import run_study
from hedgerow.table import to_table

KEPT = Path(__file__).resolve().parents[2] / "build" / "simulations" / "studies.jsonl"
STUDIES = 1800
ROWS = (300, 1000)
FRESH = 20_000
PANEL = ("stump", "tree", "forest", "adaboost", "gradient_boosting", "blend")


@dataclass(frozen=True)
class Found:
    kind: str
    seed: int
    n_holdout: int
    chosen: str
    metric: str
    truth: float
    holdout: float
    low: float
    high: float
    crossed: float  # by cross-validation, on the training rows


def _columns(n: int, random: np.random.Generator) -> tuple[pl.DataFrame, np.ndarray]:
    """Numbers with gaps, a category, noise; and what the target is made of."""
    x = random.normal(size=(n, 5))
    town = random.choice(["ash", "elm", "oak", "yew"], n, p=[0.4, 0.3, 0.2, 0.1])
    f = 1.2 * x[:, 0] + x[:, 1] * (x[:, 2] > 0) + 1.0 * np.isin(town, ["oak", "yew"]) - 0.3
    x_missing = np.where(random.random((n, 5)) < 0.05, np.nan, x)
    frame = pl.DataFrame({f"x{j}": x_missing[:, j] for j in range(5)} | {"town": town}, nan_to_null=True)
    return frame, f


def _two(n: int, random: np.random.Generator) -> pl.DataFrame:
    frame, f = _columns(n, random)
    return frame.with_columns(y=np.where(random.random(n) < 1 / (1 + np.exp(-f)), "yes", "no"))


def _rare(n: int, random: np.random.Generator) -> pl.DataFrame:
    frame, f = _columns(n, random)
    return frame.with_columns(y=np.where(random.random(n) < 1 / (1 + np.exp(-1.5 * f + 3.0)), "yes", "no"))


def _three(n: int, random: np.random.Generator) -> pl.DataFrame:
    frame, f = _columns(n, random)
    return frame.with_columns(y=np.digitize(f + random.logistic(size=n), [-0.5, 1.0]).astype(str))


def _numbers(n: int, random: np.random.Generator) -> pl.DataFrame:
    frame, f = _columns(n, random)
    return frame.with_columns(y=f + 0.7 * random.standard_t(8, size=n))


def _rarer(n: int, random: np.random.Generator) -> pl.DataFrame:
    frame, f = _columns(n, random)
    return frame.with_columns(y=np.where(random.random(n) < 1 / (1 + np.exp(-1.5 * f + 5.0)), "yes", "no"))


def _skewed(n: int, random: np.random.Generator) -> pl.DataFrame:
    """Log-normal errors."""
    frame, f = _columns(n, random)
    return frame.with_columns(y=f + 0.7 * np.exp(0.7 * random.normal(size=n)))


KINDS: dict[str, Callable[[int, np.random.Generator], pl.DataFrame]] = {
    "two classes": _two,
    "one in eight": _rare,
    "three classes": _three,
    "numbers": _numbers,
    "one in 25": _rarer,
    "skewed errors": _skewed,
}


def one_study(kind: str, seed: int) -> Found:
    random = np.random.default_rng([list(KINDS).index(kind), seed])
    n = int(random.integers(*ROWS, endpoint=True))
    options = StudyOptions("y", models=PANEL, folds=3, repeats=1, random_state=seed, n_jobs=1)
    done = run_study(KINDS[kind](n, random), options)
    fresh = KINDS[kind](FRESH, random)
    score = done.result.holdout.scores[0]
    truth = evaluate(
        done.model, to_table(fresh.drop("y")), fresh["y"].to_numpy(), cv="fitted", scoring=score.name, progress=False
    )  # fmt: skip
    chosen = next(one for one in done.result.candidates if one.name == done.result.verdict.chosen)
    return Found(
        kind, seed, done.result.holdout.n_rows, chosen.name, score.name, truth[score.name].value,
        _number(score.value), _number(score.low), _number(score.high), _number(chosen.scores[0].value),
    )  # fmt: skip


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


def _kept(wanted: list[tuple[str, int]]) -> Iterator[Found]:
    lines = KEPT.read_text().splitlines() if KEPT.exists() else []
    known = {(one["kind"], one["seed"]): Found(**one) for one in map(json.loads, lines)}
    yield from (known[place] for place in wanted if place in known)
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    missing = [place for place in wanted if place not in known]
    work = Parallel(n_jobs=2, return_as="generator_unordered")
    with KEPT.open("a") as file:
        for found in work(delayed(one_study)(*place) for place in missing):
            file.write(json.dumps(asdict(found)) + "\n")
            file.flush()
            yield found


def table(part: float) -> Iterator[str]:
    each = max(2, int(STUDIES * part) // len(KINDS))
    found = list(_kept([(kind, seed) for seed in range(each) for kind in KINDS]))
    yield f"{len(found)} studies; ± is one standard error of the simulation."
    yield "\n| target | scoring | studies | hold-out - truth | z | cross-validated - truth | interval holds it |"
    yield "|---|---|---|---|---|---|---|"
    for kind in KINDS:
        some = [one for one in found if one.kind == kind]
        yield _line(kind, some[0].metric, some)
    yield _line("all", "as a share of the truth", found)


def _line(kind: str, metric: str, found: list[Found]) -> str:
    unit = np.array([one.truth if kind == "all" else 1.0 for one in found])
    off = np.array([one.holdout - one.truth for one in found]) / unit
    crossed = np.array([one.crossed - one.truth for one in found]) / unit
    held = np.mean([one.low <= one.truth <= one.high for one in found])
    spread = np.sqrt(held * (1 - held) / len(found))
    cells = [kind, metric, f"{len(found)}", _mean(off), f"{_z(off):+.1f}", _mean(crossed)]
    return "| " + " | ".join([*cells, f"{held:.1%} ± {spread:.1%}"]) + " |"


def _mean(values: np.ndarray) -> str:
    return f"{values.mean():+.4f} ± {values.std(ddof=1) / np.sqrt(len(values)):.4f}"


def _z(values: np.ndarray) -> float:
    return float(values.mean() / (values.std(ddof=1) / np.sqrt(len(values))))
