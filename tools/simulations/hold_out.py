"""95 % intervals on a hold-out: do they hold the true score of the model that was tested?"""

from collections.abc import Iterator

import numpy as np

from hedgerow.evaluation.metric import metrics
from simulations.population import share
from simulations.quick import quick
from simulations.scoring_data import CLASSES, NUMBERS, compute_scores, draw, names_for

ROWS = (100, 500, 2000)


def coverage(kind: str, n: int, repetitions: int) -> dict[str, int]:
    """Score -> how often its interval held the truth."""
    random = np.random.default_rng(n)
    names = names_for(kind)
    everything = draw(kind, 1_000_000, np.random.default_rng(1))
    truth = {name: metrics()[name].value(everything) for name in names}
    assert all(np.isclose(quick(name).value(everything), truth[name]) for name in names)
    hits = dict.fromkeys(names, 0)
    done = 0
    while done < repetitions:
        rows = draw(kind, n, random)
        if rows.n_classes and len(np.unique(rows.y_true)) < 2:
            continue
        done += 1
        for name, score in compute_scores(rows, names).items():
            hits[name] += score.low <= truth[name] <= score.high
    return hits


def table(part: float) -> Iterator[str]:
    repetitions = max(10, int(2000 * part))
    yield f"{repetitions} repetitions."
    for kind in (*CLASSES, *NUMBERS):
        found = {n: coverage(kind, n, repetitions) for n in ROWS}
        yield f"\n| {kind} | " + " | ".join(f"{n} rows" for n in ROWS) + " |"
        yield "|---|" + "---|" * len(ROWS)
        for name in names_for(kind):
            cells = " | ".join(share(found[n][name], repetitions) for n in ROWS)
            yield f"| {metrics()[name].title} | {cells} |"
