"""Explaining a forest: Shapley values beside the shap package, importances beside scikit-learn's.

python benchmarks/explain.py     times, each in its own process, single thread, user CPU
"""

import json
import resource
import subprocess
import sys

import numpy as np

ROWS, TREES = 300, 50


def data():
    from hedgerow import datasets

    spam = datasets.spam()
    X = np.column_stack([column.values for column in spam.table.columns]).astype(np.float64)
    return X, np.unique(np.asarray(spam.target), return_inverse=True)[1]


def seconds() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def ours(what: str) -> dict[str, float]:
    from hedgerow import RandomForestClassifier

    X, y = data()
    model = RandomForestClassifier(TREES, random_state=0, n_jobs=1).fit(X, y)
    began = seconds()
    if what == "shap":
        found = model.explain(X[:ROWS])
        check = float(np.abs(found.prediction - model.predict_proba(X[:ROWS])).max())
    elif what == "oob":
        check = model.oob_.loss[0]
    else:
        check = float(model.importance(what).value.max())
    nodes = sum(tree.n_nodes for tree in model.forest_.trees)
    return {"seconds": seconds() - began, "nodes": nodes, "check": check}


def theirs(what: str) -> dict[str, float]:
    from sklearn.ensemble import RandomForestClassifier

    X, y = data()
    model = RandomForestClassifier(TREES, random_state=0, n_jobs=1).fit(X, y)
    nodes = sum(tree.hedgerow_tree_.n_nodes for tree in model.estimators_)
    began = seconds()
    if what == "shap":
        import shap

        began = seconds()
        explainer = shap.TreeExplainer(model, feature_perturbation="tree_path_dependent")
        found = explainer.shap_values(X[:ROWS], check_additivity=False)
        check = float(
            np.abs(found.sum(axis=1) + explainer.expected_value - model.predict_proba(X[:ROWS])).max()
        )
    elif what == "oob":
        model.n_classes_ = [2]  # as it is inside fit, where this is called
        found = model._compute_oob_predictions(X.astype(np.float32), y[:, None].astype(float))
        check = float(np.mean(found[:, :, 0].argmax(axis=1) != y))
    else:
        from sklearn.inspection import permutation_importance

        check = float(permutation_importance(model, X, y, n_repeats=1, random_state=0).importances_mean.max())
    return {"seconds": seconds() - began, "nodes": nodes, "check": check}


def times() -> None:
    print(
        f"spam, 4,601 rows x 57, {TREES} trees; Shapley values of {ROWS} rows. User CPU seconds, one thread."
    )
    for what in ("shap", "permutation", "corrected", "oob"):
        mine = run("ours", what)
        line = f"{what:12} hedgerow {mine['seconds']:8.3f} s  ({mine['nodes']:,} nodes, check {mine['check']:.3g})"
        if what != "corrected":
            peer = run("theirs", what)
            line += f"   {'shap' if what == 'shap' else 'scikit-learn'} {peer['seconds']:8.3f} s"
            line += f"  ({peer['nodes']:,} nodes, check {peer['check']:.3g})"
            line += f"   {peer['seconds'] / mine['seconds']:.1f} x"
        print(line, flush=True)


def run(who: str, what: str) -> dict[str, float]:
    done = subprocess.run([sys.executable, __file__, who, what], capture_output=True, text=True)
    if done.returncode:
        print(done.stderr[-300:], file=sys.stderr)
        return {"seconds": float("nan"), "nodes": 0, "check": float("nan")}
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    if sys.argv[1:]:
        print(json.dumps({"ours": ours, "theirs": theirs}[sys.argv[1]](sys.argv[2])))
    else:
        times()
