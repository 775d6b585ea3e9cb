"""The picture of a support vector machine of two columns of numbers.   In: a pipeline, its rows.   Out: a file."""

from pathlib import Path
from typing import Any

from hedgerow.encode import Preparation


def picture(fitted: Any, file: Path, table: Any, labels: Any) -> bool:
    """Rows, boundary, margins, support vectors and slack; of more than two classes the boundaries."""
    machine, prepared = fitted[-1], fitted[0].preparation_
    numbers = prepared.schema.kinds == ("number", "number") and len(prepared.names) == 2
    if not numbers or not hasattr(machine, "classes_"):
        return False
    from hedgerow.draw.plane import draw_boundary
    from hedgerow.draw.svm import draw_margins

    seen = _Seen(machine, prepared)
    rows = fitted[0].transform(table) * prepared.scale + prepared.centre  # gaps are filled
    names = (prepared.schema.names[0], prepared.schema.names[1])
    draw = draw_margins if len(seen.classes_) == 2 else draw_boundary
    figure: Any = draw(seen, rows, labels, names=names).figure
    figure.savefig(file, dpi=192)
    return True


class _Seen:
    """The machine for rows in the units of the table."""

    def __init__(self, machine: Any, prepared: Preparation) -> None:
        self.machine, self.prepared, self.classes_ = machine, prepared, machine.classes_

    @property
    def coef_(self) -> Any:
        return self.machine.coef_ / self.prepared.scale

    def _rows(self, X: Any) -> Any:
        return (X - self.prepared.centre) / self.prepared.scale

    def predict(self, X: Any) -> Any:
        return self.machine.predict(self._rows(X))

    def decision_function(self, X: Any) -> Any:
        return self.machine.decision_function(self._rows(X))
