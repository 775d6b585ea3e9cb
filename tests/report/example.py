"""A result to look at: a real tree of the embedded data, made-up scores, and names that mean harm."""

from typing import Any

import numpy as np

from hedgerow import DecisionTreeClassifier, datasets
from hedgerow.encode import encode
from hedgerow.grow import Classes, Limits, grow
from hedgerow.prune import CostComplexity, Evidence
from hedgerow.encode import matrix
from hedgerow.study.result import (
    VERSION, Curve, Entrant, Explained, Holdout, Importance, Note, Pair, Profile, Question, Rounds, RuleTold, ScoreTold,
    Share, StudyResult, Verdict,
)
from hedgerow.study.told.columns import columns_told
from hedgerow.study.told.tree import tree_told
from hedgerow.table import to_table

HOSTILE = "<script>alert(1)</script>"


def score(name: str, title: str, value: float, half: float = 0.03, baseline: float = 0.62) -> ScoreTold:
    return ScoreTold(name, title, value, value - half, value + half, 0.95, baseline, True)


def example(hostile: str = "") -> StudyResult:
    titanic = datasets.titanic()
    frame = titanic.frame().drop(titanic.target_name)
    table = to_table(frame.rename({"sibsp": hostile}) if hostile else frame)
    model = DecisionTreeClassifier().fit(table, titanic.target)
    classes, codes = np.unique(titanic.target, return_inverse=True)
    target = Classes(codes.astype(np.int32), len(classes))
    rows = encode(table)
    limits = Limits(max_features=len(table.columns))

    def regrow(weight: Any) -> Any:
        return grow(rows, Classes(target.codes, 2, weight), "gini", limits)

    evidence = Evidence(matrix(rows.schema, table), target, "gini", regrow, 1)
    cp = CostComplexity().table(model.tree_, evidence)
    columns = columns_told(table, {})
    panel = [("forest", 0.81), ("tree", 0.80), ("rules", 0.79), ("adaboost", 0.79), ("stump", 0.77), ("baseline", 0.62)]
    entrants = tuple(
        Entrant(
            name=name, words=f"a {name} of the panel", how="As it comes. Nothing was searched.",
            scores=(score("accuracy", "accuracy", value), score("roc_auc", "area under the ROC curve", value + 0.05)),
            folds=tuple(value + 0.01 * k for k in range(-2, 3)), size="12 leaves", numbers=30.0, n_rows=1047, failure="",
        )
        for name, value in panel
    ) + (Entrant("radial svm", "a support vector machine", "", (), (), "", None, 1047, "ValueError: no room"),)
    x = np.linspace(0, 1, 30)
    return StudyResult(
        version=VERSION,
        question=Question(
            "titanic", hostile or "survived", "classification", "survived is text", ("died", "survived"), "survived",
            "accuracy", "accuracy", True, 1309, 5, 1047, 262, 5, 2, 0,
            "hedgerow study titanic --target survived --seed 0", "0.1.0",
        ),
        profile=Profile(
            columns, 12, (Share("died", 809), Share("survived", 500)), "died 809, survived 500",
            (Note("age is missing in 263 rows", False, ("age",)),),
        ),
        entrants=entrants,
        verdict=Verdict(
            "forest", "tree", "tree", "the simplest within one standard error of the best (forest)",
            ("tree and forest cannot be told apart on 1,047 rows; tree is simpler.", "stump is worse than tree."),
            (Pair("forest", -0.01, -0.03, 0.01, 0.4, "cannot be told apart"), Pair("stump", 0.03, 0.01, 0.05, 0.01, "worse")),
        ),
        holdout=Holdout(
            262, (score("accuracy", "accuracy", 0.802), score("roc_auc", "area under the ROC curve", 0.853, baseline=0.5)),
            ((140, 22), (30, 70)), Curve(tuple(x), tuple(x**0.4), tuple(np.maximum(0, x**0.4 - 0.08)), tuple(np.minimum(1, x**0.4 + 0.06))),
            Curve((0.1, 0.3, 0.5, 0.7, 0.9), (0.12, 0.25, 0.55, 0.66, 0.93), (0.05, 0.15, 0.4, 0.5, 0.85), (0.2, 0.38, 0.68, 0.8, 0.98)),
            None,
        ),
        explained=Explained(
            (Importance("sex", 0.2, 0.17, 0.23), Importance("pclass", 0.07, 0.05, 0.09), Importance(hostile or "age", 0.01, -0.01, 0.03)),
            "Fall of accuracy when the column is shuffled, on the hold-out", (("leaves", "12"), ("depth", "5")),
            tree_told(model.tree_, model.labels_, columns, cp), True,
            (RuleTold("sex = female and pclass != 3rd", "survived", 200, 0.95, 2.4),),
            Rounds((0.4, 0.3), (0.3, 0.35), (0.22, 0.2), (0.9, 0.8), Curve(tuple(2 * x - 1), tuple(x)), ("sex = female: survived",)),
            Curve((100.0, 200.0, 400.0, 1047.0), (0.74, 0.77, 0.79, 0.80), (0.7, 0.74, 0.77, 0.78), (0.78, 0.8, 0.81, 0.82)),
            "Twice the rows would bring about 0.4 points.",
        ),
        notes=(Note("The class died is more frequent.", False), *([Note(f"Column {hostile} is odd.", True)] if hostile else [])),
    )
