"""The typed stub of the native module says what the module has: the same functions, with the same arguments.

nanobind keeps the signature of each function (`__nb_signature__`, one for each overload); the stub is read with `ast`.
"""

import ast
import re
from pathlib import Path

import hedgerow.core
from hedgerow.core import native

STUB = Path(hedgerow.core.__file__).with_name("_native.pyi")


def stub_arguments():
    functions = [node for node in ast.parse(STUB.read_text()).body if isinstance(node, ast.FunctionDef)]
    return {
        f.name: [a.arg for a in (*f.args.posonlyargs, *f.args.args, *f.args.kwonlyargs)] for f in functions
    }


def native_arguments(function):
    """Of each overload: the names before a colon at the top level of the brackets."""
    found = set()
    for signature, *_ in function.__nb_signature__:
        inside = signature[signature.index("(") + 1 : signature.rindex(") ->")]
        while (flat := re.sub(r"\[[^\[\]]*\]|'[^']*'", "", inside)) != inside:
            inside = flat
        found.add(tuple(part.split(":")[0].strip() for part in inside.split(",") if ":" in part))
    return found


def native_functions():
    return {name: it for name, it in vars(native).items() if hasattr(it, "__nb_signature__")}


def test_the_stub_lists_the_functions_of_the_module():
    assert sorted(stub_arguments()) == sorted(native_functions())


def test_the_stub_has_the_arguments_of_the_module():
    stub = stub_arguments()
    differ = {
        name: (stub[name], found)
        for name, function in native_functions().items()
        if (found := native_arguments(function)) != {tuple(stub[name])}
    }
    assert differ == {}
