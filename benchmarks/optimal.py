"""Optimal trees against pystreed and gosdt: the same optimum on the same binary columns, and CPU seconds.

    python benchmarks/optimal.py                     sets of ../shared/data, depths 2 to 4
    python benchmarks/optimal.py --write             also writes tests/fixtures/optimal/answers.json
    python benchmarks/optimal.py --large             50,000 rows x 100 questions, depth 4, and what time_limit=60 proves
    python benchmarks/optimal.py --gap               five levels in 20 seconds: what is proved when time runs out
    python benchmarks/optimal.py --stability         200 replicas against 200 bare fits

One thread each, one after the other in one process; CPU seconds, since other programs get in the way of a clock. "-":
not installed, or out of time.
"""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import polars as pl

from hedgerow.encode import Schema, encode
from hedgerow.grow import Classes
from hedgerow.optimal import Costs, Questions, Size, make_questions, solve
from hedgerow.table import to_table

CHECKOUT = Path(__file__).resolve().parents[1]
DATA = CHECKOUT.parent / "shared" / "data"
ANSWERS = CHECKOUT / "tests" / "fixtures" / "optimal" / "answers.json"
DEPTHS = (2, 3, 4)
LIMIT = 120  # seconds
GOSDT_LIMIT = 5  # of gosdt, which seldom proves depth 4 in less than many minutes
SETS = {  # target, thresholds a column
    "breast_cancer_ljubljana": ("Class", 4),
    "car_evaluation": ("class", 4),
    "churn": ("churn", 3),
    "credit_g": ("class", 2),
    "heart_cleveland": ("diameter narrowing", 5),
    "hypothyroid": ("Class", 3),
    "mushroom": ("Poisonous/Edible", 4),
    "spambase": ("type", 1),
    "titanic_1309": ("survived", 8),
    "vote": ("Class", 4),
}


def read(name: str, target: str, max_thresholds: int) -> tuple[Questions, Classes, Schema]:
    frame = pl.read_parquet(DATA / f"{name}.parquet")
    codes = np.unique(frame[target].cast(pl.String).to_numpy(), return_inverse=True)[1]
    classes = Classes(codes.astype(np.int32), int(codes.max()) + 1)
    rows = encode(to_table(frame.drop(target)))
    args = make_questions(rows, classes, max_thresholds=max_thresholds, max_subset_size=1)
    return args, classes, rows.schema


def in_words(args: Questions, schema: Schema) -> list[list[Any]]:
    """Of each question the column, its threshold or levels, and the answer of a missing cell."""
    made = []
    for j, threshold, levels, missing in zip(
        args.column, args.threshold, args.levels, args.missing_yes, strict=True
    ):
        names = [schema.levels[j][k] for k in levels]
        made.append([schema.names[j], names or float(threshold), bool(missing)])
    return made


def solve_ours(args: Questions, target: Classes, depth: int) -> int | None:
    found = solve(args, target, Costs(), Size(depth, 2**depth), time_limit=LIMIT)
    return round(found.cost) if found.proved else None


def solve_pystreed(args: Questions, target: Classes, depth: int) -> int | None:
    from pystreed import STreeDClassifier

    model = STreeDClassifier("accuracy", max_depth=depth, time_limit=LIMIT)
    X = args.answers.T.astype(np.int32)
    model.fit(X, target.codes)
    return round((1 - model.score(X, target.codes)) * len(X))


def solve_gosdt(args: Questions, target: Classes, depth: int) -> int | None:
    """Its price of a leaf cannot be zero: it is less than a part of one error for all leaves together."""
    import pandas as pd
    from gosdt import GOSDTClassifier, Status

    n = len(target.codes)
    price = 1 / (n * 2 ** (depth + 1))
    model = GOSDTClassifier(
        regularization=price, depth_budget=depth, allow_small_reg=True, time_limit=GOSDT_LIMIT, verbose=False
    )
    model.fit(pd.DataFrame(args.answers.T.astype(int)), pd.Series(target.codes))
    return round(model.result_.model_loss * n) if model.result_.status == Status.CONVERGED else None


PEERS: dict[str, Callable[[Questions, Classes, int], int | None]] = {
    "hedgerow": solve_ours,
    "pystreed": solve_pystreed,
    "gosdt": solve_gosdt,
}


def time_peer(name: str, args: Questions, target: Classes, depth: int) -> tuple[int | None, float]:
    begin = process_time()
    try:
        errors = PEERS[name](args, target, depth)
    except ImportError:
        errors = None
    return errors, process_time() - begin


def warm_up() -> None:
    """Imports do not count."""
    rng = np.random.default_rng(0)
    n = np.arange(6)
    args = Questions(n.astype(np.int32), n * 1.0, ((),) * 6, n > 9, rng.random((6, 50)) < 0.5)
    for name in PEERS:
        time_peer(name, args, Classes(rng.integers(0, 2, 50).astype(np.int32), 2), 2)


def compare(write: bool, names: list[str]) -> None:
    warm_up()
    answers: dict[str, Any] = {}
    print(f"{'set':24} {'rows x questions':>18} depth" + "".join(f" {name:>18}" for name in PEERS))
    for name in names:
        target_name, most = SETS[name]
        args, target, schema = read(name, target_name, most)
        answers[name] = {"target": target_name, "questions": in_words(args, schema), "errors": {}}
        for depth in DEPTHS:
            found = {peer: time_peer(peer, args, target, depth) for peer in PEERS}
            cells = [f"{'-' if e is None else e:>8} {took:7.3f} s" for e, took in found.values()]
            size = f"{len(target.codes):,} x {len(args)}"
            print(f"{name:24} {size:>18} {depth:>5} " + " ".join(cells), flush=True)
            known = {peer: errors for peer, (errors, _) in found.items() if errors is not None}
            if len(set(known.values())) > 1:
                print("    NOT THE SAME OPTIMUM")
            answers[name]["errors"][str(depth)] = {p: e for p, e in known.items() if p != "hedgerow"}
    if write:
        ANSWERS.parent.mkdir(parents=True, exist_ok=True)
        lines = (f"{json.dumps(name)}: {json.dumps(known)}" for name, known in answers.items())
        ANSWERS.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def time_large() -> None:
    frame = pl.read_parquet(DATA / "covertype.parquet").sample(50_000, seed=0)
    target = Classes((frame["Cover_Type"].to_numpy() == 2).astype(np.int32), 2)
    args = make_questions(
        encode(to_table(frame.drop("Cover_Type"))), target, max_thresholds=20, max_subset_size=1
    )
    first = Questions(
        args.column[:100],
        args.threshold[:100],
        args.levels[:100],
        args.missing_yes[:100],
        args.answers[:100],
    )
    for depth in (3, 4):
        begin = process_time()
        found = solve(first, target, Costs(), Size(depth, 2**depth), time_limit=60, threads=2)
        proof = "proved" if found.proved else f"no tree below {found.bound:,.0f}"
        print(
            f"50,000 x {len(first)}, depth {depth}: {found.cost:,.0f} errors, {proof}, {found.n_sets:,} sets, "
            f"{process_time() - begin:.1f} CPU seconds, {found.seconds:.1f} s on two threads"
        )


def show_gap() -> None:
    rng = np.random.default_rng(0)
    noise = Classes(rng.integers(0, 2, 3000).astype(np.int32), 2)
    rows = encode(to_table(np.random.default_rng(0).normal(size=(3000, 12))))
    cases = {"noise": (make_questions(rows, noise, max_thresholds=16, max_subset_size=1), noise)}
    cases |= {name: read(name, *SETS[name])[:2] for name in ("churn", "credit_g")}
    for name, (args, target) in cases.items():
        found = solve(args, target, Costs(), Size(5, 32), time_limit=20, threads=2)
        size = f"{len(target.codes):,} x {len(args)}"
        print(f"{name}, {size}, depth 5: {found.cost:,.0f} errors, no tree below {found.bound:,.0f}")


def time_stability() -> None:
    from hedgerow import DecisionTreeClassifier, stability

    frame = pl.read_parquet(DATA / "adult.parquet").head(10_000)
    X, y = frame.drop("income"), frame["income"].cast(pl.String).to_numpy()
    for leaves in (8, 32):
        model = DecisionTreeClassifier(max_leaf_nodes=leaves, n_jobs=1).fit(X, y)
        begin = process_time()
        stability(model, X, y, n_replicas=200)
        ours, begin = process_time() - begin, process_time()
        for _ in range(20):
            DecisionTreeClassifier(max_leaf_nodes=leaves, n_jobs=1).fit(X, y)
        bare = 10 * (process_time() - begin)
        print(f"10,000 x 14, {leaves} leaves: 200 replicas {ours:.2f} s, 200 bare fits {bare:.2f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="*", default=list(SETS), help="names of sets")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--gap", action="store_true")
    parser.add_argument("--stability", action="store_true")
    given = parser.parse_args()
    if given.large:
        time_large()
    elif given.gap:
        show_gap()
    elif given.stability:
        time_stability()
    else:
        compare(given.write, given.sets)
