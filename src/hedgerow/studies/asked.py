"""What a study is asked for.   In: options as given.   Out: Asked, checked as far as it can be without the data."""

from dataclasses import dataclass
from numbers import Integral, Real

from hedgerow.core import threads_for
from hedgerow.estimators.asked import one_of

TASKS = ("auto", "classification", "regression")


@dataclass(frozen=True)
class Asked:
    target: str | None = None
    task: str = "auto"
    models: tuple[str, ...] = ()  # () for the whole panel
    metric: str | None = None
    folds: int = 5
    repeats: int | None = None  # None: what suits the table
    holdout: float = 0.2
    seed: int = 0
    groups: str | None = None  # a column: rows of one group stay together
    weights: str | None = None  # a column: how much a row counts
    positive: str | None = None
    budget: float | None = None  # seconds for the comparison
    memory: float | None = None  # gigabytes a table may take; None: half of what is free
    drop: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    n_jobs: int | None = None

    def __post_init__(self) -> None:
        one_of("task", self.task, TASKS)
        for name, least in (("folds", 2), ("repeats", 1), ("seed", 0)):
            given = getattr(self, name)
            if name == "repeats" and given is None:
                continue
            if not isinstance(given, Integral) or isinstance(given, bool) or not least <= int(given) < 2**31:
                raise ValueError(
                    f"{name}={given!r} is out of range. Give a whole number of at least {least}."
                )
        if not (isinstance(self.holdout, Real) and 0 < self.holdout < 1):
            raise ValueError(f"holdout={self.holdout!r} is out of range. Give a share such as 0.2.")
        threads_for(self.n_jobs, 1)  # refuses what is no number of threads
        for name in ("budget", "memory"):
            given = getattr(self, name)
            if given is not None and not (isinstance(given, Real) and given > 0):
                raise ValueError(f"{name}={given!r} is out of range. Give a number above 0.")
