"""Files changed so that they may do harm.   In: a valid file, a generator, other files of its kind.   Out: bytes.
Mutations know the structure: a value of the header replaced by an odd one, an entry or a stretch of an array
changed, lists made longer and shorter, parts of one file put into another, and then signed again, so that the checks
behind the checksum are met; also plain damage to bytes.
"""

import json
import random
import warnings
from copy import deepcopy
from functools import cache
from typing import Any

import numpy as np
from tests.store.damaged import closed, opened

ODD: list[Any] = [
    None, True, False, -1, 0, 1, 2, 3, 255, 2**31, 2**53 + 1, 2**63 - 1, -(2**63), 10**30, 10**400,
    0.5, -0.0, 1e-320, 1e308,
    -1e308, "", "a", "inf", "nan", "category", "tree classifier", "x" * 100_000, "\x00", "\ud800",
    [], [None], [[]], [1, 2],
    [[1, 2]], {}, {"pairs": []}, {"pairs": [[1]]}, {"number": "inf"}, {"learner": "svm classifier", "parameters": {}},
]  # fmt: skip
NUMBERS = [0, 1, -1, 2, 7, 64, 2**31 - 1, -(2**31), np.nan, np.inf, -np.inf, 1e308, -1e308, 1e-320, 0.5]


def flip_bytes(data: bytes, rng: random.Random) -> bytes:
    broken = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 8])):
        if broken:
            broken[rng.randrange(len(broken))] ^= 1 << rng.randrange(8)
    if rng.random() < 0.2:
        del broken[rng.randrange(len(broken) + 1) :]
    return bytes(broken)


def mutate_json(content: Any, rng: random.Random) -> None:
    """One value somewhere, replaced, doubled, taken away or moved."""
    for _ in range(100):
        keys = list(content) if isinstance(content, dict) else list(range(len(content)))
        if not keys:
            return
        key = rng.choice(keys)
        if isinstance(content[key], (dict, list)) and content[key] and rng.random() < 0.75:
            content = content[key]
            continue
        how = rng.random()
        if how < 0.6:
            content[key] = deepcopy(rng.choice(ODD))
        elif how < 0.75 and isinstance(content, list):
            content.insert(key, deepcopy(content[key]))
        elif how < 0.9:
            del content[key]
        else:
            content[key] = deepcopy(content[rng.choice(keys)])
        return


def mutate_arrays(arrays: dict[str, Any], rng: random.Random) -> None:
    name = rng.choice(sorted(arrays))
    array = arrays[name].copy()
    flat = array.reshape(-1)
    how = rng.random()
    if how < 0.5 and len(flat):
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            flat[rng.randrange(len(flat))] = np.array(rng.choice(NUMBERS)).astype(array.dtype)
    elif how < 0.7 and len(flat):
        flat.view(np.uint8)[rng.randrange(flat.nbytes)] ^= np.uint8(1 << rng.randrange(8))
    elif how < 0.8 and len(array):
        array = np.concatenate([array, array[-1:]])
    elif how < 0.9 and len(array):
        array = array[:-1]
    elif len(flat) > 1:
        i, j = rng.randrange(len(flat)), rng.randrange(len(flat))
        flat[i], flat[j] = flat[j].copy(), flat[i].copy()
    arrays[name] = array


def mutate_model(data: bytes, rng: random.Random, others: list[bytes]) -> bytes:
    if rng.random() < 0.1:
        return flip_bytes(data, rng)
    header, arrays = _open_copy(data)
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        kind = rng.random()
        if kind < 0.5:
            mutate_json(header, rng)
        elif kind < 0.95:
            mutate_arrays(arrays, rng)
        else:
            other, their = _open_copy(rng.choice(others))
            key = rng.choice(sorted(other))
            header[key] = other[key]
            if rng.random() < 0.5:
                arrays = their
    try:
        return closed(header, arrays)
    except (ValueError, UnicodeError, TypeError, KeyError):  # it cannot even be written down
        return flip_bytes(data, rng)


def _open_copy(data: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """Header and arrays, the first to be changed at will; an array is copied where it is changed."""
    header, arrays = _open_once(data)
    return json.loads(header), dict(arrays)


@cache
def _open_once(data: bytes) -> tuple[str, dict[str, Any]]:
    header, arrays = opened(data)
    return json.dumps(header), arrays


def mutate_text(data: bytes, rng: random.Random, others: list[bytes]) -> bytes:
    if rng.random() < 0.2:
        return flip_bytes(data, rng)
    content = json.loads(data)
    for _ in range(rng.choice([1, 1, 2, 4])):
        if content:
            mutate_json(content, rng)
    return json.dumps(content).encode()


WORDS = [
    "if",
    "then",
    "and",
    "or",
    "missing",
    "in",
    "=",
    "<=",
    ">",
    "{",
    "}",
    '"',
    "'",
    ",",
    "1e999",
    "nan",
    "\n",
    "default",
    "",
]


def mutate_rules(data: bytes, rng: random.Random, others: list[bytes]) -> bytes:
    words = data.decode().split(" ")
    for _ in range(rng.choice([1, 2, 5])):
        k, how = rng.randrange(len(words)), rng.random()
        if how < 0.4:
            words[k] = rng.choice(WORDS) * rng.choice([1, 1, 50])
        elif how < 0.7:
            words[k : k + 1] = [words[k], rng.choice(words)]
        else:
            words[k : k + 1] = []
        words = words or [""]
    return " ".join(words).encode()
