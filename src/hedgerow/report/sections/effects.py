"""What each column does to the prediction: direction and shape, with bands; and what drives three rows."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hedgerow.evaluation.data import Data
    from hedgerow.studies.result import StudyResult
    from hedgerow.studies.train import Trained

TITLE = "Effects"
HEADING = "What the columns do to the prediction"
ORDER = 45
REASONS = 6  # of a row that are shown; the others are summed up
MOST_COLUMNS = 6
MOST_ROWS = 1000
N_CANDIDATES = 12  # columns that are looked at; those with the widest effect are shown


def summarize(trained: "Trained") -> dict[str, Any] | None:
    import numpy as np

    from hedgerow.evaluation.effects import measure_effect

    table = trained.rows.table
    rows = np.sort(np.random.default_rng(0).permutation(table.n_rows)[:MOST_ROWS])
    some, predict = table.take(rows), _predict(trained)
    order = trained.columns_by_use
    found = [measure_effect(predict, some, int(j)) for j in list(order)[:N_CANDIDATES]]
    wide = sorted((one for one in found if one is not None and one.span > 0), key=lambda one: -one.span)
    has_text = any(column.kind == "text" for column in table.columns)
    if not wide and not has_text:
        return None
    output = _output(trained)
    return {
        "output": output,
        "is_share": trained.loaded.goal.classes is not None,
        "curves": [_curve(one, output) for one in wide[:MOST_COLUMNS]],
        "rows": _explain_rows(trained, predict(some), rows),
    }


def _output(trained: "Trained") -> str:
    data = trained.benchmark.data
    return "prediction" if data.classes is None else f"probability of {class_shown(data)}"


def class_shown(data: "Data") -> Any:
    """Of two classes the one of interest. Of more the most frequent one that is not called no: of a class of a few rows
    there is little to see."""
    import numpy as np

    from hedgerow.evaluation.data import NEGATIVE

    assert data.classes is not None
    labels = data.classes.tolist()
    if len(labels) == 2:
        return labels[1]
    counts = np.bincount(data.y, minlength=len(labels)).tolist()
    says_no = [str(label).strip().lower() in NEGATIVE for label in labels]
    return labels[max(range(len(labels)), key=lambda k: (not says_no[k], counts[k]))]


def _predict(trained: "Trained") -> Any:
    """One number a row: the prediction, or the probability of the class that is shown."""
    import numpy as np

    data, model = trained.benchmark.data, trained.model
    if data.classes is None:
        return lambda table: np.asarray(model.predict(table), np.float64)
    place = model.classes_.tolist().index(class_shown(data))
    return lambda table: np.asarray(model.predict_proba(table)[:, place], np.float64)


def _curve(one: Any, output: str) -> dict[str, Any]:
    return {
        "name": one.name,
        "is_date": one.kind in ("date", "datetime"),
        "output": f"added to the {output}",
        "levels": list(one.levels),
        "x": [] if one.levels else one.points.tolist(),
        "y": one.values.tolist(),
        "low": one.low.tolist(),
        "high": one.high.tolist(),
    }


def _explain_rows(trained: "Trained", predicted: Any, rows: Any) -> list[dict[str, Any]]:
    """Of a low, a middle and a high prediction: what drives it."""
    import numpy as np

    from hedgerow.estimators.saving import extract_state
    from hedgerow.store.reasons import explain_state

    is_share = trained.loaded.goal.classes is not None
    order = np.argsort(predicted, kind="stable")
    picked = [int(order[round(share * (len(order) - 1))]) for share in (0.02, 0.5, 0.98)]
    some = trained.rows.table.take(rows[picked])
    state = extract_state(trained.model)
    found = explain_state(state, some)
    is_calibrated = state.decision is not None and state.decision.calibrator is not None
    before = ", before calibration" if is_calibrated and found.is_own_score else ""
    classes = trained.benchmark.data.classes
    labels = trained.model.predict(some).tolist() if classes is not None and len(classes) > 2 else None

    def title(at: int, k: int) -> str:
        row = f"Row {int(trained.rows.numbers[rows[k]])}"
        if labels is not None:
            return f"{row}: {labels[at]} is predicted"
        return f"{row}: {_write(float(predicted[k]), is_share)}"

    return [
        {
            "title": title(at, k),
            "score": found.write(at, found.score[at]),
            "base": found.write(at, found.base[at]),
            "what": found.title.replace("the class", str(labels[at]) if labels else "the class") + before,
            "reasons": [words.rpartition(": ")[::2] for words in found.words(at, some, REASONS) if words],
            "n_other": max(0, int(np.count_nonzero(found.values[at])) - REASONS),
            "other": found.write(at, found.values[at, found.order(at)[REASONS:]].sum(), "+"),
        }
        for at, k in enumerate(picked)
    ]


def _write(predicted: float, is_share: bool) -> str:
    from hedgerow.tree.formatting import number

    if not is_share:
        return number(predicted)
    return "< 0.1%" if predicted < 0.001 else "> 99.9%" if predicted > 0.999 else f"{predicted:.1%}"


def context(result: "StudyResult") -> dict[str, Any] | None:
    found = result.extra.get("effects")
    return {"f": found} if found else None
