"""Imports flow one way, along the path of data; and starting is cheap.

Read from the source with `ast`, so that an import hidden in a function counts too.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src" / "hedgerow"

# A folder may import itself and what stands above it in this list. A new folder gets its line here.
LAYERS = [
    "types",
    "core",
    "tree",
    "table",
    "plugins",
    "datasets",
    "encode",
    "grow",
    "intake",
    "prune",
    "rules",
    "ensemble",
    "boost",
    "svm",
    "draw",
    "export",
    "store",
    "estimators",
    "recipe_book",
    "evaluation",
    "candidates",
    "studies",
    "report",
    "hedgerow",  # __init__.py: the public names
    "cli",
    "__main__",
]
ALGORITHMS = set(LAYERS[: LAYERS.index("store")]) - {"datasets"}
OPTIONAL = {"pandas", "pyarrow", "dask", "onnx"}
HEAVY = {"sklearn", "scipy", "matplotlib", "polars", "pandas", "pyarrow"}

FILES = sorted(SOURCE.rglob("*.py")) + sorted(SOURCE.rglob("*.pyi"))
each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(SOURCE).as_posix())


def layer_of(file: Path) -> str:
    """hedgerow/tree/cut.py -> tree; hedgerow/types.py -> types; hedgerow/__init__.py -> hedgerow"""
    top = file.relative_to(SOURCE).parts[0]
    return "hedgerow" if top == "__init__.py" else top.removesuffix(".pyi").removesuffix(".py")


def imports_in(tree: ast.AST, file: Path) -> Iterator[str]:
    """Full dotted names of everything imported under `tree`; relative imports made absolute."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                folder = ("hedgerow", *file.relative_to(SOURCE).parent.parts)
                folder = folder[: len(folder) - (node.level - 1)]
                base = ".".join([*folder, base] if base else folder)
            yield from (f"{base}.{alias.name}" for alias in node.names)


def layer_imported(name: str) -> str | None:
    """hedgerow.tree.Tree -> tree; hedgerow.SVC -> hedgerow; numpy.array -> None"""
    package, *rest = name.split(".")
    if package != "hedgerow":
        return None
    return rest[0] if rest and rest[0] in LAYERS else "hedgerow"


def executed_at_import(tree: ast.AST) -> Iterator[ast.stmt]:
    """The imports that run when the module is imported: not in functions, not under TYPE_CHECKING."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            yield from executed_at_import(node)


def roots(names: Iterator[str]) -> set[str]:
    return {name.split(".")[0] for name in names}


@each_file
def test_folder_has_its_place_in_the_list(file: Path) -> None:
    assert layer_of(file) in LAYERS


@each_file
def test_imports_flow_one_way(file: Path) -> None:
    own = LAYERS.index(layer_of(file))
    for name in imports_in(ast.parse(file.read_text()), file):
        layer = layer_imported(name)
        assert layer is None or LAYERS.index(layer) <= own, f"{layer_of(file)} imports {name}, a later stage"


@each_file
def test_algorithms_know_nothing_of_scikit_learn(file: Path) -> None:
    if layer_of(file) in ALGORITHMS:
        assert "sklearn" not in roots(imports_in(ast.parse(file.read_text()), file))


@each_file
def test_tree_imports_numpy_and_core_only(file: Path) -> None:
    if layer_of(file) == "tree":
        names = list(imports_in(ast.parse(file.read_text()), file))
        assert {layer_imported(name) for name in names} <= {None, "types", "core", "tree"}
        assert roots(names) <= {"numpy", "hedgerow"} | set(sys.stdlib_module_names)


@each_file
def test_optional_packages_are_not_imported_with_a_module(file: Path) -> None:
    for statement in executed_at_import(ast.parse(file.read_text())):
        assert not roots(imports_in(statement, file)) & OPTIONAL, ast.unparse(statement)


def modules_after(code: str) -> set[str]:
    code += "\nimport sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {name.split(".")[0] for name in done.stdout.splitlines()[-1].split()}


@pytest.mark.parametrize("code", ["import hedgerow", "import hedgerow.cli"])
def test_starting_is_cheap(code: str) -> None:
    assert not modules_after(code) & HEAVY


def test_algorithms_run_without_loading_scikit_learn() -> None:
    folders = sorted({layer_of(file) for file in FILES} & ALGORITHMS)
    assert "sklearn" not in modules_after("import " + ", ".join(f"hedgerow.{folder}" for folder in folders))
