"""No page names a thing that does not exist: names of Python, parameters, commands and options in code on the pages.

Read is what stands between backticks and in blocks of shell. Python in blocks is tested by running it (test_docs.py).
"""

import ast
import inspect
import pkgutil
import re
import shlex
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer.main
from tests.test_docs import CHECKOUT, DOCUMENTS, name

import hedgerow
from hedgerow.cli.main import COMMANDS, app
from hedgerow.prune import load_methods

pytestmark = pytest.mark.slow
PAGES = [page for page in DOCUMENTS if name(page).startswith(("README", "docs/"))]
FOREIGN = {  # of Python, SQL, R, exported C and other libraries; a variable of the environment; aims of a study
    "print()", "help()", "list()", "model_predict()", "deterministic=", "epoch()", "extract()", "strftime()",
    "toarray()", "compute_sample_weight()", "rpart()", "partial_dependence(method=)", "prune(cp=)", "bagging_freq=",
    "HEDGEROW_TRACEBACK=", "precision=", "recall=", "risk=",
}  # fmt: skip


def code_spans(text: str) -> Iterator[str]:
    text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    yield from (span.replace("\n", " ") for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", text))


def shell_lines(text: str) -> Iterator[str]:
    for block in re.findall(r"^```(?:sh|console|bash)\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE):
        for line in block.replace("\\\n", " ").splitlines():
            yield line.removeprefix("$ ")


# Names of Python


@cache
def known_things() -> dict[str, list[Any]]:
    """Everything by its last name: functions and classes of modules, their methods, properties and fields."""
    names = [module.name for module in pkgutil.walk_packages(hedgerow.__path__, "hedgerow.")]
    found: dict[str, list[Any]] = {}
    for module in [hedgerow, *(import_module(one) for one in names if not one.endswith("__main__"))]:
        for one in [*getattr(module, "__all__", []), *vars(module)]:
            thing = getattr(module, one)
            found.setdefault(one, []).append(thing)
            if inspect.isclass(thing):
                for member in [*dir(thing), *getattr(thing, "__annotations__", {})]:
                    found.setdefault(member, []).append(getattr(thing, member, None))
    return found


@cache
def parameters() -> set[str]:
    """Of public functions, classes and their methods."""
    found: set[str] = set()
    for module in (hedgerow, hedgerow.datasets, hedgerow.formulas, hedgerow.teaching):
        for thing in (getattr(module, one) for one in module.__all__):
            found |= parameters_of(thing)
            if inspect.isclass(thing):
                found = found.union(*(parameters_of(getattr(thing, one, None)) for one in dir(thing)))
    return found.union(*map(parameters_of, load_methods().values()))


def parameters_of(thing: Any) -> set[str]:
    try:
        return set(inspect.signature(thing).parameters)
    except (TypeError, ValueError):
        return set()


def unknown_in_python(span: str) -> Iterator[str]:
    try:
        tree = ast.parse(span.strip())
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and re.fullmatch(r"hedgerow(\.\w+)+", path := ast.unparse(node)):
            if not exists(path):
                yield path
        elif isinstance(node, ast.Call):
            yield from unknown_in_call(node)
    if (given := re.match(r"(\w+)=[^=\s]", span)) and given[1] not in parameters():
        yield f"{given[1]}="


def exists(path: str) -> bool:
    parts = path.split(".")
    for n in range(len(parts), 0, -1):
        try:
            thing: Any = import_module(".".join(parts[:n]))
        except ImportError:
            continue
        for part in parts[n:]:
            if not hasattr(thing, part) and part not in getattr(thing, "__annotations__", {}):
                return False
            thing = getattr(thing, part, None)
        return True
    return False


def unknown_in_call(node: ast.Call) -> Iterator[str]:
    called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    things = [thing for thing in known_things().get(called, []) if callable(thing)]
    if not things:
        yield f"{called}()"
        return
    known = set().union(*map(parameters_of, things))
    takes_any = any(
        parameter.kind is parameter.VAR_KEYWORD
        for thing in things
        for parameter in (inspect.signature(thing).parameters.values() if parameters_of(thing) else ())
    )
    for keyword in node.keywords:
        if keyword.arg and keyword.arg not in known and not takes_any:
            yield f"{called}({keyword.arg}=)"


# Commands and options


@cache
def options() -> dict[str, set[str]]:
    group = typer.main.get_command(app)
    found = {"": {option for one in group.params for option in one.opts + one.secondary_opts}}
    for command in COMMANDS:
        params = group.get_command(None, command).params
        found[command] = {option for one in params for option in one.opts + one.secondary_opts}
    return found


HELP = {"--help", "-h"}


def unknown_in_command(line: str) -> Iterator[str]:
    for part in re.split(r"&&|\||;", line):
        try:
            words = shlex.split(part, comments=True)
        except ValueError:
            continue
        if len(words) < 2 or words[0] != "hedgerow" or words[1] == "COMMAND":
            continue
        command = words[1] if not words[1].startswith("-") else ""
        if command not in options():
            yield f"hedgerow {command}"
            continue
        for word in words[1:]:
            option = word.partition("=")[0]
            if re.fullmatch(r"--?[a-z][a-z-]*", option) and option not in options()[command] | HELP:
                yield f"hedgerow {command} {option}"


def unknown_option(span: str) -> Iterator[str]:
    """`--time` or `--time COLUMN` by itself: of any command, or of a program of benchmarks/ or tools/."""
    found = re.match(r"(--[a-z][a-z-]*)\b", span)
    if found and not any(found[1] in known | HELP for known in options().values()):
        programs = [*(CHECKOUT / "benchmarks").glob("*.py"), *(CHECKOUT / "tools").glob("*.py")]
        if not any(f'"{found[1]}"' in program.read_text(encoding="utf-8") for program in programs):
            yield found[1]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_what_a_page_names_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    unknown = [one for line in shell_lines(text) for one in unknown_in_command(line)]
    for span in code_spans(text):
        if span.startswith("hedgerow "):
            unknown += unknown_in_command(span)
        elif span.startswith("--"):
            unknown += unknown_option(span)
        else:
            unknown += unknown_in_python(span)
    assert sorted(set(unknown) - FOREIGN) == []
