"""The chart of `hedgerow prune`.   In: a Comparison and a CpTable, a path.   Out: an .svg or .png file, written.

Above, every method: error against size. Below, the cross-validation of cost-complexity pruning.
"""

from pathlib import Path

from hedgerow.cli.picture import SHARP
from hedgerow.prune import Comparison, CpTable

SIZE = (7.6, 9.6)  # inches
SAME_EVERY_TIME = {"svg.hashsalt": "hedgerow"}  # names inside an SVG


def write_chart(comparison: Comparison, table: CpTable, path: str) -> Path:
    import matplotlib
    from matplotlib.figure import Figure

    from hedgerow.draw.pruning import draw_cp_table, draw_prunings

    file = Path(path).expanduser()
    is_svg = file.suffix.lower() == ".svg"
    with matplotlib.rc_context(SAME_EVERY_TIME):
        figure = Figure(figsize=SIZE, layout="constrained")
        above, below = figure.subplots(2, 1)
        draw_prunings(comparison, ax=above).set_title("Every pruning of one tree", loc="left", fontsize=11)
        draw_cp_table(table, ax=below).set_title("Cost-complexity pruning", loc="left", fontsize=11)
        figure.savefig(file, dpi=SHARP, metadata={"Date": None} if is_svg else None)
    return file
