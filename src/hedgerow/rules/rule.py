"""Rule and RuleList: frozen, and complete without the tree they came from.

    if sex = female and pclass <= 2.5 then survived        conditions, decision, the rows covered
    if sex = male and age > 9.5 or missing then died
    else died                                              the default, where no rule holds

A rule is tried when no rule before it holds; its statistics are of all training rows for which its conditions
hold, whether or not an earlier rule takes them. How a missing cell and a level never seen are treated stands in
each condition (hedgerow.tree.conditions), as the path had it.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.tree.conditions import Condition
from hedgerow.tree.labels import Labels
from hedgerow.types import Float, FloatAny, Index

if TYPE_CHECKING:
    from hedgerow.rules.table import RuleTable

DEFAULT = -1  # the number of the rule that decides when none matches
DIGITS = 12  # of a sum of weights: the ones after them change with the order of the rows


@dataclass(frozen=True)
class Coverage:
    """Some training rows: how many, and their weight by class."""

    counts: tuple[float, ...]
    rows: int

    @staticmethod
    def of(counts: Float, rows: int) -> "Coverage":
        """Sums of weights, tidy: 0.3, not 0.30000000000000004, so that equals are equal."""
        return Coverage(tuple(float(f"{n:.{DIGITS}g}") for n in counts.tolist()), rows)

    @property
    def weight(self) -> float:
        return float(sum(self.counts))

    @property
    def majority(self) -> int:
        """The class of most weight; the first of equals."""
        return int(np.argmax(self.counts))

    def proba(self, decision: int) -> Float:
        """By class; everything for `decision` where there are no rows."""
        counts: Float = np.array(self.counts)
        if not self.weight > 0:
            counts = np.arange(len(counts)) == decision
        shares: Float = counts / counts.sum()
        return shares


@dataclass(frozen=True)
class Rule:
    conditions: tuple[Condition, ...]  # at most one a column; all must hold
    decision: int  # number of the class
    covered: Coverage
    everything: Coverage = field(repr=False)  # all training rows
    error: float  # estimated; what pruning and order go by

    @property
    def rows(self) -> int:
        return self.covered.rows

    @property
    def weight(self) -> float:
        return self.covered.weight

    @property
    def support(self) -> float:
        """The share of all weight that the rule covers."""
        return self.weight / self.everything.weight if self.everything.weight > 0 else 0.0

    @property
    def correct(self) -> float:
        return self.covered.counts[self.decision]

    @property
    def wrong(self) -> float:
        return sum(n for k, n in enumerate(self.covered.counts) if k != self.decision)

    @property
    def confidence(self) -> float:
        """The share of the covered weight that is of the rule's class."""
        return self.correct / self.weight if self.weight > 0 else 0.0

    @property
    def lift(self) -> float:
        """Confidence, as a multiple of the class's share of all rows."""
        usual = self.everything.counts[self.decision]
        return self.confidence * self.everything.weight / usual if usual > 0 else 0.0


@dataclass(frozen=True)
class RuleList:
    """Rules in the order they are tried, and the class where none holds."""

    labels: Labels
    rules: tuple[Rule, ...]
    default: int
    rest: Coverage  # rows no rule covers
    everything: Coverage

    def __len__(self) -> int:
        return len(self.rules)

    def __getitem__(self, k: int) -> Rule:
        return self.rules[k]

    def match(self, rows: FloatAny) -> Index:
        """The rule that decides each row (-1: the default). Rows are a matrix as trees read it (encode.matrix)."""
        from hedgerow.rules.match import first_match

        return first_match(self, rows)

    def predict(self, rows: FloatAny) -> NDArray[np.int32]:
        """The number of the class of each row."""
        return np.array([*(rule.decision for rule in self.rules), self.default], np.int32)[self.match(rows)]

    def predict_proba(self, rows: FloatAny) -> Float:
        """Rows x classes: the class shares of the training rows that the deciding rule covers, as they are."""
        by_rule = [rule.covered.proba(rule.decision) for rule in self.rules]
        rest = self.rest if self.rest.weight > 0 else self.everything
        return np.vstack([*by_rule, rest.proba(self.default)])[self.match(rows)]

    def to_table(self) -> "RuleTable":
        """Condition, class, support, confidence and lift of each rule; prints itself as text and HTML."""
        from hedgerow.rules.table import make_table

        return make_table(self)

    def to_text(self) -> str:
        """Everything, in words that `parse` reads back."""
        from hedgerow.rules.write import to_text

        return to_text(self)

    def to_json(self) -> str:
        from hedgerow.rules.as_json import to_json

        return to_json(self)

    @staticmethod
    def parse(text: str) -> "RuleList":
        """The rules that `to_text` wrote."""
        from hedgerow.rules.parse import parse

        return parse(text)

    @staticmethod
    def from_json(text: str) -> "RuleList":
        """The rules that `to_json` wrote."""
        from hedgerow.rules.as_json import from_json

        return from_json(text)

    def __str__(self) -> str:
        return str(self.to_table())

    def _repr_html_(self) -> str:
        return self.to_table()._repr_html_()

    def explain(self, rows: FloatAny) -> list[str]:
        """A sentence for each row: its class, and why."""
        from hedgerow.rules.wording import explain

        return explain(self, rows)

    def to_dict(self) -> dict[str, Any]:
        """The same as `to_json`, as dicts and lists."""
        from hedgerow.rules.as_json import to_dict

        return to_dict(self)
