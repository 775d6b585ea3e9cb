"""Estimators on a Dask cluster.   In: Dask DataFrames or Arrays, or the path of Parquet files.   Out: the
fitted estimator; predictions that are computed when they are looked at.

Parameters and attributes are those of hedgerow's estimators of the same names. The cluster is that of the current
`distributed.Client`.
"""

import os
from typing import Any, Self

import numpy as np

from hedgerow import estimators as local
from hedgerow.dask.boosting.fit import fit_on_cluster
from hedgerow.dask.tasks import name_lost_scheduler
from hedgerow.dask.trees.fit import fit_forest, fit_tree
from hedgerow.docstrings import document
from hedgerow.words import did_you_mean, listing, quote

DOC = """{name} on a Dask cluster, the same model to the bit as on one machine.

Predictions of Dask collections stay lazy; all else is predicted here.

See Also
--------
{name} : For rows on one machine.

Examples
--------
>>> from distributed import Client  # doctest: +SKIP
>>> from hedgerow.dask import {name}  # doctest: +SKIP
>>> client = Client()  # doctest: +SKIP
>>> model = {name}().fit("rows.parquet", "y")  # doctest: +SKIP
"""


def _documented(cls: type[Any]) -> type[Any]:
    """Parameters and attributes as those of the local estimator."""
    cls.__doc__ = DOC.format(name=cls.__name__)
    return document(cls._local)(cls)


class OnCluster:
    """What they have in common: a local estimator that they become, and predictions that are lazy."""

    _local: type[Any]

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
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
        with name_lost_scheduler(client):
            rows = _read(X)
            _check_named(rows, y=y, sample_weight=sample_weight)
            self._fit_local(local_model, client, rows, y, sample_weight)
        own = local_model.get_params()
        self.__dict__.update({name: value for name, value in vars(local_model).items() if name not in own})
        return self

    def _fit_local(self, model: Any, client: Any, X: Any, y: Any, weight: Any) -> None:
        raise NotImplementedError

    def to_local(self) -> Any:
        """Make hedgerow's own estimator with these parameters and this model.

        Returns
        -------
        estimator
            An estimator that needs no cluster.
        """
        model = self._local(**self.get_params())  # type: ignore[attr-defined]
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


class LazyPredict(OnCluster):
    def predict(self, X: Any) -> Any:
        return self._lazily("predict", X)


class LazyProbabilities(LazyPredict):
    def predict_proba(self, X: Any) -> Any:
        return self._lazily("predict_proba", X)


class DaskGradientBoosting(OnCluster):
    def _fit_local(self, model: Any, client: Any, X: Any, y: Any, weight: Any) -> None:
        fit_on_cluster(model, client, _partitions(X, y, weight))


class DaskForest(OnCluster):
    def _fit_local(self, model: Any, client: Any, X: Any, y: Any, weight: Any) -> None:
        fit_forest(model, client, *_columns(X, y, weight), _partitions(X, y, weight))


class DaskTree(OnCluster):
    def _fit_local(self, model: Any, client: Any, X: Any, y: Any, weight: Any) -> None:
        fit_tree(model, client, *_columns(X, y, weight), _partitions(X, y, weight))


@_documented
class HistGradientBoostingClassifier(  # type: ignore[misc]
    DaskGradientBoosting, LazyProbabilities, local.HistGradientBoostingClassifier
):
    _local = local.HistGradientBoostingClassifier


@_documented
class HistGradientBoostingRegressor(  # type: ignore[misc]
    DaskGradientBoosting, LazyPredict, local.HistGradientBoostingRegressor
):
    _local = local.HistGradientBoostingRegressor


@_documented
class DecisionTreeClassifier(  # type: ignore[misc]
    DaskTree, LazyProbabilities, local.DecisionTreeClassifier
):
    _local = local.DecisionTreeClassifier


@_documented
class DecisionTreeRegressor(DaskTree, LazyPredict, local.DecisionTreeRegressor):  # type: ignore[misc]
    _local = local.DecisionTreeRegressor


@_documented
class RandomForestClassifier(DaskForest, LazyProbabilities, local.RandomForestClassifier):
    _local = local.RandomForestClassifier


@_documented
class RandomForestRegressor(DaskForest, LazyPredict, local.RandomForestRegressor):
    _local = local.RandomForestRegressor


@_documented
class ExtraTreesClassifier(DaskForest, LazyProbabilities, local.ExtraTreesClassifier):
    _local = local.ExtraTreesClassifier


@_documented
class ExtraTreesRegressor(DaskForest, LazyPredict, local.ExtraTreesRegressor):
    _local = local.ExtraTreesRegressor


def _client() -> Any:
    from distributed import get_client

    try:
        return get_client()
    except ValueError:
        raise RuntimeError(
            "There is no Dask client. Make one first: client = distributed.Client('tcp://...'), or "
            "distributed.Client() for this machine."
        ) from None


def _read(X: Any) -> Any:
    """A collection whose partitions have all columns."""
    if isinstance(X, (str, os.PathLike)):
        import dask.dataframe as dd

        X = dd.read_parquet(str(X))
    if not hasattr(X, "to_delayed"):
        raise TypeError(
            f"X is {type(X).__name__}. Expected: a Dask DataFrame or Array, or the path of Parquet files. For rows in "
            "memory use hedgerow's own estimators."
        )
    return X.rechunk({1: -1}) if hasattr(X, "rechunk") else X


def _check_named(X: Any, **given: Any) -> None:
    """Targets and weights that are given by the name of a column."""
    names = list(getattr(X, "columns", ()))
    for what, name in given.items():
        if isinstance(name, str) and name not in names:
            raise ValueError(
                f"{what}={quote(name)} is no column. Columns: {listing(names) or 'those of an Array have no names'}."
                f"{did_you_mean(name, map(str, names))}"
            )


def _columns(X: Any, y: Any, weight: Any) -> tuple[Any, Any, Any]:
    """Rows, targets, weights, each a collection."""
    named = [name for name in (y, weight) if isinstance(name, str)]
    y, weight = (X[one] if isinstance(one, str) else one for one in (y, weight))
    return X.drop(columns=named) if named else X, y, weight


def _partitions(X: Any, y: Any, weight: Any) -> list[tuple[Any, Any, Any]]:
    """Delayed partitions: rows, targets, weights (or the names of their columns)."""
    rows = np.ravel(X.to_delayed()).tolist()
    return list(zip(rows, _match(y, len(rows), "y"), _match(weight, len(rows), "sample_weight"), strict=True))


def _match(given: Any, many: int, what: str) -> list[Any]:
    if given is None or isinstance(given, str):
        return [given] * many
    if not hasattr(given, "to_delayed"):
        raise TypeError(
            f"{what} is {type(given).__name__}. Expected: a Dask collection, or the name of a column of X."
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
