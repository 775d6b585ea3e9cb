"""extreme_target: a few rows whose target is so far from the others that they decide every score.

    claims   120, 340, 90 ... of 1,200 rows, and five of 400,000 to 4,600,000: a unit, a separator, a slip?

Suspected are the farthest rows, a hundredth at most, that have more than half of all distances from the median: then
not even the mean absolute error tells models apart. Rows at the median do not count: where most have no claim, and the
others a few large ones, nothing is wrong.
"""

import numpy as np

from hedgerow.display.sentences import many
from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.splits import Splits
from hedgerow.tree.formatting import number

FEW = 0.01  # of the rows that are not at the median
HALF = 0.5  # of the sum of distances
MIN_ROWS = 100  # of these


def find(data: Data, splits: Splits) -> list[Finding]:
    if data.classes is not None:
        return []
    middle = float(np.median(data.y))
    distances = np.abs(data.y - middle)
    n_away = int(np.count_nonzero(distances))
    if n_away < MIN_ROWS:
        return []
    order = np.argsort(-distances, kind="stable")[: int(FEW * n_away)]
    shares = np.cumsum(distances[order]) / distances.sum()
    if shares[-1] <= HALF:
        return []
    n = int(np.argmax(shares > HALF)) + 1
    farthest = number(float(data.y[order[0]]))
    words = (
        f"{many(n, 'row')} of {data.n_rows:,} {'has' if n == 1 else 'have'} {shares[n - 1]:.0%} of all distances of "
        f"the target from its median ({number(middle)}); the farthest is {farthest}. So few rows decide every score "
        "here: is the target right there?"
    )
    return [Finding("extreme_target", words, True, n_rows=n)]
