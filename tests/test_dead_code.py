"""Nothing stands in the source that nobody uses.

Read from the source with `ast`: a function, class, method or constant whose name occurs nowhere else, neither in the
source nor in a template, a document, a benchmark or a tool, is dead. Tests do not count: what only a test calls is
not needed by anybody else.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from hedgerow.export.program.steps import STEPS

CHECKOUT = Path(__file__).resolve().parents[1]
SOURCE = CHECKOUT / "src" / "hedgerow"
USERS = ("docs", "benchmarks", "tools", "README.md", "CONTRIBUTING.md")

SPECIAL = re.compile(r"__\w+__|_repr_\w+_")
CALLED_BY_OTHERS = {  # by name, from other packages
    "scikit-learn": {
        "get_feature_names_out",
        "_get_support_mask",
        "oob_prediction_",
        "get_metadata_routing",
    },
    "rich": {"on_broken_pipe"},
    "typer": {"list_commands", "format_commands"},
}
FOR_USERS = {  # what people read or call, and nothing here does
    "formulas of the lectures": {"never_drawn", "upper_limit"},
    "questions to a result": {"at_risk"},
}
BY_STEP = {
    begin + step for begin in ("check_", "write_") for step in STEPS
}  # found by export.program.steps.by_step
KEPT = set().union(*CALLED_BY_OTHERS.values(), *FOR_USERS.values())


def definitions(tree: ast.Module) -> Iterator[ast.stmt]:
    """Functions, classes and constants at the top, and methods."""
    for node in tree.body:
        yield node
        if isinstance(node, ast.ClassDef):
            yield from (part for part in node.body if isinstance(part, ast.FunctionDef))


def name_of(node: ast.stmt) -> str | None:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return node.target.id
    return None


def words_used() -> Counter[str]:
    files = [file for file in SOURCE.rglob("*") if file.suffix in (".py", ".html", ".js")]
    for place in USERS:
        path = CHECKOUT / place
        files += [path] if path.is_file() else [f for f in path.rglob("*") if f.suffix in (".py", ".md")]
    return Counter(word for file in files for word in re.findall(r"\w+", file.read_text(encoding="utf-8")))


def test_everything_is_used() -> None:
    used, dead = words_used(), []
    for file in sorted(SOURCE.rglob("*.py")):
        for node in definitions(ast.parse(file.read_text(encoding="utf-8"))):
            name = name_of(node)
            if name and used[name] < 2 and name not in KEPT | BY_STEP and not SPECIAL.fullmatch(name):
                dead.append(f"{file.relative_to(SOURCE).as_posix()}:{node.lineno}: {name}")
    assert dead == []


def test_what_is_kept_is_there() -> None:
    used = words_used()
    assert [name for name in sorted(KEPT) if not used[name]] == []
