"""The steps of a scoring program in SQL.   In: the Program, a dialect.   Out: one SELECT.

Each stage is a WITH query that carries on what is still needed and adds columns:

    cells   the columns of the table, as numbers          c0, c1, ...
    trees   the leaf of some trees; then the sums so far  (deep trees in slices: SQLite nests only so deep)
    steps   s<k>_<i>, the numbers of step k

Stages are MATERIALIZED: folded into each other, an expression that is used twice would be computed twice, and so on.
Names of the data stand in quotes, doubled where they hold quotes; a table's columns are always named as its own, for
SQLite takes an unknown name in double quotes for text.
"""

from dataclasses import dataclass, field
from math import frexp
from typing import Any

from hedgerow.export.program.steps import CELLS, EACH, Program, Step

SLICE = 8  # depth of a tree that is written in one expression
TREES = 30  # in one stage
TERMS = 100  # of a sum in one pair of brackets
LEAST, MOST = -700.0, 700.0  # exponents: beyond, PostgreSQL gives an error instead of 0 or infinity


@dataclass(frozen=True)
class Dialect:
    name: str
    double: str
    text: str

    def number(self, x: float) -> str:
        """A literal that is this float and no other."""
        if self.name != "sqlite":
            return f"CAST('{x!r}' AS {self.double})"
        digits = f"{abs(x):.15g}"
        if (float(digits) == abs(x) and 1e-22 < abs(x) < 1e15) or x == 0:
            return f"({x!r})"
        return _fraction(x)

    def string(self, text: str) -> str:
        if "\0" in text:
            if self.name != "sqlite":
                return "NULL"  # no text of these databases can hold it
            return f"CAST(x'{text.encode().hex()}' AS TEXT)"
        return "'" + text.replace("'", "''") + "'"

    def identifier(self, name: str) -> str:
        if "\0" in name:
            raise ValueError(
                f"The name {name!r:.60} holds a NUL character, which no SQL name can. Rename the column."
            )
        return '"' + name.replace('"', '""') + '"'

    def cell(self, column: dict[str, Any]) -> str:
        raw = f"t.{self.identifier(column['name'])}"
        if column["levels"] is not None:
            return self._level(raw, column["levels"])
        if self.name == "sqlite":
            return f"CAST({raw} AS REAL)"
        if column["kind"] == "boolean":
            return f"CAST(CAST({raw} AS INTEGER) AS {self.double})"
        return f"NULLIF(CAST({raw} AS {self.double}), CAST('NaN' AS {self.double}))"

    def _level(self, raw: str, levels: list[str]) -> str:
        text = f"CAST({raw} AS {self.text})" + (" COLLATE BINARY" if self.name == "sqlite" else "")
        whens = " ".join(f"WHEN {text} = {self.string(level)} THEN {k}" for k, level in enumerate(levels))
        return f"CASE WHEN {raw} IS NULL THEN NULL {whens} ELSE {len(levels)} END"

    def least(self, a: str, b: str) -> str:
        return f"{'MIN' if self.name == 'sqlite' else 'LEAST'}({a}, {b})"

    def greatest(self, a: str, b: str) -> str:
        return f"{'MAX' if self.name == 'sqlite' else 'GREATEST'}({a}, {b})"

    def value(self, x: Any) -> str:
        """A class."""
        if isinstance(x, bool):
            return "TRUE" if x else "FALSE"
        return self.string(x) if isinstance(x, str) else str(x) if isinstance(x, int) else self.number(x)


DIALECTS = {
    "sqlite": Dialect("sqlite", "REAL", "TEXT"),
    "duckdb": Dialect("duckdb", "DOUBLE", "VARCHAR"),
    "postgres": Dialect("postgres", "DOUBLE PRECISION", "TEXT"),
}


def _fraction(x: float) -> str:
    """SQLite may round a long decimal wrongly; whole numbers and quotients of powers of two it does not."""
    mantissa, exponent = frexp(x)
    whole, power = int(mantissa * 2**53), exponent - 53
    text = f"{whole}.0"
    while power:
        step = max(-60, min(60, power))
        text += f" * {2**step}.0" if step > 0 else f" / {2**-step}.0"
        power -= step
    return f"({text})"


@dataclass
class Query:
    """Stages as they are written."""

    dialect: Dialect
    kept: list[str]  # columns that every stage carries on
    stages: list[str] = field(default_factory=list)
    last: str = ""

    def add(self, columns: dict[str, str], drop: tuple[str, ...] = ()) -> None:
        """A stage with these columns; the others go on, without those to drop."""
        self.kept = [name for name in self.kept if name not in drop and name not in columns]
        listed = [*self.kept, *(f"{text} AS {name}" for name, text in columns.items())]
        name = f"stage{len(self.stages)}"
        body = ",\n    ".join(listed)
        self.stages.append(f"{name} AS MATERIALIZED (\n  SELECT\n    {body}\n  FROM {self.last}\n)")
        self.last = name
        self.kept += list(columns)


def write_sql(program: Program, dialect: Dialect, table: str, keep: list[str]) -> str:
    carried = {f"k{j}": f"t.{dialect.identifier(name)}" for j, name in enumerate(keep)}
    query = Query(dialect, [], last=f"{dialect.identifier(table)} AS t")
    query.add(carried | {f"c{j}": dialect.cell(column) for j, column in enumerate(program["columns"])})
    widths: list[int] = []
    for k, step in enumerate(program["steps"]):
        names = [f"c{j}" for j in range(len(program["columns"]))]
        if step["of"] != CELLS:
            names = [f"s{step['of']}_{i}" for i in range(widths[step["of"]])]
        widths.append(WRITE[step["do"]](query, step, k, names))
    return _write_select(program, query, keep, widths)


def _write_select(program: Program, query: Query, keep: list[str], widths: list[int]) -> str:
    dialect, answer, classes = query.dialect, program["answer"], program["classes"]
    scores = [f"s{answer['value']}_{i}" for i in range(widths[answer["value"]])]
    columns = [f"k{j} AS {dialect.identifier(name)}" for j, name in enumerate(keep)]
    if classes is None:
        columns.append(f"{scores[0]} AS prediction")
    else:
        labels = [dialect.value(label) for label in classes]
        columns.append(f"{_decide(scores, labels)} AS prediction")
        if answer["probabilities"] is not None:
            columns += [
                f"s{answer['probabilities']}_{i} AS {dialect.identifier(f'probability_{label}')}"
                for i, label in enumerate(classes)
            ]
    listed = ",\n  ".join(columns)
    return "WITH\n" + ",\n".join(query.stages) + f"\nSELECT\n  {listed}\nFROM {query.last}"


def _decide(scores: list[str], results: list[str]) -> str:
    """The result of the largest score, the first of equals; of one score, the second where it is above 0."""
    if len(scores) == 1:
        return f"CASE WHEN {scores[0]} > 0 THEN {results[-1]} ELSE {results[0]} END"
    whens = []
    for k, score in enumerate(scores[:-1]):
        others = " AND ".join(f"{score} >= {other}" for other in scores if other != score)
        whens.append(f"WHEN {others} THEN {results[k]}")
    return f"CASE {' '.join(whens)} ELSE {results[len(scores) - 1]} END"


# ----------------------------------------------------------------------------------------------------------- trees


def _add_trees(query: Query, step: Step, k: int, names: list[str]) -> int:
    number, width = query.dialect.number, len(step["start"])
    totals = [f"s{k}_{i}" for i in range(width)]
    query.add({name: number(x) for name, x in zip(totals, step["start"], strict=True)})
    for begin in range(0, len(step["trees"]), TREES):
        some = step["trees"][begin : begin + TREES]
        leaves = _add_leaves(query, some, names)
        sums = {}
        for i, total in enumerate(totals):
            terms = [
                _value_at(query, tree, leaf, 0 if tree["output"] == i else i)
                for tree, leaf in zip(some, leaves, strict=True)
                if tree["output"] in (None, i)
            ]
            sums[total] = " + ".join([total, *terms])
        query.add(sums, drop=tuple(leaves))
    if step["divide"] is not None:
        query.add({total: f"{total} / {number(step['divide'])}" for total in totals})
    return width


def _add_leaf_values(query: Query, step: Step, k: int, names: list[str]) -> int:
    for begin in range(0, len(step["trees"]), TREES):
        some = step["trees"][begin : begin + TREES]
        leaves = _add_leaves(query, some, names)
        values = {
            f"s{k}_{begin + i}": _value_at(query, tree, leaf, 0)
            for i, (tree, leaf) in enumerate(zip(some, leaves, strict=True))
        }
        query.add(values, drop=tuple(leaves))
    return len(step["trees"])


def _value_at(query: Query, tree: dict[str, Any], leaf: str, i: int) -> str:
    whens = [
        f"WHEN {at} THEN {query.dialect.number(value[i])}"
        for at, value in enumerate(tree["value"])
        if tree["child"][at] < 0
    ]
    return f"CASE {leaf} {' '.join(whens)} END"


def _add_leaves(query: Query, trees: list[dict[str, Any]], names: list[str]) -> list[str]:
    """A column for each tree with the number of its leaf; slices of deep trees before it, deepest first."""
    slices: dict[int, dict[str, str]] = {}
    leaves = [_slice(query, tree, f"t{n}", names, slices) for n, tree in enumerate(trees)]
    made: list[str] = []
    for depth in sorted(slices, reverse=True):
        query.add(slices[depth], drop=tuple(made))
        made = [name for name in slices[depth] if name not in leaves] + made
    query.kept = [name for name in query.kept if name not in made]
    return leaves


def _slice(
    query: Query, tree: dict[str, Any], prefix: str, names: list[str], slices: dict[int, dict[str, str]]
) -> str:
    """All slices of a tree, as expressions of the nodes they lead to."""
    waiting = [(0, 0)]
    while waiting:
        root, depth = waiting.pop()
        below: list[int] = []
        text = _node(query, tree, prefix, names, root, 0, below)
        slices.setdefault(depth, {})[f"{prefix}_{root}"] = text
        waiting += [(at, depth + 1) for at in below]
    return f"{prefix}_0"


def _node(
    query: Query, tree: dict[str, Any], prefix: str, names: list[str], at: int, depth: int, below: list[int]
) -> str:
    child = tree["child"][at]
    if child < 0:
        return str(at)
    if depth == SLICE:
        below.append(at)
        return f"{prefix}_{at}"

    def part(to: int) -> str:
        return _node(query, tree, prefix, names, to, depth + 1, below)

    x, levels, missing = names[tree["column"][at]], tree["levels"][at], tree["missing"][at]
    if levels == EACH:
        others = [k for k in range(tree["children"][at]) if child + k != missing]
        whens = " ".join(f"WHEN {k} THEN {part(child + k)}" for k in others)
        return f"CASE {x} {whens} ELSE {part(missing)} END" if whens else part(missing)
    first = f"{x} <= {query.dialect.number(tree['threshold'][at])}" if levels is None else _in(x, levels)
    if missing == child:
        first = f"({x} IS NULL OR {first})"
    gap = f"WHEN {x} IS NULL THEN {part(missing)} " if missing not in (child, child + 1) else ""
    return f"CASE {gap}WHEN {first} THEN {part(child)} ELSE {part(child + 1)} END"


def _in(x: str, levels: list[Any]) -> str:
    return f"{x} IN ({', '.join(str(int(level)) for level in levels)})" if levels else "1 = 0"


# ----------------------------------------------------------------------------------------------------- other steps


def _add_rules(query: Query, step: Step, k: int, names: list[str]) -> int:
    number = query.dialect.number
    tests = []
    for rule in step["rules"]:
        parts = []
        for one in rule:
            x = names[one["column"]]
            ends = [f"{x} > {number(one['low'])}"] if one["low"] is not None else []
            ends += [f"{x} <= {number(one['high'])}"] if one["high"] is not None else []
            here = (
                _in(x, one["levels"])
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


def _add_take(query: Query, step: Step, k: int, names: list[str]) -> int:
    query.add({f"s{k}_{i}": names[j] for i, j in enumerate(step["columns"])})
    return len(step["columns"])


def _add_recode(query: Query, step: Step, k: int, names: list[str]) -> int:
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


def _add_preparation(query: Query, step: Step, k: int, names: list[str]) -> int:
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


def _sum(terms: list[str]) -> str:
    """In brackets of some terms each: a long chain is a deep expression."""
    if len(terms) <= TERMS:
        return " + ".join(terms)
    return _sum([f"({' + '.join(terms[k : k + TERMS])})" for k in range(0, len(terms), TERMS)])


def _add_linear(query: Query, step: Step, k: int, names: list[str]) -> int:
    number = query.dialect.number
    columns = {}
    for m, (line, add) in enumerate(zip(step["coef"], step["intercept"], strict=True)):
        terms = [f"{number(w)} * {x}" for w, x in zip(line, names, strict=True)]
        columns[f"s{k}_{m}"] = _sum([*terms, number(add)])
    query.add(columns)
    return len(columns)


def _add_kernel(query: Query, step: Step, k: int, names: list[str]) -> int:
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
            f"s{k}_{m}": _sum([f"s{k}_{m}", *(f"a{i} * {number(coef[m])}" for i, coef in enumerate(coefs))])
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
        return f"{number(-kernel['gamma'])} * ({_sum(parts)})"
    inner = _sum([f"{x} * {number(z)}" for x, z in zip(names, row, strict=True)])
    return (
        inner
        if kernel["name"] == "linear"
        else f"{number(kernel['gamma'])} * ({inner}) + {number(kernel['coef0'])}"
    )


def _kernel_value(dialect: Dialect, kernel: dict[str, Any], place: str) -> str:
    if kernel["name"] == "poly":
        return " * ".join([place] * kernel["degree"]) or dialect.number(1.0)
    return {"rbf": _exp(dialect, place), "sigmoid": f"TANH({place})", "linear": place}[str(kernel["name"])]


def _exp(dialect: Dialect, place: str) -> str:
    low, high = dialect.number(LEAST), dialect.number(MOST)
    return f"CASE WHEN {place} < {low} THEN {dialect.number(0.0)} ELSE EXP({dialect.least(place, high)}) END"


def _add_link(query: Query, step: Step, k: int, names: list[str]) -> int:
    dialect, name = query.dialect, step["name"]
    one, factor = dialect.number(1.0), dialect.number(step["factor"])
    if name == "identity":
        query.add({f"s{k}_{i}": x for i, x in enumerate(names)})
    elif name == "exp":
        query.add({f"s{k}_{i}": _exp(dialect, x) for i, x in enumerate(names)})
    elif name == "logistic":
        query.add({f"e{k}": f"-{factor} * {names[0]}"})
        query.add({f"s{k}_1": f"{one} / ({one} + {_exp(dialect, f'e{k}')})"}, drop=(f"e{k}",))
        query.add({f"s{k}_0": f"{one} - s{k}_1"})
        return 2
    elif name == "odds" and len(names) == 1:
        return _add_odds(query, k, names, factor)
    else:
        return _add_shares(query, step, k, names)
    return len(names)


def _add_odds(query: Query, k: int, names: list[str], factor: str) -> int:
    dialect = query.dialect
    one = dialect.number(1.0)
    query.add({f"z{k}": f"{factor} * {names[0]}"})
    query.add({f"n{k}": f"-ABS(z{k})"})
    query.add({f"e{k}": _exp(dialect, f"n{k}")}, drop=(f"n{k}",))
    query.add(
        {
            f"s{k}_0": f"CASE WHEN z{k} >= 0 THEN e{k} ELSE {one} END / ({one} + e{k})",
            f"s{k}_1": f"CASE WHEN z{k} >= 0 THEN {one} ELSE e{k} END / ({one} + e{k})",
        },
        drop=(f"z{k}", f"e{k}"),
    )
    return 2


def _add_shares(query: Query, step: Step, k: int, names: list[str]) -> int:
    """Exponentials of scores, or odds of each, divided by their sum."""
    dialect, name = query.dialect, step["name"]
    one, factor = dialect.number(1.0), dialect.number(step["factor"])
    if name == "shares":
        slope = f"CASE WHEN {names[0]} > 0 THEN {dialect.number(step['above'])} ELSE {factor} END"
        query.add({f"z{k}_0": dialect.number(0.0), f"z{k}_1": f"{names[0]} * {slope}"})
        names, factor = [f"z{k}_0", f"z{k}_1"], one
    parts = [f"e{k}_{i}" for i in range(len(names))]
    if name == "odds":
        query.add({part: f"-ABS({factor} * {x})" for part, x in zip(parts, names, strict=True)})
        query.add({part: _exp(dialect, part) for part in parts})
        query.add(
            {
                part: f"CASE WHEN {factor} * {x} >= 0 THEN {one} ELSE {part} END / ({one} + {part})"
                for part, x in zip(parts, names, strict=True)
            }
        )
    else:
        top = names[0]
        for x in names[1:]:
            top = dialect.greatest(top, x)
        query.add({f"m{k}": top})
        query.add(
            {part: f"{factor} * ({x} - m{k})" for part, x in zip(parts, names, strict=True)}, drop=(f"m{k}",)
        )
        query.add({part: _exp(dialect, part) for part in parts})
    query.add({f"t{k}": " + ".join(parts)})
    divided = {f"s{k}_{i}": f"{part} / t{k}" for i, part in enumerate(parts)}
    query.add(divided, drop=(*parts, f"t{k}", f"z{k}_0", f"z{k}_1"))
    return len(parts)


def _add_pairs(query: Query, step: Step, k: int, names: list[str]) -> int:
    n, one, zero = step["classes"], query.dialect.number(1.0), query.dialect.number(0.0)
    counts: list[list[str]] = [[] for _ in range(n)]
    sure: list[list[str]] = [[] for _ in range(n)]
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    for x, (i, j) in zip(names, pairs, strict=True):
        counts[i].append(f"CASE WHEN {x} > 0 THEN {one} ELSE {zero} END")
        counts[j].append(f"CASE WHEN {x} > 0 THEN {zero} ELSE {one} END")
        sure[i].append(f"{x}")
        sure[j].append(f"-{x}")
    query.add({f"s{k}_{i}": _sum(counts[i]) for i in range(n)})
    if not step["rounded"]:
        query.add({f"v{k}_{i}": _sum(sure[i]) for i in range(n)})
        query.add(
            {f"s{k}_{i}": f"s{k}_{i} + v{k}_{i} / (3.0 * (ABS(v{k}_{i}) + 1.0))" for i in range(n)},
            drop=tuple(f"v{k}_{i}" for i in range(n)),
        )
    return int(n)


def _add_vote(query: Query, step: Step, k: int, names: list[str]) -> int:
    one, zero, width = query.dialect.number(1.0), query.dialect.number(0.0), max(2, len(names))
    query.add({f"d{k}": _decide(names, [str(i) for i in range(width)])})
    query.add(
        {f"s{k}_{i}": f"CASE WHEN d{k} = {i} THEN {one} ELSE {zero} END" for i in range(width)},
        drop=(f"d{k}",),
    )
    return width


def _add_weighing(query: Query, step: Step, k: int, names: list[str]) -> int:
    number = query.dialect.number
    terms: list[list[str]] = [[number(0.0)] for _ in range(step["width"])]
    for source, weight, places in zip(step["sources"], step["weights"], step["places"], strict=True):
        for i, place in enumerate(places):
            terms[place].append(f"s{source}_{i}" if weight is None else f"{number(weight)} * s{source}_{i}")
    end = "" if step["divide"] is None else f" / {number(step['divide'])}"
    query.add({f"s{k}_{i}": f"({' + '.join(some)}){end}" for i, some in enumerate(terms)})
    return int(step["width"])


def _add_median(query: Query, step: Step, k: int, names: list[str]) -> int:
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


WRITE: dict[str, Any] = {
    "take": _add_take,
    "recode": _add_recode,
    "prepare": _add_preparation,
    "trees": _add_trees,
    "leaves": _add_leaf_values,
    "rules": _add_rules,
    "linear": _add_linear,
    "kernel": _add_kernel,
    "link": _add_link,
    "pairs": _add_pairs,
    "vote": _add_vote,
    "weigh": _add_weighing,
    "median": _add_median,
}
