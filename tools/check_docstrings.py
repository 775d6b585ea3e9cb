"""numpydoc's validation of everything public.   In: the installed package.   Out: findings; exit code 1 if any.

python tools/check_docstrings.py            # all findings
python tools/check_docstrings.py --count    # how many of each rule

Public: the names of `hedgerow`, their methods and properties, `hedgerow.formulas`, `hedgerow.datasets`, and every
result that prints itself. Rules are all of numpydoc's but those in LEFT_OUT.
"""

import argparse
import inspect
import pkgutil
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any

from numpydoc.docscrape import get_doc_object
from numpydoc.validate import ERROR_MSGS, Validator, validate

import hedgerow
import hedgerow.dask
import hedgerow.prune
from hedgerow.display import Result

LEFT_OUT = {"ES01": "a summary that says it all needs no more"}
FOR_MEMBERS = {"SA01", "EX01"}  # see-also and examples stand at the class
FOR_RESULTS = {"PR01"}  # nobody makes a result by hand: its fields are Attributes (rule HR01)


def all_modules() -> None:
    for module in pkgutil.walk_packages(hedgerow.__path__, "hedgerow."):
        if not module.name.endswith("__main__"):
            import_module(module.name)


def results(base: type = Result) -> Iterator[type]:
    for cls in base.__subclasses__():
        if cls.__module__.startswith("hedgerow."):
            yield cls
            yield from results(cls)


def members(cls: type) -> Iterator[tuple[str, Any]]:
    """Public methods and properties that are defined in hedgerow."""
    for base in cls.__mro__:
        if base.__module__.startswith("hedgerow."):
            for name, member in vars(base).items():
                if not name.startswith("_") and (
                    inspect.isfunction(member)
                    or isinstance(member, property | classmethod | staticmethod)
                    or hasattr(member, "func")
                    or hasattr(member, "fn")
                ):
                    yield f"{base.__module__}.{base.__qualname__}.{name}", member


def public() -> dict[str, tuple[str, Any]]:
    """Everything to look at: by its full name its kind and itself."""
    all_modules()
    found: dict[str, tuple[str, Any]] = {}
    for module, kind in (
        (hedgerow, "public"),
        (hedgerow.datasets, "public"),
        (hedgerow.formulas, "formula"),
        (hedgerow.teaching, "public"),
        (hedgerow.dask, "public"),
    ):
        for thing in (getattr(module, name) for name in module.__all__):
            if inspect.isclass(thing) or inspect.isfunction(thing):
                found[f"{thing.__module__}.{thing.__qualname__}"] = (kind, thing)
    for cls in hedgerow.prune.load_methods().values():
        found[f"{cls.__module__}.{cls.__qualname__}"] = ("public", cls)
    for cls in results():
        if not cls.__name__.startswith("_"):
            found[f"{cls.__module__}.{cls.__qualname__}"] = ("result", cls)
    for _, thing in list(found.values()):
        if inspect.isclass(thing):
            found |= {name: ("member", member) for name, member in members(thing)}
    return found


def documented(thing: Any) -> Any:
    """The function behind a decorator of methods."""
    if isinstance(thing, classmethod | staticmethod):
        return thing.__func__
    return getattr(thing, "fn", thing)


class _Given(Validator):
    """numpydoc looks a name up; this is given what has none of its own."""

    def __init__(self, obj_name: str, thing: Any) -> None:
        self._name = obj_name
        super().__init__(get_doc_object(thing))

    @property
    def name(self) -> str:
        return self._name


def rules_of(name: str, kind: str, thing: Any) -> Iterator[tuple[str, str]]:
    skipped = set(LEFT_OUT)
    if kind == "member":
        skipped |= FOR_MEMBERS
    if kind == "result":
        skipped |= FOR_RESULTS
    if kind == "formula":
        skipped |= {"EX01"} if inspect.isclass(thing) else set()
    if not inspect.getdoc(thing):
        yield "GL08", ERROR_MSGS["GL08"]
        return
    for rule, message in validate(name, validator_cls=_Given, thing=thing)["errors"]:
        if rule not in skipped:
            yield rule, message
    if kind == "result" and is_dataclass(thing):
        text = inspect.getdoc(thing) or ""
        for field in fields(thing):
            if not field.name.startswith("_") and f"\n{field.name} : " not in text:
                yield "HR01", f'Field "{field.name}" is not among the Attributes'


def findings() -> list[tuple[str, str, str]]:
    return [
        (name, rule, message)
        for name, (kind, thing) in sorted(public().items())
        for rule, message in rules_of(name, kind, documented(thing))
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", action="store_true", help="how many of each rule")
    given = parser.parse_args()
    found = findings()
    if given.count:
        for rule, count in sorted(Counter(rule for _, rule, _ in found).items()):
            print(f"{rule} {count}")
    else:
        for name, rule, message in found:
            print(f"{name}: {rule} {message}")
    print(f"{len(found)} findings", file=sys.stderr)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
