"""Result: one description, shown everywhere."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from hedgerow.display import DisplayTable, Result
from hedgerow.types import Float


@dataclass(frozen=True, eq=False, repr=False)
class Scores(Result):
    names: tuple[str, ...]
    values: Float

    def tables(self) -> Sequence[DisplayTable | str]:
        rows = [[name, f"{value:.2f}"] for name, value in zip(self.names, self.values, strict=True)]
        return [DisplayTable(["model", "score"], rows), "Higher is better."]


def test_text_html_and_dict() -> None:
    scores = Scores(("tree", "<forest>"), np.array([0.5, np.nan]))
    assert (
        str(scores)
        == repr(scores)
        == "model     score\ntree       0.50\n<forest>    nan\n\nHigher is better."
    )
    assert "&lt;forest&gt;" in scores._repr_html_()
    assert scores.to_dict() == {"names": ["tree", "<forest>"], "values": [0.5, None]}


def test_a_result_must_say_its_tables() -> None:
    with pytest.raises(NotImplementedError, match="Result does not say"):
        str(Result())
