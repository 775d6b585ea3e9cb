"""Exporting.   For fitted estimators: `model.export("dot")`, by the name of any exporter that takes such a model."""

from pathlib import Path
from typing import Any

from sklearn.utils.validation import check_is_fitted

from hedgerow.export import export_model
from hedgerow.files import write_atomically
from hedgerow.store.file import Place


class ExportMixin:
    def export(
        self,
        name: str,
        path: Place | None = None,
        *,
        check: bool = True,
        target: int | None = None,
        **options: Any,
    ) -> str | bytes:
        """The model in another form.

        Parameters
        ----------
        name : str
            A file of hedgerow/export/formats; an error lists those that take such a model.
        path : path, optional
            Where to write it as well.
        check : bool
            Run what can be run on the test rows it carries: a difference from the model is an ExportError.
        target : int, optional
            Which of several targets, from 0. Programs answer for one.
        **options
            The options of that exporter.
        """
        from hedgerow.estimators.saving import (
            extract_state,  # which knows models with their decision, which have this
        )

        check_is_fitted(self)
        made = export_model(extract_state(self), name, check=check, target=target, **options)
        return write_export(made, path)


def write_export(made: str | bytes, path: Place | None) -> str | bytes:
    if path is not None:
        write_atomically(Path(path).expanduser(), made if isinstance(made, bytes) else made.encode())
    return made
