"""What a study tells while it works.   In: steps and answers.   Out: nothing, or lines on a terminal (cli/study.py)."""

from typing import Protocol

from hedgerow.evaluation.fold import Answer


class Teller(Protocol):
    def step(self, words: str) -> None: ...

    def panel(self, names: list[str], n_splits: int, n_known: int) -> None:
        """The comparison begins; so many answers are there from an earlier time."""

    def answer(self, name: str, answer: Answer) -> None: ...


class Quiet:
    def step(self, words: str) -> None:
        pass

    def panel(self, names: list[str], n_splits: int, n_known: int) -> None:
        pass

    def answer(self, name: str, answer: Answer) -> None:
        pass
