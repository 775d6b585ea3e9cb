"""Options of commands.   In: a frozen dataclass, each field with its help.   Out: a function that typer makes a command
of; and the words to type for the same again.

An option has the name of the parameter in Python, with hyphens. What several commands share stands here, once.
"""

from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, field, fields
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from hedgerow.errors import ParameterError, check_choice, spell_as_option
from hedgerow.intake.task import TASKS
from hedgerow.words import quote_shell

LARGEST = 2**31 - 1
DATA = (
    "A table (CSV, TSV, Excel, Parquet, Feather, JSON lines), a pattern for several (sales-*.csv), a folder of Parquet "
    "files, or the name of a data set that comes along."
)
PREFER = "Which to take: accurate, the most accurate; or simple, the simplest that cannot be distinguished from it."
MARGIN = "A difference in score that does not matter: then the simplest is that within it."
FIRST = ("data", "target", "task")  # in a help text; then the command's own options


def option(
    default: Any,
    help: str,
    metavar: str | None = None,
    *names: str,
    parser: Callable[[str], Any] | None = None,
) -> Any:
    """A field that is an option; without `names` it is called as the field is."""
    made = typer.Option(*names, metavar=metavar, help=help, parser=parser)
    return field(default=default, metadata={"typer": made})


def argument(help: str, metavar: str, default: Any = MISSING) -> Any:
    return field(default=default, metadata={"typer": typer.Argument(metavar=metavar, help=help)})


@dataclass(frozen=True)
class Extra:
    """An option that no field stands for: a parameter of a model, a setting of a pruning."""

    name: str
    type: Any
    help: str
    metavar: str | None = None


def plain_name(typed: str) -> str:
    """reduced-error -> reduced_error, C4.5 -> c45, linear SVM -> linear_svm; several are parted by commas"""
    parts = (part.strip().lower() for part in typed.split(","))
    return ",".join(part.replace("-", "_").replace(" ", "_").replace(".", "") for part in parts)


def split_names(text: str) -> tuple[str, ...]:
    """Names separated by commas, each once."""
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def types_option() -> Any:
    return option(None, "What columns are: a file (types.toml), or zip=category,opened=date.", "TYPES")


def sheet_option() -> Any:
    return option(None, "Of a workbook, the sheet to read.  [default: all of one form]", "NAME")


def header_option() -> Any:
    return option(None, "The line of column names.  [default: the first that looks so]", "LINE")


@dataclass(frozen=True, kw_only=True)
class DataOptions:
    """The options of every command that reads a table to learn from."""

    data: str = argument(DATA, "DATA")
    target: str | None = option(None, "The column to predict.", "NAME")
    task: str = option("auto", f"{', '.join(TASKS[:-1])} or {TASKS[-1]}.", "TASK")
    time: str | None = option(
        None, "A column of dates or numbers: train on what came before the test.", "NAME"
    )
    random_state: int = option(0, "Fixes the split and the folds.", "N")
    categories: str = option("", "Number columns that are names.", "A,B")
    drop: str = option("", "Columns to leave out.", "A,B")
    types: str | None = types_option()
    sheet: str | None = sheet_option()
    header: int | None = header_option()
    memory: float | None = option(
        None, "For reading; a larger table is read in blocks, or sampled.  [default: half the free]", "GB"
    )
    n_jobs: int | None = option(None, "Threads; the answer is the same for any number.", "N")
    json: bool = option(False, "Results as JSON on standard output.", None, "--json")

    def __post_init__(self) -> None:
        check_choice("task", self.task, TASKS)
        check_range("random_state", self.random_state, 0)
        check_range("n_jobs", self.n_jobs, 1)
        check_range("header", self.header, 1)
        if self.memory is not None and not self.memory > 0:
            raise ParameterError("{memory} is out of range. Give gigabytes, such as 2.", memory=self.memory)


def check_range(name: str, given: float | None, least: float, most: float = LARGEST) -> None:
    if given is not None and not least <= given <= most:
        wanted = f"at most {most:,}" if given > most else f"at least {least}"
        raise ParameterError(f"{{{name}}} is out of range. Give {wanted}.", **{name: given})


def check_share(name: str, given: float, example: float = 0.25) -> None:
    if not 0.0 < given < 1.0:
        raise ParameterError(f"{{{name}}} is out of range. Give a share such as {example}.", **{name: given})


TEST_SHARE, SMALL = 0.25, 30  # a table of fewer rows is learned whole
TEST_SHARE_HELP = (
    f"Share of rows held out for the score; 0: none. [{TEST_SHARE}; tables under {SMALL} rows: 0]"
)


def check_test_share(given: float | None) -> None:
    if given is not None and not 0.0 <= given < 1.0:
        raise ParameterError(
            "{test_share} is out of range. Give a share such as 0.25, or 0 to learn all rows.",
            test_share=given,
        )


def check_file(name: str, path: str | None, *endings: str) -> None:
    """Before the work, not after it."""
    if path is None:
        return
    if not path.lower().endswith(endings):
        wanted = " or ".join(endings)
        raise ParameterError(f"{{{name}}}: the name must end in {wanted}.", **{name: path})
    folder = Path(path).expanduser().parent
    if not folder.is_dir():
        raise ParameterError(
            f"{{{name}}}: there is no folder {{}}. Make it first.", repr(str(folder)), **{name: path}
        )


def make_command(
    kind: type[Any], run: Callable[[Any], None], doc: str, extras: Sequence[Extra] = ()
) -> Callable[..., None]:
    """The function that typer turns into a command. Extras that were typed are in the field `parameters`."""
    own = [one for one in _in_order(kind) if "typer" in one.metadata]

    def command(**given: Any) -> None:
        given.pop("traceback")  # read from argv, in errors.py
        typed = {one.name: given.pop(one.name) for one in extras}
        if extras:
            given["parameters"] = {name: value for name, value in typed.items() if value is not None}
        run(kind(**given))

    hints = get_type_hints(kind)
    parameters = [_parameter(one.name, hints[one.name], one.metadata["typer"], one.default) for one in own]
    for one in extras:
        flag = f"--{one.name.replace('_', '-')}"
        names = f"{flag}/--no-{flag[2:]}" if one.type is bool else flag
        parser = None if one.type in (int, float, str, bool) else one.type
        made = typer.Option(names, metavar=one.metavar, help=one.help, parser=parser)
        parameters.append(_parameter(one.name, (one.type if parser is None else str) | None, made, None))
    parameters.append(_parameter("traceback", bool, typer.Option("--traceback", hidden=True), False))
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in parameters}
    command.__doc__ = doc
    return command


def _parameter(name: str, kind: Any, made: Any, default: Any) -> Parameter:
    usual = Parameter.empty if default is MISSING else default
    return Parameter(name, Parameter.KEYWORD_ONLY, default=usual, annotation=Annotated[kind, made])


def _in_order(kind: type[Any]) -> list[Any]:
    """The table and the target, what the command alone has, what it shares with others."""
    shared = {one.name for one in fields(DataOptions)} if issubclass(kind, DataOptions) else set()

    def place(one: Any) -> int:
        return FIRST.index(one.name) if one.name in FIRST else len(FIRST) + (one.name in shared)

    return sorted(fields(kind), key=place)


def write_command(verb: str, options: Any, target: str = "", silent: Sequence[str] = ()) -> str:
    """The words to type for the same again. Target and random state always; the rest where it is not the default."""
    words = [
        "hedgerow",
        verb,
        quote_shell(options.data),
        *(["--target", quote_shell(target)] if target else []),
    ]
    for one in _in_order(type(options)):
        value = getattr(options, one.name)
        if one.name in ("data", "json", "parameters", *silent) or (one.name == "target" and target):
            continue
        if one.name == "random_state" or value != one.default:
            words.append(spell_as_option(one.name, value))
    for name, value in getattr(options, "parameters", {}).items():
        words.append(spell_as_option(name, value))
    return " ".join(words)
