"""One table for text and HTML.   In: a header, rows of cells, which columns are words.   Out: lines, text, HTML.

    method           leaves   error  +-
    (not pruned)         61  0.2214  0.012      words stand to the left, numbers to the right
  * cost_complexity       9  0.1832  0.011      a mark stands in the margin

Cells are text and already short; their width is that of a terminal (a wide character takes two cells). A cell with
line breaks goes on below. HTML is escaped here and nowhere else.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape

from hedgerow.tree.formatting import cells as width_of
from hedgerow.tree.formatting import elide

CHOSEN = ("*", "->", ">", "=>")  # marks of the row to look at; HTML shades it

# Colours are the page's own, or half transparent: a notebook may be light or dark, and only it knows. The rule of
# words names table and cell: JupyterLab's own, which puts all cells to the right, outweighs a shorter one.
STYLE = """<style>
.hedgerow { font: 14px/1.5 system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; color: inherit; overflow-x: auto; }
.hedgerow table { border-collapse: collapse; margin: 0 0 1.4em; font: inherit; color: inherit; }
.hedgerow caption { text-align: left; font-weight: 600; padding: .3em 0; color: inherit; }
.hedgerow th, .hedgerow td { text-align: right; padding: .2em .9em; border: 0;
  border-bottom: 1px solid rgba(128, 128, 128, .35); }
.hedgerow th { font-weight: 400; opacity: .8; }
.hedgerow table th.words, .hedgerow table td.words { text-align: left; }
.hedgerow .chosen td { background: rgba(46, 160, 67, .2); font-weight: 600; }
.hedgerow p { opacity: .85; }
</style>
"""


@dataclass(frozen=True)
class DisplayTable:
    header: Sequence[str]  # () where rows are pairs that need none
    rows: Sequence[Sequence[str]]
    words: Sequence[int] = (0,)  # columns of words, counted from the end if negative; the others hold numbers
    title: Sequence[str] = ()  # lines above, and an empty one
    notes: Sequence[str] = ()  # lines below, after an empty one
    caption: str = ""  # a line that belongs to the table, right above
    ending: str = ""  # right below, such as "and 12 more"
    marks: Sequence[str] = ()  # one a row, in the margin; () where no row is marked
    gap: int = 2  # spaces between columns
    least: int = 0  # a column of numbers is at least so wide

    @property
    def n_columns(self) -> int:
        return len(self.header) or max((len(row) for row in self.rows), default=0)

    @property
    def widths(self) -> list[int]:
        every = [self.header, *self.rows] if self.header else list(self.rows)
        wide = [max(_cell_width(row[k]) for row in every) for k in range(self.n_columns)] if every else []
        return [w if self._is_words(k) else max(w, self.least) for k, w in enumerate(wide)]

    @property
    def width(self) -> int:
        """Terminal cells from the first column to the end of the last."""
        return sum(self.widths) + self.gap * (self.n_columns - 1) + self._margin

    def select(self, columns: Iterable[int]) -> "DisplayTable":
        """Some of the columns, in this order."""
        kept = list(columns)
        places = [k % self.n_columns for k in kept]
        return replace(
            self,
            header=[self.header[k] for k in kept] if self.header else (),
            rows=[[row[k] for k in kept] for row in self.rows],
            words=[new for new, old in enumerate(places) if self._is_words(old)],
        )

    def shorten(self, column: int, most: int) -> "DisplayTable":
        """The same with the cells of one column cut to so many terminal cells."""
        rows = [[elide(c, most) if k == column else c for k, c in enumerate(row)] for row in self.rows]
        return replace(self, rows=rows)

    def lines(self) -> list[str]:
        """Header and rows as lines of text, nothing around them."""
        rows = [self.header, *self.rows] if self.header else list(self.rows)
        marks = list(self.marks) or [""] * len(self.rows)
        if self.header:
            marks = ["", *marks]
        wide = self.widths
        return [line for mark, row in zip(marks, rows, strict=True) for line in self._lines(mark, row, wide)]

    def to_text(self) -> str:
        above = ([*self.title, ""] if self.title else []) + ([self.caption] if self.caption else [])
        below = ([self.ending] if self.ending else []) + (["", *self.notes] if self.notes else [])
        return "\n".join([*above, *self.lines(), *below])

    def to_html(self) -> str:
        """The table alone; html_of puts the style around it."""
        title = f"<p>{'<br>'.join(map(escape, self.title))}</p>" if self.title else ""
        notes = "".join(f"<p>{escape(note)}</p>" for note in (self.ending, *self.notes) if note)
        caption = f"<caption>{escape(self.caption)}</caption>" if self.caption else ""
        head = f"<thead><tr>{self._html(self.header, 'th', '')}</tr></thead>" if self.header else ""
        marks = list(self.marks) or [""] * len(self.rows)
        body = "".join(map(self._html_row, marks, self.rows))
        return f"{title}<table>{caption}{head}<tbody>{body}</tbody></table>{notes}"

    def _is_words(self, column: int) -> bool:
        return column in self.words or column - self.n_columns in self.words

    @property
    def _margin(self) -> int:
        return max(map(len, self.marks)) + 1 if self.marks else 0

    def _lines(self, mark: str, row: Sequence[str], wide: Sequence[int]) -> Iterable[str]:
        parts = [cell.split("\n") for cell in row]
        for n in range(max((len(part) for part in parts), default=0)):
            cells = [part[n] if n < len(part) else "" for part in parts]
            start = (mark if n == 0 else "").ljust(self._margin)
            aligned = [self._pad(k, c, w) for k, (c, w) in enumerate(zip(cells, wide, strict=True))]
            yield (start + (" " * self.gap).join(aligned)).rstrip()

    def _pad(self, column: int, cell: str, width: int) -> str:
        space = " " * (width - width_of(cell))
        return cell + space if self._is_words(column) else space + cell

    def _html_row(self, mark: str, row: Sequence[str]) -> str:
        chosen = ' class="chosen"' if mark.strip() in CHOSEN else ""
        return f"<tr{chosen}>{self._html(row, 'td', mark.strip())}</tr>"

    def _html(self, row: Sequence[str], tag: str, mark: str) -> str:
        margin = f"<{tag}>{escape('→' if mark == '->' else mark)}</{tag}>" if self.marks else ""
        sides = (' class="words"' if self._is_words(k) else "" for k in range(len(row)))
        cells = (
            f"<{tag}{s}>{escape(c).replace(chr(10), ' ')}</{tag}>" for s, c in zip(sides, row, strict=True)
        )
        return margin + "".join(cells)


def html_of(*tables: "DisplayTable | str") -> str:
    """Tables (and lines of text) in one plain style, for a notebook."""
    parts = [_paragraph(part) if isinstance(part, str) else part.to_html() for part in tables]
    return f'<div class="hedgerow">{STYLE}{"".join(parts)}</div>'


def _paragraph(text: str) -> str:
    return f"<p>{escape(text).replace(chr(10), '<br>')}</p>"


def html_page(title: str, body: str) -> str:
    """A page that needs nothing else, around HTML that is already escaped."""
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
    return f'{head}<body style="margin:2em">{body}</body></html>\n'


def _cell_width(cell: str) -> int:
    return max(map(width_of, cell.split("\n")))
