"""The model of a program.   In: the Program.   Out: a ModelProto.

Inputs     of a table with names: one for each column, rows x 1, under its name: float64 for numbers and booleans (NaN:
           missing), text for categories (the word for a missing one is in the file's metadata: "", or the first of
           some others that is no level). Of a plain matrix: `X`, rows x columns, float64.
Outputs    `prediction`; `probabilities`, rows x classes, or `interval`, rows x 2, where the model has them.
"""

import json
from typing import Any

import numpy as np

from hedgerow.export.program.steps import CELLS, Program
from hedgerow.export.program.to_onnx.graph import IR, ML, OPSETS, Graph
from hedgerow.export.program.to_onnx.steps import WRITE, Made, add_decision

GAPS = ("", "NaN", "missing", "no value")  # words for a missing category: the first that is no level
MATRIX = "X"
OUTPUTS = ("prediction", "probabilities", "interval")


def input_names(program: Program, named: bool) -> list[str] | None:
    """One for each column; None: one matrix. A name that ONNX cannot have becomes column_<number>."""
    if not named and all(column["levels"] is None for column in program["columns"]):
        return None
    taken = {*(column["name"] for column in program["columns"]), *OUTPUTS}
    names = []
    for j, column in enumerate(program["columns"]):
        name = column["name"]
        if not name or "\0" in name or name in OUTPUTS:
            name = f"column_{j}"
            while name in taken:
                name += "_"
        names.append(name)
    return names


def word_for_missing(levels: list[str]) -> str:
    return next((word for word in GAPS if word not in levels), "no level: " + "".join(levels))


def make_model(program: Program, named: bool) -> Any:
    from onnx import helper

    names = input_names(program, named)
    graph = Graph([*(names or [MATRIX]), *OUTPUTS])
    n_levels = [None if c["levels"] is None else len(c["levels"]) for c in program["columns"]]
    cells = Made(_add_cells(graph, program, names), n_levels)
    made: list[Made] = []
    for step in program["steps"]:
        of = cells if step["of"] == CELLS else made[step["of"]]
        made.append(WRITE[step["do"]](graph, step, of, made))
    outputs = _add_answer(graph, program, made)
    inputs = _write_inputs(program, names)
    body = helper.make_graph(graph.nodes, "model", inputs, outputs, list(graph.constants.values()))
    opsets = [helper.make_opsetid(domain, version) for domain, version in OPSETS.items()]
    model = helper.make_model(body, opset_imports=opsets, ir_version=IR, producer_name="hedgerow")
    helper.set_model_props(model, _metadata(program, names))
    return model


def _write_inputs(program: Program, names: list[str] | None) -> list[Any]:
    from onnx import TensorProto, helper

    if names is None:
        return [helper.make_tensor_value_info(MATRIX, TensorProto.DOUBLE, ["rows", len(program["columns"])])]
    return [
        helper.make_tensor_value_info(
            name, TensorProto.DOUBLE if column["levels"] is None else TensorProto.STRING, ["rows", 1]
        )
        for name, column in zip(names, program["columns"], strict=True)
    ]


def _add_cells(graph: Graph, program: Program, names: list[str] | None) -> str:
    """A category as the number of its level; NaN where it is missing."""
    if names is None:
        return MATRIX
    parts = []
    for name, column in zip(names, program["columns"], strict=True):
        levels = column["levels"]
        if levels is None:
            parts.append(name)
            continue
        keys = [level.encode() for level in (*levels, word_for_missing(levels))]
        numbers = [*range(len(levels)), len(levels) + 1]
        place = graph.add(
            "LabelEncoder",
            name,
            domain=ML,
            keys_strings=keys,
            values_int64s=numbers,
            default_int64=len(levels),
        )
        table = graph.constant([*range(len(levels) + 1), np.nan])
        parts.append(graph.add("Gather", table, place, axis=0))
    return graph.join(parts)


def _add_answer(graph: Graph, program: Program, made: list[Made]) -> list[Any]:
    from onnx import TensorProto, helper

    classes, answer = program["classes"], program["answer"]
    value, shares = made[answer["value"]], answer["probabilities"]
    if classes is None:
        graph.name_last("prediction", graph.add("Squeeze", value.name, graph.constant([1], np.int64)))
        outputs = [helper.make_tensor_value_info("prediction", TensorProto.DOUBLE, ["rows"])]
        if answer["interval"] is not None:
            graph.name_last("interval", made[answer["interval"]].name)
            outputs.append(helper.make_tensor_value_info("interval", TensorProto.DOUBLE, ["rows", 2]))
        return outputs
    kind, dtype = TensorProto.STRING, object
    for one, found in ((bool, (TensorProto.BOOL, np.bool_)), (int, (TensorProto.INT64, np.int64)),
                       (float, (TensorProto.DOUBLE, np.float64))):  # fmt: skip
        if all(type(label) is one for label in classes):
            kind, dtype = found
    labels = graph.constant(classes if dtype is not object else [str(c) for c in classes], dtype)
    number = add_decision(graph, value)
    if len(classes) == 1:
        number = graph.add("Mul", number, graph.constant(0, np.int64))
    graph.name_last("prediction", graph.add("Gather", labels, number, axis=0))
    outputs = [helper.make_tensor_value_info("prediction", kind, ["rows"])]
    if shares is not None:
        graph.name_last("probabilities", made[shares].name)
        outputs.append(
            helper.make_tensor_value_info("probabilities", TensorProto.DOUBLE, ["rows", len(classes)])
        )
    return outputs


def _metadata(program: Program, names: list[str] | None) -> dict[str, str]:
    """Names, what a missing category is written as, classes, and the test rows."""
    columns = [
        {
            "name": column["name"],
            "input": MATRIX if names is None else names[j],
            "missing": None if column["levels"] is None else word_for_missing(column["levels"]),
        }
        for j, column in enumerate(program["columns"])
    ]
    metadata = {
        "model": program["model"],
        "columns": columns,
        "classes": program["classes"],
        "tests": program["tests"],
    }
    return {"hedgerow": json.dumps(metadata)}
