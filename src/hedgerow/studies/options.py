"""StudyOptions: the options of a study, checked once, as far as it can be without the data.

In: the options of `hedgerow.study`, as given.   Out: a frozen value; nobody below asks again. A new option is written
here and in the signature of `study`, nowhere else.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from hedgerow.core import threads_for
from hedgerow.decision.aim import parse_aim, parse_costs
from hedgerow.errors import ParameterError, check_choice
from hedgerow.evaluation.select import Preference
from hedgerow.intake import TASKS
from hedgerow.intake.types_file import read_types


@dataclass(frozen=True)
class StudyOptions:
    target: str | None = None
    task: str = "auto"
    models: Sequence[str] = ()  # () for all candidates
    scoring: str | None = None
    aim: str | None = None  # of the operating point
    cost: Any = None  # of each mistake
    cost_weights: bool = False  # learners, too, weigh rows by their cost
    prefer: str = "accurate"
    margin: float | None = None  # a difference in score that does not matter
    folds: int = 5
    repeats: int | None = None  # None: what suits the table
    holdout: float = 0.2
    random_state: int = 0
    groups: str | None = None  # a column: rows of one group stay together
    weights: str | None = None  # a column: how much a row counts
    time: str | None = None  # a column: models learn from what came before
    positive: str | None = None
    quick: bool = False  # few models, few folds
    budget: float | None = None  # seconds for the study
    memory: float | None = None  # gigabytes a table may take; None: half of what is free
    drop: Sequence[str] = ()
    categories: Sequence[str] = ()
    types: Any = None  # what columns are: a path, pairs, or a mapping
    sheet: str | None = None  # of a workbook
    header: int | None = None  # the line of column names
    n_jobs: int | None = None

    def __post_init__(self) -> None:
        for name in ("models", "drop", "categories"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        object.__setattr__(self, "cost", parse_costs(self.cost) or None)
        parse_aim(self.aim, self.cost)
        if self.cost_weights and not self.cost:
            raise ParameterError(
                "{cost_weights} needs {cost}.", cost_weights=True, cost="good:bad=1,bad:good=20"
            )
        read_types(self.types, self.sheet, self.header)
        check_choice("task", self.task, TASKS)
        Preference(self.prefer, self.margin)  # refuses what is neither
        self._check_integers(folds=2, repeats=1, random_state=0)
        if not (isinstance(self.holdout, Real) and 0 < self.holdout < 1):
            raise ParameterError("{holdout} is out of range. Give a share such as 0.2.", holdout=self.holdout)
        threads_for(self.n_jobs, 1)  # refuses what is no number of threads
        for name in ("budget", "memory"):
            given = getattr(self, name)
            if given is not None and not (isinstance(given, Real) and given > 0):
                raise ParameterError(f"{{{name}}} is out of range. Give a number above 0.", **{name: given})

    def _check_integers(self, **least: int) -> None:
        for name, lowest in least.items():
            given = getattr(self, name)
            if name == "repeats" and given is None:
                continue
            if not isinstance(given, Integral) or isinstance(given, bool) or not lowest <= int(given) < 2**31:
                wanted = f"Give a whole number of at least {lowest}."
                raise ParameterError(f"{{{name}}} is out of range. {wanted}", **{name: given})
