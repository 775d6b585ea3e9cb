"""A graph as it grows.   In: operators and arrays.   Out: names of tensors, each rows x numbers of float64."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

ML = "ai.onnx.ml"
OPSETS = {"": 21, ML: 5}  # TreeEnsemble in float64 is of version 5
IR = 10


class Graph:
    def __init__(self, taken: list[str]) -> None:
        from onnx import helper, numpy_helper

        self._helper, self._to_tensor = helper, numpy_helper.from_array
        self.prefix = "step"
        while any(name.startswith(self.prefix) for name in taken):
            self.prefix += "."
        self.nodes: list[Any] = []
        self.constants: dict[tuple[str, tuple[int, ...], bytes], Any] = {}
        self.columns: dict[tuple[str, tuple[int, ...]], str] = {}

    def add(self, operator: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        return self.add_many(operator, *inputs, n_outputs=1, domain=domain, **attributes)[0]

    def add_many(
        self, operator: str, *inputs: str, n_outputs: int, domain: str = "", **attributes: Any
    ) -> list[str]:
        made = [f"{self.prefix}{len(self.nodes)}_{i}" for i in range(n_outputs)]
        self.nodes.append(
            self._helper.make_node(operator, list(inputs), made, domain=domain or None, **attributes)
        )
        return made

    def name_last(self, name: str, given: str) -> None:
        """The tensor `given` under a name of its own: an output."""
        self.nodes.append(self._helper.make_node("Identity", [given], [name]))

    def tensor(self, values: ArrayLike, dtype: Any = np.float64) -> Any:
        return self._to_tensor(np.asarray(values, dtype))

    def constant(self, values: ArrayLike, dtype: Any = np.float64) -> str:
        """Equal arrays stand in the file once."""
        array: NDArray[Any] = np.asarray(values, dtype)
        content = repr(array.tolist()).encode() if array.dtype == object else array.tobytes()
        key = (array.dtype.str, array.shape, content)
        if key not in self.constants:
            self.constants[key] = self._to_tensor(array, f"{self.prefix}_constant{len(self.constants)}")
        return str(self.constants[key].name)

    def take(self, source: str, columns: list[int]) -> str:
        """Some of the numbers, in this order."""
        key = (source, tuple(columns))
        if key not in self.columns:
            self.columns[key] = self.add("Gather", source, self.constant(columns, np.int64), axis=1)
        return self.columns[key]

    def join(self, parts: list[str]) -> str:
        return parts[0] if len(parts) == 1 else self.add("Concat", *parts, axis=1)

    def to_number(self, flags: str) -> str:
        """True and false as 1 and 0."""
        return self.add("Cast", flags, to=self._helper.np_dtype_to_tensor_dtype(np.dtype(np.float64)))

    def fill(self, value: float, like: str, width: int) -> str:
        """As many rows as `like` has, all alike."""
        rows = self.add("Shape", like, start=0, end=1)
        shape = self.add("Concat", rows, self.constant([width], np.int64), axis=0)
        return self.add("Expand", self.constant([[value]]), shape)

    def scale(self, operator: str, source: str, by: float) -> str:
        """Mul or Div by a number. As a column, not as a constant: onnxruntime would move a constant beside a matrix
        product into an attribute of float32."""
        return self.add(operator, source, self.fill(by, source, 1))

    def sum(self, source: str) -> str:
        return self.add("ReduceSum", source, self.constant([1], np.int64), keepdims=1)

    def first_true(self, flags: str) -> str:
        """The place of the first 1 of each row of numbers 0 and 1; the width where there is none."""
        ended = self.join([flags, self.fill(1.0, flags, 1)])
        return self.add("ArgMax", ended, axis=1, keepdims=0)
