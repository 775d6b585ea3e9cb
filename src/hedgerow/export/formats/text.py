"""A Tree as text.   In: a Tree, its Labels.   Out: a drawing for a terminal, numbers in columns.

    survived                      rows    no   yes
    all rows                      100%  0.62  0.38
    ├─ sex = male                  65%  0.81  0.19
    │  ├─ age <= 9.5                4%  0.42  0.58  ► yes
    │  └─ age > 9.5 or missing     61%  0.84  0.16  ► no
    └─ sex = female                35%  0.26  0.74  ► yes

Names cannot break the drawing: they are made safe, and shorten to fit the width.
"""

from dataclasses import dataclass

from hedgerow.display.sentences import many
from hedgerow.export.exporter import ExportState
from hedgerow.tree.formatting import cells, elide, percent, safe, share, squeeze
from hedgerow.tree.labels import LabeledTree, Labels, label_tree
from hedgerow.tree.tree import LEAF, NONE, Tree
from hedgerow.tree.view import Item, view
from hedgerow.tree.wording import (
    branch_in_words,
    class_name,
    decided_class,
    decision,
    rows_share,
    shorten,
    spreads_missing,
    values_in_words,
)

TITLE, SUFFIX, TAKES = "text for a terminal", ".txt", ("tree", "rule list")
LINES = 64  # shown when no depth is given
COLUMNS = 5  # classes with a column of their own
NARROWEST = 36
INKS = (34, 33, 32, 35, 36, 31)  # terminal colours, one per class


@dataclass(frozen=True)
class _Line:
    branch: str  # lines of the drawing
    condition: str
    cells: tuple[str, ...] = ()  # columns of numbers
    ending: str = ""  # the decision, at a leaf
    ink: int = 0
    edge: tuple[int, int] | None = None  # parent and place: to write the condition in fewer words


def export(
    state: ExportState, *, max_depth: int | None = None, width: int = 100, colour: bool = False
) -> str:
    """A tree as drawn here, or the table of a rule list, for which only the width matters."""
    if isinstance(state.body, Tree):
        return to_text(state.body, state.labels, max_depth=max_depth, width=width, colour=colour)
    return f"{state.body.to_table().to_text(width)}\n"


def to_text(
    tree: Tree,
    labels: Labels,
    *,
    max_depth: int | None = None,
    width: int = 100,
    colour: bool = False,
    more: str = "max_depth= shows more or less.",
) -> str:
    """The tree in words, one line per node. Without `max_depth`, as much of it as is readable.

    more : how to see the nodes that are left out
    """
    if width < NARROWEST:
        raise ValueError(f"width={width} leaves no room for the words; wanted at least {NARROWEST}.")
    words = label_tree(tree, labels)
    items = view(tree, max_depth, budget=LINES, deepest=max(2, (width - 50) // 3), widest=LINES)
    lines = [_heading(words, width), *_body(words, items, width)]
    return "\n".join([*_aligned(words, lines, width, colour), *_footer(words, items, more)]) + "\n"


def _heading(words: LabeledTree, width: int) -> _Line:
    target = safe(words.labels.target, 40) if words.labels.target else ""
    if _has_columns(words):
        most = min(12, int(0.55 * width - 6) // words.tree.n_outputs - 2)
        titles = tuple(elide(class_name(words, k), most) for k in range(words.tree.n_outputs))
    else:
        titles = (
            ("shares",) if words.shares else (words.labels.value if words.tree.n_outputs == 1 else "values",)
        )
    return _Line("", target, ("rows", *titles))


def _body(words: LabeledTree, items: tuple[Item, ...], width: int) -> list[_Line]:
    """One line per Item. `bars[i]` is the drawing to the left of whatever hangs under Item i."""
    lines, bars = [], list[str]()
    for item in items:
        start = bars[item.up] if item.up != NONE else ""
        branch = "" if item.up == NONE else "└─ " if item.last else "├─ "
        bars.append("" if item.up == NONE else start + ("   " if item.last else "│  "))
        lines.append(_line(words, items, item, start + branch, width))
    return lines


def _line(words: LabeledTree, items: tuple[Item, ...], item: Item, branch: str, width: int) -> _Line:
    if item.node == NONE:
        return _Line(branch, f"… {many(item.hidden, 'more node')}")
    edge = None if item.up == NONE else (items[item.up].node, item.place)
    condition = branch_in_words(words, *edge) if edge else "all rows"
    numbers = (percent(rows_share(words, item.node)), *_values(words, item.node, width))
    if words.tree.kind[item.node] != LEAF:
        return _Line(branch, condition, numbers, edge=edge)
    ink = INKS[decided_class(words, item.node) % len(INKS)] if words.shares else 1
    return _Line(branch, condition, numbers, f"► {elide(decision(words, item.node), width // 5)}", ink, edge)


def _values(words: LabeledTree, node: int, width: int) -> tuple[str, ...]:
    if _has_columns(words):
        return tuple(share(p) for p in words.tree.value[node].tolist())
    return (elide(values_in_words(words, node, 2) if words.shares else decision(words, node), width // 3),)


def _has_columns(words: LabeledTree) -> bool:
    return words.shares and words.tree.n_outputs <= COLUMNS


def _aligned(words: LabeledTree, lines: list[_Line], width: int, colour: bool) -> list[str]:
    """Lines with their columns under each other, the left part cut to what the width leaves for it."""
    count = max(len(line.cells) for line in lines)
    wide = [max(cells(line.cells[k]) for line in lines if line.cells) for k in range(count)]
    ending = max(cells(line.ending) for line in lines)
    room = width - sum(wide) - 2 * count - (ending + 2 if ending else 0)
    left = max(12, min(room, max(cells(line.branch + line.condition) for line in lines)))
    return [_painted(_fit_condition(words, line, left), line, left, wide, colour).rstrip() for line in lines]


def _fit_condition(words: LabeledTree, line: _Line, left: int) -> str:
    """The branch and what it asks, in as many words as there is room for."""
    room, condition = max(4, left - len(line.branch)), line.condition
    if line.edge and cells(condition) > room:
        node, place = line.edge
        condition = shorten(
            lambda b: branch_in_words(words, node, place, b), lambda text: cells(text) <= room
        )
    return line.branch + squeeze(condition, room)


def _painted(start: str, line: _Line, left: int, wide: list[int], colour: bool) -> str:
    numbers = "".join("  " + " " * (w - cells(c)) + c for c, w in zip(line.cells, wide, strict=False))
    ending = f"\x1b[1;{line.ink}m{line.ending}\x1b[0m" if colour and line.ending else line.ending
    return f"{start}{' ' * (left - cells(start))}{numbers}  {ending}"


def _footer(words: LabeledTree, items: tuple[Item, ...], more: str) -> list[str]:
    shown = sum(item.node != NONE for item in items)
    lines = []
    if shown < words.tree.n_nodes:
        lines.append(
            f"{shown:,} of {words.tree.n_nodes:,} nodes shown; the tree is {words.tree.max_depth} deep. {more}"
        )
    if spreads_missing(words):
        lines.append(
            "A missing cell goes down every branch, by its share of the rows, where none says 'missing'."
        )
    return lines
