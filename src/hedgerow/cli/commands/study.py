"""`hedgerow study`.   In: StudyCommandOptions.   Out: the study's folder, and a page on the terminal: the answer first.

The options are those of `hedgerow.study`, under the same names and with the same defaults; a test compares them.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from hedgerow.candidate import candidate_names, panel_names
from hedgerow.cli.loading import load_quickly
from hedgerow.cli.options import (
    MARGIN,
    PREFER,
    DataOptions,
    make_command,
    option,
    plain_name,
    split_names,
    write_command,
)
from hedgerow.errors import ParameterError, spell_as_option
from hedgerow.plugins import plugin_names
from hedgerow.words import escape, quote_shell, to_json

if TYPE_CHECKING:
    from hedgerow.studies.options import StudyOptions
    from hedgerow.studies.result import StudyResult

DOC = """From a table to an honest choice of model: compared, explained, with how sure it is.

\b
  hedgerow study titanic                        on a data set that comes along
  hedgerow study data.csv --target y            on your own table
  hedgerow study data.csv --target y --budget 60
Killed? The same command goes on where it was.
"""
MAX_LINES = 8  # of a kind
METRICS = ", ".join(plugin_names("hedgerow.evaluation.metrics"))
LISTS = ("models", "categories", "drop")  # typed with commas


@dataclass(frozen=True, kw_only=True)
class StudyCommandOptions(DataOptions):
    folder: str | None = option(None, "Where everything goes.  [default: NAME-study]", "PATH")
    models: str = option(
        "",
        f"Some of {', '.join(candidate_names())}.  [default: {', '.join(panel_names())}]",
        "A,B",
        parser=plain_name,
    )
    scoring: str | None = option(None, f"The metric that decides: {METRICS}.", "NAME", parser=plain_name)
    aim: str | None = option(
        None,
        "What classes are predicted for: accuracy, balanced_accuracy, f1, recall=0.9, precision=0.8 or top=5%.",
        "NAME",
    )
    cost: str | None = option(
        None, "Of each mistake, truth:prediction=cost, such as good:bad=1,bad:good=20.", "COSTS"
    )
    cost_weights: bool = option(
        False, "Models learn from rows weighted by their costs.", None, "--cost-weights"
    )
    prefer: str = option("accurate", PREFER, "NAME")
    margin: float | None = option(None, MARGIN, "D")
    folds: int = option(5, "Folds of the cross-validation.", "N", "--folds", "--cv")
    repeats: int | None = option(
        None, "How often the folds are drawn: twice if not given; of wide or large tables once.", "N"
    )
    holdout: float = option(0.2, "Share of the rows sealed until the end.", "S", "--holdout", "--test-share")
    groups: str | None = option(None, "A column: rows of one group stay together.", "NAME")
    weights: str | None = option(None, "A column: how much a row counts.", "NAME")
    positive: str | None = option(
        None,
        "Of two classes, the one of interest.  [default: yes of yes and no, else the rarer one]",
        "CLASS",
    )
    quick: bool = option(
        False,
        "A first answer: 10,000 rows at most, three models, three folds, no learning curve.",
        None,
        "--quick",
    )
    budget: float | None = option(
        None, "For all of it; fits and explanations not begun by then are left out.", "SECONDS"
    )
    cluster: str | None = option(
        None,
        "Fits run on this Dask cluster: tcp://host:8786, or local:4 for four processes here; the answer is the same.",
        "ADDRESS",
    )

    def __post_init__(self) -> None:
        """The rest is checked by StudyOptions."""
        if self.models and not split_names(self.models):
            raise ParameterError(
                "{models} names no model. Name some, separated by commas, or leave it out.",
                models=self.models,
            )

    def to_study(self) -> "StudyOptions":
        from hedgerow.studies.options import StudyOptions

        given = {one.name: getattr(self, one.name) for one in fields(StudyOptions)}
        return StudyOptions(**given | {name: split_names(given[name]) for name in LISTS})


def make() -> Callable[..., None]:
    return make_command(StudyCommandOptions, run, DOC)


def run(options: StudyCommandOptions) -> None:
    from hedgerow.cli.inputs import refuse_mistakes

    started = perf_counter()
    study = options.to_study()
    refuse_mistakes(options)
    with load_quickly():
        from hedgerow.cli.progress import StudyProgress
        from hedgerow.studies.study import study_in_folder

    command = write_command("study", options, silent=["n_jobs", "cluster"])
    with open_place(options.cluster), StudyProgress() as progress:
        place, earlier = find_folder(options.data, options.folder, study)
        result = study_in_folder(place, options.data, study, command, progress, earlier, spell_as_option)
    if earlier:
        print(escape(f"{earlier[0]} holds another study: this one went to {place}."), file=sys.stderr)
    if options.json:
        print(to_json(result.to_dict(), indent=1))
    else:
        print_page(result, place, perf_counter() - started)


def open_place(cluster: str | None) -> AbstractContextManager[None]:
    """Where fits run: here, or on a Dask cluster."""
    if cluster is None:
        return nullcontext()
    try:
        from hedgerow.dask.tasks import open_cluster
    except ImportError as reason:
        raise ParameterError("{cluster}: {}", str(reason), cluster=cluster) from None
    return open_cluster(cluster)


def find_folder(data: str, folder: str | None, options: "StudyOptions") -> tuple[Path, tuple[Path, ...]]:
    """A folder of its own; and those that hold other studies.

    titanic-study             nothing is there yet, or this very study
    titanic-age-study         the first is the study of another target
    titanic-study-2, -3, ...  other options: nothing that is there is lost, and fits that still apply are taken over
    """
    from hedgerow.studies.folder import describe_request, request_in

    if folder:
        return Path(folder).expanduser(), ()
    words, passed = describe_request(data, options), []
    for place in _names(data, options.target):
        if request_in(place) in (None, words):
            break
        passed.append(place)
    return place, tuple(passed)


def _names(data: str, target: str | None) -> Iterator[Path]:
    stem = Path(data).name.removesuffix(".gz").partition(".")[0] or "study"
    first = name = f"{stem}-study"
    yield Path(first)
    if target is not None and _target_in(Path(first)) != target:
        name = f"{stem}-{re.sub(r'[^A-Za-z0-9_-]+', '-', target)[:40]}-study"
        yield Path(name)
    yield from (Path(f"{name}-{number}") for number in count(2))


def _target_in(place: Path) -> str | None:
    from hedgerow.studies.folder import request_in

    words = request_in(place)
    found: str | None = json.loads(words)[1]["target"] if words else None
    return found


def print_page(result: "StudyResult", place: Path, seconds: float) -> None:
    from hedgerow.cli.console import Page
    from hedgerow.display.sentences import many
    from hedgerow.report.words import (
        answer_sentence,
        baseline_sentence,
        cost_sentence,
        folds_words,
        format_interval,
        interval_sentence,
        operating_point_sentence,
    )
    from hedgerow.studies.text import leaderboard_lines

    page, q = Page(), result.question
    page.heading("Answer")
    page.prose(answer_sentence(result))
    page.prose(f"95 % interval {format_interval(result.holdout.scores[0])}. {baseline_sentence(result)}")
    for note in result.notes:
        if note.severe:
            page.prose(f"! {note.text}", style="yellow")
    for words in (operating_point_sentence(result), cost_sentence(result), interval_sentence(result)):
        if words:
            page.prose(words)
    page.heading("Models", f"{q.scoring_title}, {folds_words(q)}")
    header, *lines = leaderboard_lines(result, page.width - 2)
    page.lines([header], style="dim")
    page.lines(lines)
    page.prose(result.verdict.statements[0])
    page.heading("Data", f"{q.n_rows:,} rows, {many(q.n_columns, 'column')} used")
    page.facts(_data(result))
    page.heading("Written", f"in {seconds:.1f} s, to {place}")
    model = quote_shell(str(place / "model.hedgerow"))
    page.facts(
        [
            ("report", (place / "report.html").resolve().as_uri()),
            ("use it", f"hedgerow predict {model} rows.csv"),
            ("again", q.command),
        ]
    )


def _data(result: "StudyResult") -> list[tuple[str, str]]:
    from hedgerow.report.words import describe_columns, describe_target
    from hedgerow.words import show as safe

    columns = result.profile.columns
    unused = [column for column in columns if not column.used]
    remarks = [column for column in columns if column.used and column.remark]
    severe = {note.text for note in result.notes if note.severe}
    notes = [note.text for note in result.profile.notes if note.text not in severe]
    return [
        ("target", f"{safe(result.question.target)}: {safe(describe_target(result), 300)}"),
        ("columns", describe_columns(result)),
        *(("read as", f"{safe(column.name)}: {safe(column.remark, 100)}") for column in remarks[:MAX_LINES]),
        *(("left out", f"{safe(column.name)}: {safe(column.remark, 100)}") for column in unused[:MAX_LINES]),
        *([("", f"and {len(unused) - MAX_LINES} more; see the report")] if len(unused) > MAX_LINES else []),
        *(("note", safe(words, 300)) for words in notes[:MAX_LINES]),
    ]
