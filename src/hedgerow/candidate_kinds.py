"""What candidates of one kind share: single trees, forests, boosted predictors, support vector machines.

In: a fitted estimator.   Out: facts for a report, importances, a figure. Nothing heavy is imported with this file.
"""

from collections.abc import Mapping
from typing import Any

from hedgerow.candidate import MANY_CLASSES, Option, TaskSpec
from hedgerow.errors import ParameterError
from hedgerow.plugins import plugin_names

# ------------------------------------------------------------------------------------------------- single trees


METHODS = ", ".join(plugin_names("hedgerow.prune.methods"))
PRUNING = (
    Option("prune", str, f"{METHODS}; none keeps the full tree.", "NAME"),
    Option("ccp_alpha", float, "Prune at this cost of a leaf, instead; 0 keeps the full tree.", "A"),
)


def tree_parameters(
    parameters: Mapping[str, Any], task: str, options: Mapping[str, Any], in_order: bool = False
) -> dict[str, Any]:
    """What the candidate sets <- what was given. An alpha takes the place of a pruning; a criterion that the candidate
    sets is one for classes. `in_order`: rows are in the order of time.
    """
    replaced = {"prune"} if "ccp_alpha" in options else set()
    replaced |= {"criterion"} if task == "regression" else set()
    kept = {name: value for name, value in parameters.items() if name not in replaced}
    given = {**kept, **{name: None if value == "none" else value for name, value in options.items()}}
    return {**given, "prune": _prune_forward(given["prune"])} if in_order and "prune" in given else given


def _prune_forward(prune: Any) -> Any:
    """Cross-validation that tests on later rows, where the pruning has one."""
    found = {"method": prune} if isinstance(prune, str) else prune
    is_searched = isinstance(found, Mapping) and found["method"] == "cost_complexity" and "alpha" not in found
    return {"folds": "time", **found} if is_searched else prune


def make_tree(spec: TaskSpec, parameters: Mapping[str, Any], options: Mapping[str, Any]) -> Any:
    """`parameters`: the candidate's PARAMETERS."""
    from hedgerow.estimators import DecisionTreeClassifier, DecisionTreeRegressor

    kind = DecisionTreeClassifier if spec.is_classification else DecisionTreeRegressor
    return kind(**tree_parameters(parameters, spec.task, options, spec.in_order), n_jobs=spec.n_jobs)


def describe_tree(fitted: Any) -> str:
    from hedgerow.display.sentences import many

    return f"a decision tree of {many(fitted.get_n_leaves(), 'leaf')}"


def tree_facts(fitted: Any) -> list[tuple[str, str]]:
    return [("leaves", f"{fitted.get_n_leaves():,}"), ("depth", f"{fitted.get_depth():,}")]


def feature_importances(fitted: Any) -> list[tuple[str, float]]:
    """Of an estimator with feature_importances_: columns that did some work, relative to the largest."""
    import numpy as np

    shares, names = fitted.feature_importances_, fitted.schema_.names
    order = np.argsort(-shares, kind="stable")
    return [(names[j], float(shares[j] / shares.max())) for j in order if shares[j] > 0]


def draw_tree(fitted: Any, table: Any, labels: Any) -> Any:
    return fitted.draw().figure


# ------------------------------------------------------------------------------------------------- forests


OF_MANY_CLASSES = {"n_estimators": 100, "min_samples_leaf": 5}  # a leaf keeps the share of each class


def make_forest(
    classifier: Any, regressor: Any, spec: TaskSpec, usual: Mapping[str, Any], options: Mapping[str, Any]
) -> Any:
    given = {**usual, **(OF_MANY_CLASSES if spec.n_classes > MANY_CLASSES else {}), **options}
    if given.get("max_features") == "all":
        given["max_features"] = None
    kind = classifier if spec.is_classification else regressor
    return kind(**given, random_state=spec.random_state, n_jobs=spec.n_jobs)


def forest_facts(fitted: Any) -> list[tuple[str, str]]:
    trees = fitted.forest_.trees
    leaves = sum(tree.n_leaves for tree in trees) // len(trees)
    facts = [
        ("trees", f"{len(trees):,}, {leaves:,} leaves each on average"),
        ("columns a node", f"{fitted.max_features_} of {fitted.n_features_in_}"),
    ]
    if _knows_rows_out_of_bag(fitted):
        facts.append(("out of bag", _out_of_bag(fitted)))
    if hasattr(fitted, "stopped_"):
        facts.append(("stopped", str(fitted.stopped_)))
    return facts


def _out_of_bag(fitted: Any) -> str:
    oob = fitted.oob_
    if not len(oob.row_losses):
        return f"no row is out of any of the {oob.n_members:,} bags. More members or rows help."
    loss, error = oob.loss
    what = "mean squared error" if oob.classes is None else "error rate"
    low, high = max(0.0, loss - 1.96 * error), loss + 1.96 * error
    return f"{what} {loss:.4g}, 95% interval {low:.4g} to {high:.4g} (normal, over rows)"


def forest_importances(fitted: Any) -> list[tuple[str, float]]:
    """By permutation out of bag; without rows out of bag, the decrease of impurity."""
    found = _importance(fitted)
    return [(found.names[j], max(0.0, float(found.relative[j]) / 100)) for j in found.order]


def draw_forest(fitted: Any, table: Any, labels: Any) -> Any:
    return _importance(fitted).draw().figure


def _importance(fitted: Any) -> Any:
    return fitted.importance("permutation" if _knows_rows_out_of_bag(fitted) else "impurity")


def _knows_rows_out_of_bag(fitted: Any) -> bool:
    """Not where all rows are drawn, nor after a fit to a stream."""
    return fitted.forest_.draws.how != "all" and hasattr(fitted, "_training")


# ------------------------------------------------------------------------------------------------- boosting


def stop_boosting(model: Any, spec: TaskSpec) -> Any:
    """Of rows in the order of time, the last tenth says when to stop; of others the model draws a tenth itself."""
    if not spec.in_order:
        return model
    from hedgerow.estimators.meta import EarlyStopped

    return EarlyStopped(model, max_rows=0, in_order=True)


def boosting_facts(fitted: Any) -> list[tuple[str, str]]:
    from hedgerow.estimators.delegating import unwrap

    fitted = unwrap(fitted)
    rounds = fitted.rounds_
    base = fitted.estimator if isinstance(fitted.estimator, str) else "tree"
    facts = [("rounds", f"{len(rounds):,} of {base}; {rounds.stopped}")]
    if hasattr(fitted, "classes_"):
        last = rounds.rounds[-1]
        facts.append(("training error", f"{last.error:.2%}; loss {last.loss:.4g}"))
    return facts


def boosting_importances(fitted: Any) -> list[tuple[str, float]]:
    from hedgerow.estimators.delegating import unwrap

    fitted = unwrap(fitted)
    return feature_importances(fitted) if hasattr(fitted, "classes_") else []


def draw_boosting(fitted: Any, table: Any, labels: Any) -> Any:
    """Training error and its bound over the rounds."""
    from hedgerow.estimators.delegating import unwrap

    fitted = unwrap(fitted)
    if not hasattr(fitted, "classes_"):
        return "of boosting, the rounds are drawn where classes are predicted, and the target holds numbers"
    return fitted.diagnostics_.draw().figure


# ------------------------------------------------------------------------------------------------- support vectors


def make_svm(machine: Any, values: tuple[float, ...], spec: TaskSpec, options: Mapping[str, Any]) -> Any:
    """The machine behind its preparation, where rows are no numbers yet. C is one of these values, if not given."""
    from sklearn.pipeline import make_pipeline

    from hedgerow.estimators import ToNumbers
    from hedgerow.estimators.meta import GridSearchC

    model = machine if spec.is_sparse else make_pipeline(ToNumbers(), machine)
    return (
        model
        if "C" in options
        else GridSearchC(model, values=values, in_order=spec.in_order, random_state=spec.random_state)
    )


def check_cost(spec: TaskSpec, options: Mapping[str, Any]) -> None:
    cost = options.get("C", 1.0)
    if not cost > 0 or (cost == float("inf") and not spec.is_classification):
        hard = ", or inf for the hard margin" if spec.is_classification else ""
        raise ParameterError("{C} is out of range. Give a number above 0{}.", hard, C=cost)


def describe_svm(kind: str, fitted: Any) -> str:
    """`kind`: "a linear support vector machine"."""
    from hedgerow.estimators.delegating import unwrap

    chosen = getattr(fitted, "best_params_", None)
    cost = machine_of(unwrap(fitted)).C if chosen is None else chosen["C"]
    return f"{kind} (C = {cost:g})"


def machine_of(model: Any) -> Any:
    """Out of its pipeline, where there is one."""
    return model[-1] if hasattr(model, "steps") else model


def svm_facts(fitted: Any) -> list[tuple[str, str]]:
    """What its model file would say."""
    from hedgerow.estimators.delegating import unwrap
    from hedgerow.estimators.saving import extract_state
    from hedgerow.store.kind import describe_state

    model = unwrap(fitted)
    return [*describe_state(extract_state(model)), ("C", f"{machine_of(model).C:g}")]


def draw_svm(fitted: Any, table: Any, labels: Any) -> Any:
    """Of two columns of numbers: rows, boundary, margins, support vectors; of more classes the boundaries."""
    from hedgerow.display.sentences import many
    from hedgerow.estimators.delegating import unwrap

    pipeline = unwrap(fitted)
    if not hasattr(pipeline, "steps"):
        return (
            "a support vector machine is drawn where two columns of numbers predict classes: here are words"
        )
    machine, prepared = pipeline[-1], pipeline[0].preparation_
    is_plane = prepared.schema.kinds == ("number", "number") and len(prepared.names) == 2
    if not is_plane or not hasattr(machine, "classes_"):
        has = many(len(prepared.schema.names), "column")
        what = f"there are {has}" if hasattr(machine, "classes_") else "the target holds numbers"
        return f"a support vector machine is drawn where two columns of numbers predict classes, and {what}"
    from hedgerow.draw.plane import draw_boundary
    from hedgerow.draw.svm import draw_margins

    model = _InTableUnits(machine, prepared)
    rows = pipeline[0].transform(table) * prepared.scale + prepared.centre  # missing cells are filled
    names = (prepared.schema.names[0], prepared.schema.names[1])
    draw = draw_margins if len(model.classes_) == 2 else draw_boundary
    return draw(model, rows, labels, names=names).figure


class _InTableUnits:
    """The machine for rows in the units of the table."""

    def __init__(self, machine: Any, prepared: Any) -> None:
        self.machine, self.prepared, self.classes_ = machine, prepared, machine.classes_

    @property
    def coef_(self) -> Any:
        return self.machine.coef_ / self.prepared.scale

    def _scale(self, X: Any) -> Any:
        return (X - self.prepared.centre) / self.prepared.scale

    def predict(self, X: Any) -> Any:
        return self.machine.predict(self._scale(X))

    def decision_function(self, X: Any) -> Any:
        return self.machine.decision_function(self._scale(X))
