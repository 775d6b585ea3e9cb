"""ONNX.   In: a fitted model.   Out: a file for onnxruntime and others, computed in float64.   Needs hedgerow[onnx].

    model.export("onnx", "model.onnx")
    onnxruntime.InferenceSession("model.onnx").run(None, {"age": [[29.0]], "sex": [["female"]]})

What its inputs and outputs are: export/program/to_onnx/model.py. Trees are the TreeEnsemble operator of ai.onnx.ml 5;
support vectors are matrix products, for the SVM operators compute in float32.
"""

import json
from typing import Any

import numpy as np

from hedgerow.errors import ParameterError
from hedgerow.export.program.prove import make_program
from hedgerow.export.program.steps import TAKES as TAKES
from hedgerow.export.program.steps import Program
from hedgerow.store import ModelState

TITLE, SUFFIX = "ONNX, for onnxruntime", ".onnx"


def export(state: ModelState) -> bytes:
    try:
        from hedgerow.export.program.to_onnx.model import make_model

        model = make_model(make_program(state), state.schema.named)
    except ModuleNotFoundError as reason:
        if reason.name != "onnx":
            raise
        raise ParameterError(
            '{export} needs the package onnx, which is not installed. Try: pip install "hedgerow[onnx]"',
            export="onnx",
        ) from None
    return bytes(model.SerializeToString())


def run(made: bytes, program: Program) -> list[dict[str, Any]] | None:
    """In onnxruntime, where that is installed. One thread: with several, it adds trees in an order of its own."""
    try:
        import onnxruntime
    except ImportError:
        return None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(made, options, providers=["CPUExecutionProvider"])
    metadata = json.loads(session.get_modelmeta().custom_metadata_map["hedgerow"])
    found = session.run(None, make_feed(metadata["columns"], [test["cells"] for test in program["tests"]]))
    values = found[0].tolist()
    if len(found) == 1:
        return [{"value": value, "probabilities": None} for value in values]
    rest = ["value", *(["probabilities"] if program["classes"] is not None else ["interval"])]
    answers = [dict(zip(rest, both, strict=True)) for both in zip(values, found[1].tolist(), strict=True)]
    return [{"probabilities": None, **answer} for answer in answers]


def make_feed(columns: list[dict[str, Any]], rows: list[list[Any]]) -> dict[str, Any]:
    """Rows of cells as the inputs of the file want them."""
    parts: dict[str, list[Any]] = {}
    for j, column in enumerate(columns):
        gap = np.nan if column["missing"] is None else column["missing"]
        cells = [gap if row[j] is None else row[j] for row in rows]
        kind: Any = np.float64 if column["missing"] is None else object
        parts.setdefault(column["input"], []).append(np.array(cells, kind).reshape(-1, 1))
    return {name: np.hstack(some) for name, some in parts.items()}
