"""Scores as probabilities in SQL: the step `link`."""

from hedgerow.export.program.steps import ACTIVATIONS, Step
from hedgerow.export.program.to_sql.query import Query, exponential


def add_link(query: Query, step: Step, k: int, names: list[str]) -> int:
    dialect, name = query.dialect, step["name"]
    one, factor = dialect.number(1.0), dialect.number(step["factor"])
    if name == "identity":
        query.add({f"s{k}_{i}": x for i, x in enumerate(names)})
    elif name == "log":
        whole = dialect.number(1 + len(names) * step["factor"])
        query.add({f"s{k}_{i}": f"LN(({x} + {factor}) / {whole})" for i, x in enumerate(names)})
    elif name == "exp":
        query.add({f"s{k}_{i}": exponential(dialect, x) for i, x in enumerate(names)})
    elif name == "clip":
        query.add(
            {
                f"s{k}_{i}": dialect.least(dialect.greatest(x, f"-{factor}"), factor)
                for i, x in enumerate(names)
            }
        )
    elif name in ACTIVATIONS:
        query.add({f"s{k}_{i}": _activation(name, x, factor) for i, x in enumerate(names)})
    elif name == "logistic":
        query.add({f"e{k}": f"-{factor} * {names[0]}"})
        query.add({f"s{k}_1": f"{one} / ({one} + {exponential(dialect, f'e{k}')})"}, drop=(f"e{k}",))
        query.add({f"s{k}_0": f"{one} - s{k}_1"})
        return 2
    elif name == "odds" and len(names) == 1:
        return _add_odds(query, k, names, factor)
    else:
        return _add_shares(query, step, k, names)
    return len(names)


def _activation(name: str, x: str, zone: str) -> str:
    """Of a neuron that says nothing within the zone."""
    if name == "tanh":
        return f"TANH({x})"
    above, below = ("1.0", "-1.0") if name == "dead_zone" else (f"{x} - {zone}", f"{x} + {zone}")
    return f"CASE WHEN {x} > {zone} THEN {above} WHEN {x} < -{zone} THEN {below} ELSE 0.0 END"


def _add_odds(query: Query, k: int, names: list[str], factor: str) -> int:
    dialect = query.dialect
    one = dialect.number(1.0)
    query.add({f"z{k}": f"{factor} * {names[0]}"})
    query.add({f"n{k}": f"-ABS(z{k})"})
    query.add({f"e{k}": exponential(dialect, f"n{k}")}, drop=(f"n{k}",))
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
        query.add({part: exponential(dialect, part) for part in parts})
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
        query.add({part: exponential(dialect, part) for part in parts})
    query.add({f"t{k}": " + ".join(parts)})
    divided = {f"s{k}_{i}": f"{part} / t{k}" for i, part in enumerate(parts)}
    query.add(divided, drop=(*parts, f"t{k}", f"z{k}_0", f"z{k}_1"))
    return len(parts)
