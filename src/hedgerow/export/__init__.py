"""export: a fitted model in another form.   In: a model's state.   Out: text or bytes for another program, or people.

exporter.py     what an exporter is, and export_model
formats/        one file each: dot, rules, svg, text
"""

from hedgerow.export.exporter import Exporter, export_model, exporters_for, load_exporter, load_exporters

__all__ = ["Exporter", "export_model", "exporters_for", "load_exporter", "load_exporters"]
