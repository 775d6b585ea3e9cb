"""The records of a StudyResult: words, numbers, tuples and None only, so that each is JSON as it stands.

Everything a study found is one of these; result.py puts them together, schema.py describes them for other programs.
No record says how long anything took: the same study gives the same result.
"""

from dataclasses import dataclass

# The question, and the data


@dataclass(frozen=True)
class Question:
    data: str  # a path, a name, or "a table"
    target: str
    task: str  # "classification" or "regression"
    task_reason: str
    classes: tuple[str, ...]  # empty for a regression
    positive: str | None  # of two classes, the one of interest
    scoring: str  # the metric that decides
    scoring_title: str
    higher_is_better: bool
    is_percentage: bool  # the score reads as 81.2 %
    prefer: str  # "accurate" or "simple"
    margin: float | None  # a difference in score that does not matter
    n_rows: int  # with a target
    n_columns: int  # features
    n_train: int
    n_holdout: int
    folds: int
    repeats: int
    random_state: int
    command: str  # to repeat it
    hedgerow_version: str
    # Training rows that models were compared on, where these are a sample of all
    n_compared: int | None = None
    time: str | None = None  # the column in whose order rows were held out and tested
    groups: str | None = None  # the column whose rows were kept on one side


@dataclass(frozen=True)
class ColumnProfile:
    name: str
    kind: str
    n_missing: int
    n_distinct: int
    values: str  # "0 to 80", "female, male"
    used: bool
    remark: str  # why it is left out, or what was inferred; "" if there is nothing to say


@dataclass(frozen=True)
class Note:
    text: str
    severe: bool  # a warning: it may make the result wrong, or a part of the report is missing
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class ClassCount:
    label: str
    count: int


@dataclass(frozen=True)
class DataProfile:
    columns: tuple[ColumnProfile, ...]
    n_copies: int  # rows that are exact copies of others, not only equal by chance
    class_counts: tuple[ClassCount, ...]  # empty for a regression
    target: str  # its values in words
    notes: tuple[Note, ...]


# The candidates, and the choice among them


@dataclass(frozen=True)
class ScoreRecord:
    name: str
    title: str
    value: float | None  # None: undefined here
    low: float | None
    high: float | None
    confidence_level: float
    baseline: float | None
    higher_is_better: bool
    is_percentage: bool
    difference: float | None = None  # from the baseline, row by row; positive = better
    difference_low: float | None = None
    difference_high: float | None = None


@dataclass(frozen=True)
class CandidateRecord:
    """A model that was compared."""

    name: str  # as people read it
    description: str  # "a random forest of 200 trees"
    method: str  # what it is, what is searched inside each fold, how the table is prepared
    scores: tuple[ScoreRecord, ...]  # cross-validated on the training rows; the deciding one first
    fold_scores: tuple[float, ...]  # the deciding score of each fold
    size: str  # of the fold in the middle: "11 leaves"
    n_parameters: float | None  # numbers it takes to write the model down: how simplicity is compared
    n_rows: int  # it learned from in a fold, where that is a sample; else all
    failure: str  # "" or why it has no score
    option: str = ""  # what `models=` calls it
    given_up: str = ""  # "after 2 of 10 folds", where it was worse than another already


@dataclass(frozen=True)
class PairRecord:
    """The most accurate model against another. Interval and p-value hold for all these pairs together."""

    other: str
    difference: float | None  # of the deciding score, positive = the most accurate is better; None: not known
    low: float | None
    high: float | None
    p_value: float | None
    summary: str


@dataclass(frozen=True)
class Verdict:
    most_accurate: str
    simplest: str  # that cannot be distinguished from it, or within the margin
    chosen: str  # what is kept: one of the two, or the baseline
    is_recommended: bool  # False: nothing is shown to be better than guessing
    reason: str  # why the chosen one: a sentence
    price: str  # what the simplest costs: a sentence; "" where it is the most accurate
    statements: tuple[str, ...]  # what may be concluded
    pairs: tuple[PairRecord, ...]


# The hold-out


@dataclass(frozen=True)
class Curve:
    """Points of a line, with a band where there is one."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True)
class LiftRow:
    """The likeliest rows, as far down as a share of them."""

    share: float
    n_rows: int
    threshold: float  # the smallest probability among them
    n_found: int  # positive rows among them
    precision: float
    gain: float  # share of all positive rows
    lift: float  # precision against the share of positive rows in all


@dataclass(frozen=True)
class CostRecord:
    """Per row of the hold-out."""

    truth_prediction: tuple[tuple[str, str, float], ...]  # what was given
    cost: float
    low: float
    high: float
    nothing: float  # always predicting the most frequent class
    cheapest: float  # always predicting the class that is cheapest for all
    cheapest_class: str
    saved: float | None = None  # against the cheapest class, row by row
    saved_low: float | None = None
    saved_high: float | None = None


@dataclass(frozen=True)
class OperatingPointRecord:
    """By what probabilities become classes, chosen on the training rows; and what it gives on the hold-out."""

    aim: str  # "the least expected cost"
    positive: str | None  # of two classes
    threshold: float | None
    n_alarms: int | None  # rows predicted to be positive
    precision: float | None
    recall: float | None
    cost: CostRecord | None
    lift: tuple[LiftRow, ...]
    precision_recall: Curve | None


@dataclass(frozen=True)
class IntervalRecord:
    """Prediction intervals of a coverage, on the hold-out."""

    coverage: float  # wanted
    observed: float  # share of rows within
    low: float  # 95 % interval of that share
    high: float
    mean_width: float


@dataclass(frozen=True)
class HoldoutResult:
    """The score of the chosen model on rows it has not seen: opened once."""

    n_rows: int
    scores: tuple[ScoreRecord, ...]
    confusion: tuple[tuple[int, ...], ...]  # truth x prediction; empty for a regression
    roc: Curve | None  # two classes
    calibration: Curve | None
    residuals: Curve | None  # regression: prediction, truth
    operating_point: OperatingPointRecord | None = None  # None for a regression
    intervals: tuple[IntervalRecord, ...] = ()  # of a regression


# The chosen model, explained


@dataclass(frozen=True)
class NodeRecord:
    """One row a node, parents before children, as in a Tree."""

    parent: int  # -1 at the root
    condition: str  # in words, on the way from the parent
    column: int  # tested here, -1 at a leaf
    kind: str  # "leaf", "threshold", "subset", "multiway"
    threshold: float | None
    levels: tuple[tuple[str, ...], ...]  # for each child, the levels that go there
    children: tuple[int, ...]
    missing_child: int  # -1: all of them
    n_rows: int
    share: float  # of all rows
    values: tuple[float, ...]  # class shares, or the mean
    alpha: float | None  # the node becomes a leaf at this complexity parameter; None: it is one


@dataclass(frozen=True)
class PruningStep:
    """The tree cut back at one complexity parameter."""

    alpha: float
    n_leaves: int
    error: float  # on the training rows
    cv_error: float | None
    cv_std: float | None


@dataclass(frozen=True)
class NodeStability:
    """Of the replicas, how many ask the same at a node."""

    same_column: int
    rival: int  # another column that divides the rows alike
    interval: tuple[float, float] | None  # 95 % of the thresholds of the same column
    instead: tuple[tuple[str, int], ...]  # other columns, and how many replicas have them there


@dataclass(frozen=True)
class TreeStability:
    """The tree to read, grown again on bootstrap rows."""

    n_replicas: int
    sentence: str
    nodes: tuple[NodeStability | None, ...]  # as the nodes of the tree; None: a leaf, or not looked at


@dataclass(frozen=True)
class TreeRecord:
    """A tree to look at, node by node, and every size it can be cut to."""

    columns: tuple[ColumnProfile, ...]
    nodes: tuple[NodeRecord, ...]
    steps: tuple[PruningStep, ...]  # from the whole tree to the root alone
    chosen: int  # of the steps
    error_title: str
    stability: TreeStability | None = None


@dataclass(frozen=True)
class ImportanceRecord:
    name: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class RuleRecord:
    condition: str
    prediction: str
    support: float
    confidence: float
    lift: float


@dataclass(frozen=True)
class BoostingRounds:
    alpha: tuple[float, ...]
    error: tuple[float, ...]  # of the weak learner, weighted
    train_error: tuple[float, ...]
    bound: tuple[float, ...]
    margins: Curve | None
    descriptions: tuple[str, ...]  # of the first rounds; none where all read alike


@dataclass(frozen=True)
class BinarySVMRecord:
    """One binary support vector machine; several classes need several."""

    name: str  # the classes it separates; "" of a single one
    n_support: int
    n_misclassified: int | None  # training rows on the wrong side; None for a regression
    margin: float | None  # 1/|w|, where columns are counted in standard deviations
    relative_gap: float  # duality gap


@dataclass(frozen=True)
class HardRow:
    row: int  # of the table that came in, from 0
    truth: str
    prediction: str
    # in margins: below 1 inside the margin, below 0 on the wrong side; of a regression, the error
    distance: float
    cells: str  # "age 22, sex male"


@dataclass(frozen=True)
class ColumnWeight:
    name: str  # of a column, or of a level: "sex=female"
    value: float


@dataclass(frozen=True)
class DecisionPlane:
    """Two columns: what is predicted everywhere between them, row by row from the lowest y."""

    columns: tuple[str, str]
    x: tuple[float, float]  # from, to
    y: tuple[float, float]
    predictions: tuple[tuple[int, ...], ...]  # class numbers
    rows: tuple[tuple[float, float, int], ...]  # x, y, class number
    is_support: tuple[bool, ...]  # of each row


@dataclass(frozen=True)
class SVMRecord:
    kernel: str  # in words
    n_support: int
    n_rows: int  # it learned from
    binary_svms: tuple[BinarySVMRecord, ...]
    hard_rows: tuple[HardRow, ...]  # rows deepest on the wrong side
    weights: tuple[ColumnWeight, ...]  # of a linear one for two classes or a regression, the largest first
    plane: DecisionPlane | None


@dataclass(frozen=True)
class Explanation:
    """The chosen model, and a tree to read where the model is none."""

    importance: tuple[ImportanceRecord, ...]
    importance_title: str
    facts: tuple[tuple[str, str], ...]
    tree: TreeRecord | None
    tree_is_chosen: bool
    rules: tuple[RuleRecord, ...]
    rounds: BoostingRounds | None
    learning_curve: Curve | None
    learning_curve_summary: str
    svm: SVMRecord | None = None
