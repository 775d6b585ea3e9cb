"""How the command ends.   In: the app.   Out: an exit code, and at most one message on standard error.

    0 done     2 wrong usage or data: the message says the way out     130 Ctrl-C     1 a defect of ours

A traceback is for those who ask: --traceback, or HEDGEROW_TRACEBACK=1.
"""

import os
import sys
import warnings
from collections.abc import Callable, Collection
from importlib import import_module
from inspect import signature
from typing import Any

from hedgerow.errors import NO_VALUE, ParameterError, spell_as_option
from hedgerow.words import did_you_mean, escape, quote_shell

OTHER_NAMES = {  # options that people try: short ones, and those of other programs
    "--seed": "--random-state",
    "--threads": "--n-jobs",
    "--jobs": "--n-jobs",
    "--metric": "--scoring",
    "--score": "--scoring",
    "--min-leaf": "--min-samples-leaf",
    "--max-leaves": "--max-leaf-nodes",
    "--prune-alpha": "--ccp-alpha",
    "--alpha": "--ccp-alpha",
    "--trees": "--n-estimators",
    "--rounds": "--n-estimators",
    "--columns": "--max-features",
    "--base": "--estimator",
    "--cost": "--C",
    "--recipe": "--model id3, c45 or cart",
    "--test-share": "--cv with a share, such as --cv 0.25",
}
NEWLINE = "\n"
WRONG = (ValueError, TypeError, LookupError, OSError)  # what the library raises for wrong input


def run_guarded(app: Callable[..., Any]) -> int:
    """The exit code of one run of the app."""
    _any_characters()
    usual, warnings.formatwarning = warnings.formatwarning, _format_warning
    try:
        code = int(app(prog_name="hedgerow", standalone_mode=False) or 0)
        return _say("Stopped.", 130) if code == 130 else code
    except KeyboardInterrupt:
        return _say("Stopped.", 130)
    except BrokenPipeError:  # the reader has seen enough: hedgerow show ... | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if _wants_traceback():
            raise
        return _explain(error)
    finally:
        warnings.formatwarning = usual


def _format_warning(message: Warning | str, *where: Any, **more: Any) -> str:
    """What is said, without the place in our code."""
    return f"Note: {escape(str(message))}\n"


def _any_characters() -> None:
    """A terminal that cannot show a letter or a branch of the tree shows a question mark, and goes on."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _wants_traceback() -> bool:
    return "--traceback" in sys.argv or os.environ.get("HEDGEROW_TRACEBACK", "") not in ("", "0")


def _explain(error: Exception) -> int:
    if type(error).__name__ == "Abort":  # typer's word for Ctrl-C
        return _say("Stopped.", 130)
    if type(error).__name__ == "NoArgsIsHelpError":  # its message is the help
        return _say(str(error), 2)
    if hasattr(error, "format_message"):  # typer's usage errors, whichever package they live in
        return _say(_usage(error), 2, _label())
    if isinstance(error, WRONG):
        return _say(_words(error), 2, _label())
    name = type(error).__name__
    return _say(f"hedgerow failed with {name}: {error}\nHEDGEROW_TRACEBACK=1 shows where.", 1, _label())


def _usage(error: Any) -> str:
    message = str(_unreadable_number(error) or error.format_message())
    context = getattr(error, "ctx", None)
    given = sys.argv[1] if len(sys.argv) > 1 else ""
    if "No such command" in message:
        message += _suggest_command(given)
    other = OTHER_NAMES.get(getattr(error, "option_name", ""))
    if other is not None:
        start = message.partition(" (Possible")[0].partition(" Did you mean")[0].rstrip(".")
        message = f"{start}. Did you mean {other}?"
    return f"{message}\nHelp: {context.command_path} --help" if context else message


def _unreadable_number(error: Any) -> str:
    """--max-depth many: what was typed, and what is wanted; nothing for other usage errors."""
    reason = str(getattr(error, "message", ""))
    wanted = "a whole number" if "valid integer" in reason else "a number"
    if "valid integer" not in reason and "valid number" not in reason and "valid float" not in reason:
        return ""
    typed = [word for word in sys.argv if word.split("=")[0] in error.param.opts]
    if not typed:
        return ""
    option, sign, value = typed[-1].partition("=")
    if not sign:
        value = sys.argv[len(sys.argv) - sys.argv[::-1].index(option) :][0]
    return f"{spell_as_option(option[2:], value)} cannot be read. Give {wanted}."


def _suggest_command(given: str) -> str:
    from hedgerow.cli.main import COMMANDS

    return (
        f" To study it: hedgerow study {quote_shell(given)}"
        if _is_data(given)
        else did_you_mean(given, COMMANDS)
    )


def _is_data(given: str) -> bool:
    from hedgerow import datasets

    return "." in given or os.path.exists(given) or given in datasets.names()


def _words(error: Exception) -> str:
    if isinstance(error, ParameterError):
        return error.render(_spell)
    if isinstance(error, OSError) and error.strerror:  # the system's errors; the library's own have one text
        return f"{error.strerror}: {error.filename!r}."
    return str(error.args[0]) if isinstance(error, KeyError) and error.args else _spell_start(str(error))


def _spell(name: str, value: Any) -> str:
    """As an option, where the command has it; a recipe sets parameters that it has not: missing surrogate."""
    if name in _option_names():
        return spell_as_option(name, value)
    return name if value is NO_VALUE else f"{name} {value}"


def _option_names() -> Collection[str]:
    """Of the command that was typed."""
    from hedgerow.cli.main import COMMANDS

    typed = next((word for word in sys.argv[1:] if word in COMMANDS), "fit")
    return signature(import_module(f"hedgerow.cli.commands.{typed}").make()).parameters


def _spell_start(message: str) -> str:
    """Messages below the API begin with name=value; where that option was typed, it is spelled as it was."""
    name, sign, rest = message.partition("=")
    option = spell_as_option(name, NO_VALUE)
    return f"{option} {rest}" if sign and any(word.split("=")[0] == option for word in sys.argv) else message


def _label() -> str:
    plain = "NO_COLOR" in os.environ or not sys.stderr.isatty()
    return "Error:" if plain else "\x1b[1;31mError:\x1b[0m"


def _say(message: str, code: int, label: str = "") -> int:
    """The label may be coloured; the message may hold anything."""
    print(f"{label} {escape(message, keep=NEWLINE)}".lstrip(), file=sys.stderr)
    return code
