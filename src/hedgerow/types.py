"""The array types of hedgerow, each written once, with its width."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Float: TypeAlias = NDArray[np.float64]
FloatAny: TypeAlias = NDArray[np.floating[Any]]  # float32 or float64
Index: TypeAlias = NDArray[np.int32]
Count: TypeAlias = NDArray[np.int64]
Byte: TypeAlias = NDArray[np.uint8]
Word: TypeAlias = NDArray[np.uint64]
Mask: TypeAlias = NDArray[np.bool_]
Codes: TypeAlias = NDArray[np.unsignedinteger[Any]]  # uint8, uint16 or uint32
UIndex: TypeAlias = NDArray[np.uint32]
SmallInt: TypeAlias = NDArray[np.int8]
UShort: TypeAlias = NDArray[np.uint16]
