"""A Tree as SVG, drawn without any other program.   In: a Tree, its Labels.   Out: an <svg>, or a <div>.

What stands where is decided in tree/picture; here it is only written down. Every string is made safe there
and escaped here. No scripts, no links, no ids: many pictures can share a page.
"""

from html import escape

from hedgerow.tree.labels import Labels
from hedgerow.tree.picture.cards import BAR, BAR_AT, FIGURES_AT, PAD, SMALL, STUB_AT, TITLE, TITLE_AT, Card
from hedgerow.tree.picture.colours import EDGE, INK, LINE, PAPER, SOFT, mix
from hedgerow.tree.picture.legend import SWATCH, Legend
from hedgerow.tree.picture.measure import text_width
from hedgerow.tree.picture.picture import LABEL, MARGIN, Edge, Placed, picture
from hedgerow.tree.tree import Tree

FONT = "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"


def to_svg(tree: Tree, labels: Labels, *, max_depth: int | None = None) -> str:
    """The tree as an SVG picture. Without `max_depth`, as much of it as is readable."""
    drawn = picture(tree, labels, max_depth)
    wide, tall = f"{drawn.width:.0f}", f"{drawn.height:.0f}"
    about = escape(drawn.about)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{about}" width="{wide}" '
        f'height="{tall}" viewBox="0 0 {wide} {tall}" font-family="{FONT}">',
        f"<title>{about}</title>",
        "<desc>Each box is a node with its question, class shares or mean, and share of rows.</desc>",
        f'<rect width="{wide}" height="{tall}" rx="8" fill="{PAPER}"/>',
        *_legend(drawn.legend),
        *(_line(edge) for edge in drawn.edges),
        *(_card(placed) for placed in drawn.cards),
        *(_label(edge) for edge in drawn.edges if edge.label),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def to_html(tree: Tree, labels: Labels, *, max_depth: int | None = None) -> str:
    """The picture in a box that scrolls: for notebooks and reports."""
    return f'<div style="overflow:auto;max-width:100%">\n{to_svg(tree, labels, max_depth=max_depth)}</div>\n'


def _legend(legend: Legend) -> list[str]:
    y = MARGIN + 8
    swatches = [_rect(s.x, y - 9, s.width + 0.3, SWATCH, s.colour) for s in legend.swatches]
    return swatches + [_text(c.x, y, c.text, SMALL, INK, bold=c.bold) for c in legend.captions]


def _line(edge: Edge) -> str:
    """A curve, then straight down through the label."""
    end = edge.y1 - LABEL
    middle = (edge.y0 + end) / 2
    curve = f"C{edge.x0:.1f},{middle:.1f} {edge.x1:.1f},{middle:.1f} {edge.x1:.1f},{end:.1f}"
    path = f"M{edge.x0:.1f},{edge.y0:.1f} {curve} V{edge.y1:.1f}"
    return f'<path d="{path}" fill="none" stroke="{EDGE}" stroke-width="{edge.width:.1f}"/>'


def _label(edge: Edge) -> str:
    wide = text_width(edge.label, SMALL) + 10
    pill = _rect(edge.x1 - wide / 2, edge.y1 - LABEL, wide, 16, PAPER, 8)
    return pill + _text(edge.x1, edge.y1 - 10, edge.label, SMALL, SOFT, anchor="middle")


def _card(placed: Placed) -> str:
    card = placed.card
    x, y = placed.x - card.width / 2, placed.y
    inside = x + PAD
    parts = [
        f"<g><title>{escape(card.tooltip)}</title>",
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{card.width:.1f}" height="{card.height:.1f}" rx="7" '
        f'fill="{card.fill}" stroke="{card.border}"/>',
    ]
    if not card.right:  # a stub
        parts.append(_text(placed.x, y + STUB_AT, card.title, SMALL, SOFT, anchor="middle"))
        return "".join(parts) + "</g>"
    parts.append(_text(inside, y + TITLE_AT, card.title, TITLE, INK, bold=card.bold))
    parts += _bar(card, inside, y + BAR_AT)
    parts.append(_text(inside, y + FIGURES_AT, card.left, SMALL, INK))
    parts.append(_text(x + card.width - PAD, y + FIGURES_AT, card.right, SMALL, INK, anchor="end"))
    return "".join(parts) + "</g>"


def _bar(card: Card, x: float, y: float) -> list[str]:
    room = card.width - 2 * PAD
    if card.mark is not None:
        dot = f'<circle cx="{x + card.mark * room:.1f}" cy="{y + BAR / 2:.1f}" r="4" fill="{INK}"/>'
        return [_rect(x, y + BAR / 2 - 1, room, 2, mix(card.fill, INK, 0.35), 1), dot]
    parts, start = [], x
    for part, colour in card.bar:
        parts.append(_rect(start, y, part * room, BAR, colour))
        start += part * room
    frame = f'<rect x="{x:.1f}" y="{y:.1f}" width="{room:.1f}" height="{BAR}" fill="none" stroke="{PAPER}"/>'
    return [*parts, frame] if parts else [_rect(x, y + BAR / 2, room, 1, LINE)]


def _rect(x: float, y: float, width: float, height: float, fill: str, round_: float = 0) -> str:
    corner = f' rx="{round_:g}"' if round_ else ""
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.2f}" height="{height:g}"{corner} fill="{fill}"/>'


def _text(
    x: float, y: float, text: str, size: float, fill: str, *, bold: bool = False, anchor: str = "start"
) -> str:
    weight = ' font-weight="600"' if bold else ""
    place = f' text-anchor="{anchor}"' if anchor != "start" else ""
    start = f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" fill="{fill}"{weight}{place}>'
    return f"{start}{escape(text)}</text>"
