"""encode: a Table -> Encoded, integer codes that every later stage shares."""

from hedgerow.encode.codebook import Codebook
from hedgerow.encode.encoded import Encoded, encode
from hedgerow.encode.numbers import Preparation, numbers, prepare
from hedgerow.encode.part import Part, own_levels, part_of
from hedgerow.encode.schema import Schema, align, matrix, read_rows, schema_of

__all__ = [
    "Codebook",
    "Encoded",
    "Part",
    "Preparation",
    "Schema",
    "align",
    "encode",
    "matrix",
    "numbers",
    "own_levels",
    "part_of",
    "prepare",
    "read_rows",
    "schema_of",
]
