"""Tables that machines were not tuned to: pen strokes (many small pairs of classes), readings (few support vectors in
many rows), pictures (hundreds of correlated columns). Drawn the same on every machine; kept in benchmarks/cache."""

import os
from collections.abc import Callable

import numpy as np

from common import CACHE, Data


def kept(name: str, draw: Callable[[], tuple[np.ndarray, np.ndarray]], held_out: int) -> Data:
    path = CACHE / f"{name}.npz"
    if not path.exists():
        X, y = draw()
        CACHE.mkdir(exist_ok=True)
        partial = path.with_name(f"{name}.{os.getpid()}.npz")
        np.savez(partial, Xtr=X[:-held_out], ytr=y[:-held_out], Xte=X[-held_out:], yte=y[-held_out:])
        partial.replace(path)
    with np.load(path) as arrays:
        return {part: arrays[part] for part in arrays.files}


def standardized(data: Data) -> Data:
    mean, spread = data["Xtr"].mean(axis=0), data["Xtr"].std(axis=0)
    return data | {part: (data[part] - mean) / spread for part in ("Xtr", "Xte")}


def pen_strokes(rows: int = 7_494, held_out: int = 3_498) -> Data:
    """Ten digits in two hands each, eight points of a turned, stretched and shaken stroke: 16 columns."""

    def draw() -> tuple[np.ndarray, np.ndarray]:
        rng = np.random.default_rng(1)
        n = rows + held_out
        y, hand = rng.integers(0, 10, n), rng.integers(0, 2, n)
        points = rng.uniform(0, 100, (10, 2, 8, 2))[y, hand] - 50
        angle = rng.normal(scale=0.18, size=n)
        turn = np.stack([np.cos(angle), -np.sin(angle), np.sin(angle), np.cos(angle)], axis=1)
        points = points @ turn.reshape(n, 2, 2).transpose(0, 2, 1) * rng.normal(1, 0.12, (n, 1, 2))
        shake = rng.normal(scale=9, size=(n, 8, 2))
        points += (shake + np.roll(shake, 1, axis=1)) / 1.3
        points -= points.min(axis=1, keepdims=True)
        points *= 100 / points.max(axis=(1, 2), keepdims=True)
        return np.floor(points).reshape(n, 16), y

    return standardized(kept("pen_strokes", draw, held_out))


def readings(rows: int = 46_400, held_out: int = 11_600) -> Data:
    """Nine readings of seven states, four rows of five in one of them: few rows are near a boundary."""

    def draw() -> tuple[np.ndarray, np.ndarray]:
        rng = np.random.default_rng(2)
        n = rows + held_out
        share = np.array([0.786, 0.0009, 0.003, 0.1535, 0.0564, 0.0002, 0.0002])
        y = rng.choice(7, n, p=share / share.sum())
        centre = rng.normal(scale=3.5, size=(7, 9))
        return np.round(8 * (centre[y] + 0.55 * rng.standard_t(4, (n, 9)))), y

    return standardized(kept("readings", draw, held_out))


def pictures(rows: int, held_out: int = 5_000) -> Data:
    """28 x 28 cells of 0 to 1: ten shapes of four blurred strokes in three hands, moved, faded and shaken."""

    def draw() -> tuple[np.ndarray, np.ndarray]:
        rng = np.random.default_rng(3)
        n, side = rows + held_out, 28
        y, hand = rng.integers(0, 10, n), rng.integers(0, 3, n)
        # What all shapes share, so that they are not easily told apart
        common = rng.uniform(0.25, 0.75, (4, 2))
        ends = side * (0.5 * common + 0.5 * rng.uniform(0.1, 0.9, (10, 3, 4, 2)))
        down, across = np.meshgrid(np.arange(side), np.arange(side), indexing="ij")
        X = np.empty((n, side * side))
        for first in range(0, n, 1000):
            part = slice(first, min(n, first + 1000))
            many = part.stop - first
            at = (
                ends[y[part], hand[part]]
                + rng.normal(scale=1.3, size=(many, 4, 2))
                + rng.normal(size=(many, 1, 2))
            )
            away = (down - at[..., 0, None, None]) ** 2 + (across - at[..., 1, None, None]) ** 2
            ink = (np.exp(-away / 5.0) * rng.uniform(0.5, 1, (many, 4, 1, 1))).sum(axis=1)
            ink += 0.15 * rng.normal(size=ink.shape) * (ink > 0.05)
            X[part] = np.where(ink > 0.05, np.clip(ink, 0, 1), 0).reshape(many, -1)
        return np.floor(255 * X) / 255, y

    return kept(f"pictures_{rows}", draw, held_out)
