"""FitResult: everything a fit found. The terminal's report and the JSON are two views of it."""

from dataclasses import dataclass
from pathlib import Path

from hedgerow.cli.asked import Asked
from hedgerow.cli.pruned import Pruned
from hedgerow.cli.score import Score
from hedgerow.intake import PreparedData, TargetData
from hedgerow.store import ModelState
from hedgerow.tree.importance import importance
from hedgerow.tree.tree import Tree
from hedgerow.types import Count


@dataclass(frozen=True, eq=False)
class FitResult:
    asked: Asked
    rows: PreparedData
    goal: TargetData
    train: Count
    test: Count
    pruned: Pruned
    whole: Tree  # before pruning
    parts: ModelState
    scores: tuple[Score, ...]
    picture: Path
    model: Path
    command: str
    seconds: float

    def importances(self) -> list[tuple[str, float]]:
        """Columns that did some work, the most important first."""
        shares = importance(self.parts.body).tolist()
        used = [
            (name, share) for name, share in zip(self.parts.schema.names, shares, strict=True) if share > 0
        ]
        return sorted(used, key=lambda pair: -pair[1])
