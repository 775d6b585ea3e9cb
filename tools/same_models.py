"""Are the models of a fixed set of fits the same bytes as they were before a change?

    python tools/same_models.py > build/models.json         before
    python tools/same_models.py build/models.json           after: a line for each model that is not the same

Out: digests of saved models and of their predictions. Every criterion, draws of rows, weights, missing cells,
categories, wide rows of pixels, one and two threads. The exit code is 1 where two digests differ.
"""

import hashlib
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import hedgerow

ROWS = 1_501
Case = tuple[Any, Any, Any, Any]  # model, X, y, sample_weight


def make_tables() -> dict[str, Any]:
    """Numbers with many values, few values and gaps; pixels, most of them 0; categories beside numbers."""
    import pandas as pd

    rng = np.random.default_rng(11)
    plain = rng.normal(size=(ROWS, 9))
    plain[:, 1] = np.round(plain[:, 1] * 3)
    plain[:, 2] = np.exp(plain[:, 2])
    gaps = plain.copy()
    gaps[rng.random(gaps.shape) < 0.07] = np.nan
    pixels = np.clip(np.round(rng.normal(-60, 90, (ROWS, 330))), 0, 255).astype(np.float32)
    pixels[:, ::17] = 0
    level = rng.integers(0, 12, ROWS)
    mixed = pd.DataFrame(gaps[:, :4], columns=list("abcd")).assign(
        town=pd.Categorical([f"t{k}" for k in level])
    )
    score = plain[:, 0] * plain[:, 1] + np.abs(plain[:, 3]) + rng.normal(size=ROWS)
    score += pixels[:, 5] / 100 + level % 3
    weight = rng.integers(0, 4, ROWS) + rng.random(ROWS) * (rng.random(ROWS) < 0.5)
    return {
        "X": {
            "plain": plain,
            "float32": plain.astype(np.float32),
            "gaps": gaps,
            "pixels": pixels,
            "mixed": mixed,
        },
        "two": score > 1,
        "five": np.digitize(score, [0, 1, 2, 3]),
        "number": score,
        "weight": weight,
    }


def make_cases() -> Iterator[tuple[str, Case]]:
    t = make_tables()
    tree, forest = hedgerow.DecisionTreeClassifier, hedgerow.RandomForestClassifier
    extra, numbers = hedgerow.ExtraTreesClassifier, hedgerow.RandomForestRegressor
    some = {"n_estimators": 7, "random_state": 0}
    for name, X in t["X"].items():
        for y in ("two", "five"):
            yield f"tree {name} {y}", (tree(), X, t[y], None)
            for jobs in (1, 2):
                yield f"forest {name} {y} {jobs}", (forest(n_jobs=jobs, **some), X, t[y], None)
                yield f"extra {name} {y} {jobs}", (extra(n_jobs=jobs, **some), X, t[y], None)
        yield f"tree {name} weight", (tree(criterion="entropy"), X, t["five"], t["weight"])
        yield f"forest {name} weight", (forest(class_weight="balanced", **some), X, t["five"], t["weight"])
        yield f"extra {name} bootstrap", (extra(bootstrap=True, **some), X, t["five"], None)
        yield f"extra {name} weight", (extra(**some), X, t["two"], t["weight"])
        yield f"number {name}", (hedgerow.DecisionTreeRegressor(), X, t["number"], None)
        yield f"numbers {name}", (numbers(n_jobs=2, **some), X, t["number"], None)
        yield f"numbers {name} some", (numbers(max_features=0.4, **some), X, t["number"], t["weight"])
        yield f"numbers {name} all rows", (numbers(bootstrap=False, **some), X, t["number"], None)
        yield f"extra numbers {name}", (hedgerow.ExtraTreesRegressor(**some), X, t["number"], None)
        yield f"extra leaf {name}", (extra(min_samples_leaf=4, **some), X, t["five"], None)
        yield f"bins {name}", (forest(max_bins=20, **some), X, t["five"], None)
        yield f"extra bins {name}", (extra(max_bins=20, **some), X, t["five"], None)
    for criterion in ("entropy", "misclassification", "gain_ratio"):
        yield f"criterion {criterion}", (tree(criterion=criterion), t["X"]["gaps"], t["five"], None)
        yield f"forest {criterion}", (forest(criterion=criterion, **some), t["X"]["plain"], t["five"], None)
        if criterion != "gain_ratio":
            yield (
                f"extra {criterion}",
                (extra(criterion=criterion, **some), t["X"]["pixels"], t["five"], None),
            )
    for criterion in ("absolute_error", "poisson"):
        y = np.abs(t["number"])
        yield (
            f"criterion {criterion}",
            (hedgerow.DecisionTreeRegressor(criterion=criterion), t["X"]["gaps"], y, None),
        )
        yield (
            f"numbers {criterion}",
            (numbers(criterion=criterion, max_depth=6, **some), t["X"]["plain"], y, None),
        )
    yield "random splitter", (tree(splitter="random", random_state=0), t["X"]["pixels"], t["five"], None)
    yield "best first", (tree(max_leaf_nodes=30), t["X"]["pixels"], t["five"], None)
    yield (
        "boosted",
        (hedgerow.AdaBoostClassifier(n_estimators=20, random_state=0), t["X"]["gaps"], t["five"], None),
    )
    yield (
        "bagged",
        (hedgerow.BaggingClassifier(n_estimators=5, random_state=0), t["X"]["plain"], t["five"], None),
    )
    yield (
        "gradient",
        (
            hedgerow.HistGradientBoostingClassifier(max_iter=20, random_state=0),
            t["X"]["mixed"],
            t["five"],
            None,
        ),
    )


def digest(case: Case) -> str:
    model, X, y, weight = case
    model.fit(X, y) if weight is None else model.fit(X, y, sample_weight=weight)
    said = np.asarray(model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.hedgerow"
        hedgerow.save(model, path)
        return hashlib.sha256(path.read_bytes() + said.tobytes()).hexdigest()[:20]


def main() -> int:
    found = {name: digest(case) for name, case in make_cases()}
    if not sys.argv[1:]:
        print(json.dumps(found, indent=1))
        return 0
    before = json.loads(Path(sys.argv[1]).read_text())
    other = [name for name in before | found if before.get(name) != found.get(name)]
    for name in other:
        print(f"{name}: {before.get(name, 'not there')}, now {found.get(name, 'not there')}")
    print(f"{len(found) - len(other)} of {len(found)} models are the same bytes")
    return int(bool(other))


if __name__ == "__main__":
    sys.exit(main())
