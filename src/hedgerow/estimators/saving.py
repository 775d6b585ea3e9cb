"""Saving and loading.   In: a fitted estimator, or a pipeline of ToNumbers and one.   Out: a model file; and back.

    estimator --extract_state--> ModelState --store--> file --store--> ModelState --restore_model--> estimator

An estimator takes part with two methods: `_stored_body()`, what its kind of store/kinds writes (None: not fitted), and
`_restore(state)`, which checks the parameters and sets what fit would have set.
"""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.pipeline import make_pipeline

from hedgerow.docstrings import document
from hedgerow.encode import Preparation, Schema
from hedgerow.estimators.decided import DecidedModel, decide_by
from hedgerow.estimators.delegating import unwrap
from hedgerow.estimators.with_features import WithFeatures
from hedgerow.features import Features
from hedgerow.store import InvalidModelFile, ModelState, save_state
from hedgerow.store.file import Place, name_file, read_state
from hedgerow.store.kind import load_kind, model_tags
from hedgerow.store.parameters import Learner
from hedgerow.store.state import Outputs
from hedgerow.store.training_rows import make_training_rows
from hedgerow.table import to_table

MODEL = "model.hedgerow"  # in the folder of a study


@document()
def save(model: Any, path: Place, rows: Any = None) -> None:
    """Write a fitted estimator to a file.

    Parameters
    ----------
    model : estimator
        A fitted estimator of hedgerow.
    rows : array-like or None
        The table it was fitted on. The file then keeps four bytes of a hash of each row, so that `hedgerow
        evaluate` can say which rows the model has seen. None keeps none.

    See Also
    --------
    load : Read it back.

    Examples
    --------
    >>> import hedgerow, tempfile, os
    >>> points = hedgerow.datasets.ten_points()
    >>> model = hedgerow.DecisionTreeClassifier().fit(points.table, points.target)
    >>> hedgerow.save(model, os.path.join(tempfile.mkdtemp(), "model.hedgerow"))
    """
    state = extract_state(model)
    save_state(state if rows is None else with_training_rows(state, rows), path)


def with_training_rows(state: ModelState, rows: Any) -> ModelState:
    table = to_table(rows)
    if state.schema.named:
        table = replace(table, columns=tuple(table.column(name) for name in state.schema.names))
    return replace(state, training_rows=make_training_rows(table))


@document()
def load(path: Place) -> Any:
    """Read the estimator saved at `path`: a model file, or the folder of a study.

    Nothing in the file is run; everything in it is checked first.

    Returns
    -------
    estimator
        The fitted estimator.

    See Also
    --------
    save : Write a model file.

    Examples
    --------
    >>> import hedgerow, tempfile, os
    >>> points = hedgerow.datasets.ten_points()
    >>> model = hedgerow.DecisionTreeClassifier().fit(points.table, points.target)
    >>> path = os.path.join(tempfile.mkdtemp(), "model.hedgerow")
    >>> hedgerow.save(model, path)
    >>> hedgerow.load(path).score(points.table, points.target) == model.score(points.table, points.target)
    True
    """
    if isinstance(path, (str, os.PathLike)) and os.path.isfile(os.path.join(path, MODEL)):
        path = os.path.join(path, MODEL)
    with name_file(path):
        return restore_model(read_state(path))


def extract_state(model: Any) -> ModelState:
    """The state of a fitted estimator, of a pipeline of ToNumbers and an estimator, or of one with its decision or
    behind features."""
    if isinstance(model, DecidedModel):
        return replace(extract_state(unwrap(model)), decision=model.decision)
    if isinstance(model, WithFeatures) and hasattr(model, "model_"):
        return replace(
            extract_state(unwrap(model.model_)),
            features=model.features_,
            schema=model.features_.schema,
            names_in=hasattr(model, "feature_names_in_"),
            missing=None,
        )
    steps = getattr(model, "steps", None)
    if not steps:
        return _extract(model)
    first, last = steps[0][1], steps[-1][1]
    if len(steps) != 2 or type(first).__name__ != "ToNumbers":
        raise TypeError(
            f"A pipeline of {', '.join(type(step).__name__ for _, step in steps)} cannot be saved as a model file. "
            "Expected: ToNumbers and then one model."
        )
    preparation: Preparation = first.preparation_
    return replace(
        _extract(last),
        schema=preparation.schema,
        preparation=preparation,
        names_in=hasattr(first, "feature_names_in_"),
        missing=None,
    )


def extract_member(name: str, member: Any) -> ModelState:
    """The state of a member of an ensemble."""
    try:
        return extract_state(member)
    except (TypeError, ValueError) as reason:
        raise type(reason)(f"Member {name} cannot go into a model file. {reason}") from None


def _extract(model: Any) -> ModelState:
    tag = _find_tag(model)
    if tag is None:
        known = ", ".join(kind.ESTIMATORS[tag] for tag, kind in model_tags().items())
        raise TypeError(
            f"A {type(model).__name__} cannot be saved as a model file. Expected: a fitted {known}."
        )
    body = model._stored_body()
    if body is None:
        raise ValueError(f"This {type(model).__name__} is not fitted: nothing to save yet. Call fit first.")
    labels = getattr(model, "labels_", None)
    classes, many = getattr(model, "classes_", None), getattr(model, "n_outputs_", 1)
    return ModelState(
        model=tag,
        body=body,
        schema=model.schema_,
        classes=classes if many == 1 else None,
        outputs=() if many == 1 else tuple(classes or [None] * many),
        target=labels.target if labels else "",
        missing=labels.missing if labels else None,
        names_in=hasattr(model, "feature_names_in_"),
        parameters=_stored_parameters(tag, model),
    )


def restore_model(state: ModelState) -> Any:
    """The estimator, made from a checked state. Which one, a tag of ours says: a file can name no import."""
    from hedgerow import estimators

    if state.decision is not None:
        return decide_by(state.decision, restore_model(replace(state, decision=None)))
    if state.features is not None:
        return _restore_features(state, state.features)
    model = _build(state.model, state.parameters)
    if state.preparation is None:
        _name_columns(model, state.schema, state.names_in)
    else:
        _name_columns(model, state.inner, False)
    if state.classes is not None:
        model.classes_, model.n_classes_ = state.classes, len(state.classes)
    if state.outputs:
        _name_outputs(model, state.outputs)
    try:
        model._restore(replace(state, schema=state.inner, preparation=None))
    except InvalidModelFile:
        raise
    except (ValueError, TypeError, OverflowError) as reason:
        raise InvalidModelFile(f"has a parameter that is out of range: {reason}") from None
    if state.preparation is None:
        return model
    first = estimators.ToNumbers._restored(state.preparation)
    _name_columns(first, state.schema, state.names_in)
    return make_pipeline(first, model)


def _restore_features(state: ModelState, features: Features) -> WithFeatures:
    inside = restore_model(replace(state.without_features, names_in=False))
    model = WithFeatures(inside, form=features.form)
    model.features_, model.model_ = features, inside
    _name_columns(model, state.schema, state.names_in)
    return model


def _name_columns(model: Any, schema: Schema, names_in: bool) -> None:
    model.n_features_in_ = len(schema.names)
    if names_in:
        model.feature_names_in_ = np.array(schema.names, dtype=object)


def _name_outputs(model: Any, outputs: Outputs) -> None:
    model.n_outputs_ = len(outputs)
    classes = [one for one in outputs if one is not None]
    if classes:
        model.classes_, model.n_classes_ = classes, [len(one) for one in classes]


def _find_tag(model: Any) -> str | None:
    """The tag of an estimator that is hedgerow's and may stand in a file."""
    if not type(model).__module__.startswith("hedgerow."):
        return None
    name = type(model).__name__
    return next((tag for tag, kind in model_tags().items() if kind.ESTIMATORS[tag] == name), None)


# ---------------------------------------------------------------------------------- parameters, and models in them


def _build(tag: str, parameters: Mapping[str, Any]) -> Any:
    """An estimator with these parameters, not fitted."""
    from hedgerow import estimators

    kind = load_kind(tag)
    names = {stored: name for name, stored in getattr(kind, "STORED_AS", {}).items()}
    given = {names.get(name, name): _with_estimators(value) for name, value in parameters.items()}
    return getattr(estimators, kind.ESTIMATORS[tag])(**given)


def _stored_parameters(tag: str, model: Any) -> dict[str, Any]:
    names = getattr(load_kind(tag), "STORED_AS", {})
    given = model.get_params(deep=False)
    return {names.get(name, name): _without_estimators(name, value) for name, value in given.items()}


def _without_estimators(name: str, value: Any) -> Any:
    """The value of the parameter `name`, with a Learner for each estimator in it."""
    if isinstance(value, (list, tuple)):
        return [_without_estimators(name, entry) for entry in value]
    is_estimator = hasattr(value, "get_params") and not isinstance(value, type)
    return _to_learner(name, value) if is_estimator else value


def _with_estimators(value: Any) -> Any:
    """The same backwards; pairs of a name and a learner become tuples again."""
    if isinstance(value, Learner):
        return _from_learner(value)
    if isinstance(value, list) and any(_is_pair(entry) for entry in value):
        return [tuple(map(_with_estimators, entry)) if _is_pair(entry) else entry for entry in value]
    return value


def _is_pair(entry: Any) -> bool:
    return isinstance(entry, list) and len(entry) == 2 and isinstance(entry[1], Learner)


def _to_learner(name: str, given: Any) -> Learner:
    given = given.estimator if isinstance(given, DecidedModel) else given
    if isinstance(given, WithFeatures):  # what searches for its own parameters is kept with those it found
        given = unwrap(getattr(given, "model_", given.estimator))
    numbers, last = None, given
    steps = getattr(given, "steps", None)
    if steps and len(steps) == 2 and type(steps[0][1]).__name__ == "ToNumbers":
        numbers, last = steps[0][1].get_params(deep=False), steps[1][1]
    tag = _find_tag(last)
    if tag is None:
        raise TypeError(
            f"{name} holds a {type(last).__name__}, which cannot be kept in a model file. Expected: models of "
            "hedgerow, or pipelines of ToNumbers and one of these. Way out for others: pickle."
        )
    return Learner(tag, _stored_parameters(tag, last), numbers)


def _from_learner(learner: Learner) -> Any:
    from hedgerow import estimators

    model = _build(learner.model, learner.parameters)
    if learner.numbers is None:
        return model
    return make_pipeline(estimators.ToNumbers(**learner.numbers), model)
