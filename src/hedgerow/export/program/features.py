"""Features as steps.   In: what a model has learned about dates, large categories and text.   Out: steps that make the
columns it reads.

    take    the columns that go in as they are
    dates   parts of dates, days between two dates
    rates   of each level, what the target was
    join    these, one behind the other; for linear machines prepared: as numbers
    words   counted, and joined to the rest
"""

from collections.abc import Callable
from typing import Any

from hedgerow.features import Features

Add = Callable[..., int]


def add_features(add: Add, add_preparation: Callable[[Any, int], int], features: Features, of: int) -> int:
    """The step whose numbers are the columns of `features.inner`."""
    made: list[tuple[int, int]] = []  # steps, and how many numbers each makes
    if features.kept:
        made.append((add("take", of, columns=list(features.kept)), len(features.kept)))
    if features.parts or features.spans:
        parts = [{"column": one.column, "part": one.part} for one in features.parts]
        spans = [list(one) for one in features.spans]
        made.append((add("dates", of, parts=parts, spans=spans), len(parts) + len(spans)))
    if features.rates:
        columns = [
            {"column": one.column, "values": one.values.tolist(), "overall": one.overall.tolist()}
            for one in features.rates
        ]
        made.append((add("rates", of, columns=columns), sum(len(one.titles) for one in features.rates)))
    if made and features.preparation is not None:
        prepared = add_preparation(features.preparation, _join(add, made))
        made = [(prepared, len(features.preparation.names))]
    if features.words:
        n_terms = sum(len(one.terms) for one in features.words)
        made.append((add("words", of, columns=_list_words(features)), n_terms))
    return _join(add, made)


def _list_words(features: Features) -> list[dict[str, Any]]:
    return [
        {
            "column": one.column,
            "form": "presence" if features.is_sparse and one.idf is None else "counts",
            "terms": list(one.terms),
            "idf": None if one.idf is None else one.idf.tolist(),
        }
        for one in features.words
    ]


def _join(add: Add, made: list[tuple[int, int]]) -> int:
    sources, widths = [step for step, _ in made], [width for _, width in made]
    return sources[0] if len(made) == 1 else add("join", sources[0], sources=sources, widths=widths)
