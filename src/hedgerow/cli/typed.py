"""Errors in the words that were typed.   In: names of Python's options.   Out: folds=0 is --folds 0."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager


@contextmanager
def in_typed_words(options: Mapping[str, str]) -> Iterator[None]:
    """`options`: by its name in Python, what is typed."""
    try:
        yield
    except ValueError as error:
        said = str(error)
        for name, option in options.items():
            said = re.sub(rf"(?<![\w-]){name}=|^{name} (?=')", f"{option} ", said)
        raise ValueError(said) from error
