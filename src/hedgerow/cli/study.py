"""`hedgerow study`.   In: Wish.   Out: the study's folder, and a page on the terminal: the answer first."""

import json
import shlex
import sys
from dataclasses import dataclass, fields
from pathlib import Path
from time import perf_counter
from typing import Any

from hedgerow.cli.asked import listed
from hedgerow.cli.page import Page
from hedgerow.cli.picked import picked
from hedgerow.cli.study_place import place_of
from hedgerow.cli.typed import in_typed_words
from hedgerow.display.sentences import many
from hedgerow.errors import spell_as_option
from hedgerow.evaluation.fold import FoldResult
from hedgerow.studies.options import StudyOptions
from hedgerow.studies.result import StudyResult
from hedgerow.table.words import quote
from hedgerow.table.words import show as safe

MOST_LINES = 8  # of a kind


@dataclass(frozen=True)
class Wish:
    data: str
    target: str | None = None
    folder: str | None = None
    task: str = "auto"
    models: str = ""
    metric: str | None = None
    folds: int = 5
    repeats: int | None = None
    holdout: float = 0.2
    seed: int = 0
    groups: str | None = None
    weights: str | None = None
    positive: str | None = None
    budget: float | None = None
    memory: float | None = None
    categories: str = ""
    drop: str = ""
    threads: int | None = None

    @property
    def asked(self) -> StudyOptions:
        told = {field.name: getattr(self, field.name) for field in fields(self)}
        lists = {name: tuple(listed(told[name])) for name in ("models", "categories", "drop")}
        named = {"n_jobs": self.threads, "scoring": self.metric, "random_state": self.seed}
        return picked(StudyOptions, told | lists | named)

    @property
    def command(self) -> str:
        """The words to type for the same again."""
        words = ["hedgerow", "study", self.data]
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "seed" or (field.name not in ("data", "threads") and value != field.default):
                words += [
                    f"--{field.name.replace('_', '-')}",
                    f"{value:g}" if isinstance(value, float) else str(value),
                ]
        return shlex.join(words)


TYPED = {field.name: f"--{field.name}" for field in fields(Wish)} | {
    "n_jobs": "--threads",
    "score": "--metric",
    "scoring": "--metric",
    "random_state": "--seed",
}


def run(wish: Wish, as_json: bool) -> None:
    from hedgerow.studies.study import study_in_folder

    started = perf_counter()
    if wish.models and not listed(wish.models):
        raise ValueError(
            f"--models {quote(wish.models)} names no model. Name some, parted by commas, or leave it out."
        )
    with in_typed_words(TYPED), _telling() as tell:
        asked = wish.asked
        place, earlier = place_of(wish.data, wish.folder, asked)
        result = study_in_folder(place, wish.data, asked, wish.command, tell, earlier, spell_as_option)
    if earlier:
        print(f"{earlier[0]} holds another study: this one went to {place}.", file=sys.stderr)
    if as_json:
        print(json.dumps(result.to_dict(), indent=1, ensure_ascii=False, allow_nan=False))
    else:
        print_page(result, place, perf_counter() - started)


def print_page(result: StudyResult, place: Path, seconds: float) -> None:
    from hedgerow.report.words import answer_sentence, baseline_sentence, format_interval
    from hedgerow.studies.text import leaderboard_lines

    page, q = Page(), result.question
    page.heading("Answer")
    page.prose(answer_sentence(result))
    page.prose(f"95 % interval {format_interval(result.holdout.scores[0])}. {baseline_sentence(result)}")
    for note in result.notes:
        if note.severe:
            page.prose(f"! {note.text}", style="yellow")
    times = f" {q.repeats} times" if q.repeats > 1 else ""
    page.heading("Models", f"{q.scoring_title}, {q.folds}-fold cross-validation{times} on {q.n_train:,} rows")
    header, *lines = leaderboard_lines(result, page.width - 2)
    page.lines([header], style="dim")
    page.lines(lines)
    page.prose(result.verdict.statements[0])
    page.heading("Data", f"{q.n_rows:,} rows, {many(q.n_columns, 'column')} used")
    page.facts(_data(result))
    page.heading("Written", f"in {seconds:.1f} s, to {place}")
    model = shlex.quote(str(place / "model.hedgerow"))
    page.facts(
        [
            ("report", (place / "report.html").resolve().as_uri()),
            ("use it", f"hedgerow predict {model} rows.csv"),
            ("again", q.command),
        ]
    )


def _data(result: StudyResult) -> list[tuple[str, str]]:
    from hedgerow.report.words import describe_columns, describe_target

    columns = result.profile.columns
    unused = [column for column in columns if not column.used]
    remarks = [column for column in columns if column.used and column.remark]
    severe = {note.text for note in result.notes if note.severe}
    notes = [note.text for note in result.profile.notes if note.text not in severe]
    return [
        ("target", f"{safe(result.question.target)}: {safe(describe_target(result), 300)}"),
        ("columns", describe_columns(result)),
        *(("read as", f"{safe(column.name)}: {safe(column.remark, 100)}") for column in remarks[:MOST_LINES]),
        *(("left out", f"{safe(column.name)}: {safe(column.remark, 100)}") for column in unused[:MOST_LINES]),
        *([("", f"and {len(unused) - MOST_LINES} more; see the report")] if len(unused) > MOST_LINES else []),
        *(("note", safe(words, 300)) for words in notes[:MOST_LINES]),
    ]


class _telling:
    """Progress on standard error: what is being done; in the comparison a bar with the time left."""

    def __enter__(self) -> "_telling":
        self._bar: Any = None
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._bar.add_task("reading", total=None)
            self._bar.start()
        return self

    def __exit__(self, *raised: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def on_step(self, message: str) -> None:
        if self._bar is not None:
            self._bar.update(self._task, description=message)

    def on_comparison(self, models: list[str], n_splits: int, n_known: int) -> None:
        if n_known:
            print(f"Going on: {n_known} of {len(models) * n_splits} fits are there already.", file=sys.stderr)
        if self._bar is not None:
            self._bar.update(self._task, total=len(models) * n_splits, completed=n_known)

    def on_fold_result(self, model: str, result: FoldResult) -> None:
        if self._bar is not None:
            self._bar.update(self._task, advance=1, description=model)
