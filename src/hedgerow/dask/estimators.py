"""HistGradientBoosting on a Dask cluster.   In: Dask DataFrames or Arrays, or the path of Parquet files.   Out: the
fitted estimator; predictions that are computed when they are looked at.

Parameters and attributes are those of hedgerow's estimators of the same names. The cluster is that of the current
`distributed.Client`.
"""

import os
from typing import Any, Self

import numpy as np

from hedgerow import estimators as local
from hedgerow.dask.fit import fit_on_cluster
from hedgerow.docstrings import document
from hedgerow.estimators.gradient_base import HistGradientBoosting


class DaskGradientBoosting(HistGradientBoosting):
    _local: type[HistGradientBoosting]

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # type: ignore[override]
        """Fit the model to rows that lie on the cluster.

        Parameters
        ----------
        X : dask.dataframe.DataFrame, dask.array.Array, str or path
            Rows, or the path of Parquet files.
        y : Dask collection or str
            Targets, cut in the same places as the rows; or the name of a column of X.
        sample_weight : Dask collection, str or None
            Weights, cut in the same places; or the name of a column of X. None: all rows weigh the same.
        """
        client = _client()
        local_model = self.to_local()
        try:
            fit_on_cluster(local_model, client, _partitions(X, y, sample_weight))
        except (OSError, TimeoutError) as reason:
            if client.status == "running":
                raise
            raise RuntimeError(
                "The scheduler of the Dask cluster is gone, and the fit with it. Start a cluster and fit again."
            ) from reason
        fitted = {name: value for name, value in vars(local_model).items() if name not in self.get_params()}
        self.__dict__.update(fitted)
        return self

    def to_local(self) -> Any:
        """Make hedgerow's own estimator with these parameters and this model.

        Returns
        -------
        estimator
            An estimator that needs no cluster.
        """
        model = self._local(**self.get_params())
        model.__dict__.update(vars(self))
        return model

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the model, as hedgerow.save does."""
        from hedgerow.estimators.saving import save

        save(self.to_local(), path)

    def _lazily(self, method: str, X: Any) -> Any:
        """Dask's collections stay lazy; all else is predicted here."""
        model = self.to_local()
        if hasattr(X, "map_partitions"):
            example = np.asarray(getattr(model, method)(X._meta_nonempty))
            return X.map_partitions(_predict, model, method, meta=_meta(example))
        if hasattr(X, "map_blocks"):
            X = X.rechunk({1: -1})
            example = np.asarray(getattr(model, method)(np.zeros((1, X.shape[1]))))
            if example.ndim == 1:
                return X.map_blocks(_predict, model, method, dtype=example.dtype, drop_axis=1)
            chunks = (X.chunks[0], (example.shape[1],))
            return X.map_blocks(_predict, model, method, dtype=example.dtype, chunks=chunks)
        return getattr(model, method)(X)


@document(local.HistGradientBoostingClassifier)
class HistGradientBoostingClassifier(DaskGradientBoosting, local.HistGradientBoostingClassifier):
    """Gradient boosting on a Dask cluster, the same model to the bit as on one machine.

    Predictions of Dask collections stay lazy; all else is predicted here.

    Attributes
    ----------
    trees_, n_iter_, n_trees_per_iteration_, train_score_, validation_score_, do_early_stopping_, classes_,
    is_categorical_, n_features_in_, feature_names_in_, feature_importances_, schema_, labels_

    See Also
    --------
    HistGradientBoostingClassifier : For rows on one machine, and for files larger than its memory.

    Examples
    --------
    >>> from distributed import Client  # doctest: +SKIP
    >>> from hedgerow.dask import HistGradientBoostingClassifier  # doctest: +SKIP
    >>> client = Client()  # doctest: +SKIP
    >>> model = HistGradientBoostingClassifier().fit("rows.parquet", "y")  # doctest: +SKIP
    """

    _local = local.HistGradientBoostingClassifier

    def predict(self, X: Any) -> Any:
        return self._lazily("predict", X)

    def predict_proba(self, X: Any) -> Any:
        return self._lazily("predict_proba", X)


@document(local.HistGradientBoostingRegressor)
class HistGradientBoostingRegressor(DaskGradientBoosting, local.HistGradientBoostingRegressor):
    """Gradient boosting on a Dask cluster, the same model to the bit as on one machine.

    Predictions of Dask collections stay lazy; all else is predicted here.

    Attributes
    ----------
    trees_, n_iter_, n_trees_per_iteration_, train_score_, validation_score_, do_early_stopping_, is_categorical_,
    is_categorical_, n_features_in_, feature_names_in_, feature_importances_, schema_, labels_

    See Also
    --------
    HistGradientBoostingRegressor : For rows on one machine, and for files larger than its memory.

    Examples
    --------
    >>> from distributed import Client  # doctest: +SKIP
    >>> from hedgerow.dask import HistGradientBoostingRegressor  # doctest: +SKIP
    >>> client = Client()  # doctest: +SKIP
    >>> model = HistGradientBoostingRegressor().fit("rows.parquet", "y")  # doctest: +SKIP
    """

    _local = local.HistGradientBoostingRegressor

    def predict(self, X: Any) -> Any:
        return self._lazily("predict", X)


def _client() -> Any:
    from distributed import get_client

    try:
        return get_client()
    except ValueError:
        raise RuntimeError(
            "There is no Dask client. Make one first: client = distributed.Client('tcp://...'), or "
            "distributed.Client() for this machine."
        ) from None


def _partitions(X: Any, y: Any, weight: Any) -> list[tuple[Any, Any, Any]]:
    """Delayed partitions: rows, targets, weights (or the names of their columns)."""
    if isinstance(X, (str, os.PathLike)):
        import dask.dataframe as dd

        X = dd.read_parquet(str(X))
    if not hasattr(X, "to_delayed"):
        raise TypeError(
            f"X is {type(X).__name__}. Wanted: a Dask DataFrame or Array, or the path of Parquet files. For rows in "
            "memory use hedgerow's own estimators."
        )
    if hasattr(X, "rechunk"):
        X = X.rechunk({1: -1})
    rows = np.ravel(X.to_delayed()).tolist()
    return list(zip(rows, _match(y, len(rows), "y"), _match(weight, len(rows), "sample_weight"), strict=True))


def _match(given: Any, many: int, what: str) -> list[Any]:
    if given is None or isinstance(given, str):
        return [given] * many
    if not hasattr(given, "to_delayed"):
        raise TypeError(
            f"{what} is {type(given).__name__}. Wanted: a Dask collection, or the name of a column of X."
        )
    found: list[Any] = np.ravel(given.to_delayed()).tolist()
    if len(found) != many:
        raise ValueError(
            f"{what} has {len(found)} partitions, but X has {many}. Cut them in the same places: repartition or "
            "rechunk."
        )
    return found


def _predict(rows: Any, model: Any, method: str) -> Any:
    import pandas as pd

    found = np.asarray(getattr(model, method)(rows)) if len(rows) else np.empty(0)
    if not hasattr(rows, "index"):
        return found
    return pd.Series(found, rows.index) if found.ndim == 1 else pd.DataFrame(found, rows.index)


def _meta(example: Any) -> Any:
    import pandas as pd

    return pd.Series(example[:0]) if example.ndim == 1 else pd.DataFrame(example[:0])
