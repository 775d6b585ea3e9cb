"""Pictures.   In: a Tree, a figure, a comparison of prunings; a path.   Out: an .svg or .png file, written."""

import os
from pathlib import Path
from typing import Any

from hedgerow.errors import ParameterError
from hedgerow.files import write_atomically
from hedgerow.tree.labels import Labels
from hedgerow.tree.tree import Tree

CHART = (7.6, 9.6)  # inches


def write_tree(tree: Tree, labels: Labels, file: Path) -> None:
    if file.suffix.lower() == ".svg":
        from hedgerow.export.formats.svg import to_svg

        write_atomically(file, to_svg(tree, labels).encode())
        return
    from hedgerow.draw.style import save
    from hedgerow.draw.tree import draw_tree

    save(draw_tree(tree, labels).figure, file)


def write_chart(comparison: Any, table: Any, file: Path) -> None:
    """Above, every pruning: error against size. Below, the cross-validation of cost-complexity pruning."""
    from hedgerow.draw.pruning import draw_cp_table, draw_prunings
    from hedgerow.draw.style import new_figure, save

    figure = new_figure(CHART)
    above, below = figure.subplots(2, 1)
    draw_prunings(comparison, ax=above).set_title("Every pruning of one tree", loc="left", fontsize=11)
    draw_cp_table(table, ax=below).set_title("Cost-complexity pruning", loc="left", fontsize=11)
    save(figure, file)


def write_figure(figure: Any, path: str) -> None:
    """Whole or not at all, as all files are."""
    from hedgerow.draw.style import save

    save(figure, Path(path).expanduser())


def check_writable(name: str, path: Path) -> None:
    """Before the work, not after it: nothing found is to be lost for want of a place to put it."""
    folder = path.parent
    if not folder.is_dir():
        raise ParameterError(
            f"{{{name}}}: there is no folder {{}}. Make it, or give another place.",
            repr(str(folder)),
            **{name: str(path)},
        )
    if not os.access(folder, os.W_OK):
        raise ParameterError(
            f"{{{name}}}: this folder cannot be written to. Give another place.", **{name: str(path)}
        )
