"""`hedgerow compare`.   In: CompareOptions.   Out: models on the same rows, a test of every pair, a verdict."""

from collections.abc import Callable
from dataclasses import dataclass

from hedgerow.candidate import candidate_names, panel_names
from hedgerow.cli.commands.evaluate import METRICS, SplitOptions, make_estimator, print_result, read_split
from hedgerow.cli.options import MARGIN, PREFER, make_command, option, plain_name, split_names
from hedgerow.errors import ParameterError
from hedgerow.plugins import plugin_names

DOC = """Which model, and how sure: models on the same rows, a test of every pair, a verdict in words.

\b
  hedgerow compare titanic
  hedgerow compare titanic --models tree,stump,c45 --prefer simple
  hedgerow compare titanic --test bayes
"""
TESTS = ", ".join(plugin_names("hedgerow.evaluation.comparison_tests"))


@dataclass(frozen=True, kw_only=True)
class CompareOptions(SplitOptions):
    models: str = option(
        "",
        f"Some of {', '.join(candidate_names())}.  [default: {', '.join(panel_names())}]",
        "A,B",
        parser=plain_name,
    )
    scoring: str | None = option(
        None,
        f"The metric that decides: {METRICS}.  [default: accuracy, roc_auc where one of two classes is rare, or rmse]",
        "NAME",
        parser=plain_name,
    )
    test: str = option("rowwise_t", f"{TESTS}.", "NAME", parser=plain_name)
    prefer: str = option("accurate", PREFER, "NAME")
    margin: float | None = option(None, MARGIN, "D")
    rope: float | None = option(None, "bayes: differences up to this mean nothing.  [default: 0.01]", "D")


def make() -> Callable[..., None]:
    return make_command(CompareOptions, run, DOC)


def run(options: CompareOptions) -> None:
    data, settings = read_split(options)

    from hedgerow.evaluation import compare

    able = [name for name in panel_names() if _knows(name, data.target.task)]
    names = split_names(options.models) or tuple(able)
    models = {name: make_estimator(name, data, options, "models") for name in names}
    if len(models) < 2:
        raise ParameterError(
            "{models} is one model. Name two or more, or: hedgerow evaluate.", models=options.models
        )
    found = compare(
        models,
        data.features,
        data.target.labels,
        scoring=options.scoring,
        test=options.test,
        prefer=options.prefer,
        margin=options.margin,
        rope=options.rope,
        **settings,
    )
    if options.picture is not None:
        from hedgerow.cli.pictures import write_figure

        write_figure(found.draw().figure, options.picture)
    print_result(found, found.score_table(), options, data)


def _knows(name: str, task: str) -> bool:
    from hedgerow.candidate import load_candidate

    return task in load_candidate(name).TASKS
