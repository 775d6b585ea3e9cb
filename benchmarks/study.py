"""A study against the same panel made of scikit-learn's estimators, under the same folds.

    python benchmarks/study.py                              adult (48,842 rows; ../shared/data), or titanic without it
    python benchmarks/study.py --rows 10000 --limit 120     a part of the rows, two minutes a model
    python benchmarks/study.py --data titanic
    python benchmarks/study.py --data flights.csv --target delay

The rows are sealed and split as `hedgerow study` does it (5 folds, twice). Each model of each side is fitted on every
split in a process of its own with two cores: hedgerow's fold by fold in threads, scikit-learn's in two processes. A
model that is not done after --limit seconds counts with the limit ("> 120"), and what its finished folds say it would
have taken is printed beside it. Cells that were measured are kept in benchmarks/cache and not measured again (--fresh
forgets them). The ratio is of the sums over the models that both sides have, so without the rule list; limits count as
they stand, which makes the ratio too small rather than too large. "the study" is all of it: reading, every model, the
hold-out, the report.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

from common import CACHE, THREADS

ADULT = Path(__file__).resolve().parents[2] / "shared" / "data" / "adult.parquet"


def main() -> None:
    args = _arguments()
    if args.cell:
        _cell(args)
    else:
        _all_cells(args)


def _all_cells(args: Any) -> None:
    import study_peers
    from hedgerow.candidate import panel_names

    kept = _Kept(args)
    rows = f"{args.rows or 'all'} rows"
    print(f"{args.data}, target {args.target or 'its own'}, {rows}, 5 folds, twice; {THREADS} cores")
    print(f"{'':14}{'hedgerow s':>12}{'score':>9}{'scikit-learn s':>17}{'score':>9}{'ratio':>9}", flush=True)
    sums, task = [0.0, 0.0], kept.task
    for name in [name for name in panel_names() if name not in args.skip]:
        if task == "regression" and name == "rules":
            continue
        ours = kept.measured("hedgerow", name)
        theirs = None if name in study_peers.NONE_FOR else kept.measured("scikit-learn", name)
        if theirs is not None:
            sums = [sums[0] + ours["seconds"], sums[1] + theirs["seconds"]]
        print(_line(name, ours, theirs), flush=True)
    print(
        f"{'sum':14}{sums[0]:12.1f}{'':9}{sums[1]:17.1f}{'':9}{sums[1] / sums[0]:8.1f}x   (models both have)"
    )
    whole = kept.measured("hedgerow", "the study")
    print(f"{'the study':14}{whole['seconds']:12.1f}   from the table to the report")


def _arguments() -> Any:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", default=str(ADULT) if ADULT.exists() else "titanic")
    parser.add_argument("--target")
    parser.add_argument("--rows", type=int, default=0, help="drawn at random; 0 for all")
    parser.add_argument("--limit", type=float, default=1800.0, help="seconds for one model of one side")
    parser.add_argument("--skip", nargs="*", default=[], help="models to leave out")
    parser.add_argument("--fresh", action="store_true", help="forget what was measured before")
    parser.add_argument("--cell", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.data == str(ADULT) and args.target is None:
        args.target = "income"
    return args


def _line(name: str, ours: Any, theirs: Any) -> str:
    def cell(one: Any, width: int) -> str:
        if one is None:
            return f"{'none':>{width}}{'':9}"
        cut = one["n_done"] < one["n_splits"]
        return f"{('> ' if cut else '') + format(one['seconds'], '.1f'):>{width}}{one['score']:9.3f}"

    ratio = "" if theirs is None else f"{theirs['seconds'] / ours['seconds']:8.1f}x"
    about = ""
    if theirs is not None and theirs["n_done"] < theirs["n_splits"]:
        done = theirs["n_done"]
        guess = f"; at that pace {theirs['seconds'] * theirs['n_splits'] / done:,.0f} s" if done else ""
        about = f"   {done} of {theirs['n_splits']} folds{guess}"
    return f"{name:14}{cell(ours, 12)}{cell(theirs, 17)}{ratio}{about}"


class _Kept:
    """Cells that were measured, one JSON line each."""

    def __init__(self, args: Any) -> None:
        self.args = args
        CACHE.mkdir(exist_ok=True)
        self.path = CACHE / f"study-{Path(args.data).stem}-{args.rows or 'all'}.jsonl"
        if args.fresh:
            self.path.unlink(missing_ok=True)
        lines = self.path.read_text().splitlines() if self.path.exists() else []
        self.known = {(one["side"], one["name"]): one for one in map(json.loads, lines)}

    @property
    def task(self) -> str:
        return str(self.measured("hedgerow", "baseline")["task"])

    def measured(self, side: str, name: str) -> dict[str, Any]:
        found = self.known.get((side, name))
        if found is None or (
            found["n_done"] < found["n_splits"] and found["seconds"] < 0.9 * self.args.limit
        ):
            found = self._run(side, name)
            self.known[side, name] = found
            with self.path.open("a") as file:
                file.write(json.dumps(found) + "\n")
        return found

    def _run(self, side: str, name: str) -> dict[str, Any]:
        a = self.args
        command = [sys.executable, __file__, "--data", a.data, "--rows", str(a.rows), "--cell", side, name]
        command += ["--target", a.target] if a.target else []
        child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
        begin: float | None = None
        folds: list[dict[str, Any]] = []
        about: dict[str, Any] = {}

        def stop() -> None:
            os.killpg(child.pid, signal.SIGKILL)  # and the processes it has started

        alarm = threading.Timer(a.limit + 60, stop)  # 60 s for imports and reading
        alarm.start()
        assert child.stdout is not None
        for line in child.stdout:
            told = json.loads(line)
            if "n_splits" in told:
                about, begin = told, time.perf_counter()
                alarm.cancel()
                alarm = threading.Timer(a.limit, stop)
                alarm.start()
            else:
                folds.append(told)
        seconds = time.perf_counter() - (begin or time.perf_counter())
        alarm.cancel()
        ended = child.wait()
        done = len({one["split"] for one in folds if one["split"] >= 0})
        if not about or ended > 0 or (done < about["n_splits"] and seconds < 0.9 * a.limit):
            raise SystemExit(f"{side} {name} failed; run it alone: {' '.join(command)}")
        score = float(np.mean([one["score"] for one in folds if one["split"] >= 0])) if done else float("nan")
        seconds = next((one["seconds"] for one in folds if one["split"] < 0), seconds)
        return {"side": side, "name": name, **about, "n_done": done, "seconds": seconds, "score": score}


# ------------------------------------------------------------------------------------- in a process of its own
def _tell(**what: Any) -> None:
    print(json.dumps(what), flush=True)


def _cell(args: Any) -> None:
    side, name = args.cell
    data = _data(args)
    if name == "the study":
        _study(data, args)
    else:
        _model(data, args, side, name)


def _model(data: Any, args: Any, side: str, name: str) -> None:
    benchmark = _benchmark(data, args, name if side == "hedgerow" else "baseline")
    task = "regression" if benchmark.data.classes is None else "classification"
    if side != "hedgerow":
        _warm_up()
    _tell(n_splits=len(benchmark.splits.parts), task=task)
    begin = time.perf_counter()
    (_ours if side == "hedgerow" else _theirs)(benchmark, name, task)
    _tell(split=-1, seconds=time.perf_counter() - begin)


def _data(args: Any) -> Any:
    if args.rows == 0:
        return args.data
    from hedgerow.intake import read_source

    source = read_source(args.data)
    args.target = args.target or source.target
    return source.frame.sample(min(args.rows, source.frame.height), seed=0)


def _study(data: Any, args: Any) -> None:
    import hedgerow

    _tell(n_splits=1, task="")
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        result = hedgerow.study(data, args.target, folder=folder, n_jobs=THREADS)
        seconds = time.perf_counter() - begin
    _tell(split=0, score=result.holdout.scores[0].value)
    _tell(split=-1, seconds=seconds)


def _benchmark(data: Any, args: Any, name: str) -> Any:
    from hedgerow.studies.benchmark import make_benchmark
    from hedgerow.studies.holdout import seal
    from hedgerow.studies.load import load_data
    from hedgerow.studies.options import StudyOptions

    options = StudyOptions(args.target, models=(name,))
    loaded = load_data(data, options)
    train, _ = seal(loaded.rows, loaded.goal.strata, options.holdout, options.random_state)
    return make_benchmark(train, loaded.goal, options)


def _ours(benchmark: Any, name: str, task: str) -> None:
    from hedgerow.candidate import load_candidate
    from hedgerow.evaluation.run import run_folds

    shown = load_candidate(name).TITLE
    answers = run_folds(
        {shown: benchmark.models[shown]},
        benchmark.data,
        benchmark.splits,
        n_jobs=THREADS,
        show_progress=False,
    )[shown]
    for k, (part, answer) in enumerate(zip(benchmark.splits.parts, answers, strict=True)):
        _tell(split=k, score=_score(benchmark.data.labels[part.test], _labels(benchmark, answer), task))


def _warm_up() -> None:
    """The two processes and their imports are not counted."""
    from joblib import Parallel, delayed

    Parallel(n_jobs=THREADS)(delayed(_imports)() for _ in range(4))


def _imports() -> None:
    import study_peers

    study_peers.panel("classification", ["x"], ["t"])


def _labels(benchmark: Any, answer: Any) -> Any:
    values = answer.predictions.values
    return values if benchmark.data.classes is None else benchmark.data.classes[values]


def _theirs(benchmark: Any, name: str, task: str) -> None:
    from joblib import Parallel, delayed

    import study_peers

    X, numbers, texts = _frame(benchmark.data.table)
    model = study_peers.panel(task, numbers, texts)[name]
    y = benchmark.data.labels
    work = Parallel(n_jobs=THREADS, return_as="generator_unordered")
    for told in work(
        delayed(_fold)(model, X, y, part.train, part.test, k, task)
        for k, part in enumerate(benchmark.splits.parts)
    ):
        _tell(**told)


def _frame(table: Any) -> tuple[Any, list[str], list[str]]:
    """The training rows as pandas has them: numbers, and texts without gaps."""
    import pandas as pd

    columns: dict[str, Any] = {}
    numbers, texts = [], []
    for column in table.columns:
        if column.kind == "category":
            texts.append(column.name)
            columns[column.name] = np.array([*column.levels, "missing"], dtype=object)[column.values]
        else:
            numbers.append(column.name)
            columns[column.name] = column.values.astype(float)
    return pd.DataFrame(columns), numbers, texts


def _fold(model: Any, X: Any, y: Any, train: Any, test: Any, k: int, task: str) -> dict[str, Any]:
    import warnings

    from sklearn.base import clone

    warnings.simplefilter("ignore")
    guess = clone(model).fit(X.iloc[train], y[train]).predict(X.iloc[test])
    return {"split": k, "score": _score(y[test], guess, task)}


def _score(truth: Any, guess: Any, task: str) -> float:
    """Accuracy, or the share of the variance that is explained."""
    if task == "classification":
        return float(np.mean(truth == guess))
    return float(1 - np.mean((truth - guess) ** 2) / np.var(truth))


if __name__ == "__main__":
    main()
