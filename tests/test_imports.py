"""Imports flow one way, along the path of data; and starting is cheap.

Read from the source with `ast`, so that an import hidden in a function counts too.
"""

import ast
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src" / "hedgerow"

# A folder may import itself and what stands above it in this list. A new folder gets its line here.
LAYERS = [
    "types",
    "words",
    "errors",
    "files",
    "plugins",
    "docstrings",
    "core",
    "tree",
    "display",
    "table",
    "datasets",
    "stream",
    "intake",
    "encode",
    "features",
    "grow",
    "draw",
    "prune",
    "rules",
    "ensemble",
    "boost",
    "gradient",
    "optimal",
    "svm",
    "decision",
    "store",
    "export",
    "fitting",
    "estimators",
    "dask",
    "recipe_book",
    "evaluation",
    "formulas",
    "candidate",
    "candidate_kinds",
    "candidates",
    "report",
    "teaching",
    "studies",
    "hedgerow",  # __init__.py: the public names
    "cli",
    "__main__",
]
ALGORITHMS = set(LAYERS[: LAYERS.index("estimators")]) - {"datasets"}
OPTIONAL = {"pandas", "pyarrow", "dask", "onnx"}
HEAVY = {"sklearn", "scipy", "matplotlib", "polars", "pandas", "pyarrow"}

FILES = sorted(SOURCE.rglob("*.py")) + sorted(SOURCE.rglob("*.pyi"))


@cache
def parse_all() -> dict[Path, ast.AST]:
    return {file: ast.parse(file.read_text(encoding="utf-8")) for file in FILES}


def layer_of(file: Path) -> str:
    """hedgerow/tree/cut.py -> tree; hedgerow/types.py -> types; hedgerow/__init__.py -> hedgerow"""
    top = file.relative_to(SOURCE).parts[0]
    return "hedgerow" if top == "__init__.py" else top.removesuffix(".pyi").removesuffix(".py")


def walk(tree: ast.AST) -> Iterator[ast.AST]:
    """ast.walk, but for what stands under `if TYPE_CHECKING`: a type is not an import."""
    yield tree
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            yield from walk(node)


def imports_in(tree: ast.AST, file: Path) -> Iterator[str]:
    """Full dotted names of everything imported under `tree`, by name too; relative imports made absolute."""
    for node in walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                folder = ("hedgerow", *file.relative_to(SOURCE).parent.parts)
                folder = folder[: len(folder) - (node.level - 1)]
                base = ".".join([*folder, base] if base else folder)
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            yield from (str(name.value) for name in node.args[:1] if isinstance(name, ast.Constant))


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


def offenders(rule: Callable[[Path, ast.AST], Iterator[str]], *layers: str) -> list[str]:
    """What a rule finds in the files of these layers (all, if none is named), with the file's name."""
    return [
        f"{file.relative_to(SOURCE).as_posix()}: {found}"
        for file, tree in parse_all().items()
        if not layers or layer_of(file) in layers
        for found in rule(file, tree)
    ]


def test_every_folder_has_its_place_in_the_list() -> None:
    assert {layer_of(file) for file in FILES} - set(LAYERS) == set()


def test_imports_flow_one_way() -> None:
    def later(file: Path, tree: ast.AST) -> Iterator[str]:
        own = LAYERS.index(layer_of(file))
        for name in imports_in(tree, file):
            layer = layer_imported(name)
            if layer is not None and LAYERS.index(layer) > own:
                yield f"imports {name}, a later stage"

    assert offenders(later) == []


def test_algorithms_know_nothing_of_scikit_learn() -> None:
    def knows(file: Path, tree: ast.AST) -> Iterator[str]:
        yield from (name for name in imports_in(tree, file) if name.split(".")[0] == "sklearn")

    assert offenders(knows, *ALGORITHMS) == []


def test_tree_imports_numpy_and_core_only() -> None:
    def other(file: Path, tree: ast.AST) -> Iterator[str]:
        for name in imports_in(tree, file):
            near = layer_imported(name) in (None, "types", "core", "tree")
            if not near or name.split(".")[0] not in {"numpy", "hedgerow", *sys.stdlib_module_names}:
                yield name

    assert offenders(other, "tree") == []


def test_optional_packages_are_not_imported_with_a_module() -> None:
    def optional(file: Path, tree: ast.AST) -> Iterator[str]:
        for statement in executed_at_import(tree):
            if roots(imports_in(statement, file)) & OPTIONAL:
                yield ast.unparse(statement)

    assert offenders(optional) == []


def modules_after(code: str) -> set[str]:
    code += "\nimport sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {name.split(".")[0] for name in done.stdout.splitlines()[-1].split()}


@pytest.mark.parametrize("code", ["import hedgerow", "import hedgerow.cli"])
def test_starting_is_cheap(code: str) -> None:
    assert not modules_after(code) & HEAVY


STUDY_LOADS = """
from hedgerow.cli.loading import load_quickly
with load_quickly():
    import hedgerow.studies.study
assert "pandas" not in sys.modules and "scipy.stats" not in sys.modules, "loaded"
"""


@pytest.mark.parametrize(
    "use",
    [
        "import pandas; assert hedgerow.DecisionTreeClassifier().fit(pandas.DataFrame({'a': [0, 1]}), ['n', 'y'])",
        "import gc; assert gc.isenabled() and gc.get_freeze_count() > 100_000",
        "from scipy.stats import chi2; assert chi2(1).cdf(0) == 0 and chi2.ppf(0, 1) == 0",
        "import scipy.stats; assert scipy.stats.rankdata([3, 1]).tolist() == [2, 1]",
        "from sklearn.metrics import _ranking as r; assert r.rankdata([3, 1]).tolist() == [2, 1]",
        "from sklearn.covariance import _robust_covariance as c; assert c.chi2.ppf(0, 1) == c.chi2(1).cdf(0) == 0",
    ],
)
def test_a_command_loads_no_pandas_or_scipy_stats_and_can_use_them_later(use: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys{STUDY_LOADS}{use}"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_loading_that_fails_leaves_nothing_behind() -> None:
    code = """
import gc, sys
from hedgerow.cli.loading import load_quickly
try:
    with load_quickly():
        import no_such_module
except ModuleNotFoundError:
    pass
assert gc.isenabled() and "pandas" not in sys.modules and "scipy.stats" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_what_stands_for_scipy_stats_gives_way_to_it() -> None:
    code = """
from hedgerow.cli.loading import load_quickly
with load_quickly():
    import scipy.stats
    from scipy.stats import norm
    import scipy.stats.distributions
    assert scipy.stats.norm is norm and norm.cdf(0) == 0.5
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_algorithms_run_without_loading_scikit_learn() -> None:
    folders = sorted({layer_of(file) for file in FILES} & ALGORITHMS)
    assert "sklearn" not in modules_after("import " + ", ".join(f"hedgerow.{folder}" for folder in folders))
