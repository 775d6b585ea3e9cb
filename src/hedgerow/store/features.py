"""How text, dates and large categories become the columns a model reads.   In: Features.   Out: a JSON object; and
back, checked against the columns.

{"is_sparse": false,
 "parts": [[1, "month"]],                                          column, part of the date
 "spans": [[1, 4]],                                                two columns of dates
 "rates": [{"column": 2, "titles": ["rate of yes"], "values": [[0.2], [0.7]], "overall": [0.4]}],
 "words": [{"column": 0, "terms": ["good", "not good"], "idf": null, "telling": [["good", 0.3]]}],
 "preparation": null}                                              of the columns before words, where it is sparse
"""

from math import isfinite
from typing import Any

import numpy as np

from hedgerow.encode import Schema
from hedgerow.features.dates import DATES, PARTS, DatePart, Span
from hedgerow.features.features import Features
from hedgerow.features.rates import Rates
from hedgerow.features.words import Words
from hedgerow.store.errors import InvalidModelFile
from hedgerow.store.preparation import preparation_from, preparation_to

NAME = "features"
KEYS = ("is_sparse", "parts", "spans", "rates", "words", "preparation")
MOST_TERMS = 1_000_000  # of a file


def features_to(features: Features) -> dict[str, Any]:
    return {
        "is_sparse": features.is_sparse,
        "parts": [list(one) for one in features.parts],
        "spans": [list(one) for one in features.spans],
        "rates": [
            {
                "column": one.column,
                "titles": list(one.titles),
                "values": one.values.tolist(),
                "overall": one.overall.tolist(),
            }
            for one in features.rates
        ],
        "words": [
            {
                "column": one.column,
                "terms": list(one.terms),
                "idf": None if one.idf is None else one.idf.tolist(),
                "telling": [list(pair) for pair in one.telling],
            }
            for one in features.words
        ],
        "preparation": None if features.preparation is None else preparation_to(features.preparation),
    }


def features_from(given: Any, schema: Schema) -> Features | None:
    if given is None:
        return None
    if not isinstance(given, dict) or set(given) != set(KEYS) or type(given["is_sparse"]) is not bool:
        raise InvalidModelFile(f"has features without {', '.join(KEYS)}")
    found = Features(
        schema,
        tuple(_part(one, schema) for one in _list(given["parts"], "parts")),
        tuple(_span(one, schema) for one in _list(given["spans"], "spans")),
        tuple(_rates(one, schema) for one in _list(given["rates"], "rates")),
        tuple(_words(one, schema, given["is_sparse"]) for one in _list(given["words"], "words")),
        given["is_sparse"],
    )
    texts = [j for j, kind in enumerate(schema.kinds) if kind == "text"]
    if [one.column for one in found.words] != texts:
        raise InvalidModelFile("has features that do not read each column of text once")
    if not found.is_sparse:
        if given["preparation"] is not None:
            raise InvalidModelFile("has features with a preparation that nothing reads")
        return _checked(found)
    preparation = preparation_from(given["preparation"], found.dense)
    if (preparation is None) != (not found.dense.names):
        raise InvalidModelFile("has features whose columns have no preparation")
    return _checked(
        Features(schema, found.parts, found.spans, found.rates, found.words, found.is_sparse, preparation)
    )


def _checked(features: Features) -> Features:
    if not features.inner.names:
        raise InvalidModelFile("has features that leave no column")
    return features


def _list(given: Any, name: str) -> list[Any]:
    if not isinstance(given, list):
        raise InvalidModelFile(f"has features whose {name} are no list")
    return given


def _column(given: Any, schema: Schema, *kinds: str) -> int:
    if type(given) is not int or not 0 <= given < len(schema.names) or schema.kinds[given] not in kinds:
        raise InvalidModelFile(f"has features of a column that is no {' or '.join(kinds)}")
    return given


def _part(given: Any, schema: Schema) -> DatePart:
    if not isinstance(given, list) or len(given) != 2 or given[1] not in PARTS:
        raise InvalidModelFile(f"has a part of a date that is none of {', '.join(PARTS)}")
    return DatePart(_column(given[0], schema, *DATES), given[1])


def _span(given: Any, schema: Schema) -> Span:
    if not isinstance(given, list) or len(given) != 2:
        raise InvalidModelFile("has days between dates that are not two columns")
    return Span(_column(given[0], schema, *DATES), _column(given[1], schema, *DATES))


def _rates(given: Any, schema: Schema) -> Rates:
    keys = ("column", "titles", "values", "overall")
    if not isinstance(given, dict) or set(given) != set(keys):
        raise InvalidModelFile(f"has rates without {', '.join(keys)}")
    j = _column(given["column"], schema, "category")
    titles, overall, values = (
        _list(given[name], f"{name} of rates") for name in keys[1:2] + keys[3:] + keys[2:3]
    )
    if not titles or not all(isinstance(title, str) for title in titles):
        raise InvalidModelFile("has rates without titles")
    rows = [overall, *values]
    if len(values) != len(schema.levels[j]) or not all(_are_numbers(row, len(titles)) for row in rows):
        raise InvalidModelFile(f"has rates that are not {len(titles)} numbers a level")
    table = np.array(values, np.float64).reshape(len(values), len(titles))
    return Rates(j, tuple(titles), table, np.array(overall, np.float64))


def _words(given: Any, schema: Schema, is_sparse: bool) -> Words:
    keys = ("column", "terms", "idf", "telling")
    if not isinstance(given, dict) or set(given) != set(keys):
        raise InvalidModelFile(f"has words without {', '.join(keys)}")
    terms, idf, telling = (
        _list(given["terms"], "terms"),
        given["idf"],
        _list(given["telling"], "telling words"),
    )
    if len(terms) > MOST_TERMS or not set(map(type, terms)) <= {str}:
        raise InvalidModelFile(f"has words that are not at most {MOST_TERMS:,} texts")
    if len(set(terms)) < len(terms):
        raise InvalidModelFile("has a word twice")
    if idf is not None and not (is_sparse and _are_numbers(idf, len(terms))):
        raise InvalidModelFile("has words whose weights are not one a word")
    if idf is not None and min(idf, default=1.0) <= 0:
        raise InvalidModelFile("has words with a weight that is not positive")
    pairs = [one for one in telling if isinstance(one, list) and len(one) == 2 and isinstance(one[0], str)]
    if len(pairs) < len(telling) or not all(_are_numbers(one[1:], 1) for one in pairs):
        raise InvalidModelFile("has telling words that are not a word and a number")
    return Words(
        _column(given["column"], schema, "text"),
        tuple(terms),
        None if idf is None else np.array(idf, np.float64),
        tuple((one[0], float(one[1])) for one in pairs),
    )


def _are_numbers(given: Any, many: int) -> bool:
    return (
        isinstance(given, list)
        and len(given) == many
        and set(map(type, given)) <= {int, float}
        and all(map(isfinite, given))
        and max(map(abs, given), default=0) < 1e100
    )
