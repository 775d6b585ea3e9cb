"""checks: what may be wrong with the method; one file each."""

import pkgutil
from functools import cache
from importlib import import_module
from typing import Any

from hedgerow.evaluation.checks.finding import Check, Finding
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.splits import Splits

__all__ = ["Check", "Finding", "checks", "findings"]


@cache
def checks() -> dict[str, Check]:
    names = [found.name for found in pkgutil.iter_modules(__path__) if found.name != "finding"]
    loaded: dict[str, Any] = {name: import_module(f"{__name__}.{name}") for name in names}
    return loaded


def findings(data: Data, splits: Splits) -> tuple[Finding, ...]:
    """Of all checks, the severe ones first."""
    found = [one for check in checks().values() for one in check.find(data, splits)]
    return tuple(sorted(found, key=lambda one: not one.severe))
