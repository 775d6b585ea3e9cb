"""`hedgerow compare`.   In: CompareOptions.   Out: models on the same rows, a test of every pair, a verdict."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from hedgerow.candidate import BASELINE, candidate_names, panel_names
from hedgerow.cli.commands.evaluate import METRICS, SplitOptions, print_result, read_split
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
        f"The metric that decides: {METRICS}.  [default: that of a study: log_loss, or rmse]",
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

    from hedgerow.evaluation.select import Preference
    from hedgerow.studies.benchmark import make_benchmark
    from hedgerow.studies.blend import NAME as BLEND
    from hedgerow.studies.blend import member_models
    from hedgerow.studies.compare import compare_candidates
    from hedgerow.studies.options import StudyOptions

    names = split_names(options.models)
    study = StudyOptions(
        models=names, scoring=options.scoring, positive=options.positive, random_state=options.random_state
    )
    benchmark = make_benchmark(data.samples.drop_weightless(), data.target, study)
    if BASELINE not in names:  # it stands below all models anyway
        models = {name: model for name, model in benchmark.models.items() if name != BASELINE}
        benchmark = replace(benchmark, models=models)
    if len(member_models(benchmark.models)) < 2:
        made = ", for a blend is made of others" if BLEND in names else ""
        raise ParameterError(
            f"{{models}} names one model{made}. Name two or more, or: hedgerow evaluate.",
            models=options.models,
        )
    found = compare_candidates(
        benchmark,
        scoring=options.scoring,
        test=options.test,
        cv=settings.get("cv"),
        repeats=options.repeats,
        preference=Preference(options.prefer, options.margin),
        rope=options.rope,
        random_state=options.random_state,
        n_jobs=options.n_jobs,
    )
    if options.picture is not None:
        from hedgerow.cli.pictures import write_figure

        write_figure(found.draw().figure, options.picture)
    print_result(found, found.score_table(), options, data)
