"""A scoring program, run.   In: the program, a row as a dict or a list of cells.   Out: the prediction.

Plain Python and nothing else: the Python export carries this file along, so that it needs no package.
"""

from itertools import pairwise
from math import exp, floor, inf, isfinite, log, nan, sqrt, tanh
from typing import Any
from unicodedata import category

CELLS = -1


def predict(program: Any, row: Any) -> Any:
    """{"value": the class or the number, "probabilities": one a class, or None}, and "interval": [low, high] if any"""
    found = run_steps(program, read_cells(program["columns"], row))
    value, shares = found[program["answer"]["value"]], program["answer"]["probabilities"]
    if program["classes"] is None:
        ends = program["answer"].get("interval")
        answer = {"value": value[0], "probabilities": None}
        return answer if ends is None else {**answer, "interval": found[ends]}
    return {
        "value": program["classes"][0 if len(program["classes"]) == 1 else decide(value)],
        "probabilities": None if shares is None else found[shares],
    }


def run_steps(program: Any, cells: Any) -> Any:
    """What each step found."""
    found: list[Any] = []
    for step in program["steps"]:
        found.append(STEPS[step["do"]](step, cells if step["of"] == CELLS else found[step["of"]], found))
    return found


def decide(scores: Any) -> Any:
    """The class of the largest score, the first of equals; of one score, the second class where it is above 0."""
    return int(scores[0] > 0) if len(scores) == 1 else scores.index(max(scores))


def read_cells(columns: Any, row: Any) -> Any:
    """A missing cell is None or NaN; categories and free text are text; a date is days since 1970-01-01."""
    given = [row.get(column["name"]) for column in columns] if hasattr(row, "get") else list(row)
    if len(given) != len(columns):
        raise ValueError(f"The row has {len(given)} cells; wanted {len(columns)}.")
    return [read_cell(column, cell) for column, cell in zip(columns, given, strict=True)]


def read_cell(column: Any, cell: Any) -> Any:
    if column["kind"] == "text":
        return "" if cell is None or cell != cell else str(cell)
    if cell is None or cell != cell:
        return nan
    if column["kind"] != "category":
        return float(cell)
    return float(column["levels"].index(cell) if cell in column["levels"] else len(column["levels"]))


def run_take(step: Any, cells: Any, found: Any) -> Any:
    return [cells[j] for j in step["columns"]]


def run_dates(step: Any, cells: Any, found: Any) -> Any:
    parts = [date_part(cells[one["column"]], one["part"]) for one in step["parts"]]
    spans = [cells[second] - cells[first] for first, second in step["spans"]]
    return parts + [days if isfinite(days) else nan for days in spans]


def date_part(days: Any, part: Any) -> Any:
    """Of the calendar from 1 March on, in eras of 400 years: leap days come last."""
    if not abs(days) < 3_000_000:
        return nan
    whole = floor(days)
    if part == "hour":
        return float(floor((days - whole) * 24 + 1e-6))
    if part == "weekday":
        return float((whole + 3) % 7)
    era, day = divmod(whole + 719468, 146097)
    year = (day - day // 1460 + day // 36524 - day // 146096) // 365
    month = (5 * (day - 365 * year - year // 4 + year // 100) + 2) // 153
    if part == "month":
        return float(month + 2 if month < 10 else month - 10)
    return float(year + 400 * era + (month >= 10))


def run_rates(step: Any, cells: Any, found: Any) -> Any:
    out = []
    for one in step["columns"]:
        level, values = cells[one["column"]], one["values"]
        out += values[int(level)] if level < len(values) else one["overall"]
    return out


def run_words(step: Any, cells: Any, found: Any) -> Any:
    return [x for one in step["columns"] for x in count_words(one, cells[one["column"]])]


def count_words(one: Any, text: Any) -> Any:
    """Of each term; a pair of words is two that stand side by side."""
    words = split_words(text)
    counts: dict[Any, Any] = {}
    for term in words + [f"{a} {b}" for a, b in pairwise(words)]:
        counts[term] = 1.0 if one["form"] == "presence" else counts.get(term, 0.0) + 1.0
    numbers = [counts.get(term, 0.0) for term in one["terms"]]
    if one["idf"] is None:
        return numbers
    scaled = [x * idf for x, idf in zip(numbers, one["idf"], strict=True)]
    length = sqrt(dot(scaled, scaled)) or 1.0
    return [x / length for x in scaled]


def split_words(text: Any) -> Any:
    r"""Runs of two or more letters, marks, digits or underscores, in lower case: Unicode's \w."""
    spaced = "".join(c if is_letter(c) else " " for c in text.lower())
    return [word for word in spaced.split(" ") if len(word) > 1]


def is_letter(c: Any) -> Any:
    kind, circled = category(c), "\u24b6" <= c <= "\u24e9" or "\U0001f130" <= c <= "\U0001f189"
    return kind[0] in "LM" or kind in ("Nd", "Nl", "Pc") or c in "\u200c\u200d" or (circled and kind == "So")


def run_join(step: Any, cells: Any, found: Any) -> Any:
    return [x for source in step["sources"] for x in found[source]]


def run_prepare(step: Any, cells: Any, found: Any) -> Any:
    out = []
    for column, x in zip(step["columns"], cells, strict=True):
        missing = x != x
        if column["levels"] is None:
            away = 0.0 if missing else (x / 2 - column["centre"] / 2) / column["scale"] * 2
            out.append(min(max(away, -1e100), 1e100))
        else:
            out += [float(x == level) for level in column["levels"]]
        if column["gap"]:
            out.append(float(missing))
    return out


def run_trees(step: Any, cells: Any, found: Any) -> Any:
    total = list(step["start"])
    for tree in step["trees"]:
        value = value_of(tree, cells)
        if tree["output"] is None:
            total = [a + b for a, b in zip(total, value, strict=True)]
        else:
            total[tree["output"]] += value[0]
    return total if step["divide"] is None else [a / step["divide"] for a in total]


def value_of(tree: Any, cells: Any) -> Any:
    """That of the row's leaf, or of several, each times its share of the row."""
    total, waiting = None, [(0, 1.0)]
    while waiting:
        at, share = waiting.pop()
        while tree["child"][at] >= 0:
            to = next_node(tree, at, cells)
            if to < 0:
                break
            at = to
        child = tree["child"][at]
        if child >= 0:
            waiting += [(child + k, share * tree["share"][child + k]) for k in range(tree["children"][at])]
            continue
        value = tree["value"][at]
        if total is None and not waiting and share == 1.0:
            return value
        part = [share * x for x in value]
        total = part if total is None else [a + b for a, b in zip(total, part, strict=True)]
    return total


def next_node(tree: Any, at: Any, cells: Any) -> Any:
    """The child a row goes to; -1: to all of them."""
    x, levels, child = cells[tree["column"][at]], tree["levels"][at], tree["child"][at]
    if x == x:
        if levels is None:
            return child + (0 if x <= tree["threshold"][at] else 1)
        if levels != "each":
            return child + (0 if int(x) in levels else 1)
        if x < tree["children"][at]:
            return child + int(x)
    for other in (tree["surrogates"][at] or ()) if "surrogates" in tree else ():
        y = cells[other["column"]]
        if y == y and (other["known"] is None or y < other["known"]):
            yes = y <= other["threshold"] if other["levels"] is None else int(y) in other["levels"]
            return child + (0 if yes == other["below"] else 1)
    return tree["missing"][at]


def run_leaves(step: Any, cells: Any, found: Any) -> Any:
    return [value_of(tree, cells)[0] for tree in step["trees"]]


def run_recode(step: Any, cells: Any, found: Any) -> Any:
    return [recoded(x, known) for x, known in zip(cells, step["columns"], strict=True)]


def recoded(x: Any, known: Any) -> Any:
    if known is None or x != x:
        return x
    return float(known.index(x) if x in known else len(known))


def run_rules(step: Any, cells: Any, found: Any) -> Any:
    for rule, value in zip(step["rules"], step["value"], strict=False):
        if all(holds(condition, cells[condition["column"]]) for condition in rule):
            return value
    return step["value"][-1]


def holds(condition: Any, x: Any) -> Any:
    if x != x:
        return condition["missing"]
    if condition["levels"] is not None:
        return x in condition["levels"]
    low, high = condition["low"], condition["high"]
    return (low is None or low < x) and (high is None or x <= high)


def run_linear(step: Any, cells: Any, found: Any) -> Any:
    return [dot(line, cells) + add for line, add in zip(step["coef"], step["intercept"], strict=True)]


def dot(a: Any, b: Any) -> Any:
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total += x * y
    return total


def run_kernel(step: Any, cells: Any, found: Any) -> Any:
    scaled = [(x - c) / s for x, c, s in zip(cells, step["centre"], step["spread"], strict=True)]
    total = [0.0] * len(step["intercept"])
    for row, coef in zip(step["rows"], step["coef"], strict=True):
        value = kernel_of(step["kernel"], scaled, row)
        total = [a + value * b for a, b in zip(total, coef, strict=True)]
    return [a + b for a, b in zip(total, step["intercept"], strict=True)]


def kernel_of(kernel: Any, x: Any, z: Any) -> Any:
    """Products, not powers: those raise where a number becomes infinite."""
    if kernel["name"] == "rbf":
        apart = [a - b for a, b in zip(x, z, strict=True)]
        return exp_of(-kernel["gamma"] * dot(apart, apart))
    inner = dot(x, z)
    if kernel["name"] == "linear":
        return inner
    inner = kernel["gamma"] * inner + kernel["coef0"]
    if kernel["name"] == "sigmoid":
        return tanh(inner)
    power = 1.0
    for _ in range(kernel["degree"]):
        power *= inner
    return power


def run_link(step: Any, scores: Any, found: Any) -> Any:
    name, factor = step["name"], step["factor"]
    if name == "identity":
        return scores
    if name == "log":  # of shares, none of them 0: `factor` is added to each
        return [log(max(x + factor, 5e-324) / (1 + len(scores) * factor)) for x in scores]
    if name == "exp":
        return [exp_of(x) for x in scores]
    if name == "clip":
        return [min(max(x, -factor), factor) for x in scores]
    if name == "tanh":
        return [tanh(x) for x in scores]
    if name in ("dead_zone", "soft_threshold"):
        return [activation(name, x, factor) for x in scores]
    if name == "shares":  # a slope for each side of 0
        scores = [0.0, scores[0] * (step["above"] if scores[0] > 0 else factor)]
        factor = 1.0
    if name == "logistic":
        second = 1.0 / (1.0 + exp_of(-factor * scores[0]))
        return [1.0 - second, second]
    if name == "odds":
        return run_odds([factor * x for x in scores])
    top = max(scores)
    parts = [exp_of(factor * (x - top)) for x in scores]
    return divided(parts)


def activation(name: Any, x: Any, zone: Any) -> Any:
    if -zone <= x <= zone:
        return 0.0
    if name == "dead_zone":
        return 1.0 if x > 0 else -1.0
    return x - zone if x > 0 else x + zone


def run_odds(scores: Any) -> Any:
    small = [exp_of(-abs(z)) for z in scores]
    yes = [(1.0 if z >= 0 else s) / (1.0 + s) for z, s in zip(scores, small, strict=True)]
    if len(scores) == 1:
        return [(small[0] if scores[0] >= 0 else 1.0) / (1.0 + small[0]), yes[0]]
    return divided(yes)


def exp_of(x: Any) -> Any:
    return exp(x) if x < 709.0 else inf


def divided(parts: Any) -> Any:
    total = sum(parts)
    return [part / total for part in parts] if total > 0 else [1 / len(parts)] * len(parts)


def run_pairs(step: Any, scores: Any, found: Any) -> Any:
    """Votes a class, ties by confidence (below 1/2); rounded, votes alone."""
    n, k = step["classes"], 0
    count, confidence = [0.0] * n, [0.0] * n
    for i in range(n):
        for j in range(i + 1, n):
            winner = i if scores[k] > 0 else j
            count[winner] += 1.0
            confidence[i] += scores[k]
            confidence[j] -= scores[k]
            k += 1
    if step["rounded"]:
        return count
    return [a + b / (3 * (abs(b) + 1)) for a, b in zip(count, confidence, strict=True)]


def run_vote(step: Any, scores: Any, found: Any) -> Any:
    best = decide(scores)
    return [float(k == best) for k in range(max(2, len(scores)))]


def run_weigh(step: Any, cells: Any, found: Any) -> Any:
    total = [0.0] * step["width"]
    for source, weight, places in zip(step["sources"], step["weights"], step["places"], strict=True):
        for place, x in zip(places, found[source], strict=True):
            total[place] += x if weight is None else weight * x
    return total if step["divide"] is None else [a / step["divide"] for a in total]


def run_median(step: Any, values: Any, found: Any) -> Any:
    order = sorted(range(len(values)), key=values.__getitem__)
    reached, total = [], 0.0
    for k in order:
        total += step["weights"][k]
        reached.append(total)
    return [
        next(values[k] for k, sum_so_far in zip(order, reached, strict=True) if sum_so_far >= 0.5 * total)
    ]


def run_silent(step: Any, scores: Any, found: Any) -> Any:
    return found[step["source"]] if any(scores) else step["value"]


STEPS = {
    "take": run_take,
    "dates": run_dates,
    "rates": run_rates,
    "words": run_words,
    "join": run_join,
    "prepare": run_prepare,
    "trees": run_trees,
    "leaves": run_leaves,
    "recode": run_recode,
    "rules": run_rules,
    "linear": run_linear,
    "kernel": run_kernel,
    "link": run_link,
    "pairs": run_pairs,
    "vote": run_vote,
    "weigh": run_weigh,
    "median": run_median,
    "silent": run_silent,
}
