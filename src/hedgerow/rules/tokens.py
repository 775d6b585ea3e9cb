"""Text in pieces.   In: one line.   Out: Tokens, read one after the other; errors say where and what was wanted."""

import json
import re

PIECE = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|(<=|!=|[<>=(){},;:\[\]])|([^\s"<>=!(){},;:\[\]]+))')


class Tokens:
    """The pieces of a line; `place` is the next one. Quoted names are never taken for words of the language."""

    def __init__(self, line: str, line_number: int) -> None:
        self.line_number, self.place = line_number, 0
        self.pieces: list[tuple[str, bool]] = []  # text, whether it was quoted
        at, line = 0, line.rstrip()
        while at < len(line):
            found = PIECE.match(line, at)
            if found is None:
                raise self.error(f"cannot be read from {line[at : at + 30]!r} on")
            self.pieces.append(self._piece(found))
            at = found.end()

    def _piece(self, found: re.Match[str]) -> tuple[str, bool]:
        if found[1] is None:
            return found[2] or found[3], False
        try:
            return json.loads(found[1], strict=False), True
        except ValueError:
            raise self.error(f"has the name {found[1][:40]}, which is not quoted as in JSON") from None

    def next_is(self, *texts: str) -> bool:
        """Whether the next pieces are these, and if so goes past them."""
        end = self.place + len(texts)
        if self.pieces[self.place : end] != [(text, False) for text in texts]:
            return False
        self.place = end
        return True

    def want(self, text: str) -> None:
        if not self.next_is(text):
            raise self.error(f"has {self._here()} where {text!r} is wanted")

    def name(self) -> str:
        text, quoted = self._take("a name")
        if not quoted and not re.match(r"\w", text):
            raise self.error(f"has {text!r} where a name is wanted; put it in quotes if it is one")
        return text

    def names(self) -> tuple[str, ...]:
        found = [self.name()]
        while self.next_is(","):
            found.append(self.name())
        return tuple(found)

    def number(self) -> float:
        text, quoted = self._take("a number")
        try:
            value = float(text) if not quoted else float("nan")
        except ValueError:
            value = float("nan")
        if value != value:
            raise self.error(f"has {text[:40]!r} where a number is wanted")
        return value

    def numbers(self) -> tuple[float, ...]:
        found = [self.number()]
        while self.next_is(","):
            found.append(self.number())
        return tuple(found)

    def starts_with_number(self) -> bool:
        """2 < age: a number, then the sign."""
        return self.pieces[self.place + 1 : self.place + 2] == [("<", False)]

    def end(self) -> None:
        if self.place < len(self.pieces):
            raise self.error(f"has {self._here()} where it should end")

    def error(self, what: str) -> ValueError:
        return ValueError(
            f"Line {self.line_number} of the rules {what}. RuleList.to_text shows how rules are written."
        )

    def _take(self, wanted: str) -> tuple[str, bool]:
        if self.place >= len(self.pieces):
            raise self.error(f"ends where {wanted} is wanted")
        self.place += 1
        return self.pieces[self.place - 1]

    def _here(self) -> str:
        return repr(self.pieces[self.place][0][:40]) if self.place < len(self.pieces) else "its end"
