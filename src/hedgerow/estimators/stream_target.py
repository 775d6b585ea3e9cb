"""The target and the weights of a stream.   In: a TableStream and the names of their columns.   Out: one entry a row,
in memory: class numbers and the classes, numbers, weights."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.estimators.targets import Labels, check_classes, check_numbers
from hedgerow.fitting.target import check_sample_weight
from hedgerow.stream import TableStream
from hedgerow.types import Float, Index
from hedgerow.words import quote


class TargetReader:
    def __init__(self, stream: TableStream, name: str) -> None:
        self.stream, self.name = stream, name

    def read_classes(self, estimator: str) -> Labels:
        """Labels are looked at once for each block that has them."""
        number: dict[Any, int] = {}
        labels: list[NDArray[Any]] = []
        codes: list[Index] = []
        for block in self._blocks():
            own, place = np.unique(block, return_inverse=True)
            new = np.array([label not in number for label in own.tolist()], bool)
            if new.any():
                labels.append(own[new])
            for label in own[new].tolist():
                number[label] = len(number)
            codes.append(np.array([number[label] for label in own.tolist()], np.int32)[place.reshape(-1)])
        found = np.concatenate(labels)
        _, classes = check_classes(estimator, found, len(found), None, None)
        rank = {label: k for k, label in enumerate(classes.tolist())}
        order = np.array([rank[label] for label in found.tolist()], np.int32)
        return Labels(order[np.concatenate(codes)], classes)

    def read_numbers(self, estimator: str) -> Float:
        blocks = [check_numbers(estimator, block, len(block), None, "").values for block in self._blocks()]
        return np.concatenate(blocks)

    def _blocks(self) -> Any:
        at = 0
        for block in self.stream.blocks([self.name]):
            series = block.to_series()
            if series.null_count():
                row = at + int(series.is_null().arg_max() or 0)
                raise ValueError(
                    f"Column {quote(self.name)}, the target, is missing in row {row} (rows counted from 0). Drop "
                    "the rows whose target is missing."
                )
            at += len(series)
            yield series.to_numpy()


def read_weight(stream: TableStream, given: Any) -> Float | None:
    """`given`: the name of a column, or one weight a row."""
    if isinstance(given, str):
        given = np.concatenate([block.to_series().to_numpy() for block in stream.blocks([given])])
    return None if given is None else check_sample_weight(given, len(given))
