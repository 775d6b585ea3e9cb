"""What the colours mean, in a line above the picture.   In: LabeledTree.   Out: swatches and captions, placed.

survived   [#] died   [:] survived          price   1,200 [ pale ... deep ] 460,000
"""

from dataclasses import dataclass

from hedgerow.tree.formatting import number, safe
from hedgerow.tree.labels import LabeledTree
from hedgerow.tree.picture.cards import SMALL
from hedgerow.tree.picture.colours import CLASSES, DEEP, PALE, class_colour, mix
from hedgerow.tree.picture.measure import fit, text_width
from hedgerow.tree.wording import class_name

SWATCH, SPACE = 10.0, 6.0
STEPS, STEP = 20, 5.0  # of the scale of a number


@dataclass(frozen=True)
class Swatch:
    x: float
    width: float
    colour: str


@dataclass(frozen=True)
class Caption:
    x: float
    text: str
    bold: bool = False

    @property
    def end(self) -> float:
        return self.x + text_width(self.text, SMALL, self.bold)


@dataclass(frozen=True)
class Legend:
    swatches: tuple[Swatch, ...]
    captions: tuple[Caption, ...]

    @property
    def end(self) -> float:
        return max((caption.end for caption in self.captions), default=0.0)


def legend_of(words: LabeledTree, x: float) -> Legend:
    """The legend, from x on: the target's name, then the classes or the scale."""
    heading: tuple[Caption, ...] = ()
    if words.labels.target:
        heading = (Caption(x, fit(safe(words.labels.target, 60), 200, SMALL, bold=True), bold=True),)
        x = heading[0].end + 2 * SPACE
    scale = _scale if words.tree.n_outputs == 1 else lambda words, x: Legend((), ())
    body = (_classes if words.shares else scale)(words, x)
    return Legend(body.swatches, heading + body.captions)


def _classes(words: LabeledTree, x: float) -> Legend:
    """As many classes as there are colours; the others have their names on their leaves."""
    swatches: list[Swatch] = []
    captions: list[Caption] = []
    more = words.tree.n_outputs - len(CLASSES)
    for k in range(min(words.tree.n_outputs, len(CLASSES))):
        text = fit(class_name(words, k), 120, SMALL)
        last = k == len(CLASSES) - 1 and more > 0
        swatches.append(Swatch(x, SWATCH, class_colour(k)))
        captions.append(
            Caption(x + SWATCH + SPACE, f"{text}  (+{more} more, named at leaves)" if last else text)
        )
        x = captions[-1].end + 2 * SPACE
    return Legend(tuple(swatches), tuple(captions))


def _scale(words: LabeledTree, x: float) -> Legend:
    value = words.tree.value[:, 0]
    low = Caption(x, number(float(value.min())))
    start = low.end + SPACE
    steps = [Swatch(start + STEP * k, STEP, mix(PALE, DEEP, k / (STEPS - 1))) for k in range(STEPS)]
    return Legend(tuple(steps), (low, Caption(start + STEP * STEPS + SPACE, number(float(value.max())))))
