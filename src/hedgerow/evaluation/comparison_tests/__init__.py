"""comparisons: tests of a difference between models; one file each, the file's name is the test's."""

import pkgutil
from functools import cache
from importlib import import_module
from typing import Any

from hedgerow.evaluation.comparison_tests.pair import Apart, ManyTest, Outcome, Pair, PairTest
from hedgerow.table.words import did_you_mean, quote

__all__ = ["Apart", "ManyTest", "Outcome", "Pair", "PairTest", "comparison_named", "comparisons"]


@cache
def comparisons() -> dict[str, PairTest | ManyTest]:
    names = [found.name for found in pkgutil.iter_modules(__path__) if found.name not in ("pair", "student")]
    loaded: dict[str, Any] = {name: import_module(f"{__name__}.{name}") for name in names}
    return loaded


def comparison_named(name: str) -> PairTest:
    known = {other: test for other, test in comparisons().items() if isinstance(test, PairTest)}
    if name not in known:
        hint = did_you_mean(str(name), known)
        raise ValueError(f"test={quote(name)} is unknown. Known: {', '.join(known)}.{hint}")
    return known[name]
