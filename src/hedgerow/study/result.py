"""StudyResult: everything a study found, as plain data. The terminal's page, report.html and result.json are its views.

Only words, numbers, tuples and None, so that it is JSON as it stands (`to_dict`, `from_dict`); schema.py describes it
for other programs. Nothing here says how long anything took: the same study gives the same result, whenever and
however often it was interrupted.
"""

from dataclasses import asdict, dataclass, fields, is_dataclass
from importlib import import_module
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

VERSION = 1  # of this form


@dataclass(frozen=True)
class Question:
    data: str  # a path, a name, or "a table"
    target: str
    task: str  # "classification" or "regression"
    task_because: str
    classes: tuple[str, ...]  # empty for a regression
    positive: str | None  # of two classes, the one of interest
    metric: str  # what decides
    metric_title: str
    higher_is_better: bool
    n_rows: int  # with a target
    n_columns: int  # learned from
    n_train: int
    n_holdout: int
    folds: int
    repeats: int
    seed: int
    command: str  # to repeat it
    hedgerow: str  # version


@dataclass(frozen=True)
class ColumnTold:
    name: str
    kind: str
    n_missing: int
    n_distinct: int
    values: str  # "0 to 80", "female, male"
    used: bool
    why: str  # it is left out, or what was inferred; "" if there is nothing to say


@dataclass(frozen=True)
class Note:
    words: str
    severe: bool  # it may make the result wrong
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Share:
    label: str
    count: int


@dataclass(frozen=True)
class Profile:
    columns: tuple[ColumnTold, ...]
    n_duplicates: int  # rows that stand in the table more than once, target included
    balance: tuple[Share, ...]  # rows of each class; empty for a regression
    target: str  # its values in words
    notes: tuple[Note, ...]


@dataclass(frozen=True)
class ScoreTold:
    name: str
    title: str
    value: float | None  # None: it means nothing here
    low: float | None
    high: float | None
    level: float
    baseline: float | None
    higher_is_better: bool


@dataclass(frozen=True)
class Entrant:
    """A model of the panel."""

    name: str  # as people read it
    words: str  # "a random forest of 200 trees"
    how: str  # what it is, what was searched inside, what was done to the table
    scores: tuple[ScoreTold, ...]  # cross-validated on the training rows; the deciding one first
    folds: tuple[float, ...]  # the deciding score of each fold
    size: str  # "11 leaves"
    numbers: float | None  # it takes to write the model down: how simplicity is compared
    n_rows: int  # it learned from in a fold, where that is a sample; else all
    failure: str  # "" or why it has no score
    option: str = ""  # what --models calls it


@dataclass(frozen=True)
class Pair:
    """The chosen model against another."""

    other: str
    difference: float | None  # of the deciding score, positive = the chosen one is better; None: not known
    low: float | None
    high: float | None
    p: float | None  # corrected for the number of comparisons
    words: str


@dataclass(frozen=True)
class Verdict:
    best: str  # highest score
    simplest: str  # the simplest within one standard error of it
    chosen: str
    because: str
    words: tuple[str, ...]  # what may be concluded
    pairs: tuple[Pair, ...]


@dataclass(frozen=True)
class Curve:
    """Points of a line, with a band where there is one."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True)
class Holdout:
    """The rows that nothing had seen, opened once."""

    n_rows: int
    scores: tuple[ScoreTold, ...]
    confusion: tuple[tuple[int, ...], ...]  # truth x guess; empty for a regression
    roc: Curve | None  # two classes
    calibration: Curve | None
    residuals: Curve | None  # regression: guess, truth


@dataclass(frozen=True)
class Importance:
    name: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class NodeTold:
    """One row a node, parents before children, as in a Tree."""

    parent: int  # -1 at the root
    words: str  # the condition on the way from the parent
    column: int  # tested here, -1 at a leaf
    kind: str  # "leaf", "threshold", "subset", "multiway"
    threshold: float | None
    levels: tuple[tuple[str, ...], ...]  # for each child, the levels that go there
    children: tuple[int, ...]
    missing_child: int  # -1: all of them
    n_rows: int
    share: float  # of all rows
    values: tuple[float, ...]  # class shares, or the mean
    alpha: float | None  # the node becomes a leaf when the price of a leaf reaches this; None: it is one


@dataclass(frozen=True)
class Step:
    """The tree cut back to one price of a leaf."""

    alpha: float
    n_leaves: int
    error: float  # on the training rows
    cv_error: float | None
    cv_std: float | None


@dataclass(frozen=True)
class TreeTold:
    columns: tuple[ColumnTold, ...]
    nodes: tuple[NodeTold, ...]
    steps: tuple[Step, ...]  # from the whole tree to the root alone
    chosen: int  # of the steps
    error_title: str


@dataclass(frozen=True)
class RuleTold:
    condition: str
    answer: str
    support: float
    confidence: float
    lift: float


@dataclass(frozen=True)
class Rounds:
    """Boosting, round by round."""

    alpha: tuple[float, ...]
    error: tuple[float, ...]  # of the weak learner, weighted
    train_error: tuple[float, ...]
    bound: tuple[float, ...]
    margins: Curve | None
    words: tuple[str, ...]  # the first rounds


@dataclass(frozen=True)
class MachineTold:
    """One support vector machine; of several classes there are several."""

    words: str  # which classes it parts; "" of a single one
    n_support: int
    n_wrong: int | None  # training rows on the wrong side; None for a regression
    margin: float | None  # 1/|w|, where columns are counted in standard deviations
    gap: float  # between what it costs and what the best could, relative


@dataclass(frozen=True)
class HardRow:
    row: int  # of the table that came in, from 0
    truth: str
    guess: str
    distance: (
        float  # in margins: below 1 inside the street, below 0 beyond the boundary; for numbers, the error
    )
    cells: str  # "age 22, sex male"


@dataclass(frozen=True)
class ColumnWeight:
    name: str  # of a column, or of a level: "sex=female"
    value: float


@dataclass(frozen=True)
class Plane:
    """Two columns: what is answered everywhere between them, row by row from the lowest y."""

    columns: tuple[str, str]
    x: tuple[float, float]  # from, to
    y: tuple[float, float]
    answers: tuple[tuple[int, ...], ...]  # class numbers
    rows: tuple[tuple[float, float, int], ...]  # x, y, class number
    is_support: tuple[bool, ...]  # of each row


@dataclass(frozen=True)
class Support:
    """A support vector machine."""

    kernel: str  # in words
    n_support: int
    n_rows: int  # it learned from
    machines: tuple[MachineTold, ...]
    hard: tuple[HardRow, ...]  # rows that lie deepest on the wrong side
    weights: tuple[ColumnWeight, ...]  # of a linear machine of two classes or for numbers, the largest first
    plane: Plane | None


@dataclass(frozen=True)
class Explained:
    """The chosen model, and a tree to read where the model is none."""

    importance: tuple[Importance, ...]
    importance_title: str
    facts: tuple[tuple[str, str], ...]
    tree: TreeTold | None
    tree_is_chosen: bool
    rules: tuple[RuleTold, ...]
    rounds: Rounds | None
    learning_curve: Curve | None
    learning_curve_words: str
    support: Support | None = None


@dataclass(frozen=True, repr=False)
class StudyResult:
    version: int
    question: Question
    profile: Profile
    entrants: tuple[Entrant, ...]  # the best first; failures last
    verdict: Verdict
    holdout: Holdout
    explained: Explained
    notes: tuple[Note, ...]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        from hedgerow.study.page import lines

        return "\n".join(lines(self))

    __repr__ = __str__

    def to_html(self) -> str:
        """The report: one page that needs nothing else."""
        return str(import_module("hedgerow.report").page(self))

    @classmethod
    def from_dict(cls, given: dict[str, Any]) -> "StudyResult":
        """What to_dict gave, or what JSON made of it."""
        result: StudyResult = _built(cls, given)
        return result


def _built(kind: Any, given: Any) -> Any:
    if given is None:
        return None
    if get_origin(kind) in (Union, UnionType):
        return _built(next(one for one in get_args(kind) if one is not type(None)), given)
    if get_origin(kind) is tuple:
        inner = get_args(kind)
        if len(inner) == 2 and inner[1] is Ellipsis:
            return tuple(_built(inner[0], one) for one in given)
        return tuple(_built(one, value) for one, value in zip(inner, given, strict=True))
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{f.name: _built(hints[f.name], given[f.name]) for f in fields(kind)})  # type: ignore[operator]
    return float(given) if kind is float else given
