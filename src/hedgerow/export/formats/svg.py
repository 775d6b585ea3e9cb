"""A Tree as SVG, drawn without any other program.   In: a Tree, its Labels.   Out: an <svg>, or a <div>.

What stands where is decided in tree/picture; here is the pen that writes it down. Every string is made safe there
and escaped here. No scripts, no links, no ids: many pictures can share a page.
"""

from html import escape

from hedgerow.export.exporter import ExportState
from hedgerow.tree.labels import Labels
from hedgerow.tree.picture.colours import EDGE, PAPER
from hedgerow.tree.picture.paint import END, MIDDLE, paint
from hedgerow.tree.picture.picture import LABEL, Edge, Placed, picture
from hedgerow.tree.tree import Tree

TITLE, SUFFIX, TAKES = "SVG picture", ".svg", ("tree",)
FONT = "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"
ANCHORS = {MIDDLE: ' text-anchor="middle"', END: ' text-anchor="end"'}


def export(state: ExportState, *, max_depth: int | None = None) -> str:
    return to_svg(state.body, state.labels, max_depth=max_depth)


def to_svg(tree: Tree, labels: Labels, *, max_depth: int | None = None) -> str:
    """The tree as an SVG picture. Without `max_depth`, as much of it as is readable."""
    drawn = picture(tree, labels, max_depth)
    wide, tall = f"{drawn.width:.0f}", f"{drawn.height:.0f}"
    about = escape(drawn.about)
    pen = _Pen()
    paint(drawn, pen)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{about}" width="{wide}" '
        f'height="{tall}" viewBox="0 0 {wide} {tall}" font-family="{FONT}">',
        f"<title>{about}</title>",
        "<desc>Each box is a node with its question, class shares or mean, and share of rows.</desc>",
        f'<rect width="{wide}" height="{tall}" rx="8" fill="{PAPER}"/>',
        *pen.lines,
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def to_html(tree: Tree, labels: Labels, *, max_depth: int | None = None) -> str:
    """The picture in a box that scrolls: for notebooks and reports."""
    return f'<div style="overflow:auto;max-width:100%">\n{to_svg(tree, labels, max_depth=max_depth)}</div>\n'


class _Pen:
    """Shapes as elements, one a line; those of a card together."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._on_card = False

    def edge(self, edge: Edge) -> None:
        end = edge.y1 - LABEL
        middle = (edge.y0 + end) / 2
        curve = f"C{edge.x0:.1f},{middle:.1f} {edge.x1:.1f},{middle:.1f} {edge.x1:.1f},{end:.1f}"
        path = f"M{edge.x0:.1f},{edge.y0:.1f} {curve} V{edge.y1:.1f}"
        self._add(f'<path d="{path}" fill="none" stroke="{EDGE}" stroke-width="{edge.width:.1f}"/>')

    def begin_card(self, placed: Placed) -> None:
        card = placed.card
        self._add(f"<g><title>{escape(card.tooltip)}</title>")
        self._on_card = True
        self._add(
            f'<rect x="{placed.x - card.width / 2:.1f}" y="{placed.y:.1f}" width="{card.width:.1f}" '
            f'height="{card.height:.1f}" rx="7" fill="{card.fill}" stroke="{card.border}"/>'
        )

    def end_card(self) -> None:
        self._add("</g>")
        self._on_card = False

    def rect(self, x: float, y: float, width: float, height: float, fill: str, corner: float = 0) -> None:
        rounded = f' rx="{corner:g}"' if corner else ""
        place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.2f}" height="{height:g}"'
        self._add(f'<rect {place}{rounded} fill="{fill}"/>')

    def outline(self, x: float, y: float, width: float, height: float, ink: str) -> None:
        place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height}"'
        self._add(f'<rect {place} fill="none" stroke="{ink}"/>')

    def dot(self, x: float, y: float, radius: float, fill: str) -> None:
        self._add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{fill}"/>')

    def text(
        self, x: float, y: float, text: str, size: float, ink: str, room: float, *, bold: bool, anchor: float
    ) -> None:
        """The text was made to fit the room; no browser has to squeeze it."""
        weight = ' font-weight="600"' if bold else ""
        start = f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" fill="{ink}"{weight}{ANCHORS.get(anchor, "")}>'
        self._add(f"{start}{escape(text)}</text>")

    def _add(self, element: str) -> None:
        if self._on_card:
            self.lines[-1] += element
        else:
            self.lines.append(element)
