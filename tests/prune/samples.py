"""Grown trees to prune, and their data."""

from dataclasses import replace

from hedgerow.encode import encode
from hedgerow.grow import grow
from hedgerow.prune import PruningData
from twins.cases import Case, random_case

KINDS = ("plain", "categories", "multiway", "spread", "surrogates")
TWINS = KINDS[:-1]  # the twins know no surrogates
MORE = {
    "plain": {"numbers": 3},
    "categories": {"numbers": 1, "categories": 2, "missing": 0.1},
    "multiway": {"numbers": 1, "categories": 2, "limits": {"multiway": True}},
    "surrogates": {"numbers": 3, "categories": 1, "missing": 0.15, "limits": {"surrogates": 3}},
    "spread": {
        "numbers": 2,
        "categories": 2,
        "missing": 0.15,
        "limits": {"multiway": True, "fractional": True},
    },
}


def case_of(kind: str, seed: int, criterion: str = "entropy", n: int = 83, **more) -> Case:
    """Noise with some signal, so that some of the tree is worth keeping."""
    settings = {**MORE[kind], **more}
    case = random_case(seed, criterion, n=n, n_levels=4, **settings)
    signal = case.X[:, 0] > 0.2
    y = case.y.copy()
    y[signal] = 0 if case.n_classes else y[signal] + 3
    y[signal & (case.y == 1) & (case.X[:, 1] > 0.5)] = 1 if case.n_classes else 2
    return replace(case, y=y)


def data_of(case: Case) -> PruningData:
    rows, target = encode(case.table()), case.target()

    def regrow(weight):
        return grow(rows, replace(target, weight=weight), case.criterion, case.limits)

    return PruningData(case.X, target, case.criterion, regrow)
