"""`hedgerow doctor`.   In: nothing.   Out: a page about this installation: packages, threads, where the time goes.

It leaves with 1 where a package is missing or too old, or where threads change an answer; the page says what to do.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from hedgerow.cli.options import make_command, option
from hedgerow.words import to_json

DOC = "Show what is installed, how many threads are used, and where the time of a small fit goes."
ROWS, COLUMNS, TREES = 20_000, 10, 50  # of the small fit: a second or two


@dataclass(frozen=True, kw_only=True)
class DoctorOptions:
    json: bool = option(False, "Results as JSON on standard output.", None, "--json")


class Package(NamedTuple):
    name: str
    wanted: str  # such as ">=1.26"
    found: str | None
    extra: str  # hedgerow[extra] brings it; empty where it is always needed
    is_right: bool


class Timing(NamedTuple):
    step: str
    seconds: float


def make() -> Callable[..., None]:
    return make_command(DoctorOptions, run, DOC)


def run(options: DoctorOptions) -> None:
    packages = list(find_packages())
    lacking = [one for one in packages if not one.is_right and not one.extra]
    facts = describe_machine()
    timings, same = ([], None) if lacking else time_small_fit()
    if options.json:
        seconds = {one.step: one.seconds for one in timings}
        found = {"installation": facts, "packages": [one._asdict() for one in packages]}
        print(to_json(found | {"seconds": seconds, "threads_agree": same}))
    else:
        _show(facts, packages, timings, same)
    if lacking or same is False:
        raise SystemExit(1)


def find_packages() -> Iterator[Package]:
    """What the installed package asks for, and what is there."""
    from importlib.metadata import PackageNotFoundError, requires, version

    from packaging.requirements import Requirement

    for line in requires("hedgerow") or ():
        wanted = Requirement(line)
        extra = str(wanted.marker).partition('extra == "')[2].rstrip('"') if wanted.marker else ""
        if extra in ("test", "lint", "docs"):
            continue
        try:
            found = version(wanted.name)
        except PackageNotFoundError:
            found = None
        is_right = found is not None and wanted.specifier.contains(found, prereleases=True)
        yield Package(wanted.name, str(wanted.specifier), found, extra, is_right)


def describe_machine() -> dict[str, Any]:
    import os
    import platform
    from importlib.metadata import version
    from pathlib import Path

    import hedgerow
    from hedgerow.core import native
    from hedgerow.core.threads import usable_cores

    free_threaded = not getattr(sys, "_is_gil_enabled", lambda: True)()
    return {
        "hedgerow": version("hedgerow"),
        "folder": str(Path(hedgerow.__file__).parent),
        "python": platform.python_version() + (", free-threaded" if free_threaded else ""),
        "system": platform.platform(),
        "cores": os.cpu_count(),
        "threads": usable_cores(),
        "instructions": native.instruction_set(),
    }


def time_small_fit() -> tuple[list[Timing], bool]:
    """Seconds of each step, and whether a forest is the same with one thread and with all."""
    from time import perf_counter

    timings: list[Timing] = []

    def timed(step: str, call: Callable[[], Any]) -> Any:
        start = perf_counter()
        made = call()
        timings.append(Timing(step, perf_counter() - start))
        return made

    timed("load numpy and scikit-learn", lambda: __import__("sklearn.ensemble"))
    timed("load hedgerow's estimators", lambda: __import__("hedgerow.estimators"))
    import numpy as np

    from hedgerow import RandomForestClassifier
    from hedgerow.encode import encode
    from hedgerow.grow import Classes, Limits, grow
    from hedgerow.table import to_table

    random = np.random.default_rng(0)
    X = random.normal(size=(ROWS, COLUMNS))
    y = (X[:, 0] * X[:, 1] + random.normal(size=ROWS) > 0).astype(np.int64)
    table = timed("read the rows", lambda: to_table(X))
    rows = timed("encode the columns", lambda: encode(table))
    timed("grow one tree", lambda: grow(rows, Classes(y.astype(np.uint32), 2), "gini", Limits(COLUMNS)))
    one = RandomForestClassifier(TREES, n_jobs=1, random_state=0)
    every = RandomForestClassifier(TREES, n_jobs=-1, random_state=0)
    timed(f"a forest of {TREES} trees, one thread", lambda: one.fit(X, y))
    timed("the same, all threads", lambda: every.fit(X, y))
    predicted = timed("its predictions", lambda: every.predict_proba(X))
    return timings, bool(np.array_equal(one.predict_proba(X), predicted))


def _show(facts: dict[str, Any], packages: list[Package], timings: list[Timing], same: bool | None) -> None:
    from hedgerow.cli.console import Page

    page = Page()
    page.heading("Installation")
    page.facts((name, str(value)) for name, value in facts.items())
    page.heading("Packages")
    page.facts((one.name, _about(one)) for one in packages)
    if not timings:
        page.heading("A small fit", "not tried: install what is missing first")
        return
    page.heading("A small fit", f"{ROWS:,} rows, {COLUMNS} columns, seconds")
    page.facts((one.step, f"{one.seconds:.3f}") for one in timings)
    if same:
        page.facts([("threads", "one and all give the same forest")])
    else:
        page.facts(
            [("threads", "one and all give different forests: a defect of hedgerow; please report this page")]
        )


def _about(one: Package) -> str:
    if one.is_right:
        return str(one.found)
    name = f"hedgerow[{one.extra}]" if one.extra else f"{one.name}{one.wanted}"
    if one.found is None and one.extra:
        return f"not installed; wanted for {one.extra}: pip install '{name}'"
    return f"{one.found or 'missing'}; wanted {one.wanted}: pip install '{name}'"
