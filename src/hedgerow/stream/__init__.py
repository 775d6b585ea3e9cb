"""stream: tables that need not fit into memory, as blocks of rows.

source.py   a path, a folder, a lazy frame, a data set, an iterator -> TableStream: blocks, as often as wanted
arrays.py   arrays in memory or, beyond a budget, in a file that goes away with them
"""

from hedgerow.stream.arrays import ArrayStore
from hedgerow.stream.source import BLOCK_ROWS, TableStream, is_stream, to_stream

__all__ = ["BLOCK_ROWS", "ArrayStore", "TableStream", "is_stream", "to_stream"]
