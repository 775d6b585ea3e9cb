"""`hedgerow fit`.   In: Asked.   Out: a FitResult, printed; a picture and a model file, written.

Other models than a tree: fit_model.py.

Reads like the path of data: source, columns, task, hold out, encode, grow, prune, score. scikit-learn is not
loaded: the tree is the one DecisionTreeClassifier or DecisionTreeRegressor would grow, and a test says so.
"""

from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from hedgerow.cli.asked import Asked, command, one_of
from hedgerow.cli.grown import Grower
from hedgerow.cli.growth import grower_of, parameters_of
from hedgerow.cli.models import KNOWN, TREE
from hedgerow.cli.models.model import SHARED, TREE_ONLY, Wanted, refuse_others
from hedgerow.cli.picture import check_writable, write_picture
from hedgerow.cli.progress import Step, progress
from hedgerow.cli.pruned import Pruned, pruned
from hedgerow.cli.pruning import Wish, plan_of
from hedgerow.cli.reading import opened
from hedgerow.cli.result import FitResult
from hedgerow.cli.score import Score, class_scores, number_scores
from hedgerow.core import threads_for
from hedgerow.encode import matrix
from hedgerow.intake import PreparedData, TargetData, prepare_data
from hedgerow.intake.split import hold_out
from hedgerow.store import ModelState, save_state
from hedgerow.store.kinds.tree import DEFAULTS
from hedgerow.tree import predict
from hedgerow.types import Count


def fit(asked: Asked, wish: Wish, wanted: Wanted, as_json: bool) -> None:
    one_of("--model", asked.model, KNOWN)
    if asked.model != TREE:
        from hedgerow.cli.fit_model import fit_model

        fit_model(asked, wish, wanted, as_json)
        return
    refuse_others(TREE, (*SHARED, *TREE_ONLY), asked, wanted)
    with progress() as step:
        result = fitted(asked, wish, step)
    if as_json:
        from hedgerow.cli.as_json import print_json

        print_json(result)
    else:
        from hedgerow.cli.report import print_report

        print_report(result)


def fitted(asked: Asked, wish: Wish, step: Step) -> FitResult:
    started = perf_counter()
    step("reading")
    source = opened(asked)
    picture_path = asked.picture or f"{source.stem}-tree.svg"
    model = Path(asked.save or f"{source.stem}.hedgerow")
    check_writable("--picture", Path(picture_path))
    check_writable("--save", model)
    rows = prepare_data(source, asked.columns())
    goal = rows.target
    found, plan = parameters_of(asked, goal), plan_of(asked, wish, goal.task)
    train, test = hold_out(goal.strata, asked.test_share, asked.seed)
    aside = plan.set_aside(goal.strata[train])
    step("growing")
    used = None if aside is None else ~aside
    grower = grower_of(rows.features, goal, train, found, asked, used)
    whole = grower.grow(None if used is None else used.astype(np.float64))
    step("pruning")
    kept = pruned(whole, grower, plan, aside)
    parts = _parts(kept, rows, goal, grower, found, asked)
    scores = _scores(parts, rows, goal, train, test, asked)
    step("drawing")
    picture = write_picture(kept.tree, parts.labels, picture_path)
    save_state(parts, model)
    return FitResult(
        asked, rows, goal, train, test, kept, whole, parts, tuple(scores), picture, model,
        command("fit", rows.target.name, asked, wish), perf_counter() - started,
    )  # fmt: skip


def _parts(
    kept: Pruned, rows: PreparedData, goal: TargetData, grower: Grower, found: dict[str, Any], asked: Asked
) -> ModelState:
    """The model, with the parameters that make the same one in Python."""
    kind = "tree regressor" if goal.classes is None else "tree classifier"
    chosen = {
        **found,
        "criterion": grower.criterion,
        **kept.parameters,
        "categorical_features": asked.category_names or None,
    }
    return ModelState(
        model=kind,
        body=kept.tree,
        schema=grower.rows.schema,
        classes=goal.classes,
        target=rows.target.name,
        missing=frozenset(np.flatnonzero(grower.rows.n_missing).tolist()),
        parameters={name: chosen.get(name, usual) for name, usual in DEFAULTS[kind].items()},
    )


def _scores(
    parts: ModelState, rows: PreparedData, goal: TargetData, train: Count, test: Count, asked: Asked
) -> list[Score]:
    unseen = matrix(parts.schema, rows.features.take(test))
    values = predict.values(parts.body, unseen, threads_for(asked.threads, unseen.size))
    if goal.classes is None:
        return number_scores(goal.values[test], values[:, 0], float(goal.values[train].mean()), asked.seed)
    usual = int(np.bincount(goal.values[train]).argmax())
    return class_scores(goal.values[test], values.argmax(axis=1), usual, str(goal.classes[usual]))
