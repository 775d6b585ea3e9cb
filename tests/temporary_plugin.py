"""A plug-in for the length of a test: one new file in a folder of its own, beside those of hedgerow."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path


@contextmanager
def temporary_plugin(package: str, folder: Path, name: str, source: str) -> Iterator[None]:
    """`package`, such as "hedgerow.boost.losses", has one file more; nothing else is told of it."""
    (folder / f"{name}.py").write_text(source)
    home = import_module(package)
    home.__path__.append(str(folder))
    try:
        yield
    finally:
        home.__path__.remove(str(folder))
        sys.modules.pop(f"{package}.{name}", None)
        vars(home).pop(name, None)
