"""A result to look at: a real tree of the embedded data, made-up scores, and names that mean harm."""

from dataclasses import replace
from typing import Any

import numpy as np

from hedgerow import DecisionTreeClassifier, datasets
from hedgerow.encode import encode, matrix
from hedgerow.grow import Classes, Limits, grow
from hedgerow.prune import CostComplexity, PruningData
from hedgerow.studies import records
from hedgerow.studies.result import VERSION, StudyResult
from hedgerow.studies.summarize.data import profile_columns
from hedgerow.studies.summarize.tree import record_tree
from hedgerow.table import Table, to_table

HOSTILE = "<script>alert(1)</script>"
PANEL = {"forest": 0.81, "tree": 0.80, "rules": 0.79, "adaboost": 0.79, "stump": 0.77, "baseline": 0.62}


def example(hostile: str = "") -> StudyResult:
    """`hostile`: the name of the target and of a column."""
    table, labels = _titanic(hostile)
    columns = profile_columns(table, {})
    return StudyResult(
        version=VERSION,
        question=_question(hostile or "survived"),
        profile=records.DataProfile(
            columns,
            12,
            (records.ClassCount("died", 809), records.ClassCount("survived", 500)),
            "2 classes",
            (records.Note("age is missing in 263 rows", False, ("age",)),),
        ),
        candidates=(*(_candidate(name, value) for name, value in PANEL.items()), _failed()),
        verdict=_verdict(),
        holdout=_holdout(),
        explanation=_explanation(table, labels, columns, hostile or "age"),
        notes=(
            records.Note("The class died is more frequent.", False),
            *([records.Note(f"Column {hostile} is odd.", True)] if hostile else []),
        ),
        extra={
            "gradient_boosting": _gradient_boosting(hostile or "age"),
            "growth": _growth(),
            "effects": _effects(hostile or "age"),
            "slices": _slices(hostile or "age"),
            "words": _words(hostile or "review"),
        },
    )


def _gradient_boosting(column: str) -> dict[str, Any]:
    ends = {"y": [0.4, 0.7], "low": [0.1, 0.5], "high": [0.6, 0.8], "output": f"probability of {column}"}
    return {
        "loss": "log loss",
        "train": [0.7, 0.5, 0.4],
        "test": [0.7, 0.6, 0.65],
        "best": 1,
        "n_rounds": 2,
        "gains": [{"name": column, "value": 100.0}, {"name": "sex", "value": 40.0}],
        "is_additive": False,
        "curves": [
            {"name": column, "levels": [], "x": [1.0, 60.0], **ends},
            {"name": "sex", "levels": ["female", column], "x": [], **ends},
        ],
    }


def _words(column: str) -> dict[str, Any]:
    sides = [{"title": "higher", "words": [[column, "+31.0 points"]]}, {"title": "lower", "words": []}]
    return {
        "target": column,
        "outcome": f"the share of {column} is higher",
        "texts": [{"name": column, "sides": sides}],
    }


def _effects(column: str) -> dict[str, Any]:
    curves = _gradient_boosting(column)["curves"]
    reasons = [[f"{column} = {column}", "+0.2"], ["sex = female", "-0.1"]]
    rows = [
        {
            "title": "Row 1: 0.3",
            "score": "0.3",
            "base": "0.2",
            "what": column,
            "reasons": reasons,
            "n_other": 2,
            "other": "-0.01",
        }
    ]
    return {"output": f"probability of {column}", "is_share": True, "curves": curves, "rows": rows}


def _slices(column: str) -> dict[str, Any]:
    one = {
        "words": f"{column} = {column}",
        "n_rows": 40,
        "loss": 0.7,
        "guess": 0.6,
        "others": 0.4,
        "low": 0.1,
        "high": 0.5,
    }
    return {"title": "log loss", "mean": 0.45, "slices": [{**one, "n_looked_at": 12}]}


def _growth() -> dict[str, Any]:
    errors = {"greedy": (0.22, 0.21), "pruned": (0.22, 0.2), "optimal": (0.2, 0.18)}
    points = [
        {
            "method": method, "max_leaves": size, "leaves": size, "training": line[k], "held_out": line[k] + 0.01,
            "std": 0.02, "gap": 0.0, "seconds": 0.1, "proved": k == 0,
        }
        for k, size in enumerate((2, 4))
        for method, line in errors.items()
    ]  # fmt: skip
    return {
        "points": points,
        "chosen": {"certificate": "No tree of at most 4 leaves is better.", "text": "all rows\n├─ a <b>"},
        "measure": "error rate",
        "n_training": 733,
        "n_held_out": 314,
        "n_questions": 38,
    }


def _stability(column: str, n_nodes: int) -> records.TreeStability:
    """Of the first two nodes; no other node of the tree has a band."""
    first = records.NodeStability(70, 10, (1.0, 2.0), ((column, 20),))
    nodes = (first, records.NodeStability(30, 10, None, ()), *[None] * (n_nodes - 2))
    return records.TreeStability(100, f"The first question asks of {column}.", nodes)


def _titanic(hostile: str) -> tuple[Table, Any]:
    titanic = datasets.titanic()
    frame = titanic.frame().drop(titanic.target_name)
    return to_table(frame.rename({"sibsp": hostile}) if hostile else frame), titanic.target


def _score(name: str, title: str, value: float, baseline: float = 0.62) -> records.ScoreRecord:
    return records.ScoreRecord(
        name, title, value, value - 0.03, value + 0.03, 0.95, baseline, True, name == "accuracy"
    )


def _question(target: str) -> records.Question:
    return records.Question(
        data="titanic",
        target=target,
        task="classification",
        task_reason="survived is text",
        classes=("died", "survived"),
        positive="survived",
        scoring="accuracy",
        scoring_title="accuracy",
        higher_is_better=True,
        is_percentage=True,
        prefer="accurate",
        margin=None,
        n_rows=1309,
        n_columns=5,
        n_train=1047,
        n_holdout=262,
        folds=5,
        repeats=2,
        random_state=0,
        command="hedgerow study titanic --seed 0",
        hedgerow_version="0.1.0",
    )


def _candidate(name: str, value: float) -> records.CandidateRecord:
    return records.CandidateRecord(
        name=name,
        description=f"a {name} of the panel",
        method="As it comes. Nothing was searched.",
        scores=(
            _score("accuracy", "accuracy", value),
            _score("roc_auc", "area under the ROC curve", value + 0.05),
        ),
        fold_scores=tuple(value + 0.01 * k for k in range(-2, 3)),
        size="12 leaves",
        n_parameters=30.0,
        n_rows=1047,
        failure="",
    )


def _failed() -> records.CandidateRecord:
    reason = "ValueError: no room"
    return records.CandidateRecord("svm", "a support vector machine", "", (), (), "", None, 1047, reason)


def _verdict() -> records.Verdict:
    return records.Verdict(
        most_accurate="forest",
        simplest="tree",
        chosen="tree",
        is_recommended=True,
        reason="It is the simplest that cannot be distinguished from the most accurate, forest.",
        price="The price of 12 leaves instead of 9,000 leaves in a fold: 0.010 in accuracy (95 %: -0.010 to 0.030).",
        statements=("tree and forest cannot be distinguished on 1,047 rows; tree is simpler.",),
        pairs=(
            records.PairRecord("tree", 0.01, -0.01, 0.03, 0.4, "cannot be distinguished"),
            records.PairRecord("stump", 0.03, 0.01, 0.05, 0.01, "worse"),
        ),
    )


def _holdout() -> records.HoldoutResult:
    x = np.linspace(0, 1, 30)
    up = x**0.4
    roc = records.Curve(
        *(tuple(line.tolist()) for line in (x, up, np.maximum(0, up - 0.08), np.minimum(1, up + 0.06)))
    )
    calibration = records.Curve(
        (0.1, 0.3, 0.5, 0.7, 0.9),
        (0.1, 0.2, 0.6, 0.7, 0.9),
        (0.0, 0.1, 0.4, 0.5, 0.8),
        (0.2, 0.4, 0.7, 0.8, 1.0),
    )
    scores = (
        _score("accuracy", "accuracy", 0.802),
        _score("roc_auc", "area under the ROC curve", 0.853, 0.5),
    )
    return records.HoldoutResult(
        262, scores, ((140, 22), (30, 70)), roc, calibration, None, _operating_point(roc), _intervals()
    )


def _operating_point(curve: records.Curve) -> records.OperatingPointRecord:
    """Also intervals, which no study has beside it: for the page to show every section."""
    cost = records.CostRecord((("survived", "died", 5.0),), 0.4, 0.3, 0.5, 1.9, 0.0, "survived")
    lift = tuple(
        records.LiftRow(
            share, round(262 * share), 0.9 - share / 2, round(80 * share), 0.8, share, 2.0 - share
        )
        for share in (0.1, 0.5, 1.0)
    )
    aim = "the least expected cost"
    return records.OperatingPointRecord(aim, "survived", 0.31, 92, 0.76, 0.7, cost, lift, curve)


def _intervals() -> tuple[records.IntervalRecord, ...]:
    return tuple(records.IntervalRecord(c, c - 0.01, c - 0.04, c + 0.005, 20 * c) for c in (0.5, 0.9))


def _explanation(
    table: Table, labels: Any, columns: tuple[records.ColumnProfile, ...], odd: str
) -> records.Explanation:
    x = np.linspace(0, 1, 30)
    return records.Explanation(
        importance=(
            records.ImportanceRecord("sex", 0.2, 0.17, 0.23),
            records.ImportanceRecord("pclass", 0.07, 0.05, 0.09),
            records.ImportanceRecord(odd, 0.01, -0.01, 0.03),
        ),
        importance_title="Fall of accuracy when the column is shuffled, on the hold-out",
        facts=(("leaves", "12"), ("depth", "5")),
        tree=_tree(table, labels, columns, odd),
        tree_is_chosen=True,
        rules=(records.RuleRecord("sex = female and pclass != 3rd", "survived", 200, 0.95, 2.4),),
        rounds=records.BoostingRounds(
            (0.4, 0.3),
            (0.3, 0.35),
            (0.22, 0.2),
            (0.9, 0.8),
            records.Curve(tuple((2 * x - 1).tolist()), tuple(x.tolist())),
            ("sex = female: survived",),
        ),
        learning_curve=records.Curve(
            (100.0, 200.0, 400.0, 1047.0),
            (0.74, 0.77, 0.79, 0.80),
            (0.7, 0.74, 0.77, 0.78),
            (0.78, 0.8, 0.81, 0.82),
        ),
        learning_curve_summary="Twice the rows would bring about 0.4 points.",
        svm=_svm(odd),
    )


def _svm(odd: str) -> records.SVMRecord:
    return records.SVMRecord(
        kernel="radial: rows count by how near they are",
        n_support=340,
        n_rows=1047,
        binary_svms=(records.BinarySVMRecord("", 340, 190, 0.12, 1e-5),),
        hard_rows=(records.HardRow(7, "died", "survived", -1.2, f"{odd} 2, sex female"),),
        weights=(records.ColumnWeight("sex=female", 0.5), records.ColumnWeight(odd, -0.2)),
        plane=records.DecisionPlane(
            ("age", odd),
            (0.0, 80.0),
            (0.0, 8.0),
            ((0, 0, 1), (0, 1, 1)),
            ((20.0, 1.0, 0), (40.0, 2.0, 1)),
            (True, False),
        ),
    )


def _tree(
    table: Table, labels: Any, columns: tuple[records.ColumnProfile, ...], odd: str
) -> records.TreeRecord:
    model = DecisionTreeClassifier().fit(table, labels)
    codes = np.unique(labels, return_inverse=True)[1].astype(np.int32)
    rows = encode(table)
    limits = Limits(max_features=len(table.columns))

    def regrow(weight: Any) -> Any:
        return grow(rows, Classes(codes, 2, weight), "gini", limits)

    data = PruningData(matrix(rows.schema, table), Classes(codes, 2), "gini", regrow, 1)
    made = record_tree(
        model.hedgerow_tree_, model.labels_, columns, CostComplexity().table(model.hedgerow_tree_, data)
    )
    return replace(made, stability=_stability(odd, len(made.nodes)))
