"""Free text in a column.   In: the different texts of its cells.   Out: Texts; and how often each word and each pair of
neighbouring words stands in each text.

    "Not good, not bad"  ->  not 2, good 1, bad 1, "not good" 1, "good not" 1, "not bad" 1

Words are runs of two or more letters, digits or underscores, in lower case: those of scikit-learn's CountVectorizer
with ngram_range=(1, 2), and tests/table/test_texts.py compares. What stands in one text only is not counted: nothing
can be learned from it. Counting looks at no target and at each text alone, so it is done once, for all folds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np

from hedgerow.types import Count

TOKEN = r"\b\w\w+\b"
FEWEST = 2  # texts with a term, for it to be counted
_lock = Lock()


@dataclass(frozen=True, eq=False)
class TermCounts:
    """What stands in the texts of a column."""

    terms: tuple[str, ...]  # words, then pairs of words
    matrix: Any  # CSR, texts x terms: how often


class Texts(tuple[str, ...]):
    """The texts of a column, each once: its `levels`. Parts of a column share them, and with them the counts."""

    @property
    def counts(self) -> TermCounts:
        with _lock:
            if "_counts" not in self.__dict__:
                self.__dict__["_counts"] = count_terms(self)
            found: TermCounts = self.__dict__["_counts"]
            return found


@dataclass(frozen=True, eq=False)
class Tokens:
    words: tuple[str, ...]  # in the order of the alphabet
    text: Count  # of each token: the text it stands in
    word: Count  # and its word


def split_words(texts: Sequence[str]) -> Tokens:
    """The tokens of all texts, one after the other."""
    import polars as pl

    found = pl.Series("word", list(texts), pl.String).str.to_lowercase().str.extract_all(TOKEN)
    rows = np.repeat(np.arange(len(texts)), found.list.len().fill_null(0).to_numpy())
    flat = found.explode().drop_nulls().alias("word")
    words = flat.unique().sort()
    numbered = pl.DataFrame({"word": words, "number": np.arange(len(words))})
    number = flat.to_frame().join(numbered, on="word", how="left", maintain_order="left")
    return Tokens(tuple(words.to_list()), rows, number.get_column("number").to_numpy())


def count_terms(texts: Sequence[str]) -> TermCounts:
    tokens = split_words(texts)
    first, second = _pairs(tokens)
    pair, place = np.unique(first.word * max(1, len(tokens.words)) + second, return_inverse=True)
    row = np.concatenate([tokens.text, first.text])
    column = np.concatenate([tokens.word, place.reshape(-1) + len(tokens.words)])
    matrix = _sum_up(row, column, (len(texts), len(tokens.words) + len(pair)))
    kept = np.flatnonzero(np.bincount(matrix.indices, minlength=matrix.shape[1]) >= FEWEST)
    words = tokens.words
    split = int(np.searchsorted(kept, len(words)))
    pairs = pair[kept[split:] - len(words)]
    terms = [words[k] for k in kept[:split]]
    terms += [f"{words[k // len(words)]} {words[k % len(words)]}" for k in pairs.tolist()]
    return TermCounts(tuple(terms), matrix[:, kept])


def count_known_terms(texts: Sequence[str], number: Mapping[str, int]) -> Any:
    """CSR, texts x terms: how often each of these words and pairs stands in each text. `number`: of each term."""
    tokens = split_words(texts)
    first, second = _pairs(tokens)
    words = np.array([number.get(word, -1) for word in tokens.words] or [0], np.int64)
    pair, place = np.unique(first.word * max(1, len(tokens.words)) + second, return_inverse=True)
    many = max(1, len(tokens.words))
    named = (f"{tokens.words[k // many]} {tokens.words[k % many]}" for k in pair.tolist())
    pairs = np.array([number.get(name, -1) for name in named] or [0], np.int64)
    row = np.concatenate([tokens.text, first.text])
    column = np.concatenate([words[tokens.word], pairs[place.reshape(-1)]])
    known = column >= 0
    return _sum_up(row[known], column[known], (len(texts), len(number)))


def _pairs(tokens: Tokens) -> tuple[Tokens, Count]:
    """Neighbours in one text: the first token of each pair, and the word of the second."""
    near = tokens.text[1:] == tokens.text[:-1]
    return Tokens(tokens.words, tokens.text[:-1][near], tokens.word[:-1][near]), tokens.word[1:][near]


def _sum_up(row: Count, column: Count, shape: tuple[int, int]) -> Any:
    from scipy.sparse import csr_array

    matrix = csr_array((np.ones(len(row)), (row, column)), shape=shape)
    matrix.sum_duplicates()
    return matrix
