"""Small trees built by hand, with their labels. Each is (tree, labels)."""

from dataclasses import dataclass, field

import numpy as np

from hedgerow.tree.labels import Labels
from hedgerow.tree.tree import LEAF, MULTIWAY, NONE, SUBSET, THRESHOLD, Tree

Example = tuple[Tree, Labels]


@dataclass
class Builder:
    """Writes a tree node by node; children of a node are added together, after it."""

    n_levels: tuple[int, ...]
    rows: list[dict[str, object]] = field(default_factory=list)
    bits: list[int] = field(default_factory=list)

    def root(self, value: list[float], n_rows: int) -> int:
        return self._add(value, n_rows)

    def threshold(self, node: int, column: int, threshold: float, children: list, missing: int = 0) -> int:
        return self._split(node, THRESHOLD, column, children, missing, threshold=threshold)

    def subset(self, node: int, column: int, levels: set[int], children: list, missing: int = 0) -> int:
        start = len(self.bits)
        whole = sum(1 << k for k in levels)
        many = self.n_levels[column] // 64 + 1
        self.bits += [(whole >> (64 * w)) & (2**64 - 1) for w in range(many)]
        return self._split(node, SUBSET, column, children, missing, subset_start=start)

    def multiway(self, node: int, column: int, children: list, missing: int = 0) -> int:
        return self._split(node, MULTIWAY, column, children, missing)

    def tree(self) -> Tree:
        arrays = {name: np.array([row[name] for row in self.rows]) for name in self.rows[0]}
        bits, levels = np.array(self.bits, np.uint64), np.array(self.n_levels, np.int32)
        return Tree(**arrays, subset_bits=bits, n_levels=levels)

    def _split(self, node: int, kind: int, column: int, children: list, missing: int, **more: object) -> int:
        first = len(self.rows)
        to = NONE if missing == NONE else first + missing
        self.rows[node] |= {
            "kind": kind,
            "feature": column,
            "first_child": first,
            "missing_child": to,
            **more,
        }
        self.rows[node]["n_children"] = len(children)
        for child in children:
            self._add(*child)
        return first

    def _add(self, value: list[float], n_rows: int, weight: float | None = None) -> int:
        impurity = 1 - sum(v * v for v in value) if len(value) > 1 else 1 / (1 + len(self.rows))
        self.rows.append(
            {
                "feature": NONE,
                "kind": LEAF,
                "threshold": np.nan,
                "subset_start": NONE,
                "first_child": NONE,
                "n_children": 0,
                "missing_child": NONE,
                "value": value,
                "weight": float(n_rows) if weight is None else weight,
                "n_rows": n_rows,
                "impurity": max(impurity, 0.0),
            }
        )
        return len(self.rows) - 1


def titanic() -> Example:
    """The tree of the lecture: sex, then age and siblings, or class."""
    b = Builder((2, 0, 3, 0))
    b.root([0.62, 0.38], 891)
    men = b.subset(0, 0, {1}, [([0.81, 0.19], 577), ([0.26, 0.74], 314)])
    boys = b.threshold(men, 1, 9.5, [([0.42, 0.58], 36), ([0.836, 0.164], 541)], missing=1)
    b.subset(men + 1, 2, {0, 1, 3}, [([0.05, 0.95], 170), ([0.5, 0.5], 144)])
    b.threshold(boys, 3, 2.5, [([0.0, 1.0], 22), ([0.93, 0.07], 14)])
    labels = Labels(
        features=("sex", "age", "pclass", "sibsp"),
        levels=(("female", "male"), (), ("1st", "2nd", "3rd"), ()),
        classes=("died", "survived"),
        target="survived",
        missing=frozenset({1}),
    )
    return b.tree(), labels


def iris() -> Example:
    """Three classes, numbers only."""
    b = Builder((0, 0, 0, 0))
    b.root([1 / 3, 1 / 3, 1 / 3], 150)
    first = b.threshold(0, 2, 2.449999988079071, [([1.0, 0, 0], 50), ([0, 0.5, 0.5], 100)])
    wide = b.threshold(first + 1, 3, 1.75, [([0, 49 / 54, 5 / 54], 54), ([0, 1 / 46, 45 / 46], 46)])
    b.threshold(wide, 2, 4.95, [([0, 47 / 48, 1 / 48], 48), ([0, 1 / 3, 2 / 3], 6)])
    b.threshold(wide + 1, 2, 4.85, [([0, 1 / 3, 2 / 3], 3), ([0, 0, 1.0], 43)])
    names = ("sepal length (cm)", "sepal width (cm)", "petal length (cm)", "petal width (cm)")
    species = ("setosa", "versicolor", "virginica")
    return b.tree(), Labels(names, ((), (), (), ()), classes=species, target="species", missing=frozenset())


def houses() -> Example:
    """A regression; one split sets missing cells apart."""
    b = Builder((0, 0, 12, 0))
    b.root([206_855.8], 20_640)
    low = b.threshold(0, 0, 5.035149, [([173_361.0], 16_255), ([331_025.5], 4_385)])
    poor = b.threshold(low, 0, 3.0741, [([136_161.2], 8_100), ([210_428.7], 8_155)])
    rich = b.subset(low + 1, 2, set(range(7)), [([292_000.4], 3_000), ([415_410.0], 1_385)])
    b.threshold(poor, 1, np.inf, [([140_000.0], 8_000), ([1_200.0], 100)], missing=1)
    b.threshold(rich + 1, 3, 0.5, [([300_500.5], 385), ([460_000.0], 1_000)])
    towns = (
        "Fresno",
        "Oakland",
        "Napa",
        "San José",
        "Davis",
        "Chico",
        "Ukiah",
        "Lodi",
        "Galt",
        "Ione",
        "Jackson",
        "Brea",
    )
    labels = Labels(
        features=("median income", "bedrooms", "town", "near ocean"),
        levels=((), (), towns, ()),
        booleans=frozenset({3}),
        target="price",
        missing=frozenset({1}),
    )
    return b.tree(), labels


def restaurant() -> Example:
    """Multiway, with the tree of the lecture; missing cells go to all children."""
    b = Builder((3, 0, 4, 0))
    b.root([0.5, 0.5], 12)
    patrons = b.multiway(0, 0, [([1.0, 0.0], 2), ([0.0, 1.0], 4), ([2 / 3, 1 / 3], 6)], NONE)
    hungry = b.threshold(patrons + 2, 1, 0.5, [([1.0, 0.0], 2), ([0.5, 0.5], 4)], NONE)
    kinds = [([0.5, 0.5], 0), ([1.0, 0.0], 1), ([0.5, 0.5], 2), ([0.0, 1.0], 1)]
    food = b.multiway(hungry + 1, 2, kinds, NONE)
    b.threshold(food + 2, 3, 0.5, [([1.0, 0.0], 1), ([0.0, 1.0], 1)], NONE)
    labels = Labels(
        features=("patrons", "hungry", "type", "Fri/Sat"),
        levels=(("None", "Some", "Full"), (), ("French", "Italian", "Thai", "Burger"), ()),
        booleans=frozenset({1, 3}),
        classes=("No", "Yes"),
        target="will wait",
        missing=frozenset(),
    )
    return b.tree(), labels


def single_leaf() -> Example:
    b = Builder((0,))
    b.root([0.25, 0.75], 4)
    return b.tree(), Labels(("x",), ((),), classes=("a", "b"))


def deep(n_splits: int = 30) -> Example:
    """A long chain: one leaf leaves at each step."""
    b = Builder((0, 0, 0))
    node = b.root([0.5, 0.5], 1 << 12)
    left = 1 << 12
    for k in range(n_splits):
        gone = max(1, left // 9)
        left -= gone
        p = (k * 37 % 100) / 100
        children = [([p, 1 - p], gone), ([0.5, 0.5], left)]
        node = b.threshold(node, k % 3, 10.0 - k / 7, children if k % 4 else children[::-1], missing=k % 2)
        node += 1 if k % 4 else 0
    return b.tree(), Labels(("alpha", "beta", "gamma"), ((), (), ()), classes=("left", "right"))


def bushy(depth: int = 5, n_classes: int = 7) -> Example:
    """A full binary tree with many classes."""
    b = Builder((0,) * 4)
    random = np.random.default_rng(7)
    level = [b.root(random.dirichlet(np.ones(n_classes)).tolist(), 64 << depth)]
    for d in range(depth):
        below = []
        for node in level:
            many = int(b.rows[node]["n_rows"])  # type: ignore[call-overload]
            part = int(many * random.uniform(0.2, 0.8))
            shares = [random.dirichlet(np.ones(n_classes) * 0.7**d).tolist() for _ in range(2)]
            first = b.threshold(
                node, d % 4, float(random.normal()), [(shares[0], part), (shares[1], many - part)]
            )
            below += [first, first + 1]
        level = below
    classes = tuple(f"class {chr(65 + k)}" for k in range(n_classes))
    return b.tree(), Labels(("p", "q", "r", "s"), ((),) * 4, classes=classes, missing=frozenset())


def hostile() -> Example:
    """Names that try to break whatever prints them."""
    b = Builder((3, 0, 70))
    b.root([0.5, 0.5], 100)
    first = b.subset(0, 0, {0}, [([0.9, 0.1], 50), ([0.1, 0.9], 50)], missing=1)
    b.threshold(first, 1, 0.30000000000000004, [([1.0, 0.0], 10), ([0.8, 0.2], 40)], NONE)
    b.subset(first + 1, 2, set(range(0, 70, 2)), [([0.0, 1.0], 49), ([0.999, 0.001], 1)])
    labels = Labels(
        features=('<b>&"\n\x1b[31m</svg>\x00', "\u202eright$to$left\\ " + "W" * 300, "日本語の列の名前" * 9),
        levels=(("]]>{,}", "", "\ud800"), (), tuple(f"level {k}\u200b" for k in range(70))),
        classes=("</text><script>alert(1)</script>", "e\u0301" + "\u0301" * 50 + " $\\frac{1}{0}$"),
        target="--><!ENTITY x 'y'>",
    )
    return b.tree(), labels


def wide(n_levels: int = 500) -> Example:
    """One multiway node with very many children."""
    b = Builder((n_levels,))
    b.root([10.0], n_levels * 3)
    b.multiway(0, 0, [([float(k)], 3) for k in range(n_levels)], NONE)
    return b.tree(), Labels(("code",), (tuple(f"v{k}" for k in range(n_levels)),), target="load")


EXAMPLES = (titanic, iris, houses, restaurant, single_leaf, deep, bushy, hostile, wide)
