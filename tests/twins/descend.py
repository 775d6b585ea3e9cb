"""Stochastic gradient descent of one neuron, in NumPy.   In: as native `descend`.   Out: the neuron and its loss."""

import numpy as np

MASK = (1 << 64) - 1


def mix(x):
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def bits_of(seed, neuron):
    key = mix(mix(seed) ^ ((0x632BE59BD9B4E019 * (neuron + 1)) & MASK))
    counter = 0
    while True:
        yield mix((key + 0x9E3779B97F4A7C15 * counter) & MASK)
        counter += 1


def bend(z, activation, delta):
    if activation == "linear":
        return z, np.ones_like(z)
    if activation == "tanh":
        return np.tanh(z), 1 - np.tanh(z) ** 2
    return np.sign(z) * np.maximum(np.abs(z) - delta, 0), (np.abs(z) > delta).astype(float)


def loss(neuron, rows, signs, weight, activation, delta, l2):
    w, bias, height = neuron[:-2], neuron[-2], neuron[-1]
    h, _ = bend(rows @ w + bias, activation, delta)
    return weight @ np.logaddexp(0, -signs * height * h) + l2 / 2 * w @ w


def descend(rows, signs, weight, start, activation, delta, sampling, l2, rate, steps, batch, seed, neuron=0):
    n = len(rows)
    place, squares, path = start.copy(), np.zeros(len(start)), []
    bits = bits_of(seed, neuron)
    for _ in range(steps):
        if sampling == "weights":
            chosen = np.array([((next(bits) >> 32) * n) >> 32 for _ in range(batch)])
            times = n * weight[chosen]
        else:
            sums = np.cumsum(weight)
            units = np.array([(next(bits) >> 11) * 2.0**-53 for _ in range(batch)])
            chosen = np.minimum(np.searchsorted(sums, units * sums[-1], side="right"), n - 1)
            times = np.ones(batch)
        x, y = rows[chosen], signs[chosen]
        w, bias, height = place[:-2], place[-2], place[-1]
        h, slope = bend(x @ w + bias, activation, delta)
        pull = -y / (1 + np.exp(y * height * h)) * times / batch
        inner = pull * height * slope
        upper = 0.0 if activation == "linear" else pull @ h
        gradient = np.concatenate([x.T @ inner + l2 * w, [inner.sum(), upper]])
        squares += gradient**2
        place = place - rate * gradient / np.sqrt(squares + 1e-16)
        path.append(place)
    found = np.mean(path[steps // 2 :], axis=0) if steps else start
    return found, loss(found, rows, signs, weight, activation, delta, l2)
