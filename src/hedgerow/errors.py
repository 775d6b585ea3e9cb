"""errors: messages that name parameters.   In: a template, texts, values.   Out: the message, in Python's spelling or
in that of the command line.

The library speaks of parameters; somebody who typed a command reads of options. The message is written once, with
the parameters marked, and spelled out where it is shown:

    ParameterError("{target} is no column. Columns: {}.", listing(names), target="nope")

    str(error)                       target='nope' is no column. Columns: 'age', 'fare'.
    error.render(spell_as_option)    --target nope is no column. Columns: 'age', 'fare'.

{name}    a parameter, with the value given for it by keyword; without one, its bare name
{}        the next of the texts, as it stands (a column's name may hold braces); a Setting is spelled as a parameter,
          an InPython is left out, or put otherwise, on the command line
{{        a brace
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from string import Formatter
from typing import Any

from hedgerow.words import did_you_mean, quote, quote_shell

NO_VALUE: Any = type("NoValue", (), {"__repr__": lambda self: "NO_VALUE"})()
Spelling = Callable[[str, Any], str]  # of a parameter's name and its value, or NO_VALUE


def spell_as_parameter(name: str, value: Any) -> str:
    """target='nope'; without a value, target"""
    return name if value is NO_VALUE else f"{name}={quote(value)}"


def spell_as_option(name: str, value: Any) -> str:
    """min_samples_leaf=5 -> --min-samples-leaf 5; the one rule for all parameters"""
    option = f"--{name.replace('_', '-')}"
    if isinstance(value, bool):
        return option if value else f"--no-{option[2:]}"
    if value is None or value is NO_VALUE:
        return option
    if isinstance(value, (list, tuple)):
        value = ",".join(map(str, value))
    return f"{option} {quote_shell(f'{value:g}' if isinstance(value, float) else str(value))}"


@dataclass(frozen=True)
class Setting:
    """A parameter and a value that a message proposes: "Perhaps: target='survived'"."""

    name: str
    value: Any = NO_VALUE


@dataclass(frozen=True)
class InPython:
    """Words that help a Python caller alone, such as "; or give a classifier", and what a command says instead."""

    text: str
    in_a_command: str = ""

    def render(self, spell: Spelling) -> str:
        return self.text if spell is spell_as_parameter else self.in_a_command


class Message:
    """A text in which parameters are marked. As a string it is in Python's spelling."""

    def __init__(self, template: str, /, *texts: object, **values: Any) -> None:
        self.template, self.texts, self.values = template, texts, values

    def render(self, spell: Spelling) -> str:
        return "".join(self._parts(spell))

    def _parts(self, spell: Spelling) -> Iterator[str]:
        texts = iter(self.texts)
        for literal, name, _, _ in Formatter().parse(self.template):
            yield literal
            if name:
                yield spell(name, self.values.get(name, NO_VALUE))
            elif name is not None:
                yield render(next(texts), spell)

    def __str__(self) -> str:
        return self.render(spell_as_parameter)

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


class ParameterError(ValueError):
    """A parameter whose value cannot be used. Takes what a Message takes."""

    def __init__(self, template: str, /, *texts: object, **values: Any) -> None:
        self.message = Message(template, *texts, **values)
        super().__init__(str(self.message))

    def render(self, spell: Spelling) -> str:
        return self.message.render(spell)

    def __reduce__(self) -> Any:  # so that it comes back whole from another process
        return _rebuild, (type(self), self.message.template, self.message.texts, self.message.values)


def _rebuild(kind: type[ParameterError], template: str, texts: Any, values: dict[str, Any]) -> ParameterError:
    return kind(template, *texts, **values)


def render(text: object, spell: Spelling) -> str:
    """A Message, a Setting or an InPython, spelled; any other text as it is."""
    if isinstance(text, Setting):
        return spell(text.name, text.value)
    return text.render(spell) if isinstance(text, (Message, InPython)) else str(text)


def out_of_range(name: str, given: Any, wanted: object) -> ParameterError:
    """`wanted`: "a whole number of at least 1"; a text or a Message."""
    return ParameterError(f"{{{name}}} is out of range. Give {{}}.", wanted, **{name: given})


def or_none(wanted: str, meaning: str) -> Message:
    """What is wanted where None will do too: "a whole number, or None for no limit"."""
    return Message("{}, {} {}", wanted, InPython("or None", "or leave it out"), meaning)


def check_choice(name: str, given: Any, known: tuple[str, ...]) -> str:
    """The value, if it is one of the known words."""
    if isinstance(given, str) and given in known:
        return given
    hint = did_you_mean(given, known) if isinstance(given, str) else ""
    raise ParameterError(f"{{{name}}} is unknown. Known: {{}}.{{}}", ", ".join(known), hint, **{name: given})
