"""Pictures.   In: a Tree and its Labels, a path.   Out: an .svg or .png file, written."""

import os
from pathlib import Path

from hedgerow.tree.labels import Labels
from hedgerow.tree.tree import Tree
from hedgerow.words import quote

SHARP = 192  # dots an inch: twice the picture's own size


def write_picture(tree: Tree, labels: Labels, path: str) -> Path:
    file = Path(path).expanduser()
    ending = file.suffix.lower()
    if ending not in (".svg", ".png"):
        raise ValueError(f"--picture {quote(path)}: the name must end in .svg or .png.")
    if ending == ".svg":
        from hedgerow.export.formats.svg import to_svg

        file.write_text(to_svg(tree, labels), encoding="utf-8")
    else:
        _write_png(tree, labels, file)
    return file


def _write_png(tree: Tree, labels: Labels, file: Path) -> None:
    from hedgerow.draw.tree import draw_tree

    draw_tree(tree, labels).figure.savefig(file, dpi=SHARP)  # type: ignore[union-attr]


def check_writable(option: str, path: Path) -> None:
    """Before the work, not after it: nothing found is to be lost for want of a place to put it."""
    folder = path.parent
    if not folder.is_dir():
        raise ValueError(
            f"{option} {str(path)!r}: there is no folder {str(folder)!r}. Make it, or give another place."
        )
    if not os.access(folder, os.W_OK):
        raise ValueError(
            f"{option} {str(path)!r}: this folder cannot be written to. Give another place with {option}."
        )
