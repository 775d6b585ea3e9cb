"""`hedgerow learn`.   In: a lesson, perhaps a table.   Out: a step-through page, written and opened."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hedgerow.cli.options import DataOptions, argument, check_file, make_command, option, split_names
from hedgerow.errors import ParameterError, check_choice
from hedgerow.files import write_atomically
from hedgerow.words import escape

DOC = "Step through a lesson in the browser: boosting, margin, pruning or tree; on an example, or on your own table."
LESSONS = ("boosting", "margin", "pruning", "tree")


@dataclass(frozen=True, kw_only=True)
class LearnOptions:
    lesson: str = argument("boosting, margin, pruning or tree.", "LESSON")
    table: str | None = argument(
        "A table, or the name of a data set; without one, an example.", "[DATA]", None
    )
    target: str | None = option(None, "The column of classes.", "NAME")
    columns: str = option("", "Columns to look at; boosting and margin show two of numbers.", "A,B")
    output: str | None = option(
        None, "Where to write the page.  [default: learn-LESSON.html]", "PATH", "--output", "-o"
    )
    open: bool = option(True, "Open the page in a browser.", None, "--open/--no-open")

    def __post_init__(self) -> None:
        check_choice("lesson", self.lesson, LESSONS)
        check_file("output", self.output, ".html")
        if self.table is None and (self.target or self.columns):
            raise ParameterError(
                "{target} and {columns} are of a table. Name it: hedgerow learn {} DATA.", self.lesson
            )


def make() -> Callable[..., None]:
    return make_command(LearnOptions, run, DOC)


def run(options: LearnOptions) -> None:
    page = render_lesson(options)
    file = Path(options.output or f"learn-{options.lesson}.html").expanduser()
    write_atomically(file, page.encode())
    print(escape(str(file)))
    if options.open and sys.stdout.isatty():
        import webbrowser

        webbrowser.open(file.resolve().as_uri())


def render_lesson(options: LearnOptions) -> str:
    from hedgerow.cli.inputs import prepare, read
    from hedgerow.teaching.lesson import make_lesson

    if options.table is None:
        return make_lesson(options.lesson)
    table = DataOptions(data=options.table, target=options.target, task="classification")
    data = prepare(read(table), table)
    wanted = split_names(options.columns) or None
    return make_lesson(options.lesson, data.features, data.target.labels, columns=wanted)
