"""Each step in C.   In: the Program.   Out: arrays, helpers; of each step its call and how many numbers it makes."""

from typing import Any, NamedTuple

from hedgerow.export.program.steps import (
    ACTIVATIONS,
    CELLS,
    EACH,
    KERNELS,
    Program,
    Step,
    by_step,
    refuse_words,
)
from hedgerow.export.program.to_c.helpers import HELPERS
from hedgerow.features.dates import PARTS


class Written(NamedTuple):
    lines: list[str]  # arrays and helpers
    calls: list[str]  # one a step, into the array s<k>
    widths: list[int]


def write_number(x: float) -> str:
    """Without rounding: 0x1.8p+1"""
    return float(x).hex()


def write_steps(program: Program) -> Written:
    helpers: set[str] = {"decide"} if len(program["classes"] or ()) > 1 else set()
    data: list[str] = []
    calls: list[str] = []
    widths: list[int] = []
    for k, step in enumerate(program["steps"]):
        source = "cells" if step["of"] == CELLS else f"s{step['of']}"
        width_in = len(program["columns"]) if step["of"] == CELLS else widths[step["of"]]
        own, call, width, needs = WRITE[step["do"]](step, k, source, width_in)
        data += own
        calls.append(call)
        widths.append(width)
        helpers |= set(needs)
    used = [text for name, text in HELPERS.items() if name in helpers]
    return Written([*used, *data, ""], calls, widths)


One = tuple[list[str], str, int, tuple[str, ...]]


def _array(kind: str, name: str, items: list[Any]) -> str:
    """Long lines are cut; an empty array is none in C."""
    text = [str(item) for item in items] or ["0"]
    rows = [", ".join(text[k : k + 12]) for k in range(0, len(text), 12)]
    return f"static const {kind} {name}[] = {{\n  " + ",\n  ".join(rows) + "};"


def _numbers(name: str, items: list[float]) -> str:
    return _array("double", name, [write_number(x) for x in items])


def _nodes(trees: list[dict[str, Any]], k: int) -> tuple[list[str], int]:
    """Nodes of all trees, one behind the other; bits of their sets; values of their leaves."""
    nodes, bits, values, roots = list[str](), list[int](), list[float](), list[int]()
    for tree in trees:
        roots.append(len(nodes))
        for at, child in enumerate(tree["child"]):
            if child < 0:
                nodes.append(f"{{0, 0, -1, {len(values)}, 0, 0}}")
                values += tree["value"][at]
                continue
            levels, place, threshold = tree["levels"][at], -1, tree["threshold"][at] or 0.0
            if levels == EACH:
                place = -2
            elif levels is not None:
                place = len(bits)
                bits += _bytes(levels)
            size = 0 if place < 0 else len(bits) - place
            children = tree["children"][at] if place == -2 else size * 8
            nodes.append(
                f"{{{write_number(threshold)}, {tree['column'][at]}, {child}, {tree['missing'][at]}, {place}, "
                f"{children}}}"
            )
    return [
        _array("struct node", f"nodes_{k}", nodes),
        _array("unsigned char", f"bits_{k}", bits),
        _array("int", f"roots_{k}", roots),
        _numbers(f"values_{k}", values),
    ], len(trees)


def _bytes(levels: list[int]) -> list[int]:
    out = [0] * (max(levels, default=0) // 8 + 1)
    for level in levels:
        out[level // 8] |= 1 << level % 8
    return out


def write_trees(step: Step, k: int, source: str, width: int) -> One:
    outputs = [-1 if tree["output"] is None else tree["output"] for tree in step["trees"]]
    divisor = 1.0 if step["divide"] is None else step["divide"]
    if any("share" in tree or "surrogates" in tree for tree in step["trees"]):
        return _spread(step["trees"], k, source, outputs, step["start"], divisor)
    if all(map(_is_plain, step["trees"])):
        return _plain_trees(step["trees"], k, source, outputs, step["start"], divisor)
    lines, n = _nodes(step["trees"], k)
    many = len(step["start"])
    lines += [_array("int", f"outputs_{k}", outputs), _numbers(f"start_{k}", step["start"])]
    call = (
        f"add_trees({source}, s{k}, nodes_{k}, bits_{k}, roots_{k}, values_{k}, outputs_{k}, start_{k}, {n}, {many}, "
        f"{write_number(divisor)});"
    )
    return lines, call, many, ("node", "walk", "add_trees")


def _is_plain(tree: dict[str, Any]) -> bool:
    """Tests of numbers alone, and missing cells go to one of the two children."""
    nodes = zip(tree["child"], tree["levels"], tree["missing"], strict=True)
    return all(
        child < 0 or (levels is None and 0 <= missing - child <= 1) for child, levels, missing in nodes
    )


def _plain_trees(
    trees: list[dict[str, Any]], k: int, source: str, outputs: list[int], start: list[float], divisor: float
) -> One:
    """Small nodes, so that eight trees are walked at once: a leaf leads to itself, and all take as many steps as
    the deepest of the eight."""
    nodes, places, values, roots, steps = list[str](), list[int](), list[float](), list[int](), list[int]()
    for tree in trees:
        root, depth = len(nodes), [0] * len(tree["child"])
        roots.append(root)
        for at, child in enumerate(tree["child"]):
            if child < 0:
                nodes.append(f"{{HUGE_VAL, 0, {root + at}}}")
                places.append(len(values))
                values += tree["value"][at]
                continue
            depth[child] = depth[child + 1] = depth[at] + 1
            column = 2 * tree["column"][at] + int(tree["missing"][at] != child)
            nodes.append(f"{{{write_number(tree['threshold'][at])}, {column}, {root + child}}}")
            places.append(0)
        steps.append(max(depth))
    lines = [
        _array("struct plain_node", f"nodes_{k}", nodes or ["{0, 0, 0}"]),
        _array("int", f"places_{k}", places),
        _array("int", f"roots_{k}", roots),
        _array("int", f"steps_{k}", steps),
        _numbers(f"values_{k}", values),
        _array("int", f"outputs_{k}", outputs),
        _numbers(f"start_{k}", start),
    ]
    call = (
        f"add_plain({source}, s{k}, nodes_{k}, places_{k}, roots_{k}, steps_{k}, values_{k}, outputs_{k}, start_{k}, "
        f"{len(trees)}, {len(start)}, {write_number(divisor)});"
    )
    return lines, call, len(start), ("add_plain",)


def write_leaves(step: Step, k: int, source: str, width: int) -> One:
    n = len(step["trees"])
    if any("share" in tree or "surrogates" in tree for tree in step["trees"]):
        return _spread(step["trees"], k, source, list(range(n)), [0.0] * n, 1.0)
    lines, n = _nodes(step["trees"], k)
    call = f"find_leaves({source}, s{k}, nodes_{k}, bits_{k}, roots_{k}, values_{k}, {n});"
    return lines, call, n, ("node", "walk", "find_leaves")


def _spread(
    trees: list[dict[str, Any]], k: int, source: str, outputs: list[int], start: list[float], divisor: float
) -> One:
    """Trees with surrogates, or in which a row may have several leaves."""
    lines, n = _nodes(trees, k)
    surrogates, bits, begin, shares = list[str](), list[int](), [0], list[float]()
    for tree in trees:
        size = len(tree["child"])
        shares += tree.get("share", [1.0] * size)
        for some in tree.get("surrogates", [None] * size):
            for one in some or ():
                place = -1 if one["levels"] is None else len(bits)
                bits += [] if one["levels"] is None else _bytes(one["levels"])
                threshold, known = one["threshold"] or 0.0, -1 if one["known"] is None else one["known"]
                surrogates.append(
                    f"{{{write_number(threshold)}, {one['column']}, {place}, {(len(bits) - place) * 8}, {known}, "
                    f"{int(one['below'])}}}"
                )
            begin.append(len(surrogates))
    many = len(start)
    lines += [
        _array("int", f"outputs_{k}", outputs),
        _numbers(f"start_{k}", start),
        _array("struct surrogate", f"surrogates_{k}", surrogates or ["{0, 0, 0, 0, 0, 0}"]),
        _array("unsigned char", f"surrogate_bits_{k}", bits),
        _array("int", f"begin_{k}", begin),
        _numbers(f"shares_{k}", shares),
        f"static const struct trees trees_{k} = {{nodes_{k}, bits_{k}, values_{k}, surrogates_{k}, surrogate_bits_{k}, "
        f"begin_{k}, shares_{k}}};",
    ]
    call = (
        f"add_spread({source}, s{k}, &trees_{k}, roots_{k}, outputs_{k}, start_{k}, {n}, {many}, "
        f"{write_number(divisor)});"
    )
    return lines, call, many, ("node", "add_spread")


def write_rules(step: Step, k: int, source: str, width: int) -> One:
    conditions, bits, begin = [], list[int](), [0]
    for rule in step["rules"]:
        for one in rule:
            place, size = -1, 0
            if one["levels"] is not None:
                place, some = len(bits), _bytes([int(x) for x in one["levels"]])
                bits, size = bits + some, len(some) * 8
            low = "-HUGE_VAL" if one["low"] is None else write_number(one["low"])
            high = "HUGE_VAL" if one["high"] is None else write_number(one["high"])
            conditions.append(f"{{{low}, {high}, {one['column']}, {place}, {size}, {int(one['missing'])}}}")
        begin.append(len(conditions))
    many = len(step["value"][0])
    lines = [
        _array("struct condition", f"conditions_{k}", conditions or ["{0, 0, 0, 0, 0, 0}"]),
        _array("unsigned char", f"bits_{k}", bits),
        _array("int", f"begin_{k}", begin),
        _numbers(f"values_{k}", [x for value in step["value"] for x in value]),
    ]
    call = f"first_rule({source}, s{k}, conditions_{k}, bits_{k}, begin_{k}, values_{k}, {len(step['rules'])}, {many});"
    return lines, call, many, ("first_rule",)


def write_take(step: Step, k: int, source: str, width: int) -> One:
    n = len(step["columns"])
    call = f"{{ int i; for (i = 0; i < {n}; ++i) s{k}[i] = {source}[columns_{k}[i]]; }}"
    return [_array("int", f"columns_{k}", step["columns"])], call, n, ()


def write_recode(step: Step, k: int, source: str, width: int) -> One:
    known, begin = list[str](), [0]
    for some in step["columns"]:
        known += ["NAN" if x is None else write_number(x) for x in some or []]
        begin.append(len(known))
    same = [int(some is None) for some in step["columns"]]
    lines = [
        _array("double", f"known_{k}", known),
        _array("int", f"begin_{k}", begin),
        _array("int", f"same_{k}", same),
    ]
    return lines, f"recode({source}, s{k}, known_{k}, begin_{k}, same_{k}, {width});", width, ("recode",)


def write_dates(step: Step, k: int, source: str, width: int) -> One:
    made = [f"date_part({source}[{one['column']}], {PARTS.index(one['part'])})" for one in step["parts"]] + [
        f"days_between({source}[{first}], {source}[{second}])" for first, second in step["spans"]
    ]
    lines = [f"s{k}[{i}] = {one};" for i, one in enumerate(made)]
    needs = [*["date_part"] * bool(step["parts"]), *["days_between"] * bool(step["spans"])]
    return [], "\n  ".join(lines), len(made), tuple(needs)


def write_rates(step: Step, k: int, source: str, width: int) -> One:
    lines, calls, n = list[str](), list[str](), 0
    for i, one in enumerate(step["columns"]):
        many, rows = len(one["overall"]), [*one["values"], one["overall"]]
        lines.append(_numbers(f"rates_{k}_{i}", [x for row in rows for x in row]))
        calls.append(f"rates({source}[{one['column']}], s{k} + {n}, rates_{k}_{i}, {len(rows) - 1}, {many});")
        n += many
    return lines, "\n  ".join(calls), n, ("rates",)


def write_words(step: Step, k: int, source: str, width: int) -> One:
    refuse_words("C")


def write_join(step: Step, k: int, source: str, width: int) -> One:
    calls, n = list[str](), 0
    for one, many in zip(step["sources"], step["widths"], strict=True):
        calls.append(f"memcpy(s{k} + {n}, s{one}, {many} * sizeof(double));")
        n += many
    return [], "\n  ".join(calls), n, ()


def write_prepare(step: Step, k: int, source: str, width: int) -> One:
    parts, n = list[str](), 0
    for j, column in enumerate(step["columns"]):
        x = f"{source}[{j}]"
        if column["levels"] is None:
            parts.append(
                f"s{k}[{n}] = scaled({x}, {write_number(column['centre'])}, {write_number(column['scale'])});"
            )
            n += 1
        for level in column["levels"] or []:
            parts.append(f"s{k}[{n}] = {x} == {level};")
            n += 1
        if column["gap"]:
            parts.append(f"s{k}[{n}] = isnan({x}) ? 1.0 : 0.0;")
            n += 1
    scaled = ("scaled",) if any(column["levels"] is None for column in step["columns"]) else ()
    return [], "\n  ".join(parts) or ";", n, scaled


def write_linear(step: Step, k: int, source: str, width: int) -> One:
    many = len(step["intercept"])
    lines = [
        _numbers(f"coef_{k}", [x for line in step["coef"] for x in line]),
        _numbers(f"intercept_{k}", step["intercept"]),
    ]
    return lines, f"linear({source}, s{k}, coef_{k}, intercept_{k}, {many}, {width});", many, ("linear",)


def write_kernel(step: Step, k: int, source: str, width: int) -> One:
    kernel, many, n = step["kernel"], len(step["intercept"]), len(step["rows"])
    lines = [
        _numbers(f"rows_{k}", [x for row in step["rows"] for x in row]),
        _numbers(f"coef_{k}", [x for coef in step["coef"] for x in coef]),
        _numbers(f"intercept_{k}", step["intercept"]),
        _numbers(f"centre_{k}", step["centre"]),
        _numbers(f"spread_{k}", step["spread"]),
    ]
    number = KERNELS.index(kernel["name"])
    settings = (
        f"{number}, {write_number(kernel['gamma'])}, {write_number(kernel['coef0'])}, {kernel['degree']}"
    )
    call = (
        f"{{ double scaled_{k}[{max(1, width)}]; kernel_sum({source}, scaled_{k}, s{k}, rows_{k}, coef_{k}, "
        f"intercept_{k}, centre_{k}, spread_{k}, {n}, {many}, {width}, {settings}); }}"
    )
    return lines, call, many, ("kernel_sum",)


def write_link(step: Step, k: int, source: str, width: int) -> One:
    name, factor = step["name"], write_number(step["factor"])
    if name == "identity":
        return [], f"memcpy(s{k}, {source}, {width} * sizeof(double));", width, ()
    if name == "log":
        one = f"log(({source}[i] + {factor}) / (1 + {width} * {factor}))"
        return [], f"{{ int i; for (i = 0; i < {width}; ++i) s{k}[i] = {one}; }}", width, ()
    if name == "exp":
        return [], f"{{ int i; for (i = 0; i < {width}; ++i) s{k}[i] = exp({source}[i]); }}", width, ()
    if name in (*ACTIVATIONS, "clip"):
        one = f"{name}({source}[i]{'' if name == 'tanh' else ', ' + factor})"
        needs = () if name == "tanh" else (name,)
        return [], f"{{ int i; for (i = 0; i < {width}; ++i) s{k}[i] = {one}; }}", width, needs
    if name == "logistic":
        call = f"s{k}[1] = 1.0 / (1.0 + exp(-{factor} * {source}[0])); s{k}[0] = 1.0 - s{k}[1];"
        return [], call, 2, ()
    if name == "shares":
        slope = f"({source}[0] > 0 ? {write_number(step['above'])} : {factor})"
        call = f"s{k}[0] = 0.0; s{k}[1] = {source}[0] * {slope}; softmax(s{k}, s{k}, 2, 1.0);"
        return [], call, 2, ("divide", "softmax")
    if name == "odds":
        many = 2 if width == 1 else width
        return [], f"odds({source}, s{k}, {width}, {factor});", many, ("divide", "odds")
    return [], f"softmax({source}, s{k}, {width}, {factor});", width, ("divide", "softmax")


def write_pairs(step: Step, k: int, source: str, width: int) -> One:
    n = step["classes"]
    call = f"{{ double sure_{k}[{n}]; pairs({source}, s{k}, sure_{k}, {n}, {int(step['rounded'])}); }}"
    return [], call, n, ("pairs",)


def write_vote(step: Step, k: int, source: str, width: int) -> One:
    many = max(2, width)
    call = f"{{ int i, best = decide({source}, {width}); for (i = 0; i < {many}; ++i) s{k}[i] = i == best; }}"
    return [], call, many, ("decide",)


def write_weigh(step: Step, k: int, source: str, width: int) -> One:
    parts = [f"{{ int i; for (i = 0; i < {step['width']}; ++i) s{k}[i] = 0.0; }}"]
    for one, weight, places in zip(step["sources"], step["weights"], step["places"], strict=True):
        factor = "" if weight is None else f"{write_number(weight)} * "
        parts += [f"s{k}[{place}] += {factor}s{one}[{i}];" for i, place in enumerate(places)]
    if step["divide"] is not None:
        parts.append(
            f"{{ int i; for (i = 0; i < {step['width']}; ++i) s{k}[i] /= {write_number(step['divide'])}; }}"
        )
    return [], "\n  ".join(parts), step["width"], ()


def write_median(step: Step, k: int, source: str, width: int) -> One:
    call = f"{{ int order_{k}[{width}]; s{k}[0] = median({source}, weights_{k}, order_{k}, {width}); }}"
    return [_numbers(f"weights_{k}", step["weights"])], call, 1, ("median",)


def write_silent(step: Step, k: int, source: str, width: int) -> One:
    many = len(step["value"])
    any_vote = " || ".join(f"{source}[{i}] != 0" for i in range(width))
    call = f"memcpy(s{k}, {any_vote} ? s{step['source']} : silent_{k}, {many} * sizeof(double));"
    return [_numbers(f"silent_{k}", step["value"])], call, many, ()


WRITE = by_step(globals(), "write_")
