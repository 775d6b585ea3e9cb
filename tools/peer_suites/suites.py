"""Run scikit-learn's own test files on our classes, and judge the outcomes.

In: the name of a test file.   Out: Suite: the tests that made one of our estimators, passed, failed, or left out.

expected_differences.toml says of each test that does not pass why. `private` tests read scikit-learn's internals
and are left out of the count.
`missing` tests want what hedgerow does not have yet; `differs` ones want something that hedgerow does differently on
purpose.
"""

import json
import os
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
LIST = HERE / "expected_differences.toml"
LEFT_OUT = "private"
KINDS = (LEFT_OUT, "missing", "differs")

FILES = {  # those that take longest first, so that two processes end at about the same time
    "test_bagging": "sklearn.ensemble.tests.test_bagging",
    "test_forest": "sklearn.ensemble.tests.test_forest",
    "test_tree": "sklearn.tree.tests.test_tree",
    "test_weight_boosting": "sklearn.ensemble.tests.test_weight_boosting",
    "test_svm": "sklearn.svm.tests.test_svm",
    "test_sparse": "sklearn.svm.tests.test_sparse",
    "test_gradient_boosting": "sklearn.ensemble._hist_gradient_boosting.tests.test_gradient_boosting",
}
ALONG = {"test_sparse": "sklearn.svm.tests.test_svm"}  # what a test file imports of another one


@dataclass(frozen=True)
class Difference:
    """One line of the list: a test, or those of its cases whose parameters hold one of `cases`."""

    file: str
    kind: str
    test: str
    why: str
    cases: tuple[str, ...] = ()

    def covers(self, name: str) -> bool:
        test, _, case = name.partition("[")
        return test == self.test and (not self.cases or any(part in case for part in self.cases))


def read_differences(file: str | None = None) -> list[Difference]:
    found = tomllib.loads(LIST.read_text(encoding="utf-8"))
    return [
        Difference(name, kind, one["test"], one["why"], tuple(one.get("cases", ())))
        for name, kinds in found.items()
        for kind in KINDS
        for one in kinds.get(kind, ())
        if file in (None, name)
    ]


@dataclass(frozen=True)
class Suite:
    file: str
    outcomes: dict[str, dict[str, str]]  # of each test that made one of our estimators: outcome and why
    differences: list[Difference]

    def kind_of(self, name: str) -> str | None:
        return next((one.kind for one in self.differences if one.covers(name)), None)

    def names(self, *outcomes: str) -> list[str]:
        return [name for name, found in self.outcomes.items() if found["outcome"] in outcomes]

    @property
    def left_out(self) -> list[str]:
        return [name for name in self.names("passed", "failed") if self.kind_of(name) == LEFT_OUT]

    @property
    def passed(self) -> list[str]:
        return [name for name in self.names("passed") if self.kind_of(name) != LEFT_OUT]

    @property
    def failed(self) -> list[str]:
        return [name for name in self.names("failed") if self.kind_of(name) != LEFT_OUT]

    @property
    def surprises(self) -> list[str]:
        """What fails although no line says why; lines whose tests all pass, or that no test belongs to."""
        failing = self.names("failed")
        unlisted = [f"{name}: {self.outcomes[name]['why']}" for name in failing if self.kind_of(name) is None]
        stale = [
            f"{one.test} {' '.join(one.cases)}: listed as {one.kind}, but nothing of it fails"
            for one in self.differences
            if not any(one.covers(name) for name in failing)
        ]
        return unlisted + stale


def run_suite(file: str, arguments: tuple[str, ...] = ()) -> Suite:
    modules = [ALONG[file], FILES[file]] if file in ALONG else [FILES[file]]
    with tempfile.TemporaryDirectory() as folder:
        outcomes = Path(folder) / "outcomes.json"
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(HERE), *filter(None, sys.path)]),
            "PEER_SUITES_MODULES": " ".join(modules),
            "PEER_SUITES_OUTCOMES": str(outcomes),
        }
        for name in [name for name in environment if name.startswith("PYTEST_")]:
            del environment[name]  # of the run that this one is part of
        done = subprocess.run(
            _command(file, arguments), env=environment, cwd=folder, capture_output=True, text=True
        )
        if not outcomes.exists():
            raise RuntimeError(f"{file} could not be run:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        if arguments:
            print(done.stdout)
        return Suite(file, json.loads(outcomes.read_text()), read_differences(file))


def _command(file: str, arguments: tuple[str, ...]) -> list[str]:
    spec: Any = find_spec("sklearn")
    root = ["--rootdir", str(Path(spec.origin).parent), "-c", os.devnull]
    quiet = ["-q", "--no-header", "-p", "no:cacheprovider", "-p", "plugin", "--tb=short"]
    return [sys.executable, "-m", "pytest", *quiet, *root, "--pyargs", FILES[file], *arguments]


def table(suites: list[Suite]) -> str:
    """A line a file. Percent: of those counted; then of those that need nothing listed as missing."""
    lines = [
        f"{'file':24}{'counted':>8}{'passed':>8}{'failed':>8}{'missing':>9}{'left out':>10}{'%':>7}{'% of present':>14}"
    ]
    rows = [(s.file, len(s.passed), len(s.failed), _missing(s), len(s.left_out)) for s in suites]
    total = ("all", *(sum(row[place] for row in rows) for place in range(1, 5)))
    for name, passed, failed, missing, private in [*rows, total]:
        counted = passed + failed
        shares = f"{_percent(passed, counted):>7}{_percent(passed, counted - missing):>14}"
        lines.append(f"{name:24}{counted:>8}{passed:>8}{failed:>8}{missing:>9}{private:>10}{shares}")
    return "\n".join(lines)


def _missing(suite: Suite) -> int:
    return sum(suite.kind_of(name) == "missing" for name in suite.failed)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "-"
