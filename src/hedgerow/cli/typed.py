"""What the library says of its parameters, said of the options that were typed.   In: an error.   Out: it, reworded."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from hedgerow.errors import ParameterError


@contextmanager
def in_typed_words(options: Mapping[str, str]) -> Iterator[None]:
    """`options`: by its name in Python (a pattern of it), what is typed."""
    try:
        yield
    except ParameterError:
        raise
    except (ValueError, TypeError) as error:
        raise type(error)(as_typed(str(error), options)) from error


def as_typed(words: str, options: Mapping[str, str]) -> str:
    """cv=50 -> --folds 50; groups= -> --groups"""
    for name, option in options.items():
        words = re.sub(rf"(?<![\w-]){name}=(?=[.,; ]|$)", option, words)
        words = re.sub(rf"(?<![\w-]){name}=|^{name} (?=')", f"{option} ", words)
    return words
