"""A scoring program from a file.   In: JSON that anybody may have written.   Out: the Program, every number in it
checked; or an InvalidProgram that says what is wrong.

Checked, it can be run: every step reads an earlier one, every column and child is there, a tree is one, so that each
row ends in a leaf.
"""

import json
from math import isfinite
from pathlib import Path
from typing import Any

from hedgerow.export.program.runtime import predict
from hedgerow.export.program.steps import (
    ACTIVATIONS,
    CELLS,
    EACH,
    FORMAT,
    KERNELS,
    LINKS,
    PART_LEVELS,
    VERSION,
    Program,
    Step,
    by_step,
)

MOST_BYTES = 2**30
KINDS = ("number", "boolean", "category", "text")
TEXT = -1  # instead of a number of levels
TAKES_TEXT = ("take", "recode", "words", "dates", "rates", "join", "weigh")


class InvalidProgram(ValueError):
    """A file that holds no scoring program."""


class ScoringProgram:
    """A model read back from JSON: it predicts, row by row."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def predict(self, row: Any) -> dict[str, Any]:
        """Of a dict of cells by column, or a list of cells: the class or number, and probabilities."""
        return predict(self.program, row)  # type: ignore[no-any-return]


def load_program(path: str | Path) -> ScoringProgram:
    """What `model.export("json", path)` wrote."""
    file = Path(path).expanduser()
    if not file.is_file() or file.stat().st_size > MOST_BYTES:
        raise InvalidProgram(f"{str(file)!r:.200} is no file, or one of more than {MOST_BYTES:,} bytes.")
    return ScoringProgram(parse_program(file.read_bytes()))


def parse_program(text: str | bytes) -> Program:
    try:
        program = json.loads(text)
    except (ValueError, RecursionError) as reason:
        raise InvalidProgram(f"This is no JSON ({str(reason)[:80]}).") from None
    _check(isinstance(program, dict) and program.get("format") == FORMAT, f"a {FORMAT}")
    _check(program.get("version") == VERSION, f"version {VERSION}")
    try:
        _check_program(program)
    except InvalidProgram:
        raise
    except (KeyError, TypeError, AttributeError, IndexError, OverflowError, ValueError) as reason:
        raise InvalidProgram(
            f"This is no scoring program: something in it is missing or of another type ({reason!r:.80})."
        ) from None
    return program  # type: ignore[no-any-return]


def _check(holds: bool, what: str) -> None:
    if not holds:
        raise InvalidProgram(f"This is no scoring program. Expected: {what}.")


def _check_program(program: Program) -> None:
    columns, classes, steps = program["columns"], program["classes"], program["steps"]
    _check(isinstance(columns, list) and isinstance(steps, list) and bool(steps), "columns and steps")
    for column in columns:
        _check(isinstance(column["name"], str) and column["kind"] in KINDS, "columns with a name and a kind")
        levels = column["levels"]
        texts = isinstance(levels, list) and all(isinstance(level, str) for level in levels)
        _check(
            texts if column["kind"] == "category" else column["levels"] is None, "levels of categories alone"
        )
    _check(classes is None or (isinstance(classes, list) and len(classes) > 0), "classes, or null")
    widths = {CELLS: len(columns)}
    n_levels: Made = {CELLS: [_count_levels(column) for column in columns]}
    for k, step in enumerate(steps):
        of = step["of"]
        _check(type(of) is int and of in widths and step["do"] in CHECKS, "steps that read an earlier one")
        numbers = step["do"] in TAKES_TEXT or TEXT not in n_levels[of] or step.get("trees") == []
        _check(numbers, "text that the step `words` alone reads")
        widths[k], n_levels[k] = CHECKS[step["do"]](step, widths[of], n_levels[of], n_levels)
    value, shares = program["answer"]["value"], program["answer"]["probabilities"]
    _check(type(value) is int and 0 <= value < len(steps), "an answer")
    ends = program["answer"].get("interval")
    _check(
        ends is None
        or (classes is None and type(ends) is int and 0 <= ends < len(steps) and widths[ends] == 2),
        "an interval of two ends, of a number",
    )
    n_classes = 1 if classes is None else len(classes)
    _check(widths[value] in (n_classes, 1 if n_classes == 2 else n_classes), "an answer for each class")
    _check(
        shares is None or (type(shares) is int and 0 <= shares < len(steps) and widths[shares] == n_classes),
        "a probability for each class",
    )


Found = tuple[int, list[int | None]]
Made = dict[
    int, list[int | None]
]  # of each step: how many levels each of its numbers has; None: it is no level


def _count_levels(column: dict[str, Any]) -> int | None:
    if column["kind"] == "text":
        return TEXT
    return None if column["levels"] is None else len(column["levels"])


def _numbers(values: Any, n: int | None = None) -> None:
    fine = isinstance(values, list) and all(type(x) in (int, float) and isfinite(x) for x in values)
    _check(fine and n in (None, len(values)), "finite numbers, as many as there should be")


def _places(values: Any, n: int) -> None:
    _check(
        isinstance(values, list) and all(type(j) is int and 0 <= j < n for j in values), "columns there are"
    )


def _plain(width: int) -> Found:
    return width, [None] * width


def check_take(step: Step, width: int, levels: list[Any], made: Made) -> Found:
    _places(step["columns"], width)
    return len(step["columns"]), [levels[j] for j in step["columns"]]


def check_recode(step: Step, width: int, levels: list[Any], made: Made) -> Found:
    _check(len(step["columns"]) == width, "an entry for each column")
    for known in step["columns"]:
        if known is not None:
            _check(isinstance(known, list), "a list of numbers for each column")
            _numbers([x for x in known if x is not None])
    return width, [
        own if known is None else len(known) for own, known in zip(levels, step["columns"], strict=True)
    ]


def check_dates(step: Step, width: int, levels: list[Any], made: Made) -> Found:
    parts, spans = [(one["column"], one["part"]) for one in step["parts"]], step["spans"]
    columns = [j for j, _ in parts] + [j for first, second in spans for j in (first, second)]
    _places(columns, width)
    _check(all(levels[j] is None for j in columns), "dates as numbers")
    _check(all(part in PART_LEVELS for _, part in parts), "known parts of dates")
    return len(parts) + len(spans), [PART_LEVELS[part] for _, part in parts] + [None] * len(spans)


def check_rates(step: Step, width: int, levels: list[Any], made: Made) -> Found:
    out = 0
    for one in step["columns"]:
        _places([one["column"]], width)
        _check(levels[one["column"]] == len(one["values"]), "rates of each level of a category")
        _numbers(one["overall"])
        for value in one["values"]:
            _numbers(value, len(one["overall"]))
        out += len(one["overall"])
    return _plain(out)


def check_words(step: Step, width: int, levels: list[Any], made: Made) -> Found:
    for one in step["columns"]:
        _places([one["column"]], width)
        _check(levels[one["column"]] == TEXT and one["form"] in ("counts", "presence"), "words of text")
        _check(all(isinstance(term, str) for term in one["terms"]), "terms")
        if one["idf"] is not None:
            _numbers(one["idf"], len(one["terms"]))
    return _plain(sum(len(one["terms"]) for one in step["columns"]))


def check_join(step: Step, width: int, levels: list[Any], made: Made) -> Found:
    sources = step["sources"]
    _check(all(type(k) is int and k in made and k != CELLS for k in sources), "sources there are")
    found = [own for k in sources for own in made[k]]
    _check(step["widths"] == [len(made[k]) for k in sources], "the width of each source")
    _check(TEXT not in found, "text that the step `words` alone reads")
    return len(found), found


def check_prepare(step: Step, width: int, levels: list[Any], made: Made) -> Found:
    _check(len(step["columns"]) == width, "an entry for each column")
    out = 0
    for column in step["columns"]:
        _numbers([column["centre"], column["scale"]])
        _check(column["scale"] > 0 and type(column["gap"]) is bool, "a scale above 0")
        if column["levels"] is not None:
            _numbers(column["levels"])
        out += (1 if column["levels"] is None else len(column["levels"])) + column["gap"]
    return _plain(out)


def check_trees(step: Step, width: int, levels: list[Any], made: Made) -> Found:
    _numbers(step["start"])
    many = len(step["start"])
    for tree in step["trees"]:
        output = tree["output"]
        _check(output is None or (type(output) is int and 0 <= output < many), "an output there is")
        _check_tree(tree, levels, many if output is None else 1)
    _check_divisor(step["divide"])
    return _plain(many)


def check_leaves(step: Step, width: int, levels: list[Any], made: Made) -> Found:
    for tree in step["trees"]:
        _check_tree(tree, levels, 1)
    return _plain(len(step["trees"]))


def _check_tree(tree: dict[str, Any], levels: list[Any], width: int) -> None:
    """Children come after their parents: every way down ends."""
    n = len(tree["child"])
    names = ("column", "threshold", "levels", "children", "missing", "value")
    _check(n > 0 and all(len(tree[name]) == n for name in names), "arrays of nodes of one length")
    for k in range(n):
        child, many, missing = tree["child"][k], tree["children"][k], tree["missing"][k]
        _check(all(type(x) is int for x in (child, many, missing)), "whole numbers of nodes")
        if child < 0:
            _numbers(tree["value"][k], width)
            continue
        _check(k < child and many >= 1 and child + many <= n, "children behind their parent")
        _check(k < missing < n or (missing == -1 and "share" in tree), "a way for missing cells")
        j, levels_of_test = tree["column"][k], tree["levels"][k]
        _check(type(j) is int and 0 <= j < len(levels), "a column there is")
        if levels_of_test is None:
            _numbers([tree["threshold"][k]])
        elif levels_of_test != EACH:
            _check(
                isinstance(levels_of_test, list) and all(type(x) is int for x in levels_of_test),
                "levels by number",
            )
        _check((levels_of_test is None) == (levels[j] is None), "tests of levels for categories alone")
        _check(levels_of_test == EACH or many == 2, "two children of a test")
    if "share" in tree:
        _numbers(tree["share"], n)
    if "surrogates" in tree:
        _check(len(tree["surrogates"]) == n, "arrays of nodes of one length")
        for k, some in enumerate(tree["surrogates"]):
            _check(not some or tree["children"][k] == 2, "surrogates of tests with two children")
            for one in some or ():
                _check_surrogate(one, levels)


def _check_surrogate(one: dict[str, Any], levels: list[Any]) -> None:
    _places([one["column"]], len(levels))
    n_levels = levels[one["column"]]
    _check(one["known"] == n_levels and type(one["below"]) is bool, "surrogates that say what they ask")
    if n_levels is None:
        _check(one["levels"] is None, "tests of levels for categories alone")
        _numbers([one["threshold"]])
    else:
        levels_of_test = one["levels"]
        _check(
            isinstance(levels_of_test, list) and all(type(x) is int for x in levels_of_test),
            "levels by number",
        )


def check_rules(step: Step, width: int, levels: list[Any], made: Made) -> Found:
    _check(len(step["value"]) == len(step["rules"]) + 1, "a value for each rule and one for none")
    for condition in (one for rule in step["rules"] for one in rule):
        _places([condition["column"]], width)
        _numbers([x for x in (condition["low"], condition["high"]) if x is not None])
        _check(type(condition["missing"]) is bool, "whether missing cells are meant")
        if condition["levels"] is not None:
            _numbers(condition["levels"])
    many = len(step["value"][0])
    for value in step["value"]:
        _numbers(value, many)
    return _plain(many)


def check_linear(step: Step, width: int, levels: list[Any], made: Made) -> Found:
    _numbers(step["intercept"])
    _check(len(step["coef"]) == len(step["intercept"]), "an intercept for each line")
    for line in step["coef"]:
        _numbers(line, width)
    return _plain(len(step["intercept"]))


def check_kernel(step: Step, width: int, levels: list[Any], made: Made) -> Found:
    kernel, many = step["kernel"], len(step["intercept"])
    _numbers(step["intercept"])
    _numbers(step["centre"], width)
    _numbers(step["spread"], width)
    _numbers([kernel["gamma"], kernel["coef0"]])
    _check(kernel["name"] in KERNELS and type(kernel["degree"]) is int, "a known kernel")
    _check(
        0 <= kernel["degree"] <= 1000 and all(x > 0 for x in step["spread"]), "a degree, and a spread above 0"
    )
    _check(len(step["rows"]) == len(step["coef"]), "coefficients for each row")
    for row, coef in zip(step["rows"], step["coef"], strict=True):
        _numbers(row, width)
        _numbers(coef, many)
    return _plain(many)


def check_link(step: Step, width: int, levels: list[Any], made: Made) -> Found:
    name = step["name"]
    _numbers([step["factor"], step["above"]])
    _check(name in LINKS and width >= 1, "a known link")
    _check(name != "log" or 0 < step["factor"] < 1, "a share above 0 to add before a logarithm")
    _check(width == 1 or name not in ("logistic", "shares"), "one score for a link of two classes")
    _check(name not in (*ACTIVATIONS, "clip") or step["factor"] >= 0, "a zone of at least 0")
    return _plain(2 if name in ("logistic", "shares") or (name == "odds" and width == 1) else width)


def check_pairs(step: Step, width: int, levels: list[Any], made: Made) -> Found:
    n = step["classes"]
    _check(type(n) is int and 2 <= n <= 10_000 and width == n * (n - 1) // 2, "a score for each pair")
    _check(type(step["rounded"]) is bool, "whether votes are rounded")
    return _plain(n)


def check_vote(step: Step, width: int, levels: list[Any], made: Made) -> Found:
    _check(width >= 1, "scores")
    return _plain(max(2, width))


def check_weigh(step: Step, width: int, levels: list[Any], made: Made) -> Found:
    many = step["width"]
    _check(type(many) is int and 1 <= many <= 1_000_000, "a width")
    parts = zip(step["sources"], step["weights"], step["places"], strict=True)
    for source, weight, places in parts:
        _check(type(source) is int and source in made and source != CELLS, "sources there are")
        _places(places, many)
        _check(len(places) == len(made[source]), "a place for each number of a source")
        _numbers([] if weight is None else [weight])
    _check_divisor(step["divide"])
    return _plain(many)


def check_median(step: Step, width: int, levels: list[Any], made: Made) -> Found:
    _numbers(step["weights"], width)
    _check(width >= 1 and all(x >= 0 for x in step["weights"]), "weights of at least 0")
    return _plain(1)


def _check_divisor(divisor: Any) -> None:
    _numbers([] if divisor is None else [divisor])
    _check(divisor is None or divisor > 0, "a divisor above 0")


def check_silent(step: Step, width: int, levels: list[Any], made: Made) -> Found:
    source = step["source"]
    _check(type(source) is int and source in made and source != CELLS and width >= 1, "a source there is")
    _numbers(step["value"], len(made[source]))
    return _plain(len(made[source]))


CHECKS = by_step(globals(), "check_")
