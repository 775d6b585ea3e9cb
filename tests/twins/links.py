"""Weakest links by the definition: look at all inner nodes, cut the weakest, begin again."""

from hedgerow.types import Float, Index


def weakest_links(parent: Index, risk: Float) -> tuple[list[float], list[int], list[float]]:
    """Strength of each cut, the nodes cut, and the risk of the tree after each."""
    leaf = {t for t in range(len(parent)) if t not in set(parent.tolist())}
    alphas, order, after = [], [], []
    while 0 not in leaf:
        below = {
            t: [k for k in leaf if t in _up(parent, k)]
            for t in range(len(parent))
            if not _dead(parent, leaf, t)
        }
        strength = {
            t: (risk[t] - sum(risk[k] for k in ks)) / (len(ks) - 1)
            for t, ks in below.items()
            if t not in leaf
        }
        weakest = min(strength, key=lambda t: (strength[t], t))
        leaf = (leaf - set(below[weakest])) | {weakest}
        alphas.append(float(strength[weakest]))
        order.append(weakest)
        after.append(float(sum(risk[k] for k in leaf)))
    return alphas, order, after


def _up(parent: Index, node: int) -> list[int]:
    """A node and its ancestors."""
    way = [node]
    while way[-1] > 0:
        way.append(int(parent[way[-1]]))
    return way


def _dead(parent: Index, leaf: set[int], node: int) -> bool:
    return any(k in leaf for k in _up(parent, node)[1:])
