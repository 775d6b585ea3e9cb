"""What happens between two rounds.   In: where boosting stands.   Out: scores by round, words on the screen, callbacks,
and whether to stop."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import check_scoring
from sklearn.model_selection import train_test_split

from hedgerow.encode import matrix
from hedgerow.gradient import Binned, Loss
from hedgerow.gradient.boost import Progress
from hedgerow.table import Table
from hedgerow.table.split import draw_keys, stratified_split
from hedgerow.types import Count, Float, FloatAny, Mask

ONE_BY_ONE = 1_000_000  # rows
FEW_OF_A_CLASS = 20  # rows: beyond ONE_BY_ONE, a class with fewer trains with all of them
MOST_SCORED = 10_000  # training rows that a scorer of the caller's looks at


@dataclass(frozen=True)
class RoundInfo:
    """What a callback is given after each round."""

    round: int
    max_iter: int
    train_score: float | None  # minus the mean loss, or the scorer's number; None unless scores are kept
    validation_score: float | None
    seconds: float  # since the first round began


class Watched(NamedTuple):
    """The rows that score the rounds, as trees read them and as a scorer does."""

    table: Table | FloatAny  # or the matrix that trees read
    target: Float
    weight: Float | None
    X: Any
    y: Any


@contextmanager
def naming_watched() -> Iterator[None]:
    """An error says which rows it is about."""
    try:
        yield
    except ValueError as reason:
        raise ValueError(f"Rows to judge the rounds by (eval_set, or X_val and y_val): {reason}") from reason


def validation_pair(estimator: Any, X_val: Any, y_val: Any, eval_set: Any) -> tuple[Any, Any]:
    """X and y to judge the rounds by, however they were given; (None, None) if they were not."""
    if eval_set is None:
        if X_val is not None and y_val is not None and estimator.early_stopping is False:
            raise ValueError(
                "X_val and y_val are passed to fit while at the same time early_stopping is False. Give "
                "early_stopping=True; or eval_set=(X_val, y_val), to see their score after each round and not stop."
            )
        return X_val, y_val
    if X_val is not None or y_val is not None:
        raise ValueError("eval_set and X_val, y_val were both given. Give one of them.")
    pair = eval_set[0] if isinstance(eval_set, (list, tuple)) and len(eval_set) == 1 else eval_set
    pairs = isinstance(pair, list) and all(isinstance(part, tuple) for part in pair)
    if not isinstance(pair, (list, tuple)) or len(pair) != 2 or pairs:
        raise ValueError(
            "eval_set wants one pair (X, y) of rows to judge the rounds by. Give eval_set=(X, y)."
        )
    return pair[0], pair[1]


def held_out_rows(
    find_sets: Callable[[], Count | None],
    used: Count,
    target: Float,
    share: float | int | None,
    seed: int,
    kind: str,
) -> tuple[Count, Count]:
    """Rows to train on and rows to judge by, both in their order; classes in equal shares, copies of a row together
    (`find_sets`: table/copies.py); a class that would be held out whole trains. Where there are no copies, and a row of
    each class can be held out, the rows are those that scikit-learn holds out. Of more than ONE_BY_ONE rows each is
    drawn by its position alone, wherever it lies."""
    if share is None:
        return used, used[:0]
    part = share_of(share, len(used))
    strata = target[used].astype(np.int64) if kind == "classes" else np.zeros(len(used), np.int64)
    if len(used) > ONE_BY_ONE:
        out = held_out_positions(used, part, seed) & (np.bincount(strata) >= FEW_OF_A_CLASS)[strata]
        return used[~out], used[out]
    sets = find_sets()
    n_of_class = np.bincount(strata)
    n_out = np.ceil(share * len(used)) if isinstance(share, float) else share
    is_rare = 1 in n_of_class or n_out < np.count_nonzero(n_of_class)
    if (sets is not None or is_rare) and len(used) > 2:
        out = stratified_split(strata, part, seed, sets=None if sets is None else sets[used])
        out &= (np.bincount(strata[~out], minlength=int(strata.max()) + 1) > 0)[strata]
        return used[~out], used[out]
    try:
        stratify = strata if kind == "classes" else None
        train, aside = train_test_split(used, test_size=share, stratify=stratify, random_state=seed)
    except ValueError as reason:
        raise ValueError(refuse_share(share, len(used), str(reason))) from reason
    return np.sort(train), np.sort(aside)


def share_of(given: float | int, n_rows: int) -> float:
    """Of the rows, where it may be how many."""
    part = given if isinstance(given, float) else given / n_rows
    if part >= 1.0:
        raise ValueError(refuse_share(given, n_rows, "No row would be left to train on."))
    return part


def refuse_share(given: float | int, n_rows: int, reason: str) -> str:
    return (
        f"validation_fraction={given!r} of {n_rows} rows cannot be held out for early stopping: {reason} Ways out: "
        "early_stopping=False, or rows of your own, eval_set=(X, y)."
    )


def held_out_positions(position: Count, share: float, seed: int) -> Mask:
    return draw_keys(position, seed) < share


def missing_columns(binned: Binned) -> frozenset[int]:
    return frozenset(np.flatnonzero(binned.has_missing).tolist())


class RoundWatch:
    def __init__(
        self,
        estimator: Any,
        loss: Loss,
        table: Table | None,
        target: Float,
        weight: Float | None,
        watched: Watched | None,
        threads: int,
    ) -> None:
        self.estimator, self.loss, self.threads = estimator, loss, threads
        self.table, self.target, self.weight, self.watched = table, target, weight, watched
        self.stopping = bool(estimator.do_early_stopping_)
        self.callbacks = callbacks_of(estimator.callbacks)
        self.needed = self.stopping or bool(self.callbacks) or bool(estimator.verbose) or watched is not None
        self.train = list(estimator.train_score_)
        self.validation = list(estimator.validation_score_)
        self.by_loss = isinstance(estimator.scoring, str) and estimator.scoring == "loss"
        self.started = time.perf_counter()

    def begin(self, raw: Float, builder: Any) -> None:
        """Before the first round: the rows' sums so far, and their score where a fit is new."""
        if not self.needed:
            return
        if not self.by_loss:
            if self.table is None:
                raise ValueError(
                    f"scoring={self.estimator.scoring!r} looks at rows in memory, but they are read in blocks. Use "
                    "scoring='loss'."
                )
            self.scorer = check_scoring(self.estimator, self.estimator.scoring)
            rng = np.random.default_rng(self.estimator._seed)
            many = min(MOST_SCORED, len(self.target))
            self.some = np.sort(rng.permutation(len(self.target))[:many])
        trees = builder.finish()
        if self.watched is not None:
            given = self.watched.table
            with naming_watched():
                self.rows = matrix(builder.binned.schema, given) if isinstance(given, Table) else given
            self.raw = trees.raw(self.rows, self.threads)
        if not self.train:
            self._score(raw, builder)

    def __call__(self, progress: Progress) -> bool:
        if self.watched is not None:
            progress.last_round().add_to(self.raw, self.rows, self.threads)
        self._score(progress.raw, progress.builder)
        info = RoundInfo(
            progress.round,
            int(self.estimator.max_iter),
            self.train[-1],
            self.validation[-1] if self.validation else None,
            time.perf_counter() - self.started,
        )
        if self.estimator.verbose:
            print(describe_round(info), flush=True)
        stops = [bool(callback(info)) for callback in self.callbacks]
        return any(stops) or (self.stopping and is_flat(self.estimator, self.validation or self.train))

    def _score(self, raw: Float, builder: Any) -> None:
        if self.by_loss:
            self.train.append(-self._mean_loss(self.target, raw, self.weight, len(self.train)))
            if self.watched is not None:
                raw = np.ascontiguousarray(self.raw.T)
                target, weight = self.watched.target, self.watched.weight
                self.validation.append(-self._mean_loss(target, raw, weight, len(self.validation)))
        else:
            self._score_by_scorer(builder)

    def _mean_loss(self, target: Float, raw: Float, weight: Float | None, number: int) -> float:
        mean = self.loss.mean_loss(target, raw, weight)
        if np.isnan(mean):
            raise ValueError(
                f"loss={self.estimator.loss!r} gave a mean loss of nan in round {number}. Expected: a number for each "
                "row from losses(y, raw)."
            )
        return mean

    def _score_by_scorer(self, builder: Any) -> None:
        estimator = self.estimator
        estimator._keep(builder.binned.schema, builder.finish(), missing_columns(builder.binned))
        some = self.some
        y = estimator._labels(self.target[some])
        kept = {} if self.weight is None else {"sample_weight": self.weight[some]}
        assert self.table is not None
        self.train.append(float(self.scorer(estimator, self.table.take(some), y, **kept)))
        if self.watched is not None:
            kept = {} if self.watched.weight is None else {"sample_weight": self.watched.weight}
            self.validation.append(float(self.scorer(estimator, self.watched.X, self.watched.y, **kept)))


def is_flat(estimator: Any, scores: Sequence[float]) -> bool:
    """No score of the last n_iter_no_change rounds is above the one before them by more than tol."""
    patience = int(estimator.n_iter_no_change)
    if len(scores) < patience + 1:
        return False
    reference = scores[-patience - 1] + estimator.tol
    return not any(score > reference for score in scores[-patience:])


def callbacks_of(given: Any) -> Sequence[Any]:
    one = callable(given) or not isinstance(given, Sequence)
    callbacks = () if given is None else [given] if one else tuple(given)
    for callback in callbacks:
        if not callable(callback):
            raise TypeError(
                f"callbacks holds {callback!r}, which cannot be called. Give functions of a RoundInfo."
            )
    return callbacks


def describe_round(info: RoundInfo) -> str:
    held = "" if info.validation_score is None else f", held out {info.validation_score:.5f}"
    train = "" if info.train_score is None else f"score {info.train_score:.5f}"
    return f"[{info.round}/{info.max_iter}] {train}{held}, {info.seconds:.1f} s"
