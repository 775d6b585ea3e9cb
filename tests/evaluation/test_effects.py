"""Effects of columns and weak slices: a slow twin of each, and what was planted is found."""

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.evaluation.effects import measure_effect
from hedgerow.evaluation.slices import FEWEST, find_slices
from hedgerow.table import Table, to_table


def table_of(n: int, seed: int) -> Table:
    random = np.random.default_rng(seed)
    age = random.normal(40, 10, n).round(1)
    age[:: max(7, n // 20)] = np.nan
    return to_table(
        {"age": age, "town": random.choice(["oak", "ash", "elm"], n).tolist(), "rich": random.random(n) < 0.4}
    )


def curved(table: Table) -> np.ndarray:
    """Not additive: the town matters to the old only."""
    age = np.nan_to_num(table.column("age").numbers, nan=40.0)
    town = table.column("town")
    code = np.array([{"oak": 0.0, "ash": 1.0, "elm": 2.0}[town.levels[k]] for k in town.values])
    return np.sin(age / 9) + code * (age > 45) + 0.5 * table.column("rich").numbers


def slow_effect(table: Table, n_pieces: int) -> np.ndarray:
    """Row by row, as the definition has it."""
    cells = [(row, float(cell)) for row, cell in enumerate(table.column("age").numbers) if not np.isnan(cell)]
    ends = sorted(set(np.quantile([cell for _, cell in cells], np.linspace(0, 1, n_pieces + 1)).tolist()))
    changes: list[list[float]] = [[] for _ in ends[1:]]
    places = []
    for row, cell in cells:
        k = next(k for k in range(len(ends) - 1) if cell <= ends[k + 1])
        places.append(k)
        one = table.take([row])
        moved = []
        for end in (ends[k], ends[k + 1]):
            one.columns[0].values[0] = end
            moved.append(float(curved(one)[0]))
        changes[k].append(moved[1] - moved[0])
    total = [0.0]
    for some in changes:
        total.append(total[-1] + (float(np.mean(some)) if some else 0.0))
    middle = np.mean([(total[k] + total[k + 1]) / 2 for k in places])
    return np.array(total) - middle


@settings(max_examples=10, deadline=None)
@given(st.integers(40, 90), st.integers(0, 99), st.integers(2, 9))
def test_accumulated_effects_equal_the_slow_twin(n: int, seed: int, n_pieces: int) -> None:
    table = table_of(n, seed)
    found = measure_effect(curved, table, 0, n_pieces)
    assert found is not None
    np.testing.assert_allclose(found.values, slow_effect(table, n_pieces), atol=1e-9)
    assert (found.low <= found.values).all()
    assert (found.values <= found.high).all()


def test_levels_are_means_and_a_constant_has_no_effect() -> None:
    table = table_of(80, 1)
    found = measure_effect(curved, table, 2)
    assert found is not None
    by_name = dict(zip(found.levels, found.values, strict=True))
    assert abs(by_name["true"] - by_name["false"] - 0.5) < 1e-9
    assert measure_effect(curved, to_table({"age": [1.0] * 9}), 0) is None


def test_a_missing_cell_is_a_level() -> None:
    """Things bought, with a mark or nothing; reasons of those who left; yes, no or not known."""
    marks = [None, None, "t", None, "t"] * 8
    rich = [True, False, None, None, None] * 8
    table = to_table({"milk": marks, "rich": rich})
    for place in range(2):
        found = measure_effect(lambda rows, k=place: 1.0 * rows.columns[k].missing, table, place)  # type: ignore[misc]
        assert found is not None
        assert found.levels[0] == "missing"
        assert found.values[0] - found.values[1] == 1


def test_slices_equal_the_slow_twin() -> None:
    table, random = table_of(600, 2), np.random.default_rng(3)
    loss = random.exponential(1, 600)
    town, rich = table.column("town"), table.column("rich")
    planted = (town.values == town.levels.index("elm")) & (rich.numbers == 1)
    loss[planted] += 1.5
    found = find_slices(table, loss, lambda rows: float(rows.sum()))
    assert found[0].words in ("town = elm and rich is true", "rich is true and town = elm")
    assert found[0].n_rows == planted.sum()
    assert abs(found[0].difference - (loss[planted].mean() - loss[~planted].mean())) < 1e-12
    for one in found:
        rows = _rows(table, one.words)
        assert one.n_rows == len(rows) >= FEWEST
        others = [k for k in range(600) if k not in set(rows)]
        assert abs(one.loss - np.mean([loss[k] for k in rows])) < 1e-12
        assert abs(one.others - np.mean([loss[k] for k in others])) < 1e-12
        assert one.low > 0
        assert one.guess == len(rows)


def test_slices_of_the_same_rows_are_one() -> None:
    random = np.random.default_rng(3)
    income = random.lognormal(3, 1, 400)
    table = to_table({"income": income, "income_squared": income**2})
    found = find_slices(table, np.where(income > 40, 2.0, 1.0) + 0.1 * random.normal(size=400), len)
    assert [one.words.split()[0] for one in found] == ["income"]


def _rows(table: Table, words: str) -> list[int]:
    """Read from the words."""

    def holds(row: int, part: str) -> bool:
        name, _, rest = part.partition(" ")
        column = table.column(name)
        value = column.values[row]
        if rest == "is missing":
            return bool(np.isnan(value))
        if rest in ("is true", "is false"):
            return bool(value == (rest == "is true"))
        if rest.startswith("= "):
            return column.levels[value] == rest[2:]
        sign, _, number = rest.partition(" ")
        return bool(value <= float(number) if sign == "<=" else value > float(number))

    return [row for row in range(table.n_rows) if all(holds(row, part) for part in words.split(" and "))]


def test_noise_has_no_weak_slice_more_often_than_promised() -> None:
    found = [
        bool(find_slices(table_of(300, seed), np.random.default_rng(seed).exponential(1, 300), len))
        for seed in range(40)
    ]
    assert sum(found) <= 5


def test_pairs_are_worse_than_their_parts() -> None:
    table, loss = table_of(400, 4), np.random.default_rng(4).exponential(1, 400)
    loss[np.isnan(table.column("age").numbers)] += 9
    found = find_slices(table, loss, len)
    means = {one.words: one.loss for one in found}
    for a, b in combinations(found, 2):
        for pair, part in ((a, b), (b, a)):
            if f"{part.words} and " in pair.words:
                assert means[pair.words] > means[part.words]
