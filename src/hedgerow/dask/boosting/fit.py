"""Gradient boosting on a Dask cluster.   In: an estimator and collections.   Out: the estimator, fitted, with the model
that one machine would give, to the bit.

    partitions -> pieces -> facts, counts -> bins -> shards, one a worker -> rounds: sums up, splits down

Rows stay where they are. What moves is in docs/scale.md.
"""

import time
from functools import reduce
from operator import getitem
from typing import Any

import numpy as np

from hedgerow.dask.boosting.grower import Grower
from hedgerow.dask.boosting.rows import (
    divide_by_position,
    divide_together,
    find_statistics,
    make_shard,
    search_target,
    use_all,
)
from hedgerow.dask.boosting.shard import BYTES_PER_CELL, BYTES_PER_ROW, Plan
from hedgerow.dask.boosting.steps import BoostSteps
from hedgerow.dask.boosting.wide import find_units
from hedgerow.dask.memory import check_memory
from hedgerow.dask.pieces import (
    Parts,
    PieceFacts,
    Use,
    by_worker,
    find_pieces,
    gather_counts,
    make_piece,
    target_of,
    without_callbacks,
)
from hedgerow.estimators.gradient_params import boost_params, check_max_bins, check_stopping, held_out_share
from hedgerow.estimators.gradient_watch import (
    FEW_OF_A_CLASS,
    ONE_BY_ONE,
    RoundInfo,
    callbacks_of,
    describe_round,
    is_flat,
    share_of,
)
from hedgerow.estimators.targets import check_classes
from hedgerow.fitting.target import compute_class_weights
from hedgerow.gradient import BoostParams, loss_names
from hedgerow.gradient.bins import Bins, choose_bins
from hedgerow.gradient.boost import run_rounds
from hedgerow.gradient.grown import GrownTree, TreesBuilder
from hedgerow.gradient.left_out import count_times
from hedgerow.gradient.penalties import Penalties
from hedgerow.gradient.sums import mean_of_limbs, round_limbs
from hedgerow.types import Byte, Count, Float


def fit_on_cluster(model: Any, client: Any, parts: Parts) -> None:
    _refuse(model)
    classes_wanted = model._target_kind == "classes"
    pieces, facts = find_pieces(model, client, parts, make_piece, classes_wanted)
    names, named = facts[0].names, facts[0].named
    by_class = _set_classes(model, client, pieces, facts) if classes_wanted else None
    model._loss = model._new_loss()
    if not classes_wanted:
        model._loss.check_target(np.concatenate([fact.labels for fact in facts]).astype(np.float64))
    model._begin()
    uses = _divide(model, client, pieces, facts, by_class)
    own_of = by_worker(client, pieces)
    counts = gather_counts(client, own_of, pieces, uses, names, named)
    bins: Bins = client.submit(choose_bins, counts, check_max_bins(model)).result()
    check_memory(client, sum(fact.n_rows for fact in facts), len(names), BYTES_PER_CELL, BYTES_PER_ROW)
    classes = getattr(model, "classes_", None)
    sizes = client.gather([client.submit(_count_training, use, pure=False) for use in uses])
    first = np.cumsum([0, *sizes]).tolist()
    shards = [
        client.submit(
            make_shard,
            bins,
            [pieces[k] for k in own],
            [uses[k] for k in own],
            [first[k] for k in own],
            classes,
            by_class,
            workers=[worker],
            allow_other_workers=True,
            pure=False,
        )
        for worker, own in own_of.items()
    ]
    _fit_rounds(model, client, shards, bins, first[-1])


def _count_training(use: Use) -> int:
    return int(use.train.sum())


def _refuse(model: Any) -> None:
    check_stopping(model, None, None)
    if not isinstance(model.loss, str):
        raise ValueError(
            f"loss={model.loss!r} is an object, which need not add up over rows in several places. On a cluster give "
            f"the name of a loss: {', '.join(loss_names(model._target_kind))}."
        )
    for name, wanted in (("warm_start", False), ("scoring", "loss")):
        if getattr(model, name) != wanted:
            raise ValueError(f"{name}={getattr(model, name)!r} is not for a cluster. Give {name}={wanted!r}.")


def _set_classes(model: Any, client: Any, pieces: list[Any], facts: list[PieceFacts]) -> Float | None:
    labels = np.concatenate([fact.labels for fact in facts])
    _, classes = check_classes(type(model).__name__, labels, len(labels), None, None)
    model.classes_ = classes
    if len(classes) < 2:
        raise ValueError(
            f"{type(model).__name__} needs at least two classes, but y has one: {classes.tolist()}."
        )
    if model.class_weight is None:
        return None
    if model.class_weight != "balanced":
        codes = np.arange(len(classes))
        return compute_class_weights(model.class_weight, classes, codes, None)
    limbs = client.gather([client.submit(_weigh_classes, piece, classes) for piece in pieces])
    total = np.array([round_limbs(row) for row in np.sum(limbs, axis=0)])
    return np.where(total > 0, total.sum() / (len(classes) * np.maximum(total, np.finfo(float).tiny)), 1.0)


def _weigh_classes(piece: Any, classes: Any) -> Count:
    from hedgerow.gradient.sums import weigh_limbs

    target = target_of(piece, classes)
    parts = [target == k for k in range(len(classes))]
    return np.stack(
        [weigh_limbs(target[at], None if piece.weight is None else piece.weight[at])[1] for at in parts]
    )


def _divide(
    model: Any, client: Any, pieces: list[Any], facts: list[PieceFacts], by_class: Float | None
) -> list[Any]:
    """Futures of which rows train and which are held out, as on one machine. Up to ONE_BY_ONE rows one task looks at
    them all (for copies of a row); beyond, it depends on the rows' positions alone."""
    n_used = sum(fact.n_weighted for fact in facts)
    given = model.early_stopping
    model.do_early_stopping_ = n_used > 10_000 if given == "auto" else bool(given)
    share = held_out_share(model) if model.do_early_stopping_ else None
    classes = getattr(model, "classes_", None)
    if share is not None and n_used <= ONE_BY_ONE:
        together = client.submit(divide_together, without_callbacks(model), pieces, by_class, pure=False)
        return [client.submit(getitem, together, k, pure=False) for k in range(len(pieces))]
    uses = [client.submit(use_all, piece, by_class, classes, pure=False) for piece in pieces]
    if share is None:
        return uses
    total: dict[Any, int] = {}
    for fact in facts:
        for label, count in fact.count_of_class.items():
            total[label] = total.get(label, 0) + count
    rare = [label for label, count in total.items() if count < FEW_OF_A_CLASS]
    starts = np.cumsum([0, *(fact.n_rows for fact in facts)]).tolist()
    part = share_of(share, n_used)
    return [
        client.submit(divide_by_position, use, piece, start, part, model._seed, rare, pure=False)
        for use, piece, start in zip(uses, pieces, starts, strict=False)
    ]


def _fit_rounds(model: Any, client: Any, shards: list[Any], bins: Bins, n_rows: int) -> None:
    params = boost_params(model, bins.schema, 1)
    baseline = _find_start(model._loss, client, shards)
    cluster = BoostSteps(client, shards, Plan(model._loss, params, baseline))
    scores = Scores(model, cluster)
    scores.add(0)
    penalties = None
    if model._loss.hessians_vanish:
        penalties = Penalties(params, None, len(baseline), n_rows, count_times(bins))
    trees = run_rounds(
        ClusterRows(model, cluster, bins),
        TreesBuilder(bins, baseline),
        params,
        np.random.default_rng([model._seed, 0]),
        penalties,
        scores.add,
    )
    model.train_score_, model.validation_score_ = np.array(scores.train), np.array(scores.validation)
    model._keep(bins.schema, trees, frozenset(np.flatnonzero(bins.has_missing).tolist()))


def _find_start(loss: Any, client: Any, shards: list[Any]) -> Float:
    """The best constant for all rows."""

    def solve(search: Any, read: Any) -> float:
        while not isinstance(search, float):
            tasks = [client.submit(search_target, shard, search, read, pure=False) for shard in shards]
            search = search.follow(reduce(search.add, client.gather(tasks)))
        return search

    if loss.refits_leaves:
        return np.asarray(loss.start_by(solve))
    limbs = client.gather([client.submit(find_statistics, shard, loss, pure=False) for shard in shards])
    return np.asarray(loss.start_from(np.sum(limbs, axis=0)))


class ClusterRows:
    """The rows of all shards, as the rounds ask for them (gradient/boost.py)."""

    def __init__(self, model: Any, cluster: BoostSteps, bins: Bins) -> None:
        self.model, self.cluster, self.bins = model, cluster, bins
        self.number = 0  # of the round
        self.seed: int | None = None  # by which its rows are drawn
        self.known: Any = None  # the extent of the next tree's gradients, if already requested

    def begin_round(self, number: int, seed: int | None) -> None:
        self.number, self.seed = number, seed

    def squared_gradients(self) -> float:
        self.known = self._find_extent()
        return round_limbs(self.known[1])

    def slope(self) -> float | None:
        return None if self.known[3] is None else round_limbs(self.known[3])

    def _find_extent(self) -> Any:
        found = self.cluster.step("extent", self.seed)
        return found if found[2] else self.cluster.step("extent", None)  # no row was drawn

    def grow(self, k: int, params: BoostParams, used: Byte | None, seed: int) -> tuple[GrownTree, Float]:
        extent, _, n_rows, _ = self.known or self._find_extent()
        self.known = None
        if not extent[3]:
            raise ValueError(
                f"loss={self.model.loss!r} gave a gradient or a hessian that is not finite in round {self.number + 1}. "
                "A smaller learning_rate, or targets of a smaller size, may help."
            )
        units, of_leaves = find_units(extent, self.cluster.step("coarse", extent), n_rows)
        grower = Grower(self.bins, params, units, of_leaves, used, seed, self.cluster)
        grown = grower.finish(grower.grow())
        value = grown.value
        if self.model._loss.refits_leaves:
            found = self.cluster.search_leaves(grower.numbers, self.model._loss.leaf_search())
            value = np.clip(found, grown.low, grown.high)
        value = value * params.learning_rate
        self.cluster.add_tree(grown, value, params.own_part)
        return grown, value


class Scores:
    """Mean losses after each round, words and callbacks, and whether to stop: as on one machine."""

    def __init__(self, model: Any, cluster: BoostSteps) -> None:
        self.model, self.cluster = model, cluster
        self.train: list[float] = []
        self.validation: list[float] = []
        self.callbacks = callbacks_of(model.callbacks)
        self.needed = model.do_early_stopping_ or bool(self.callbacks) or bool(model.verbose)
        self.started = time.perf_counter()

    def add(self, number: int) -> bool:
        if not self.needed:
            return False
        own, held = self.cluster.score()
        self.train.append(-mean_of_limbs(own))
        if round_limbs(held[1]) > 0:
            self.validation.append(-mean_of_limbs(held))
        if number == 0:
            return False
        info = RoundInfo(
            number,
            int(self.model.max_iter),
            self.train[-1],
            self.validation[-1] if self.validation else None,
            time.perf_counter() - self.started,
        )
        if self.model.verbose:
            print(describe_round(info), flush=True)
        stops = [bool(callback(info)) for callback in self.callbacks]
        flat = self.model.do_early_stopping_ and is_flat(self.model, self.validation or self.train)
        return any(stops) or flat
