"""The confusion matrix, as a table; and the most frequent mistakes."""

from collections.abc import Sequence

from markupsafe import Markup

MOST_CLASSES = 40  # in a table
FEW = 8  # whose names fit as headings,
SHORT = 3  # as names of so few letters do
MOST_MISTAKES = 8


def confusion(counts: Sequence[Sequence[int]], classes: Sequence[str]) -> Markup:
    """Shaded by the share of each truth. Many classes of long names are numbered, the names beside the rows."""
    if len(classes) > MOST_CLASSES:
        return Markup("<p>{} classes are too many for a table; it is in result.json.</p>").format(
            len(classes)
        )
    many = len(classes) > FEW
    is_numbered = many and max(map(len, classes)) > SHORT
    head = Markup("").join(
        Markup('<th scope="col"{}>{}</th>').format(
            Markup(' title="{}"').format(name) if is_numbered else "", k + 1 if is_numbered else name
        )
        for k, name in enumerate(classes)
    )
    body = Markup("").join(_row(k, row, classes[k], many, is_numbered) for k, row in enumerate(counts))
    return Markup(
        '<table class="confusion{}"><thead><tr><th scope="col"><span class="small">truth ↓ prediction →</span></th>{}'
        "</tr></thead><tbody>{}</tbody></table>"
    ).format(" many" if many else "", head, body)


def _row(k: int, row: Sequence[int], name: str, many: bool, is_numbered: bool) -> Markup:
    total = max(1, sum(row))
    cells = Markup("").join(
        Markup('<td class="num {}" style="--share:{}">{}</td>').format(
            "hit" if j == k else "miss", f"{100 * n / total:.0f}%", f"{n:,}" if n or not many else ""
        )
        for j, n in enumerate(row)
    )
    label = Markup('<span class="small">{}</span> {}').format(k + 1, name) if is_numbered else name
    return Markup('<tr><th scope="row">{}</th>{}</tr>').format(label, cells)


def find_mistakes(counts: Sequence[Sequence[int]], classes: Sequence[str]) -> list[tuple[str, str, int]]:
    """Truth, prediction and how often, the most frequent first."""
    wrong = [
        (classes[k], classes[j], n) for k, row in enumerate(counts) for j, n in enumerate(row) if j != k and n
    ]
    return sorted(wrong, key=lambda one: -one[2])[:MOST_MISTAKES]
