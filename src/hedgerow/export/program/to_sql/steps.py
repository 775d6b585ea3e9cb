"""The steps in SQL.   In: a step, the columns it reads.   Out: stages, and how many columns they end with."""

from typing import Any

from hedgerow.export.program.steps import Step, by_step, refuse_words
from hedgerow.export.program.to_sql.dates import add_dates
from hedgerow.export.program.to_sql.dialect import Dialect
from hedgerow.export.program.to_sql.links import add_link
from hedgerow.export.program.to_sql.query import TERMS, Query, add_up, decide, exponential, is_in
from hedgerow.export.program.to_sql.trees import TREES, add_leaf_values, add_trees


def write_trees(query: Query, step: Step, k: int, names: list[str]) -> int:
    return add_trees(query, step, k, names)


def write_leaves(query: Query, step: Step, k: int, names: list[str]) -> int:
    return add_leaf_values(query, step, k, names)


def write_link(query: Query, step: Step, k: int, names: list[str]) -> int:
    return add_link(query, step, k, names)


def write_rules(query: Query, step: Step, k: int, names: list[str]) -> int:
    number = query.dialect.number
    tests = []
    for rule in step["rules"]:
        parts = []
        for one in rule:
            x = names[one["column"]]
            ends = [f"{x} > {number(one['low'])}"] if one["low"] is not None else []
            ends += [f"{x} <= {number(one['high'])}"] if one["high"] is not None else []
            here = (
                is_in(x, one["levels"])
                if one["levels"] is not None
                else " AND ".join(ends) or f"{x} IS NOT NULL"
            )
            parts.append(f"({x} IS NULL OR {here})" if one["missing"] else f"({x} IS NOT NULL AND {here})")
        tests.append(" AND ".join(parts) or "1 = 1")
    whens = " ".join(f"WHEN {test} THEN {r}" for r, test in enumerate(tests))
    query.add({f"r{k}": f"CASE {whens} ELSE {len(tests)} END" if whens else "0"})
    width = len(step["value"][0])
    columns = {
        f"s{k}_{i}": f"CASE r{k} {' '.join(f'WHEN {r} THEN {number(v[i])}' for r, v in enumerate(step['value']))} END"
        for i in range(width)
    }  # fmt: skip
    query.add(columns, drop=(f"r{k}",))
    return width


def write_take(query: Query, step: Step, k: int, names: list[str]) -> int:
    query.add({f"s{k}_{i}": names[j] for i, j in enumerate(step["columns"])})
    return len(step["columns"])


def write_recode(query: Query, step: Step, k: int, names: list[str]) -> int:
    columns = {}
    for j, known in enumerate(step["columns"]):
        text = names[j]
        if known is not None:
            whens = " ".join(
                f"WHEN {names[j]} = {query.dialect.number(x)} THEN {i}"
                for i, x in enumerate(known)
                if x is not None
            )
            text = f"CASE WHEN {names[j]} IS NULL THEN NULL {whens} ELSE {len(known)} END"
        columns[f"s{k}_{j}"] = text
    query.add(columns)
    return len(names)


def write_dates(query: Query, step: Step, k: int, names: list[str]) -> int:
    return add_dates(query, step, k, names)


def write_rates(query: Query, step: Step, k: int, names: list[str]) -> int:
    number, columns = query.dialect.number, dict[str, str]()
    for one in step["columns"]:
        for i, overall in enumerate(one["overall"]):
            whens = " ".join(f"WHEN {level} THEN {number(row[i])}" for level, row in enumerate(one["values"]))
            columns[f"s{k}_{len(columns)}"] = (
                f"CASE {names[one['column']]} {whens} ELSE {number(overall)} END"
                if whens
                else number(overall)
            )
    query.add(columns)
    return len(columns)


def write_words(query: Query, step: Step, k: int, names: list[str]) -> int:
    refuse_words("SQL")


def write_join(query: Query, step: Step, k: int, names: list[str]) -> int:
    parts = zip(step["sources"], step["widths"], strict=True)
    places = [f"s{source}_{i}" for source, many in parts for i in range(many)]
    query.add({f"s{k}_{i}": place for i, place in enumerate(places)})
    return len(places)


def write_prepare(query: Query, step: Step, k: int, names: list[str]) -> int:
    dialect, columns, n = query.dialect, dict[str, str](), 0
    low, high = dialect.number(-1e100), dialect.number(1e100)
    for x, column in zip(names, step["columns"], strict=True):
        if column["levels"] is None:
            centre, scale = dialect.number(column["centre"]), dialect.number(column["scale"])
            away = f"({x} / 2.0 - {centre} / 2.0) / {scale} * 2.0"
            clipped = dialect.least(dialect.greatest(away, low), high)
            columns[f"s{k}_{n}"] = f"CASE WHEN {x} IS NULL THEN {dialect.number(0.0)} ELSE {clipped} END"
            n += 1
        for level in column["levels"] or []:
            columns[f"s{k}_{n}"] = (
                f"CASE WHEN {x} = {level} THEN {dialect.number(1.0)} ELSE {dialect.number(0.0)} END"
            )
            n += 1
        if column["gap"]:
            columns[f"s{k}_{n}"] = (
                f"CASE WHEN {x} IS NULL THEN {dialect.number(1.0)} ELSE {dialect.number(0.0)} END"
            )
            n += 1
    query.add(columns)
    return n


def write_linear(query: Query, step: Step, k: int, names: list[str]) -> int:
    number = query.dialect.number
    columns = {}
    for m, (line, add) in enumerate(zip(step["coef"], step["intercept"], strict=True)):
        terms = [f"{number(w)} * {x}" for w, x in zip(line, names, strict=True)]
        columns[f"s{k}_{m}"] = add_up([*terms, number(add)])
    query.add(columns)
    return len(columns)


def write_kernel(query: Query, step: Step, k: int, names: list[str]) -> int:
    dialect, kernel, many = query.dialect, step["kernel"], len(step["intercept"])
    number = dialect.number
    scaled = {
        f"x{k}_{j}": f"({x} - {number(step['centre'][j])}) / {number(step['spread'][j])}"
        for j, x in enumerate(names)
    }
    query.add({**scaled, **{f"s{k}_{m}": number(0.0) for m in range(many)}})
    for begin in range(0, len(step["rows"]), TREES):
        rows, coefs = step["rows"][begin : begin + TREES], step["coef"][begin : begin + TREES]
        query.add({f"a{i}": _argument(dialect, kernel, list(scaled), row) for i, row in enumerate(rows)})
        places = [f"a{i}" for i in range(len(rows))]
        query.add({place: _kernel_value(dialect, kernel, place) for place in places})
        sums = {
            f"s{k}_{m}": add_up([f"s{k}_{m}", *(f"a{i} * {number(coef[m])}" for i, coef in enumerate(coefs))])
            for m in range(many)
        }
        query.add(sums, drop=tuple(places))
    query.add(
        {f"s{k}_{m}": f"s{k}_{m} + {number(x)}" for m, x in enumerate(step["intercept"])}, drop=tuple(scaled)
    )
    return many


def _argument(dialect: Dialect, kernel: dict[str, Any], names: list[str], row: list[float]) -> str:
    number = dialect.number
    if kernel["name"] == "rbf":
        parts = [f"({x} - {number(z)}) * ({x} - {number(z)})" for x, z in zip(names, row, strict=True)]
        return f"{number(-kernel['gamma'])} * ({add_up(parts)})"
    inner = add_up([f"{x} * {number(z)}" for x, z in zip(names, row, strict=True)])
    return (
        inner
        if kernel["name"] == "linear"
        else f"{number(kernel['gamma'])} * ({inner}) + {number(kernel['coef0'])}"
    )


def _kernel_value(dialect: Dialect, kernel: dict[str, Any], place: str) -> str:
    if kernel["name"] == "poly":
        return " * ".join([place] * kernel["degree"]) or dialect.number(1.0)
    return {"rbf": exponential(dialect, place), "sigmoid": f"TANH({place})", "linear": place}[
        str(kernel["name"])
    ]


def write_pairs(query: Query, step: Step, k: int, names: list[str]) -> int:
    n, one, zero = step["classes"], query.dialect.number(1.0), query.dialect.number(0.0)
    counts: list[list[str]] = [[] for _ in range(n)]
    sure: list[list[str]] = [[] for _ in range(n)]
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    for x, (i, j) in zip(names, pairs, strict=True):
        counts[i].append(f"CASE WHEN {x} > 0 THEN {one} ELSE {zero} END")
        counts[j].append(f"CASE WHEN {x} > 0 THEN {zero} ELSE {one} END")
        sure[i].append(f"{x}")
        sure[j].append(f"-{x}")
    query.add({f"s{k}_{i}": add_up(counts[i]) for i in range(n)})
    if not step["rounded"]:
        query.add({f"v{k}_{i}": add_up(sure[i]) for i in range(n)})
        query.add(
            {f"s{k}_{i}": f"s{k}_{i} + v{k}_{i} / (3.0 * (ABS(v{k}_{i}) + 1.0))" for i in range(n)},
            drop=tuple(f"v{k}_{i}" for i in range(n)),
        )
    return int(n)


def write_vote(query: Query, step: Step, k: int, names: list[str]) -> int:
    one, zero, width = query.dialect.number(1.0), query.dialect.number(0.0), max(2, len(names))
    query.add({f"d{k}": decide(names, [str(i) for i in range(width)])})
    query.add(
        {f"s{k}_{i}": f"CASE WHEN d{k} = {i} THEN {one} ELSE {zero} END" for i in range(width)},
        drop=(f"d{k}",),
    )
    return width


def write_weigh(query: Query, step: Step, k: int, names: list[str]) -> int:
    number = query.dialect.number
    terms: list[list[str]] = [[number(0.0)] for _ in range(step["width"])]
    for source, weight, places in zip(step["sources"], step["weights"], step["places"], strict=True):
        for i, place in enumerate(places):
            terms[place].append(f"s{source}_{i}" if weight is None else f"{number(weight)} * s{source}_{i}")
    end = "" if step["divide"] is None else f" / {number(step['divide'])}"
    query.add({f"s{k}_{i}": f"({' + '.join(some)}){end}" for i, some in enumerate(terms)})
    return int(step["width"])


def write_median(query: Query, step: Step, k: int, names: list[str]) -> int:
    """The least value by which half of the weight is reached."""
    if len(names) > TERMS:
        raise ValueError(
            f"The weighted median of {len(names)} trees is too long for SQL. Export at most {TERMS} rounds, or as C."
        )
    number, weights = query.dialect.number, step["weights"]
    half = number(0.5 * sum(weights))
    reached = {
        f"w{i}": " + ".join(
            f"CASE WHEN {other} <= {x} THEN {number(w)} ELSE {number(0.0)} END"
            for other, w in zip(names, weights, strict=True)
        )
        for i, x in enumerate(names)
    }
    query.add(reached)
    best = "NULL"
    largest = names[0]
    for x in names[1:]:
        largest = query.dialect.greatest(largest, x)
    query.add({"top": largest})
    best = "top"
    for i, x in enumerate(names):
        best = query.dialect.least(best, f"CASE WHEN w{i} >= {half} THEN {x} ELSE top END")
    query.add({f"s{k}_0": best}, drop=(*reached, "top"))
    return 1


def write_silent(query: Query, step: Step, k: int, names: list[str]) -> int:
    number, silent = query.dialect.number, " AND ".join(f"{x} = 0" for x in names)
    columns = {
        f"s{k}_{i}": f"CASE WHEN {silent} THEN {number(x)} ELSE s{step['source']}_{i} END"
        for i, x in enumerate(step["value"])
    }
    query.add(columns)
    return len(columns)


WRITE = by_step(globals(), "write_")
