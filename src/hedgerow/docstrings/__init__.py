"""docstrings: what many estimators, methods and results share, written once and composed into numpydoc form."""

from hedgerow.docstrings.compose import document, document_result

__all__ = ["document", "document_result"]
