"""Random small problems, and how they are handed to the library."""

from dataclasses import dataclass, field

import numpy as np

from hedgerow.encode import Encoded, encode
from hedgerow.grow import Classes, Limits, Numbers, Target, grow
from hedgerow.table import Column, Table
from hedgerow.tree.tree import Tree
from hedgerow.types import Float, Index

from .loss import CLASSES


@dataclass(frozen=True, eq=False)
class Case:
    X: Float  # rows x columns; categories as level codes; NaN = missing
    n_levels: Index  # 0: a number
    y: Float  # class numbers, or targets
    weight: Float | None
    criterion: str
    limits: Limits
    n_classes: int = 0
    monotone: Index = field(
        default_factory=lambda: np.zeros(99, np.int8)
    )  # as many as there are columns, or more

    @property
    def w(self) -> Float:
        return np.ones(len(self.y)) if self.weight is None else self.weight

    @property
    def used(self) -> Index:
        return np.flatnonzero(self.w > 0)

    def table(self) -> Table:
        columns = [self._column(j) for j in range(self.X.shape[1])]
        return Table(tuple(columns), len(self.X), named=False)

    def _column(self, j: int) -> Column:
        cells, n_levels = self.X[:, j], int(self.n_levels[j])
        if not n_levels:
            return Column(f"x{j}", "number", cells)
        codes = np.where(np.isnan(cells), -1, cells).astype(np.int32)
        return Column(f"x{j}", "category", codes, tuple(f"level {k}" for k in range(n_levels)))

    def target(self) -> Target:
        if self.n_classes:
            return Classes(self.y.astype(np.int32), self.n_classes, self.weight)
        return Numbers(self.y, self.weight)

    def encoded(self) -> Encoded:
        return encode(self.table())

    def grown(self, threads: int = 1, subtree_rows: int = 65536, seed: int = 0) -> Tree:
        monotone = self.monotone[: self.X.shape[1]].astype(np.int8)
        return grow(
            self.encoded(),
            self.target(),
            self.criterion,
            self.limits,
            monotone=monotone,
            seed=seed,
            threads=threads,
            subtree_rows=subtree_rows,
        )


def random_case(
    seed: int,
    criterion: str,
    *,
    n: int = 31,
    numbers: int = 2,
    categories: int = 0,
    n_levels: int = 5,
    missing: float = 0.0,
    weights: str = "none",
    ties: bool = True,
    n_classes: int = 3,
    limits: dict[str, float] | None = None,
    **more: object,
) -> Case:
    rng = np.random.default_rng(seed)
    columns = [_numbers(rng, n, ties) for _ in range(numbers)]
    columns += [rng.integers(0, n_levels, n).astype(float) for _ in range(categories)]
    X = np.column_stack(columns)
    X[rng.random(X.shape) < missing] = np.nan
    is_class = criterion in CLASSES
    checked_limits = Limits(**{"max_features": X.shape[1], **(limits or {})})
    return Case(
        X=X,
        n_levels=np.repeat([0, n_levels], [numbers, categories]).astype(np.int32),
        y=rng.integers(0, n_classes, n).astype(float) if is_class else _target(rng, criterion, n, ties),
        weight=_weights(rng, weights, n),
        criterion=criterion,
        limits=checked_limits,
        n_classes=n_classes if is_class else 0,
        **more,
    )


def _numbers(rng: np.random.Generator, n: int, ties: bool) -> Float:
    return rng.integers(0, 6, n).astype(float) if ties and rng.random() < 0.5 else rng.normal(size=n)


def _target(rng: np.random.Generator, criterion: str, n: int, ties: bool) -> Float:
    if criterion == "poisson":
        y = rng.poisson(1.3, n).astype(float)
        y[0] += 1  # a positive sum
        return y
    return rng.integers(0, 5, n).astype(float) if ties else rng.normal(size=n)


def _weights(rng: np.random.Generator, kind: str, n: int) -> Float | None:
    if kind == "none":
        return None
    if kind == "whole":
        return np.maximum(rng.integers(0, 4, n), np.arange(n) == 0).astype(float)  # some zero, not all
    return rng.uniform(0.1, 2.0, n)
