"""Pieces of sentences.   In: counts and words.   Out: text.

Names from the data are made safe to print by hedgerow.words.show (in messages) or hedgerow.tree.formatting.safe (in
trees) before they come here.
"""

from collections.abc import Sequence

IRREGULAR = {"leaf": "leaves", "class": "classes", "category": "categories", "entry": "entries", "is": "are"}


def many(count: float, word: str, plural: str = "") -> str:
    """1 leaf; 1,309 rows; 3 leaves"""
    return f"{count:,.0f} {plural_of(count, word, plural)}"


def plural_of(count: float, word: str, plural: str = "") -> str:
    """The word alone: leaf for 1, leaves for all other counts. Of several words the last one changes."""
    if count == 1:
        return word
    start, space, last = word.rpartition(" ")
    return plural or start + space + IRREGULAR.get(last, f"{last}s")


def join_words(words: Sequence[str], last: str = "and") -> str:
    """a; a and b; a, b and c"""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
