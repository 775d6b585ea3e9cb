"""export: a fitted model in another form.   In: a model's state.   Out: text or bytes for another program, or people.

exporter.py     what an exporter is, and export_model
formats/        one file each: c, dot, json, onnx, python, rules, sql, svg, text
program/        a model as a scoring program, which the formats for other languages write
"""

from hedgerow.export.exporter import Exporter, export_model, exporters_for, load_exporter, load_exporters
from hedgerow.export.program.prove import ExportError
from hedgerow.export.program.scoring import InvalidProgram, load_program

__all__ = [
    "ExportError",
    "Exporter",
    "InvalidProgram",
    "export_model",
    "exporters_for",
    "load_exporter",
    "load_exporters",
    "load_program",
]
