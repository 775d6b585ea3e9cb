"""AdaBoost with stumps on two columns, round by round.   In: LessonRows.   Out: what the page shows."""

from typing import Any

import numpy as np

from hedgerow.boost.boost_input import rows_of_matrix
from hedgerow.estimators import AdaBoostClassifier
from hedgerow.teaching.lesson_rows import LessonRows, refuse_more_classes, take_plane
from hedgerow.teaching.row_weights import trace_weights

TITLE = "AdaBoost, round by round"
LEAD = (
    "Each round asks one question of one column, chosen for the rows as they weigh now. Rows it has wrong weigh more "
    "in the next round; alpha = 1/2 ln((1 - epsilon) / epsilon) is how much its answer counts in the sum."
)
KEYS = "Keys: ← → one round, Home and End, s for the sum of all rounds so far."
EXAMPLE = "ten_points"
MOST_ROWS = 400
N_ROUNDS = 12


def prepare(rows: LessonRows) -> dict[str, Any]:
    refuse_more_classes("boosting", rows)
    plane = take_plane(rows, MOST_ROWS)
    table, labels = plane.to_table(), rows.labels[plane.rows]
    model = AdaBoostClassifier(n_estimators=3 if rows.example else N_ROUNDS).fit(table, labels)
    weights, rounds = trace_weights(model, table, labels), model.diagnostics_
    return plane.to_dict() | {
        "weights": weights.weight.tolist(),
        "rounds": [
            _stump(round.weaks[0])
            | {
                "alpha": round.alpha,
                "alpha_no": round.alpha_no,
                "epsilon": round.epsilon,
                "error": round.error,
                "bound": float(bound),
                "rule": rule,
            }
            for round, bound, rule in zip(model.rounds_.rounds, rounds.bound, rounds.rules, strict=True)
        ],
    }


def _stump(weak: Any) -> dict[str, Any]:
    """Its column, threshold and what it says on both sides; without a threshold it says one thing everywhere."""
    threshold = float(weak.threshold)
    known = np.isfinite(threshold)
    cells = np.zeros((2, 2))
    cells[:, weak.column] = [threshold, np.nextafter(threshold, np.inf)] if known else [0.0, 0.0]
    below, above = (float(one) for one in weak.outputs(rows_of_matrix(cells)))
    return {
        "column": int(weak.column),
        "threshold": threshold if known else None,
        "below": below,
        "above": above,
    }
