"""Random numbers of the compiled growers (native/common/random.hpp).   In: a seed, or the key of a node.   Out: keys of
its children, the columns it draws: functions of the path to a node, wherever it is grown."""

from collections.abc import Iterable

MASK = 2**64 - 1
STEP = 0x9E3779B97F4A7C15


def mix(x: int) -> int:
    x = (x + STEP) & MASK
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & MASK
    return x ^ (x >> 31)


def unmix(x: int) -> int:
    """The number that `mix` makes x of."""
    x = _unshift(x, 31)
    x = x * pow(0x94D049BB133111EB, -1, 2**64) & MASK
    x = _unshift(x, 27)
    x = x * pow(0xBF58476D1CE4E5B9, -1, 2**64) & MASK
    return (_unshift(x, 30) - STEP) & MASK


def _unshift(x: int, bits: int) -> int:
    """The y of x = y ^ (y >> bits)."""
    y = x
    for _ in range(64 // bits):
        y = x ^ (y >> bits)
    return y


def child_key(key: int, which: int) -> int:
    return mix(key ^ (0x632BE59BD9B4E019 * (which + 1) & MASK))


def draw_columns(key: int, columns: Iterable[int], many: int) -> list[int]:
    """The first of a shuffle."""
    drawn = list(columns)
    for k in range(many):
        bits = mix((key + STEP * k) & MASK)
        other = k + ((bits >> 32) * (len(drawn) - k) >> 32)
        drawn[k], drawn[other] = drawn[other], drawn[k]
    return drawn[:many]
