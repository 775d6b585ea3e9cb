"""Exporting.   For fitted estimators: `model.export("dot")`, by the name of any exporter that takes such a model."""

from typing import Any

from sklearn.utils.validation import check_is_fitted

from hedgerow.estimators.saving import extract_state
from hedgerow.export import export_model


class ExportMixin:
    def export(self, name: str, **options: Any) -> str | bytes:
        """The model in another form.

        Parameters
        ----------
        name : str
            A file of hedgerow/export/formats; an error lists those that take such a model.
        **options
            The options of that exporter.
        """
        check_is_fitted(self)
        return export_model(extract_state(self), name, **options)
