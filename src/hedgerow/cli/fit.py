"""`hedgerow fit`.   In: Asked.   Out: a FitResult, printed; a picture and a model file, written.

Reads like the path of data: source, columns, task, hold out, encode, grow, prune, score. scikit-learn is not
loaded: the tree is the one DecisionTreeClassifier or DecisionTreeRegressor would grow, and a test says so.
"""

from pathlib import Path
from time import perf_counter

import numpy as np

from hedgerow.cli.asked import Asked, command, one_of
from hedgerow.cli.choose_alpha import Choice, choose_alpha
from hedgerow.cli.columns import Rows, rows_of
from hedgerow.cli.grown import Grower
from hedgerow.cli.picture import write_picture
from hedgerow.cli.progress import Step, progress
from hedgerow.cli.result import FitResult
from hedgerow.cli.score import Score, class_scores, number_scores
from hedgerow.cli.source import open_source
from hedgerow.cli.split import hold_out
from hedgerow.cli.task import Goal, goal_of
from hedgerow.core import threads_for
from hedgerow.encode import encode, matrix
from hedgerow.grow import CLASS_CRITERIA, NUMBER_CRITERIA, Limits
from hedgerow.prune import cut_path
from hedgerow.store import Parts, save_parts
from hedgerow.store.parameters import DEFAULTS
from hedgerow.tree import predict
from hedgerow.tree.cut import cut
from hedgerow.tree.tree import Tree
from hedgerow.types import Count


def fit(asked: Asked, as_json: bool) -> None:
    with progress() as step:
        result = fitted(asked, step)
    if as_json:
        from hedgerow.cli.as_json import print_json

        print_json(result)
    else:
        from hedgerow.cli.report import print_report

        print_report(result)


def fitted(asked: Asked, step: Step) -> FitResult:
    started = perf_counter()
    step("reading")
    source = open_source(asked.data)
    rows = rows_of(source, asked)
    goal = goal_of(rows.target, asked.task)
    criterion = _criterion(goal, asked)
    train, test = hold_out(goal.strata, asked.test_share, asked.seed)
    grower = _grower(rows, goal, train, criterion, asked)
    step("growing")
    whole = grower.grow()
    choice = _choice(grower, whole, goal.strata[train], asked, step)
    tree = cut(whole, cut_path(whole).mask(choice.alpha)) if choice.alpha > 0 else whole
    parts = _parts(tree, rows, goal, grower, choice, asked)
    scores = _scores(parts, rows, goal, train, test, asked)
    step("drawing")
    picture = write_picture(tree, parts.labels, asked.picture or f"{source.stem}-tree.svg")
    model = Path(asked.model or f"{source.stem}.hedgerow")
    save_parts(parts, model)
    return FitResult(
        asked, rows, goal, train, test, choice, whole, parts, tuple(scores), picture, model,
        command(asked, rows.target.name), perf_counter() - started,
    )  # fmt: skip


def _criterion(goal: Goal, asked: Asked) -> str:
    known = NUMBER_CRITERIA if goal.classes is None else (*CLASS_CRITERIA, "log_loss")
    given = asked.criterion or known[0]
    one_of(f"--criterion for {goal.task}:", given, known)
    if given == "poisson" and (goal.values.min() < 0 or goal.values.sum() <= 0):
        raise ValueError(
            f"--criterion poisson is for counts, but the smallest target is {goal.values.min():g}. "
            "Use squared_error."
        )
    return given


def _grower(rows: Rows, goal: Goal, train: Count, criterion: str, asked: Asked) -> Grower:
    table = rows.features.take(train)
    threads = threads_for(asked.threads, table.n_rows * len(table.columns))
    limits = Limits(
        max_features=len(table.columns),
        max_depth=asked.max_depth or 2**31 - 1,
        min_rows_split=max(2, 2 * asked.min_leaf),
        min_rows_leaf=asked.min_leaf,
        max_leaves=asked.max_leaves or 0,
    )
    name = "entropy" if criterion == "log_loss" else criterion
    return Grower(encode(table, threads=threads), goal.target(train), name, limits, threads)


def _choice(grower: Grower, whole: Tree, strata: Count, asked: Asked, step: Step) -> Choice:
    if asked.prune_alpha is not None:
        return Choice(asked.prune_alpha, "asked for by --prune-alpha")
    return choose_alpha(grower, whole, strata, asked.seed, step)


def _parts(tree: Tree, rows: Rows, goal: Goal, grower: Grower, choice: Choice, asked: Asked) -> Parts:
    """The model, with the parameters that make the same one in Python."""
    kind = "tree regressor" if goal.classes is None else "tree classifier"
    chosen = {
        "criterion": grower.criterion,
        "max_depth": asked.max_depth,
        "min_samples_leaf": asked.min_leaf,
        "max_leaf_nodes": asked.max_leaves,
        "ccp_alpha": choice.alpha,
        "categorical_features": asked.category_names or None,
    }
    return Parts(
        model=kind,
        tree=tree,
        schema=grower.rows.schema,
        classes=goal.classes,
        target=rows.target.name,
        missing=frozenset(np.flatnonzero(grower.rows.n_missing).tolist()),
        parameters={**DEFAULTS[kind], **chosen},
    )


def _scores(parts: Parts, rows: Rows, goal: Goal, train: Count, test: Count, asked: Asked) -> list[Score]:
    unseen = matrix(parts.schema, rows.features.take(test))
    values = predict.values(parts.tree, unseen, threads_for(asked.threads, unseen.size))
    if goal.classes is None:
        return number_scores(goal.values[test], values[:, 0], float(goal.values[train].mean()), asked.seed)
    usual = int(np.bincount(goal.values[train]).argmax())
    return class_scores(goal.values[test], values.argmax(axis=1), usual, str(goal.classes[usual]))
