"""What a file of this folder says about its model."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

BOTH = ("classification", "regression")
CLASSES = ("classification",)


def alike(words: str) -> dict[str, str]:
    """The same words for both tasks."""
    return dict.fromkeys(BOTH, words)


@dataclass(frozen=True)
class Need:
    """What is to be learned."""

    task: str
    n_rows: int  # to learn from
    n_columns: int
    n_classes: int  # 0 for a regression
    seed: int


class Entrant(Protocol):
    __name__: str  # of the file: its last word is what --models calls it
    NAME: str  # as people read it
    TASKS: tuple[str, ...]
    HOW: Mapping[str, str]  # by task: what it is, and what it chooses for itself inside each fold
    OPTIONS: Mapping[str, Any]  # how many rows it learns from at most, under "rows"; nothing for all

    def estimator(self, need: Need) -> Any:
        """Not fitted. It takes a Table."""

    def words(self, fitted: Any) -> str:
        """In a sentence: "a random forest of 200 trees"."""
