"""Out of bag, permuted and corrected importance, proximities and quantiles in plain loops."""

import numpy as np

from hedgerow.tree.decide import arrivals, value_of


def tally(trees, rows, outs, loss):
    """(sum, many, curve): row by row, tree by tree. loss(i, mean) -> number."""
    n, k = len(rows), trees[0].n_outputs
    total, many, curve = np.zeros((n, k)), np.zeros(n, int), []
    for tree, out in zip(trees, outs, strict=True):
        said = value_of(tree, rows)
        for i in np.flatnonzero(out):
            total[i] += said[i]
            many[i] += 1
        seen = np.flatnonzero(many)
        curve.append(np.mean([loss(i, total[i] / many[i]) for i in seen]) if len(seen) else np.nan)
    return total, many, np.array(curve)


def corrected(trees, rows, y, outs):
    """y : rows x outputs. Node by node, from the rows that reach it."""
    total = np.zeros(trees[0].n_features)
    for tree, out in zip(trees, outs, strict=True):
        here = np.flatnonzero(out)
        row, leaf, share = arrivals(tree, rows[here])
        assert np.all(share == 1)
        at = {int(i): int(node) for i, node in zip(row, leaf, strict=True)}
        members: dict[int, list[int]] = {}
        for i, node in at.items():
            while node != -1:
                members.setdefault(node, []).append(i)
                node = int(tree.parent[node])
        for node in np.flatnonzero(tree.n_children):
            inside = members.get(int(node), [])
            if len(inside) < 2:
                continue
            child_of = {}
            for c in range(int(tree.n_children[node])):
                child = int(tree.first_child[node]) + c
                child_of |= dict.fromkeys(members.get(child, []), child)
            m = np.array([tree.value[child_of[i]] for i in inside])
            t = y[here][inside]
            cov = ((m - m.mean(axis=0)) * (t - t.mean(axis=0))).sum() * len(inside) / (len(inside) - 1)
            total[tree.feature[node]] += cov / len(here)
    return total / len(trees)


def quantile_weights(leaves, new_leaves, counts):
    """New rows x training rows."""
    out = np.zeros((len(new_leaves), len(leaves)))
    for t in range(leaves.shape[1]):
        for k, leaf in enumerate(new_leaves[:, t]):
            inside = (leaves[:, t] == leaf) * counts[t]
            out[k] += inside / inside.sum()
    return out / leaves.shape[1]


def proximity(a, b, seen_a=None, seen_b=None):
    out = np.zeros((len(a), len(b)))
    for i in range(len(a)):
        for j in range(len(b)):
            use = np.ones(a.shape[1], bool) if seen_a is None else seen_a[i] & seen_b[j]
            out[i, j] = (a[i] == b[j])[use].mean() if use.any() else 0
    return out


def permuted(trees, rows, outs, loss, seed, repeats):
    """rise : trees x rows x columns, of the loss with another row's cell; NaN where the tree has seen the row.
    loss(i, value) -> number."""
    out = np.full((len(trees), *rows.shape), np.nan)
    for t, tree in enumerate(trees):
        others = np.flatnonzero(outs[t])
        for i in others:
            before = loss(i, value_of(tree, rows[[i]])[0])
            for j in range(rows.shape[1]):
                draw = _dice(_mix(_mix(_mix(seed ^ _mix(t)) ^ _mix(int(i))) ^ _mix(j)))
                changed = np.repeat(rows[[i]], repeats, axis=0)
                changed[:, j] = [rows[others[(next(draw) >> 32) * len(others) >> 32], j] for _ in changed]
                out[t, i, j] = np.mean([loss(i, value) for value in value_of(tree, changed)]) - before
    return out


def _mix(x):
    """The finaliser of splitmix64."""
    x = (x + 0x9E3779B97F4A7C15) % 2**64
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    x = (x ^ x >> 27) * 0x94D049BB133111EB % 2**64
    return x ^ x >> 31


def _dice(key):
    counter = 0
    while True:
        yield _mix((key + 0x9E3779B97F4A7C15 * counter) % 2**64)
        counter += 1
