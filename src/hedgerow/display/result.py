"""Result: the base of everything that prints itself.   In: a `tables()` of the class.   Out: text, HTML, a dict.

@dataclass(frozen=True, eq=False, repr=False)      # repr=False: it prints as its tables
class CpTable(Result):
    def tables(self):
        return [DisplayTable(...)]

    def draw(self, ax=None):
        from hedgerow.draw.pruning import draw_cp_table    # here: matplotlib is loaded only when one draws
        return draw_cp_table(self, ax=ax)
"""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from hedgerow.display.numbers import json_ready
from hedgerow.display.tables import DisplayTable, html_of
from hedgerow.docstrings import document_result
from hedgerow.words import escape


class Result:
    """What a terminal, a notebook and JSON show of it, from one description."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        document_result(cls)

    def tables(self) -> Sequence[DisplayTable | str]:
        """What to show, from top to bottom: tables, and lines of text between them."""
        raise NotImplementedError(f"{type(self).__name__} does not say what its tables are")

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as JSON can hold it: NaN and infinity are None."""
        return {field.name: json_ready(getattr(self, field.name)) for field in fields(self)}  # type: ignore[arg-type]

    def __str__(self) -> str:
        text = "\n\n".join(part if isinstance(part, str) else part.to_text() for part in self.tables())
        return escape(text, keep="\n")

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return html_of(*self.tables())
