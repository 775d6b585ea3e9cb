"""A page of text.   In: headings, facts, lines.   Out: standard output, as wide as the terminal.

Colours only on a terminal and without NO_COLOR; names from the data are made safe and never read as markup.
"""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from hedgerow.display import DisplayTable
from hedgerow.export.formats.text import NARROWEST, to_text
from hedgerow.table import Table, describe
from hedgerow.tree.labels import Labels
from hedgerow.tree.tree import Tree
from hedgerow.words import escape
from hedgerow.words import show as safe

WIDEST = 120
MOST_COLUMNS = 16  # of a table, shown in a report
MOST_LINES = 40  # of a tree, shown in a report
LEFT = "  "


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """The reader has seen enough: errors.py ends without a word."""
        raise BrokenPipeError


class Page:
    def __init__(self) -> None:
        self.console = _Console(highlight=False, markup=False, emoji=False)
        self.width = max(NARROWEST, min(self.console.width, WIDEST))

    def heading(self, words: str, more: str = "") -> None:
        self.console.print(
            Text.assemble("\n", (escape(words), "bold"), (f"  {escape(more)}" if more else "", "dim"))
        )

    def facts(self, pairs: Iterable[tuple[str, str]]) -> None:
        """A word and what it says, the words under each other, long sayings wrapped beside them."""
        rows = [(escape(word), escape(saying, keep="\n")) for word, saying in pairs]
        wide = max((cell_len(word) for word, _ in rows), default=0)
        for word, saying in rows:
            start = f"{LEFT}{word}{' ' * (wide - cell_len(word))}  "
            parts = Text(saying).wrap(self.console, max(20, self.width - len(start)))
            for k, part in enumerate(parts):
                part.rstrip()
                self._line(Text.assemble((start if k == 0 else " " * cell_len(start), "dim"), part))

    def lines(self, lines: Iterable[str], style: str = "") -> None:
        """Each on one line of the terminal, cut where it is too long."""
        for line in lines:
            text = Text(LEFT + escape(line), style=style)
            text.truncate(self.width, overflow="ellipsis")
            self._line(text)

    def prose(self, words: str, style: str = "") -> None:
        """A sentence or more, wrapped."""
        if not words:
            return
        for line in Text(escape(words, keep="\n"), style=style).wrap(self.console, self.width - len(LEFT)):
            line.rstrip()
            self._line(Text(LEFT) + line)

    def table(self, table: DisplayTable) -> None:
        """Its header dim, its rows below; its columns closer together where the page is narrow."""
        room = self.width - len(LEFT)
        gaps = range(table.gap, 1, -1)
        gap = next((gap for gap in gaps if replace(table, gap=gap).width <= room), 1)
        header, *rows = replace(table, gap=gap).lines()
        self.lines([header], style="dim")
        self.lines(rows)

    def columns(self, table: Table, more: str, most: int = MOST_COLUMNS) -> None:
        """What each column was taken for. `more`: where to see the ones left out."""
        shown = len(table.columns) if len(table.columns) <= most else most - 1
        _, header, *rest = describe(table.select(table.names[:shown])).splitlines()
        self.lines([header], style="dim")
        self.lines(rest)
        if shown < len(table.columns):
            self.lines([f"… {len(table.columns) - shown} more columns; {more}"], style="dim")

    def tree(self, tree: Tree, labels: Labels, depth: int | None, more: str) -> None:
        """The tree in words; without a depth, the top of a large one. `more`: where to see the rest."""
        depth = _depth(tree) if depth is None else depth
        colour = self.console.is_terminal and not self.console.no_color
        room = max(NARROWEST, self.width - len(LEFT))
        drawn = to_text(tree, labels, max_depth=depth, width=room, colour=colour, more=more)
        for line in drawn.splitlines():
            if cell_len(Text.from_ansi(line).plain) > self.width - len(LEFT):  # a sentence below the tree
                self.prose(Text.from_ansi(line).plain, style="dim")
            else:
                self._line(Text(LEFT) + Text.from_ansi(line))

    def bars(self, shares: list[tuple[str, float]], most: int = 8) -> None:
        """A name, a bar and a share on each line."""
        names = [safe(name, 30) for name, _ in shares[:most]]
        wide = max((len(name) for name in names), default=0)
        longest = max(1, min(30, self.width - len(LEFT) - wide - 8))
        for name, (_, share) in zip(names, shares, strict=False):
            bar = "█" * round(share * longest)
            self._line(Text.assemble(f"{LEFT}{name:<{wide}}  {share:4.2f}  ", (bar, "green")))
        if len(shares) > most:
            self.lines([f"… {len(shares) - most} more"], style="dim")

    def _line(self, text: Text) -> None:
        self.console.print(text, no_wrap=True, overflow="ignore", crop=False)


def _depth(tree: Tree) -> int:
    """As many whole levels as make a readable page."""
    nodes = np.cumsum(np.bincount(tree.depth))  # down to each depth
    stubs = np.bincount(tree.depth[tree.n_children > 0], minlength=len(nodes))  # "… 8 more nodes"
    fits = np.flatnonzero(nodes + stubs <= MOST_LINES)
    return max(1, int(fits[-1]) if len(fits) else 0)
