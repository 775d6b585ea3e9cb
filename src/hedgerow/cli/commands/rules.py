"""`hedgerow rules`.   In: RulesOptions.   Out: if-then rules with their score; written where a path is given.

scikit-learn is not loaded: the rules are the ones RuleListClassifier would learn, and a test says so.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from hedgerow.cli.options import (
    TEST_SHARE_HELP,
    DataOptions,
    check_file,
    check_test_share,
    make_command,
    option,
    write_command,
)
from hedgerow.errors import ParameterError
from hedgerow.files import write_atomically
from hedgerow.words import quote_shell, to_json

if TYPE_CHECKING:
    from hedgerow.cli.scores import Score
    from hedgerow.intake import PreparedData
    from hedgerow.rules import RuleList
    from hedgerow.types import Count

DOC = """Learn if-then rules (C4.5rules): what was inferred, the score on held-out rows, the rules in their order."""


@dataclass(frozen=True, kw_only=True)
class RulesOptions(DataOptions):
    criterion: str = option("gini", "Split criterion, such as gini or entropy.", "NAME")
    max_depth: int | None = option(None, "Deepest a leaf may lie.", "N")
    min_samples_leaf: int = option(1, "Fewest rows in a leaf.", "N")
    confidence: float = option(0.25, "Of the pessimistic estimate; smaller prunes more.", "C")
    estimate: str = option(
        "pessimistic", "pessimistic, or held_out: on a fifth of the training rows.", "NAME"
    )
    max_rules: int | None = option(None, "Most rules; those with the fewest errors come first.", "N")
    test_share: float | None = option(None, TEST_SHARE_HELP, "S", "--test-share", "--holdout")
    output: str | None = option(
        None, "Where to write the rules: .txt or .json, to read back.", "PATH", "--output", "-o"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_test_share(self.test_share)
        check_file("output", self.output, ".txt", ".json")


@dataclass(frozen=True, eq=False)
class RulesResult:
    options: RulesOptions
    data: "PreparedData"
    train: "Count"
    test: "Count"
    rules: "RuleList"
    score: "Score"
    seconds: float

    @property
    def command(self) -> str:
        return write_command("rules", self.options, self.data.target.name)


def make() -> Callable[..., None]:
    return make_command(RulesOptions, run, DOC)


def run(options: RulesOptions) -> None:
    from hedgerow.cli.progress import progress

    with progress() as step:
        result = learn(options, step)
    if options.output is not None:
        is_json = options.output.lower().endswith(".json")
        text = result.rules.to_json() if is_json else result.rules.to_text()
        write_atomically(Path(options.output).expanduser(), text.encode())
    (print_json if options.json else print_page)(result)


def learn(options: RulesOptions, step: Callable[[str], None]) -> RulesResult:
    import numpy as np

    from hedgerow.cli.inputs import prepare, read, split_rows
    from hedgerow.cli.scores import score_holdout, score_training
    from hedgerow.encode import matrix
    from hedgerow.fitting.params import validate_rules
    from hedgerow.fitting.rules import fit_rules
    from hedgerow.grow import Classes

    started = perf_counter()
    names = ("criterion", "max_depth", "min_samples_leaf", "confidence", "estimate", "max_rules")
    shared = ("random_state", "n_jobs")
    params = validate_rules({name: getattr(options, name) for name in (*names, *shared)})
    step("reading")
    data = prepare(read(options), options)
    classes = data.target.classes
    if classes is None:
        raise ParameterError(
            "Rules predict classes, but {}. Name another {target}, or use hedgerow fit for numbers.",
            data.target.reason,
        )
    train, test = split_rows(data, options.test_share, options.random_state)
    step("learning rules")
    target = Classes(np.ascontiguousarray(data.target.values[train]), len(classes))
    rows = data.features.take(train)
    fitted = fit_rules(rows, target, params, classes=classes.tolist(), target_name=data.target.name)
    scored = data.features.take(test if len(test) else train)
    predicted = fitted.rules.predict(matrix(fitted.schema, scored)).astype(np.int64)
    [score] = (
        score_holdout(data.target, predicted, train, test, options.random_state)
        if len(test)
        else score_training(data.target, predicted, train)
    )
    return RulesResult(options, data, train, test, fitted.rules, score, perf_counter() - started)


def print_page(result: RulesResult) -> None:
    from hedgerow.cli.console import LEFT, Page
    from hedgerow.cli.inputs import describe_size
    from hedgerow.cli.scores import score_place, score_table
    from hedgerow.rules.table import NARROWEST
    from hedgerow.words import show as safe

    page, options = Page(), result.options
    page.heading(safe(options.data), describe_size(result.data))
    page.columns(result.data.features, more=f"all: hedgerow show {quote_shell(options.data)}")
    page.heading("What was done")
    page.facts(_steps(result))
    page.heading("Score", score_place(len(result.train), len(result.test)))
    page.table(score_table([result.score], "rules"))
    page.prose(_caution(result), style="yellow")
    page.heading("Rules", f"{len(result.rules):,}; the first that holds decides")
    page.lines(result.rules.to_table().to_text(width=max(NARROWEST, page.width - len(LEFT))).splitlines())
    page.heading("Again", f"in {result.seconds:.1f} s")
    written = [("written", safe(options.output, 200))] if options.output else []
    page.facts([*written, ("command", result.command)])


def _steps(result: RulesResult) -> list[tuple[str, str]]:
    from hedgerow.cli.inputs import describe_split, describe_target, reading_facts

    options = result.options
    how = (
        f"pessimistically, at confidence {options.confidence:g}"
        if options.estimate == "pessimistic"
        else "on a fifth of the training rows, held out from the tree"
    )
    return [
        *reading_facts(result.data),
        ("target", describe_target(result.data.target)),
        ("split", describe_split(result.data, len(result.train), len(result.test), options.random_state)),
        ("rules", f"one for each leaf of a full tree, pruned one by one; error estimated {how}"),
    ]


def _caution(result: RulesResult) -> str:
    from hedgerow.cli.scores import explain_doubt, explain_training

    if not len(result.test):
        return explain_training(len(result.train))
    if not len(result.rules):
        return "Nothing was found that predicts better than the baseline: there are no rules."
    return explain_doubt(result.score, "the list of rules")


def print_json(result: RulesResult) -> None:
    from hedgerow.cli.inputs import data_json
    from hedgerow.cli.scores import score_json

    content = {
        **data_json(result.data, result.options),
        "rows": {"train": len(result.train), "test": len(result.test)},
        "scored_on": "test" if len(result.test) else "train",
        "scores": [score_json(result.score)],
        "rules": result.rules.to_dict(),
        "command": result.command,
        "seconds": round(result.seconds, 3),
    }
    print(to_json(content))
