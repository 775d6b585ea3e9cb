"""95 % intervals on a hold-out: do they hold the true score of the model that was tested?"""

from collections.abc import Iterator

import numpy as np

from hedgerow import evaluate
from simulations.models import Fixed, FixedNumber
from simulations.population import classes, numbers, share

ROWS = (100, 500)
MODEL = Fixed((1.0, 0.3, 0.0, 0.6), -0.3)


def coverage(kind: str, n: int, repetitions: int) -> dict[str, float]:
    """Score -> how often its interval held the truth."""
    random = np.random.default_rng(n)
    draw = {"two classes": classes, "one in twelve": lambda n, r: classes(n, r, 3.0), "numbers": numbers}[
        kind
    ]
    model = FixedNumber() if kind == "numbers" else MODEL
    if kind == "one in twelve":
        model = Fixed((1.0, 0.3, 0.0, 0.6), -2.0)
    truth = {s.name: s.value for s in evaluate(model, *draw(200_000, random), cv="fitted").scores}
    hits = dict.fromkeys(truth, 0)
    for _ in range(repetitions):
        X, y = draw(n, random)
        if kind != "numbers" and len(np.unique(y)) < 2:
            continue
        for s in evaluate(model, X, y, cv="fitted", progress=False).scores:
            hits[s.name] += s.low <= truth[s.name] <= s.high
    return hits


def table(part: float) -> Iterator[str]:
    repetitions = max(10, int(1000 * part))
    yield f"{repetitions} repetitions."
    for kind in ("two classes", "one in twelve", "numbers"):
        found = {n: coverage(kind, n, repetitions) for n in ROWS}
        yield f"\n| {kind} | " + " | ".join(f"{n} rows" for n in ROWS) + " |"
        yield "|---|" + "---|" * len(ROWS)
        for name in found[ROWS[0]]:
            yield f"| {name} | " + " | ".join(share(found[n][name], repetitions) for n in ROWS) + " |"
