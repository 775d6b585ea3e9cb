"""Models that are made of models.   In: the ModelState of the members.   Out: arrays; and back.

    members         the file of each member, whole, one behind the other
    member_starts   where each begins, and the end

So a member is checked as thoroughly as if it stood alone. Models in models in models go DEEPEST deep, no deeper.
"""

from collections.abc import Sequence
from io import BytesIO
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.encode import align
from hedgerow.store.errors import InvalidModelFile
from hedgerow.store.file import from_stream, to_bytes
from hedgerow.store.header import Header
from hedgerow.store.kind import Arrays, Layout, predict_state
from hedgerow.store.parameters import Learner
from hedgerow.store.state import ModelState
from hedgerow.table import Table, to_table
from hedgerow.types import Count, Float

ARRAYS = {"members": Layout("U8"), "member_starts": Layout("I64")}


def members_to(members: Sequence[ModelState]) -> dict[str, NDArray[Any]]:
    files = [to_bytes(member) for member in members]
    return {
        "members": np.frombuffer(b"".join(files), np.uint8),
        "member_starts": np.cumsum([0, *map(len, files)], dtype=np.int64),
    }


def members_from(arrays: Arrays, header: Header) -> tuple[ModelState, ...]:
    data, starts = arrays["members"], arrays["member_starts"]
    if len(starts) < 2 or starts[0] != 0 or starts[-1] != len(data) or np.any(starts[1:] < starts[:-1]):
        raise InvalidModelFile("has members that do not follow each other")
    if header.deepest == 0:
        raise InvalidModelFile("holds models in models in models, deeper than any that hedgerow writes")
    out = []
    for k, (begin, end) in enumerate(pairwise(starts.tolist())):
        try:
            member = from_stream(BytesIO(data[begin:end].tobytes()), end - begin, header.deepest - 1)
        except InvalidModelFile as defect:
            raise InvalidModelFile(f"holds a member {k} that {defect}") from None
        _check_agrees(k, member, header)
        out.append(member)
    return tuple(out)


def _check_agrees(k: int, member: ModelState, header: Header) -> None:
    if len(member.outputs) != len(header.outputs):
        raise InvalidModelFile(f"holds a member {k} of another number of targets than its own")
    for own, wanted in zip(
        member.outputs or (member.classes,), header.outputs or (header.classes,), strict=True
    ):
        if (own is None) != (wanted is None):
            raise InvalidModelFile(f"holds a member {k} of another task than its own")
        if own is None or wanted is None:
            continue
        if own.dtype.kind != wanted.dtype.kind:
            raise InvalidModelFile(f"holds a member {k} with classes of another type")
        if not np.isin(own, wanted).all():
            raise InvalidModelFile(f"holds a member {k} with classes it does not have itself")


def inner_table(state: ModelState, table: Table) -> Table:
    """The table as members see it: the columns of training in their order, or the numbers made of them."""
    if state.preparation is not None:
        return to_table(state.rows(table))
    return align(state.schema, table)


def with_columns(table: Table, columns: Count) -> Table:
    return table.select_places(columns)


def predict_member(
    member: ModelState, table: Table, classes: NDArray[Any] | None, threads: int | None, *, votes: bool
) -> Float:
    """Rows x outputs: a member's number; or its probabilities of all classes, or one for the class it votes for."""
    words = [j for j, kind in enumerate(member.schema.kinds) if kind == "category"]
    values, shares, _ = predict_state(member, to_table(table, categories=words or None), threads)
    if classes is None or member.classes is None:
        return np.asarray(values, np.float64).reshape(-1, 1)
    place = np.searchsorted(classes, member.classes)
    if votes or shares is None:
        return np.asarray(np.eye(len(classes))[place[values]])
    out = np.zeros((len(shares), len(classes)))
    out[:, place] = shares
    return out


def describe_member(member: ModelState) -> str:
    return repr(Learner(member.model, member.parameters))
